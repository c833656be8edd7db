"""Whether an inbound message comes from the domain that its sender's address names."""

from enum import StrEnum


class AuthVerdict(StrEnum):
    """The result of SPF, DKIM and DMARC for one inbound message."""

    PASS = "pass"
    """The domain of the sender's address has sent it."""
    FAIL = "fail"
    """The domain says that it has not sent it."""
    NONE = "none"
    """Nothing is known: the domain says nothing, or DNS did not answer."""
