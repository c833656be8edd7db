"""Register webhooks and derive their secrets."""

from marketpost.mail.outbound.mailer import Mailer
from marketpost.notify.target_address import Networks, read_url
from marketpost.play.people.guest_rights import not_for_guests
from marketpost.rules.refusal import Refused
from marketpost.store.webhook_queue import Webhook

MOST_HOOKS = 10
"""Webhooks of one player at most."""


def make_hook(mailer: Mailer, allowed: Networks, id: str, player: str, url: str, kind: str, game: str | None) -> Webhook:
    """Register a webhook; return the one that exists under this id, so that a repeated request adds none."""
    not_for_guests(mailer.ports, player)
    read_url(url, allowed)
    made = Webhook(id, player, url, kind, mailer.ports.clock(), game)
    if not mailer.webhook_queue.make(made, MOST_HOOKS):
        raise Refused("too-many-webhooks", most=MOST_HOOKS)
    return mailer.webhook_queue.find(player, id) or made


def secret_of(mailer: Mailer, hook: str) -> str:
    """Derive the secret that signs a webhook's calls. It is shown once and never stored."""
    return f"whsec_{mailer.token('webhook', hook)}"
