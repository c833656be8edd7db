"""What an answer to an inbound message is about."""

from enum import StrEnum


class AnswerKind(StrEnum):
    """What the subject of an answer says."""

    DONE = "done"
    """Everything was done."""
    REFUSED = "refused"
    """Nothing was done."""
    PARTLY = "partly"
    """Some of it was done and some refused."""
    SHOWN = "shown"
    """The message only asked to be shown something."""
    AWAITS_OTHERS = "asked"
    """Others have to agree before it is done."""
    DROPPED = "dropped"
    """The player said no to what we asked, so it was not done."""
    ASKING = "asking"
    """We ask the player something."""
    THANKS = "thanks"
    """The message held kind words and nothing else."""
