"""Operators: what they do is in the audit log; who may sign in at `/operate` has a password, of which only the hash is in `OPERATORS`."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping

from marketpost.play.ports import Ports
from marketpost.store.operator_records import Act

PREFIX = "op_"
"""Beginning of every password, so that programs that search for leaked secrets recognize one."""
OPERATOR = re.compile(r"([A-Za-z0-9._-]{1,40}):([0-9a-f]{64})")


def new_password() -> str:
    """Make a password that nobody can guess; a fast hash of it is as good as a slow one."""
    return PREFIX + secrets.token_urlsafe(32)


def password_hash(password: str) -> str:
    """Return the hash of a password as it stands in `OPERATORS`."""
    return hashlib.sha256(password.encode(errors="surrogatepass")).hexdigest()


def read_operators(text: str) -> dict[str, str]:
    """Read the hash of each operator's password by name. The ValueError does not repeat the text."""
    found = [OPERATOR.fullmatch(part.strip()) for part in text.split(",") if part.strip()]
    known = {each[1]: each[2] for each in found if each}
    if len(known) != len(found):
        raise ValueError("a part has another form, or a name stands twice")
    return known


def operator_with(operators: Mapping[str, str], password: str) -> str | None:
    """Return the name of the operator with this password; None if nobody has it."""
    given = password_hash(password.strip())
    return next((name for name, known in operators.items() if hmac.compare_digest(known, given)), None)


def audit(ports: Ports, who: str, what: str, player: str, why: str = "") -> None:
    """Append an act to the audit log. Call it before the act, so that no act is missing if the process dies."""
    ports.audit.append(Act(ports.clock(), who, what, player, why))
