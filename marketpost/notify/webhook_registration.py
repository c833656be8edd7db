"""Making a webhook."""

from marketpost.mail.outbound.mailer import Mailer
from marketpost.notify.target_address import Networks, read_url
from marketpost.rules.refusal import Refused
from marketpost.store.webhook_queue import Webhook

MOST_HOOKS = 10
"""For each player."""


def make_hook(mailer: Mailer, allowed: Networks, id: str, player: str, url: str, kind: str, game: str | None) -> Webhook:
    """A new webhook, or the one that was made under this id before."""
    read_url(url, allowed)
    made = Webhook(id, player, url, kind, mailer.ports.clock(), game)
    if not mailer.webhook_queue.make(made, MOST_HOOKS):
        raise Refused("too-many-webhooks", most=MOST_HOOKS)
    return mailer.webhook_queue.find(player, id) or made


def secret_of(mailer: Mailer, hook: str) -> str:
    """What its calls are signed with: told once, kept nowhere."""
    return f"whsec_{mailer.token('webhook', hook)}"
