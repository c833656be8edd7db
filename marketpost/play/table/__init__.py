"""A game's table: opening, seats, links, proposals, talk and notes."""
