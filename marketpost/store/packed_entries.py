"""Entries of logs as they are stored: each compressed by itself, with a dictionary of what entries usually say.

Packing is no format of an entry: hashes, backups and everything above the store see the text. Its first byte tells which it is, since a
text begins with `[`. A changed dictionary is another packing with another first byte; the old one stays.
"""

import re
import zlib
from importlib.resources import files
from io import BytesIO

MARK, PACKED = "{service}:entries", b"\2"
"""The key that allows packing, and its value, which is also the first byte of a packed entry. A new store has the key; one that release 1.0
began has not, because that release could not read it."""
HEX = re.compile(rb'(?<=")(?:[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{64})(?=")')
"""Ids of moves and of players, and hashes: they do not compress, and are stored as bytes behind the rest."""
SIGNS = {12: b"\1", 16: b"\2", 64: b"\3"}
"""Placeholders for them; JSON has no such bytes."""
LENGTHS = {sign[0]: length // 2 for length, sign in SIGNS.items()}
WINDOW = -12
"""Raw deflate with a window of 4 kB, as large as the dictionary."""
DICTIONARY = files("marketpost.store").joinpath("entries.dictionary").read_bytes()


def pack(entry: bytes) -> bytes:
    """Compress an entry; one that would not unpack to the same bytes stays as it is."""
    packer = zlib.compressobj(9, zlib.DEFLATED, WINDOW, zdict=DICTIONARY)
    text = HEX.sub(lambda found: SIGNS[len(found[0])], entry)
    packed = PACKED + packer.compress(text) + packer.flush() + bytes.fromhex(b"".join(HEX.findall(entry)).decode())
    return packed if unpack(packed) == entry else entry


def unpack(stored: bytes) -> bytes:
    """Return the text of an entry, packed or not. Bytes that nobody packed are returned as they are, and are no entry."""
    if stored[:1] != PACKED:
        return stored
    try:
        unpacker = zlib.decompressobj(WINDOW, DICTIONARY)
        text = unpacker.decompress(stored[1:])
    except zlib.error:
        return stored
    rest = BytesIO(unpacker.unused_data)
    text = re.sub(rb"[\1-\3]", lambda sign: rest.read(LENGTHS[sign[0][0]]).hex().encode(), text)
    return text if unpacker.eof else stored
