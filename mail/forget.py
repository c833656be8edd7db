"""Being forgotten by the whole service, its post included."""

from mail.post import Office
from play import forget as play
from store.mailbox import Mailbox


def forget(office: Office, id: str) -> None:
    """The tables first, then the person, so that whatever is still written to others has no name to tell."""
    player = office.ports.people.find(id)
    play.leave_every_table(office.ports, id)
    play.forget(office.ports, id)
    if player:
        office.post.forget(id, player.email)
        Mailbox(office.post.redis).forget(player.email, player.name)
