"""Split the header of a message into its fields by a regular expression, which hostile mail cannot slow down or crash."""

import re
from collections.abc import Iterator

MOST_HEADER = 65_536
FIELD = re.compile(rb"^([!-9;-~]+):((?:[^\n]|\n[ \t])*)(?:\n|\Z)", re.MULTILINE)


def header_of(raw: bytes) -> bytes:
    """Return the header of a message with lines ended by LF."""
    return raw[:MOST_HEADER].replace(b"\r\n", b"\n").partition(b"\n\n")[0]


def header_fields(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the lower-case name of each field and the whole field, from the top."""
    for found in FIELD.finditer(header_of(raw)):
        yield found[1].decode("ascii").lower(), found[0].rstrip(b"\n") + b"\n"
