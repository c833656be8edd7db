"""Domains of players for tests: keys, DNS records, and mails that are signed as the domain's server signs them."""

import base64
import subprocess
from dataclasses import dataclass
from functools import cache

import dkim

from tests.mail.dns_server import Zone

SELECTOR = "test"
HEADERS = [b"From", b"To", b"Subject", b"Message-ID", b"MIME-Version", b"Content-Type"]


@cache
def private_key() -> bytes:
    """One for all domains of a run."""
    return subprocess.run(["openssl", "genrsa", "-traditional", "2048"], capture_output=True, check=True).stdout


@cache
def key_record() -> str:
    command = ["openssl", "rsa", "-pubout", "-outform", "DER"]
    public = subprocess.run(command, input=private_key(), capture_output=True, check=True).stdout
    text = base64.b64encode(public).decode()
    return f'"v=DKIM1; k=rsa; p={text[:200]}" "{text[200:]}"'


@dataclass(frozen=True, slots=True)
class Domain:
    """What a domain has published: its key, who may send for it, and what to do with the rest."""

    name: str = "example.org"
    spf: str = ""
    dmarc: str = ""

    @property
    def zone(self) -> Zone:
        found = {(f"{SELECTOR}._domainkey.{self.name}", "TXT"): [key_record()], (self.name, "MX"): ["10 mx.example.org."]}
        if self.spf:
            found[(self.name, "TXT")] = [f'"v=spf1 {self.spf}"']
        if self.dmarc:
            found[(f"_dmarc.{self.name}", "TXT")] = [f'"v=DMARC1; {self.dmarc}"']
        return found


def signed(raw: bytes, domain: str = "example.org", *, length: bool = False) -> bytes:
    """With a signature of the domain above it; `length` signs only so many bytes of the body."""
    lines = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return dkim.sign(lines, SELECTOR.encode(), domain.encode(), private_key(), include_headers=HEADERS, length=length) + lines
