"""`marketpost doctor --dns`: check what the DNS says about our mail, and print each record that should be published."""

import re
import smtplib
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from ipaddress import ip_address
from urllib.parse import urlsplit

from marketpost.mail.dns_records import (
    Address,
    addresses_of,
    dkim_text,
    host_names,
    mail_hosts,
    policy_faults,
    reverse_name,
    spf_with,
    tags,
    texts,
    zone_line,
)
from marketpost.mail.inbound.dns_lookup import DnsFault, check_spf, use_dns_servers
from marketpost.mail.outbound.message import read_private
from marketpost.mail.outbound.smtp import PORTS
from marketpost.mail.outbound.smtp_server_url import MailServer, is_loopback
from marketpost.store.settings import Settings
from workers.health_checks import Finding

ASKED_WITHIN = 5.0
"""Seconds for the smart host, and for the policy of MTA-STS."""
LONGEST_POLICY = 64_000
PUBLISH = "publish:"
NEW_KEY = "make a key with `openssl genrsa -out dkim.pem 2048`, set DKIM_KEY to that file, and run this again for the record"
WHERE_FROM = "say where letters leave from with --sends-from ADDRESS"


def examine_dns(found: Settings, sends_from: Sequence[str]) -> Iterator[Finding]:
    """List the findings about the records of the mail domain, each with the record to publish."""
    use_dns_servers(found.dns_servers)
    domain = found.mail_domain
    if "." not in domain:
        yield Finding("MAIL_DOMAIN", f"{domain} is no domain on the open internet", "set MAIL_DOMAIN to a domain of your own")
        return
    server = MailServer.parse(found.smtp_url, PORTS) if found.smtp_url else None
    senders = [ip_address(each) for each in sends_from] or _own_senders(server)
    checks: list[tuple[str, Callable[[], Finding]]] = [
        ("MX", partial(_mx, domain, _own_host(found))),
        ("SPF", partial(_spf, domain, senders, bool(sends_from))),
        ("DKIM", partial(_dkim, domain, found.dkim_selector, found.dkim_key)),
        ("DMARC", partial(_dmarc, domain)),
        *(("PTR", partial(_ptr, domain, each)) for each in senders),
        ("MTA-STS", partial(_mta_sts, domain, _own_host(found))),
    ]
    for about, check in checks:
        yield _asked(about, check)
    if not senders:
        yield Finding("PTR", "not looked up: it is not known which address letters leave from", WHERE_FROM, grave=False)
    yield _tls(server) if server else Finding("TLS", "no smart host", "set SMTP_URL: letters stay in the local mailbox")


def _own_host(found: Settings) -> str:
    """Return the name of the host that may take our mail: that of the service, if it has one."""
    host = urlsplit(found.public_url).hostname or ""
    return host if re.search("[a-z]", host) and not is_loopback(host) else f"mail.{found.mail_domain}"


def _own_senders(server: MailServer | None) -> list[Address]:
    """Return the addresses of the smart host, if it is another machine."""
    if server is None or is_loopback(server.host) or server.host.startswith("/"):
        return []
    try:
        return addresses_of(server.host)
    except DnsFault:
        return []


def _asked(about: str, check: Callable[[], Finding]) -> Finding:
    """Run one check; DNS that does not answer is a finding, too."""
    try:
        return check()
    except DnsFault as fault:
        return Finding(about, f"DNS does not say: {fault}", "check the name servers of the domain, and DNS_SERVERS")


def _mx(domain: str, our_host: str) -> Finding:
    hosts = mail_hosts(domain)
    record = zone_line(domain, "MX", f"10 {(hosts[0] if hosts and hosts[0] else our_host).rstrip('.')}.")
    if not hosts:
        return Finding("MX", "none: answers do not arrive", PUBLISH, paste=record)
    if "" in hosts:
        return Finding("MX", "says that the domain takes no mail", PUBLISH, paste=zone_line(domain, "MX", f"10 {our_host}."))
    if homeless := [host for host in hosts if not addresses_of(host)]:
        return Finding(
            "MX", f"{', '.join(homeless)} has no address", f"{PUBLISH} an A or AAAA record for {homeless[0]}, beside", paste=record
        )
    return Finding("MX", ", ".join(hosts), paste=record)


def _spf(domain: str, senders: Sequence[Address], is_certain: bool) -> Finding:
    """Check SPF. The address of a provider's smart host is not always the one that letters leave from: then it is a note."""
    found = texts(domain, "v=spf1")
    record = zone_line(domain, "TXT", spf_with(found[0] if found else "", senders))
    if not found:
        return Finding("SPF", "none: anybody may send as this domain", PUBLISH, paste=record)
    if len(found) > 1:
        return Finding("SPF", f"{len(found)} records, so none counts", "remove all but one, and publish:", paste=record)
    if found[0].lower().endswith((" +all", " all")):
        return Finding("SPF", f"{found[0]} lets everybody send", PUBLISH, paste=record)
    results = {each: check_spf(str(each), f"bounce@{domain}", domain) for each in senders}
    if "permerror" in results.values():
        return Finding("SPF", f"{found[0]} cannot be read", PUBLISH, paste=zone_line(domain, "TXT", spf_with("", senders)))
    if refused := [str(each) for each, result in results.items() if result != "pass"]:
        grave = is_certain or "include:" not in found[0]
        return Finding("SPF", f"{found[0]} does not allow {', '.join(refused)}", PUBLISH, grave, record)
    if not senders:
        return Finding("SPF", found[0], WHERE_FROM, False, record)
    return Finding("SPF", found[0], paste=zone_line(domain, "TXT", found[0]))


def _dkim(domain: str, selector: str, key: str) -> Finding:
    if not key:
        return Finding("DKIM", "letters are not signed here", f"{NEW_KEY}; or let the smart host sign", grave=False)
    ours = dkim_text(read_private(key))
    name = f"{selector}._domainkey.{domain}"
    record = zone_line(name, "TXT", ours)
    published = [found for text in texts(name) if "p" in (found := tags(text))]
    if not published:
        return Finding("DKIM", f"no key under {name}: every signature fails", PUBLISH, paste=record)
    if len(published) > 1:
        return Finding("DKIM", f"{len(published)} keys under {name}", "remove all, and publish:", paste=record)
    if not published[0].get("p"):
        return Finding("DKIM", f"the key under {name} is revoked", PUBLISH, paste=record)
    if published[0]["p"] != tags(ours)["p"]:
        return Finding("DKIM", f"the key under {name} is another than DKIM_KEY", PUBLISH, paste=record)
    return Finding("DKIM", f"the key under {name} is ours", paste=record)


def _dmarc(domain: str) -> Finding:
    """Check DMARC, at the domain or the nearest one above it that has a policy."""
    record = zone_line(f"_dmarc.{domain}", "TXT", f"v=DMARC1; p=quarantine; rua=mailto:postmaster@{domain}")
    labels = domain.split(".")
    parents = [".".join(labels[at:]) for at in range(len(labels) - 1)]
    at, found = next(((parent, said) for parent in parents if (said := texts(f"_dmarc.{parent}", "v=DMARC1"))), (domain, []))
    if not found:
        return Finding("DMARC", "none: large providers refuse letters of such domains", PUBLISH, paste=record)
    if len(found) > 1:
        return Finding("DMARC", f"{len(found)} records under _dmarc.{at}, so none counts", "remove all but one:", paste=record)
    policy = tags(found[0]).get("p", "").lower()
    if policy not in ("none", "quarantine", "reject"):
        return Finding("DMARC", f"{found[0]} has no policy", PUBLISH, paste=record)
    if policy == "none":
        return Finding("DMARC", f"{found[0]} only reports", "once reports show no failures, publish:", False, record)
    return Finding("DMARC", found[0], paste=zone_line(f"_dmarc.{at}", "TXT", found[0]))


def _ptr(domain: str, address: Address) -> Finding:
    """Check that an address has a name which leads back to it; many servers refuse mail otherwise."""
    names = host_names(address)
    record = zone_line(reverse_name(address), "PTR", f"{names[0] if names else f'mail.{domain}'}.")
    asks = "ask whoever gave you the address to publish:"
    if not names:
        return Finding("PTR", f"{address} has no name", asks, paste=record)
    if any(address in addresses_of(name) for name in names):
        return Finding("PTR", f"{address} is {names[0]}, which leads back", paste=record)
    kind = "A" if address.version == 4 else "AAAA"
    return Finding("PTR", f"{address} is {names[0]}, which does not lead back", PUBLISH, paste=zone_line(names[0], kind, str(address)))


def _mta_sts(domain: str, our_host: str) -> Finding:
    """Check MTA-STS, by which servers that answer us insist on TLS. It may be missing, but not be half done."""
    hosts = [host for host in mail_hosts(domain) if host] or [our_host]
    record, url = zone_line(f"_mta-sts.{domain}", "TXT", "v=STSv1; id=1"), f"https://mta-sts.{domain}/.well-known/mta-sts.txt"
    mx = "".join(f"\nmx: {host}" for host in hosts)
    page = f"{record}\n; and at {url}:\nversion: STSv1\nmode: enforce{mx}\nmax_age: 604800"
    if not texts(f"_mta-sts.{domain}", "v=STSv1"):
        return Finding("MTA-STS", "none: answers may travel without TLS", PUBLISH, False, page)
    if not addresses_of(f"mta-sts.{domain}"):
        return Finding("MTA-STS", f"the record is there, but mta-sts.{domain} has no address", PUBLISH, paste=page)
    try:
        with urllib.request.urlopen(url, timeout=ASKED_WITHIN) as answer:
            fault = policy_faults(answer.read(LONGEST_POLICY).decode("utf-8", "replace"), hosts)
    except (urllib.error.URLError, OSError) as error:
        fault = str(error)
    if fault:
        return Finding("MTA-STS", f"the policy at {url} is of no use: {fault}", PUBLISH, paste=page)
    return Finding("MTA-STS", f"the policy at {url} fits the MX", paste=record)


def _tls(server: MailServer) -> Finding:
    """Check that the smart host speaks TLS with a certificate for its name."""
    where = f"{server.host}:{server.port}"
    if server.scheme == "lmtp" or (is_loopback(server.host) and server.starttls == "no" and server.scheme != "smtps"):
        return Finding("TLS", f"{where} is this machine, so none is needed")
    try:
        offered = _speaks_tls(server)
    except ssl.SSLError as error:
        why = getattr(error, "verify_message", "") or error.reason or str(error)
        return Finding("TLS", f"{where}: {why}", "give it a certificate for its name, or name its authority: SMTP_URL=…?ca=FILE")
    except (OSError, smtplib.SMTPException) as error:
        return Finding("TLS", f"{where} does not answer: {error}", "check SMTP_URL, and that this server lets this machine in")
    if not offered:
        return Finding("TLS", f"{where} offers none: letters can be read on their way", "switch STARTTLS on at the smart host")
    return Finding("TLS", f"{where} speaks TLS with a good certificate")


def _speaks_tls(server: MailServer) -> bool:
    """Connect to the smart host with TLS; False if it offers none. Raises SSLError for a bad certificate."""
    if server.scheme == "smtps":
        smtplib.SMTP_SSL(server.host, server.port, timeout=ASKED_WITHIN, context=server.tls()).close()
        return True
    with smtplib.SMTP(server.host, server.port, timeout=ASKED_WITHIN) as client:
        client.ehlo()
        if not client.has_extn("starttls"):
            return False
        client.starttls(context=server.tls())
        return True
