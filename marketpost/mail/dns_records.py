"""Read and write the DNS records that mail depends on: MX, SPF, DKIM, DMARC, PTR and MTA-STS."""

import base64
import re
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address

import dns.reversename
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from marketpost.mail.inbound.dns_lookup import lookup, txt_records

PUBLISHED_FOR = 3600
"""Seconds for which others may cache a record."""
LONGEST_STRING = 255
"""Characters of one string of a TXT record; a longer text is several strings."""
Address = IPv4Address | IPv6Address


def zone_line(name: str, kind: str, value: str) -> str:
    """Return a record as a zone file has it, to be pasted."""
    if kind == "TXT":
        value = " ".join(f'"{value[at : at + LONGEST_STRING]}"' for at in range(0, len(value), LONGEST_STRING))
    return f"{name.rstrip('.')}. {PUBLISHED_FOR} IN {kind} {value}"


def texts(name: str, begins: str = "") -> list[str]:
    """Return the TXT records of a name; those that begin with this tag, such as `v=spf1`, if one is given."""
    found = (record.decode("utf-8", "replace").strip() for record in txt_records(name))
    return [text for text in found if not begins or re.match(rf"{re.escape(begins)}(?:\s*;|\s|$)", text, re.IGNORECASE)]


def tags(text: str) -> dict[str, str]:
    """Parse a record of tags, such as `v=DKIM1; k=rsa; p=…`; blanks in values are dropped, as DKIM allows them there."""
    pairs = (each.partition("=") for each in text.split(";") if "=" in each)
    return {name.strip().lower(): "".join(value.split()) for name, _, value in pairs}


def addresses_of(host: str) -> list[Address]:
    """Return the addresses of a host; itself, if it is one."""
    try:
        return [ip_address(host)]
    except ValueError:
        return [ip_address(each) for kind in ("A", "AAAA") for each in lookup(host, kind)]


def mail_hosts(domain: str) -> list[str]:
    """Return the hosts that take mail for a domain, the preferred first; an empty name means that it takes none (RFC 7505)."""
    return [exchange.to_text(omit_final_dot=True).strip(".") for _, exchange in sorted(lookup(domain, "MX"))]


def reverse_name(address: Address) -> str:
    """Return the name under which the PTR record of an address is."""
    return dns.reversename.from_address(str(address)).to_text(omit_final_dot=True)


def host_names(address: Address) -> list[str]:
    """Return the names of an address by its PTR records."""
    return [str(name) for name in lookup(reverse_name(address), "PTR")]


def dkim_text(private: bytes) -> str:
    """Return the DKIM record of a private key."""
    public = load_pem_private_key(private, None).public_key()
    data = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"v=DKIM1; k=rsa; p={base64.b64encode(data).decode()}"


def spf_with(existing: str, senders: Sequence[Address]) -> str:
    """Return an SPF record that also allows these senders; what it says already stays, but it ends by refusing all others."""
    allowed = [f"ip{each.version}:{each}" for each in senders]
    known = [term for term in existing.split()[1:] if not re.fullmatch(r"[+?~-]?all", term, re.IGNORECASE)]
    return " ".join(["v=spf1", *known, *(term for term in allowed or ["mx"] if term not in known), "-all"])


def policy_faults(policy: str, hosts: Sequence[str]) -> str:
    """Say what is wrong with an MTA-STS policy (RFC 8461) for a domain whose mail these hosts take; empty if nothing is."""
    lines = [(name.strip().lower(), value.strip()) for name, _, value in (line.partition(":") for line in policy.splitlines())]
    said = dict(lines)
    if said.get("version") != "STSv1" or said.get("mode") not in ("enforce", "testing", "none") or not said.get("max_age", "").isdecimal():
        return "it needs `version: STSv1`, a `mode` and a `max_age`"
    patterns = [value.lower() for name, value in lines if name == "mx"]
    missing = [host for host in hosts if not any(_matches(host.lower(), each) for each in patterns)]
    return f"it does not name {', '.join(missing)}" if missing else ""


def _matches(host: str, pattern: str) -> bool:
    return host == pattern or (pattern.startswith("*.") and host.partition(".")[2] == pattern[2:])
