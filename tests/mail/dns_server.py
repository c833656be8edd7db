"""A small DNS server for tests: a zone of our own, names for which it fails, and names for which it says nothing."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread

import dns.flags
import dns.message
import dns.rcode
import dns.rrset

FAILS, SILENT = "fails", "silent"


@dataclass
class Fickle:
    """Records that are different each time."""

    answers: Iterator[list[str]]


Zone = Mapping[tuple[str, str], list[str] | str | Fickle]
"""By name and type: the records as a zone file writes them, perhaps none, or how the server misbehaves."""


@contextmanager
def dns_server(zone: Zone) -> Iterator[int]:
    """Serve the zone on a port of 127.0.0.1."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        port = server.getsockname()[1]
        thread = Thread(target=_serve, args=(server, zone))
        thread.start()
        try:
            yield port
        finally:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
                client.sendto(b"", ("127.0.0.1", port))
            thread.join()


def _serve(server: socket.socket, zone: Zone) -> None:
    while True:
        asked, client = server.recvfrom(4096)
        if not asked:
            return
        if answer := _answer(dns.message.from_wire(asked), zone):
            server.sendto(answer.to_wire(), client)


def _answer(query: dns.message.Message, zone: Zone) -> dns.message.Message | None:
    question, answer = query.question[0], dns.message.make_response(query, recursion_available=True)
    name, kind = question.name.to_text(omit_final_dot=True).lower(), dns.rdatatype.to_text(question.rdtype)
    found = zone.get((name, kind))
    if isinstance(found, Fickle):
        found = next(found.answers)
    if found == SILENT:
        return None
    if found == FAILS:
        answer.set_rcode(dns.rcode.SERVFAIL)
    elif not found and not any(known == name and records for (known, _), records in zone.items()):
        answer.set_rcode(dns.rcode.NXDOMAIN)
    elif found:
        answer.answer.append(dns.rrset.from_text_list(question.name, 60, "IN", kind, found))
    return answer
