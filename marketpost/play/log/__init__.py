"""The event log of a game: its entries, their fold into a game, and the commit."""
