"""The names of those who take part in a competition, as a reader may see them."""

from marketpost.play.compete.competition import Competition
from marketpost.play.people.names import plain_name
from marketpost.play.ports import Ports


def entrant_names(ports: Ports, competition: Competition, reader: str) -> dict[str, str]:
    """Name those who entered, and the host. Erased players have no name; hidden ones only for readers who take part."""
    everybody = {*competition.entrants, competition.host}
    sees_all = reader in everybody
    people = ports.players.find_all(everybody)
    return {id: plain_name(player.name) for id, player in people.items() if sees_all or not player.hidden}
