"""Making a webhook."""

from marketpost.mail.outbound.delivery import Office
from marketpost.notify.target_address import Networks, read_url
from marketpost.rules.refusal import Refused
from marketpost.store.webhook_queue import Hook

MOST_HOOKS = 10
"""For each player."""


def make_hook(office: Office, allowed: Networks, id: str, player: str, url: str, kind: str, game: str | None) -> Hook:
    """A new webhook, or the one that was made under this id before."""
    read_url(url, allowed)
    made = Hook(id, player, url, kind, office.ports.clock(), game)
    if not office.hooks.make(made, MOST_HOOKS):
        raise Refused("too-many-webhooks", most=MOST_HOOKS)
    return office.hooks.find(player, id) or made


def secret_of(office: Office, hook: str) -> str:
    """What its calls are signed with: told once, kept nowhere."""
    return f"whsec_{office.token('webhook', hook)}"
