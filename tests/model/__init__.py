"""The whole service against a small model of it: random actions of players by REST and mail, with processes that die in between."""
