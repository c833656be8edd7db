"""New mails as programs write them from a link: the body that the link brings, a signature, and no quote."""

from collections.abc import Callable
from html import escape

from tests.mail.programs.answer import Answer, Written, broken, divs, joined, own, paragraphs


def gmail_web(a: Answer) -> Written:
    sign = f'<span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">{broken(a.signature)}</div>'
    html = f'<div dir="ltr">{broken(a.lines)}<br clear="all"><div><br></div>{sign if a.signature else ""}</div>\n'
    return Written(own(a), html, width=72)


def gmail_phone(a: Answer) -> Written:
    return Written("\n".join(a.lines), f'<div dir="auto">{broken(a.lines)}</div>\n')


def outlook_windows(a: Answer) -> Written:
    body = f"{paragraphs(a.lines, ' class=MsoNormal')}<p class=MsoNormal><o:p>&nbsp;</o:p></p>{paragraphs(a.signature, ' class=MsoNormal')}"
    html = f'<html xmlns:o="urn:schemas-microsoft-com:office:office"><body lang=DE><div class=WordSection1>{body}</div></body></html>'
    return Written(own(a, mark=False), html)


def outlook_page(a: Answer) -> Written:
    sign = f'<div id="Signature" class="elementToProof"><p>{broken(a.signature)}</p></div>' if a.signature else ""
    html = f'<html><head></head><body dir="ltr">{divs(a.lines, " class=elementToProof style=font-family:Aptos")}{sign}</body></html>'
    return Written(own(a, mark=False), html)


def outlook_phone(a: Answer) -> Written:
    get = a.pick("Get Outlook for Android", "Outlook für iOS beziehen", "Obtenir Outlook pour iOS", "Ottieni Outlook per Android")
    name, _, system = get.rpartition(" ")
    sign = f'<div id="ms-outlook-mobile-signature" dir="auto"><div><br></div>{name} <a href="https://aka.ms/o0ukef">{system}</a></div>'
    return Written(
        joined("\n".join(a.lines), f"{get}<https://aka.ms/o0ukef>"), f"<html><body>{divs(a.lines, ' dir=auto')}{sign}</body></html>"
    )


def mac(a: Answer) -> Written:
    html = f'<html><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space;">{broken(a.lines)}<div><br></div>{divs(a.signature)}</body></html>'
    return Written(own(a, mark=False), html)


def iphone_mail(a: Answer) -> Written:
    sent = a.pick("Sent from my iPhone", "Von meinem iPhone gesendet", "Envoyé de mon iPhone", "Inviato da iPhone")
    html = f'<html><body dir="auto">{broken(a.lines)}<br><br id="lineBreakAtBeginningOfSignature"><div dir="ltr">{sent}</div></body></html>'
    return Written(joined("\n".join(a.lines), sent), html)


def thunderbird_window(a: Answer) -> Written:
    sign = f'<pre class="moz-signature" cols="72">-- \n{escape(chr(10).join(a.signature))}</pre>' if a.signature else ""
    return Written(own(a), f"<html><body><p>{broken(a.lines)}</p>{sign}</body></html>", flowed=True)


COMPOSERS: tuple[Callable[[Answer], Written], ...] = (
    *(gmail_web, gmail_phone, outlook_windows, outlook_page, outlook_phone, mac, iphone_mail, thunderbird_window),
)
