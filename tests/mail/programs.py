"""How mail programs write an answer, in four languages: text part, HTML part, and how they are packed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from html import escape

from babel.dates import format_datetime

NB, NNB = "\u00a0", "\u202f"


@dataclass(frozen=True)
class Answer:
    """What a player writes, and what the program knows about the mail it answers."""

    language: str
    lines: tuple[str, ...]
    when: datetime
    name: str
    address: str
    me: str
    my_address: str
    subject: str
    text: str
    html: str
    rendered: str
    signature: tuple[str, ...] = ()
    top: bool = True

    def date(self, **patterns: str) -> str:
        return format_datetime(
            self.when, patterns[self.language], locale={"en": "en_GB", "de": "de", "fr": "fr", "it": "it"}[self.language]
        )

    def pick(self, en: str, de: str, fr: str, it: str) -> str:
        return {"en": en, "de": de, "fr": fr, "it": it}[self.language]


@dataclass(frozen=True)
class Written:
    text: str
    html: str
    flowed: bool = False
    width: int = 0


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def divs(lines: tuple[str, ...], attributes: str = "") -> str:
    return "".join(f"<div{attributes}>{escape(line) if line else '<br>'}</div>" for line in lines)


def paragraphs(lines: tuple[str, ...], attributes: str = "") -> str:
    return "\n".join(f"<p{attributes}>{escape(line) if line else '&nbsp;'}</p>" for line in lines)


def broken(lines: tuple[str, ...]) -> str:
    return "<br>".join(map(escape, lines))


def joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def own(a: Answer, mark: bool = True) -> str:
    body = "\n".join(a.lines)
    return body + ("\n\n-- \n" if mark else "\n\n") + "\n".join(a.signature) if a.signature else body


def gmail_intro(a: Answer) -> str:
    who = f"{a.name} <{a.address}>"
    return a.pick(
        f"On {a.date(en='EEE, d MMM yyyy', de='', fr='', it='')} at {a.when:%H:%M}, {who} wrote:" if a.language == "en" else "",
        f"Am {a.date(en='', de='EEE, d. MMM yyyy', fr='', it='')} um {a.when:%H:%M}{NNB}Uhr schrieb {who}:" if a.language == "de" else "",
        f"Le{NB}{a.date(en='', de='', fr='EEE d MMM yyyy', it='')} à{NB}{a.when:%H:%M}, {who} a écrit{NB}:" if a.language == "fr" else "",
        f"Il giorno {a.date(en='', de='', fr='', it='EEE d MMM yyyy')} alle ore {a.when:%H:%M} {who} ha scritto:"
        if a.language == "it"
        else "",
    )


def wrap_intro(intro: str, width: int = 72) -> str:
    """Gmail breaks the attribution before its last words."""
    if len(intro) <= width:
        return intro
    words, lines, line = intro.split(" "), [], ""
    for word in words:
        if line and len(line) + len(word) + 1 > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


def gmail(a: Answer) -> Written:
    intro = gmail_intro(a)
    sign = (
        f'<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">{broken(a.signature)}</div>'
        if a.signature
        else ""
    )
    html = (
        f'<div dir="ltr">{divs(a.lines)}{sign}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">{escape(intro)}<br></div>'
        f'<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">{a.html}</blockquote></div>'
    )
    return Written(joined(own(a), wrap_intro(intro) + "\n\n" + quoted(a.rendered)), html, width=72)


def gmail_bottom(a: Answer) -> Written:
    intro = gmail_intro(a)
    html = (
        f'<div dir="ltr"><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(intro)}<br></div><blockquote class="gmail_quote">{a.html}</blockquote></div>'
        f"<div><br></div>{divs(a.lines)}</div>"
    )
    return Written(f"{wrap_intro(intro)}\n\n{quoted(a.rendered)}\n\n" + "\n".join(a.lines), html)


def gmail_android(a: Answer) -> Written:
    who = f"{a.name} <{a.address}>"
    intro = a.pick(
        f"On {a.date(en='EEE, d MMM yyyy', de='d', fr='d', it='d')}, {a.when:%H:%M} {who}, wrote:",
        f"{who} schrieb am {a.date(en='d', de='EEE, d. MMM yyyy', fr='d', it='d')}, {a.when:%H:%M}:",
        f"Le {a.date(en='d', de='d', fr='EEE d MMM yyyy', it='d')}, {a.when:%H:%M}, {who} a écrit :",
        f"Il {a.date(en='d', de='d', fr='d', it='EEE d MMM yyyy')}, {a.when:%H:%M} {who} ha scritto:",
    )
    html = f'<div dir="auto">{divs(a.lines, " dir=auto")}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(intro)}<br></div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">{a.html}</blockquote></div>'
    return Written(joined("\n".join(a.lines), wrap_intro(intro) + "\n\n" + quoted(a.rendered)), html)


def outlook_headers(a: Answer, bold: bool = False) -> list[tuple[str, str]]:
    labels = {
        "en": ("From", "Sent", "To", "Subject"),
        "de": ("Von", "Gesendet", "An", "Betreff"),
        "fr": ("De", "Envoyé", "À", "Objet"),
        "it": ("Da", "Inviato", "A", "Oggetto"),
    }
    when = a.date(en="EEEE, d MMMM yyyy HH:mm", de="EEEE, d. MMMM yyyy HH:mm", fr="EEEE d MMMM yyyy HH:mm", it="EEEE d MMMM yyyy HH:mm")
    colon = f"{NB}:" if a.language == "fr" else ":"
    return list(
        zip(
            (label + colon for label in labels[a.language]),
            (f"{a.name} <{a.address}>", when, f"{a.me} <{a.my_address}>", a.subject),
            strict=True,
        )
    )


def outlook_desktop(a: Answer) -> Written:
    heads = outlook_headers(a)
    text = joined(own(a, mark=False), "\n".join(f"{label} {value} " for label, value in heads) + "\n\n" + a.rendered)
    html = (
        f'<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {{margin:0cm}} --></style></head><body lang=DE link="#0563C1"><div class=WordSection1>'
        f"{paragraphs(a.lines, ' class=MsoNormal')}<p class=MsoNormal><o:p>&nbsp;</o:p></p>{paragraphs(a.signature, ' class=MsoNormal')}"
        f"<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>"
        + "<br>".join(f"<b>{escape(label)}</b> {escape(value)}" for label, value in heads)
        + f"<o:p></o:p></p></div></div><p class=MsoNormal><o:p>&nbsp;</o:p></p>{a.html}</div></body></html>"
    )
    return Written(text, html)


def outlook_old(a: Answer) -> Written:
    """Plain text in Outlook: `-----Original Message-----`, no marks."""
    rule = a.pick(
        "-----Original Message-----", "-----Ursprüngliche Nachricht-----", "-----Message d'origine-----", "-----Messaggio originale-----"
    )
    text = joined(own(a, mark=False), rule + "\n" + "\n".join(f"{label} {value}" for label, value in outlook_headers(a)) + "\n\n" + a.text)
    html = "<html><body><p><font size=2>" + broken(tuple(text.split("\n"))) + "</font></p></body></html>"
    return Written(text, html)


def outlook_web(a: Answer) -> Written:
    heads = outlook_headers(a)
    text = joined(own(a, mark=False), "_" * 32 + "\n" + "\n".join(f"{label} {value}" for label, value in heads) + "\n\n" + a.rendered)
    html = (
        f'<html><head></head><body dir="ltr">{divs(a.lines, " class=elementToProof style=font-family:Calibri")}<div id="Signature">{broken(a.signature)}</div><div id="appendonsend"></div>'
        f'<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">'
        + "<br>".join(f"<b>{escape(label)}</b> {escape(value)}" for label, value in heads)
        + f"</font><div>&nbsp;</div></div><div>{a.html}</div></body></html>"
    )
    return Written(text, html)


def outlook_mobile(a: Answer) -> Written:
    get = a.pick("Get Outlook for iOS", "Outlook für Android herunterladen", "Télécharger Outlook pour iOS", "Scarica Outlook per Android")
    heads = outlook_headers(a)
    text = joined(
        "\n".join(a.lines),
        f"{get}<https://aka.ms/o0ukef>",
        "_" * 32 + "\n" + "\n".join(f"{label} {value}" for label, value in heads) + "\n\n" + a.rendered,
    )
    html = (
        f'<html><body>{divs(a.lines, " dir=auto")}<div id="ms-outlook-mobile-signature" dir="auto"><div><br></div>{get.rpartition(" ")[0]} <a href="https://aka.ms/o0ukef">{get.rpartition(" ")[2]}</a></div>'
        f'<div id="mail-editor-reference-message-container" class="ms-outlook-mobile-reference-message"><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" style="font-size:11pt">'
        + "<br>".join(f"<strong>{escape(label)}</strong> {escape(value)}" for label, value in heads)
        + f"<br></div>{a.html}</div></body></html>"
    )
    return Written(text, html)


def windows_mail(a: Answer) -> Written:
    sent = a.pick(
        "Sent from Mail for Windows",
        "Gesendet von Mail für Windows",
        f"Provenance{NB}: Courrier pour Windows",
        "Inviato da Posta per Windows",
    )
    heads = outlook_headers(a)
    text = joined("\n".join(a.lines), sent, "\n".join(f"{label} {value}" for label, value in heads) + "\n\n" + a.rendered)
    html = (
        f"<html><body><div class=WordSection1>{paragraphs(a.lines, ' class=MsoNormal')}<p class=MsoNormal>&nbsp;</p><p class=MsoNormal>{sent}</p>"
        f"<div style='mso-element:para-border-div;border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal style='border:none;padding:0cm'>"
        + "<br>".join(f"<b>{escape(label)}</b>{escape(value)}" for label, value in heads)
        + f"</p></div>{a.html}</div></body></html>"
    )
    return Written(text, html)


def apple_intro(a: Answer) -> str:
    who = f"{a.name} <{a.address}>"
    return a.pick(
        f"On {a.when.day} {a.date(en='MMM yyyy', de='d', fr='d', it='d')}, at {a.when:%H:%M}, {who} wrote:",
        f"Am {a.when:%d.%m.%Y} um {a.when:%H:%M} schrieb {who}:",
        f"Le {a.date(en='d', de='d', fr='d MMM yyyy', it='d')} à {a.when:%H:%M}, {who} a écrit{NB}:",
        f"Il giorno {a.date(en='d', de='d', fr='d', it='d MMM yyyy')}, alle ore {a.when:%H:%M}, {who} ha scritto:",
    )


def apple_mail(a: Answer) -> Written:
    intro = apple_intro(a)
    text = joined(own(a, mark=False), quoted(f"{intro}\n\n{a.rendered}"))
    html = (
        f'<html><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space;">{divs(a.lines)}<div><br></div>{divs(a.signature)}<div><br><blockquote type="cite"><div>{escape(intro)}</div>'
        f'<br class="Apple-interchange-newline"><div>{a.html}</div></blockquote></div><br></body></html>'
    )
    return Written(text, html)


def iphone(a: Answer) -> Written:
    sent = a.pick("Sent from my iPhone", "Von meinem iPhone gesendet", "Envoyé de mon iPhone", "Inviato da iPhone")
    intro = apple_intro(a)
    text = joined("\n".join(a.lines), sent, quoted(f"{intro}\n\n\ufeff{a.text}"))
    html = (
        f'<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">{broken(a.lines)}<br><br id="lineBreakAtBeginningOfSignature"><div dir="ltr">{sent}</div>'
        f'<div dir="ltr"><br><blockquote type="cite">{escape(intro)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">\ufeff{a.html}</div></blockquote></body></html>'
    )
    return Written(text, html, flowed=False)


def thunderbird_intro(a: Answer) -> str:
    return a.pick(
        f"On {a.when:%d/%m/%Y} {a.when:%H:%M}, {a.name} wrote:",
        f"Am {a.when:%d.%m.%y} um {a.when:%H:%M} schrieb {a.name}:",
        f"Le {a.when:%d/%m/%Y} à {a.when:%H:%M}, {a.name} a écrit{NB}:",
        f"Il {a.when:%d/%m/%Y} {a.when:%H:%M}, {a.name} ha scritto:",
    )


def thunderbird(a: Answer) -> Written:
    intro = thunderbird_intro(a)
    sign = f'<pre class="moz-signature" cols="72">-- \n{escape(chr(10).join(a.signature))}</pre>' if a.signature else ""
    if a.top:
        text = joined(own(a), f"{intro}\n{quoted(a.text)}")
        html = f'<html><body><p>{broken(a.lines)}</p>{sign}<div class="moz-cite-prefix">{escape(intro)}<br></div><blockquote type="cite" cite="mid:x@marketpost.example">{a.html}</blockquote></body></html>'
    else:
        text = f"{intro}\n{quoted(a.text)}\n\n{own(a)}"
        html = f'<html><body><div class="moz-cite-prefix">{escape(intro)}<br></div><blockquote type="cite" cite="mid:x@marketpost.example">{a.html}</blockquote><p>{broken(a.lines)}</p>{sign}</body></html>'
    return Written(text, html, flowed=True)


def interleaved(a: Answer) -> Written:
    """The answer stands in the middle of the quote."""
    intro = thunderbird_intro(a)
    parts = a.text.split("\n\n")
    half = len(parts) - 2
    head, tail = "\n\n".join(parts[:half]), "\n\n".join(parts[half:])
    text = f"{intro}\n{quoted(head)}\n\n" + "\n".join(a.lines) + f"\n\n{quoted(tail)}"
    html = f'<html><body><div class="moz-cite-prefix">{escape(intro)}<br></div><blockquote type="cite"><pre>{escape(head)}</pre></blockquote><p>{broken(a.lines)}</p><blockquote type="cite"><pre>{escape(tail)}</pre></blockquote></body></html>'
    return Written(text, html)


def gmx(a: Answer) -> Written:
    labels = {
        "en": ("Sent", "From", "To", "Subject"),
        "de": ("Gesendet", "Von", "An", "Betreff"),
        "fr": ("Envoyé", "De", "À", "Objet"),
        "it": ("Inviato", "Da", "A", "Oggetto"),
    }[a.language]
    when = a.date(
        en="EEEE, MMMM dd, yyyy 'at' h:mm a",
        de="EEEE, dd. MMMM yyyy 'um' HH:mm 'Uhr'",
        fr="EEEE d MMMM yyyy 'à' HH:mm",
        it="EEEE d MMMM yyyy 'alle ore' HH:mm",
    )
    gap = " " if a.language == "fr" else NB + " "
    heads = list(zip(labels, (when, f'"{a.name}" <{a.address}>', a.my_address, a.subject), strict=True))
    text = joined("\n".join(a.lines), " \n" + "\n".join(f"{label}:{gap}{value}" for label, value in heads) + "\n" + a.rendered)
    html = (
        f'<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">{divs(a.lines)}<div>&nbsp;<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5; word-wrap: break-word;">'
        f'<div style="margin:0 0 10px 0;">{"<br>".join(f"<b>{label}:</b>&nbsp;{escape(value)}" for label, value in heads)}</div><div name="quoted-content">{a.html}</div></div></div></div></div></body></html>'
    )
    return Written(text, html)


def webde_app(a: Answer) -> Written:
    sent = a.pick(
        "This message was sent from my Android mobile phone with WEB.DE Mail.",
        "Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.",
        "Cet e-mail a été envoyé de mon téléphone portable Android avec WEB.DE Mail.",
        "Questo messaggio è stato inviato dal mio telefono Android con WEB.DE Mail.",
    )
    intro = a.pick(
        f"On {a.when:%d/%m/%Y, %H:%M} {a.name} <{a.address}> wrote:",
        f"Am {a.when:%d.%m.%y, %H:%M} schrieb {a.name} <{a.address}>:",
        f"Le {a.when:%d/%m/%Y, %H:%M}, {a.name} <{a.address}> a écrit:",
        f"Il {a.when:%d/%m/%y, %H:%M}, {a.name} <{a.address}> ha scritto:",
    )
    text = "\n".join(a.lines) + f"\n-- \n{sent}{intro}\n\n{a.rendered}"
    html = f'<html><body>{broken(a.lines)}<br>-- <br>{sent}<div class="gmail_quote">{escape(intro)}<blockquote class="gmail_quote" style="margin:0.8ex 0pt 0pt 0.8ex;">{a.html}</blockquote></div></body></html>'
    return Written(text, html)


def yahoo(a: Answer) -> Written:
    who = f"{a.name} <{a.address}>"
    intro = a.pick(
        f"On {a.date(en='EEEE, d MMMM yyyy', de='d', fr='d', it='d')} at {a.when:%H:%M:%S} GMT, {who} wrote:",
        f"Am {a.date(en='d', de='EEEE, d. MMMM yyyy', fr='d', it='d')} um {a.when:%H:%M:%S} MEZ hat {who} Folgendes geschrieben:",
        f"Le {a.date(en='d', de='d', fr='EEEE d MMMM yyyy', it='d')} à {a.when:%H:%M:%S} UTC+1, {who} a écrit :",
        f"Il {a.date(en='d', de='d', fr='d', it='EEEE d MMMM yyyy')} alle ore {a.when:%H:%M:%S} CET, {who} ha scritto:",
    )
    text = " " + "\n ".join(a.lines) + f"\n\n    {intro}  \n \n  " + a.rendered.replace("\n", "\n  ")
    html = (
        f'<html><head></head><body><div class="ydp1yahoo-style-wrap" style="font-family:Helvetica;font-size:13px;">{divs(a.lines, " dir=ltr data-setdir=false")}<div><br></div></div>'
        f'<div id="ydp2yahoo_quoted_123" class="ydp2yahoo_quoted"><div style="font-family:Helvetica;color:#26282a;"><div>{escape(intro)}</div><div><br></div><div>{a.html}</div></div></div></body></html>'
    )
    return Written(text, html)


def yahoo_phone(a: Answer) -> Written:
    sent = a.pick(
        "Sent from Yahoo Mail on Android",
        "Von Yahoo Mail auf Android gesendet",
        "Envoyé depuis Yahoo Mail pour Android",
        "Inviato da Yahoo Mail su Android",
    )
    base = yahoo(a)
    text = "\n".join(a.lines) + f"\n\n{sent} \n \n" + base.text.partition("\n\n")[2]
    return Written(
        text,
        base.html.replace(
            '<div id="ydp2', f'<div id="ydp9yahoo_signature"><a href="https://mail.onelink.me/1">{sent}</a></div><br><div id="ydp2'
        ),
    )


def samsung(a: Answer) -> Written:
    sent = a.pick("Sent from my Galaxy", "Von meinem/meiner Galaxy gesendet", "Envoyé depuis mon appareil Galaxy", "Inviato dal mio Galaxy")
    rule = a.pick(
        "-------- Original message --------",
        "-------- Ursprüngliche Nachricht --------",
        "-------- Message d'origine --------",
        "-------- Messaggio originale --------",
    )
    labels = {
        "en": ("From", "Date", "To", "Subject"),
        "de": ("Von", "Datum", "An", "Betreff"),
        "fr": ("De", "Date", "À", "Objet"),
        "it": ("Da", "Data", "A", "Oggetto"),
    }[a.language]
    when = a.date(
        en="dd/MM/yyyy HH:mm '(GMT+00:00)'",
        de="dd.MM.yy HH:mm '(GMT+01:00)'",
        fr="dd/MM/yyyy HH:mm '(GMT+01:00)'",
        it="dd/MM/yy HH:mm '(GMT+01:00)'",
    )
    colon = " :" if a.language == "fr" else ":"
    heads = [
        f"{label}{colon} {value} " for label, value in zip(labels, (f"{a.name} <{a.address}>", when, a.my_address, a.subject), strict=True)
    ]
    text = joined("\n".join(a.lines), sent + "\n\n" + rule + "\n" + "".join(heads).strip() + "\n\n" + a.rendered)
    html = (
        f'<html><head></head><body dir="auto">{divs(a.lines, " dir=auto")}<div dir="auto"><br></div><div dir="auto"><br></div><div id="composer_signature" dir="auto"><div style="font-size:12px;color:#575757" dir="auto">{sent}</div></div>'
        f'<div dir="auto"><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>{rule}</div>{"".join(f"<div>{escape(head)}</div>" for head in heads)}<div><br></div></div>{a.html}</body></html>'
    )
    return Written(text, html)


def k9(a: Answer) -> Written:
    sent = a.pick(
        "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
        "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        "Envoyé de mon appareil Android avec Courriel K-9 Mail. Veuillez excuser ma brièveté.",
        "Inviato dal mio dispositivo Android con K-9 Mail. Perdonate la brevità.",
    )
    intro = a.pick(
        f"On {a.date(en='d MMMM yyyy HH:mm:ss', de='d', fr='d', it='d')} GMT, {a.name} <{a.address}> wrote:",
        f"Am {a.date(en='d', de='d. MMMM yyyy HH:mm:ss', fr='d', it='d')} MEZ schrieb {a.name} <{a.address}>:",
        f"Le {a.date(en='d', de='d', fr='d MMMM yyyy HH:mm:ss', it='d')} GMT+01:00, {a.name} <{a.address}> a écrit :",
        f"Il {a.date(en='d', de='d', fr='d', it='d MMMM yyyy HH:mm:ss')} CET, {a.name} <{a.address}> ha scritto:",
    )
    text = joined("\n".join(a.lines), f"{intro}\n{quoted(a.text)}\n\n-- \n{sent}")
    html = f'<html><body>{broken(a.lines)}<br><br><div class="gmail_quote">{escape(intro)}<blockquote class="gmail_quote" style="margin: 0pt 0pt 0pt 0.8ex; border-left: 1px solid #729fcf; padding-left: 1ex;">{a.html}</blockquote></div><br>-- <br><div class="k9mail-signature">{sent}</div></body></html>'
    return Written(text, html)


def fairemail(a: Answer) -> Written:
    intro = a.pick(
        f"{a.date(en='d MMM yyyy HH:mm:ss', de='d', fr='d', it='d')} {a.name} <{a.address}>:",
        f"{a.date(en='d', de='dd.MM.yyyy HH:mm:ss', fr='d', it='d')} {a.name} <{a.address}>:",
        f"{a.date(en='d', de='d', fr='d MMM yyyy HH:mm:ss', it='d')} {a.name} <{a.address}>:",
        f"{a.date(en='d', de='d', fr='d', it='d MMM yyyy HH:mm:ss')} {a.name} <{a.address}>:",
    )
    text = joined("\n".join(a.lines), f"{intro}\n\n{quoted(a.text)}")
    html = f'<html><head></head><body><div dir="auto">{broken(a.lines)}</div><br><div fairemail="reference"><p>{escape(intro)}</p><blockquote style="margin:0;border-left:3px solid #3b5998;padding-left:3px">{a.html}</blockquote></div></body></html>'
    return Written(text, html)


def proton(a: Answer) -> Written:
    sent = a.pick(
        "Sent with Proton Mail secure email.",
        "Gesendet mit Proton Mail sichere E-Mail.",
        "Envoyé avec la messagerie sécurisée Proton Mail.",
        "Inviato con l'email sicura Proton Mail.",
    )
    who = f"{a.name} <{a.address}>"
    intro = a.pick(
        f"On {a.date(en='EEEE, d MMMM yyyy', de='d', fr='d', it='d')} at {a.when:%H:%M}, {who} wrote:",
        f"{who} schrieb am {a.date(en='d', de='EEEE, d. MMMM yyyy', fr='d', it='d')} um {a.when:%H:%M}:",
        f"Le {a.date(en='d', de='d', fr='EEEE d MMMM yyyy', it='d')} à {a.when:%H:%M}, {who} a écrit :",
        f"{a.date(en='d', de='d', fr='d', it='EEEE d MMMM yyyy')} {a.when:%H:%M}, {who} ha scritto:",
    )
    text = joined("\n".join(a.lines), sent, f"{intro}\n\n{quoted(a.rendered)}")
    html = (
        f'{divs(a.lines, " style=font-family:Arial;font-size:14px")}<div><br></div><div class="protonmail_signature_block"><div class="protonmail_signature_block-proton">{escape(sent)}</div></div><div><br></div>'
        f'<div class="protonmail_quote">{escape(intro)}<br><blockquote class="protonmail_quote" type="cite">{a.html}</blockquote><br></div>'
    )
    return Written(text, html)


def libero(a: Answer) -> Written:
    intro = a.pick(
        f"On {a.when:%d/%m/%Y %H:%M} {a.name} <{a.address}> wrote:",
        f"Am {a.when:%d/%m/%Y %H:%M} hat {a.name} <{a.address}> geschrieben:",
        f"Le {a.when:%d/%m/%Y %H:%M} {a.name} <{a.address}> a écrit:",
        f"Il {a.when:%d/%m/%Y %H:%M} {a.name} <{a.address}> ha scritto:",
    )
    sep = "" if a.language != "it" else " \n \n "
    text = joined("\n".join(a.lines), f"{sep}{intro}\n \n{a.rendered}")
    html = f'<!DOCTYPE html><html><head><meta charset="UTF-8"></head><body>{"".join(f"<div>{escape(line) or chr(160)}</div>" for line in a.lines)}<blockquote type="cite"><div>{escape(intro)}</div><div>&nbsp;</div>{a.html}</blockquote></body></html>'
    return Written(text, html)


def orange(a: Answer) -> Written:
    labels = {
        "en": ("sent", "from", "to", "subject"),
        "de": ("gesendet", "von", "an", "betreff"),
        "fr": ("envoyé", "de", "à", "objet"),
        "it": ("inviato", "da", "a", "oggetto"),
    }[a.language]
    when = a.date(en="d MMMM yyyy 'at' HH:mm", de="d. MMMM yyyy 'um' HH:mm", fr="d MMMM yyyy 'à' HH:mm", it="d MMMM yyyy 'alle' HH:mm")
    heads = [f"{label} : {value}" for label, value in zip(labels, (when, f"{a.name} <{a.address}>", a.my_address, a.subject), strict=True)]
    text = joined("\n".join(a.lines), "\n".join(heads) + "\n\n" + a.rendered)
    html = f'<div style="font-family:Arial">{paragraphs(a.lines)}<p>&nbsp;</p><blockquote style="border-left:2px solid #ff7900;margin-left:5px;padding-left:5px"><p>{"<br>".join(map(escape, heads))}</p>{a.html}</blockquote></div>'
    return Written(text, html)


def zimbra(a: Answer) -> Written:
    """Free, La Poste, many universities."""
    rule = a.pick(
        "----- Original Message -----", "----- Ursprüngliche Mail -----", "----- Mail original -----", "----- Messaggio originale -----"
    )
    labels = {
        "en": ("From", "To", "Sent", "Subject"),
        "de": ("Von", "An", "Gesendet", "Betreff"),
        "fr": ("De", "À", "Envoyé", "Objet"),
        "it": ("Da", "A", "Inviato", "Oggetto"),
    }[a.language]
    when = a.date(
        en="EEEE, d MMMM, yyyy HH:mm:ss", de="EEEE, d. MMMM yyyy HH:mm:ss", fr="EEEE d MMMM yyyy HH:mm:ss", it="EEEE d MMMM yyyy HH:mm:ss"
    )
    heads = list(zip(labels, (f'"{a.name}" <{a.address}>', f'"{a.me}" <{a.my_address}>', when, a.subject), strict=True))
    text = joined("\n".join(a.lines), rule + "\n" + "\n".join(f"{label}: {value}" for label, value in heads) + "\n\n" + a.rendered)
    html = (
        f'<html><body><div style="font-family: arial;">{divs(a.lines)}<div><br></div><hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__"><blockquote style="border-left:2px solid #1010FF">'
        + "<br>".join(f"<b>{label}: </b>{escape(value)}" for label, value in heads)
        + f'</blockquote></div><div data-marker="__QUOTED_TEXT__"><blockquote>{a.html}</blockquote></div></div></body></html>'
    )
    return Written(text, html)


def t_online(a: Answer) -> Written:
    rule = a.pick(
        "-----Original Message-----", "-----Original-Nachricht-----", "-----Message original-----", "-----Messaggio originale-----"
    )
    labels = {
        "en": ("Subject", "Date", "From", "To"),
        "de": ("Betreff", "Datum", "Von", "An"),
        "fr": ("Objet", "Date", "De", "À"),
        "it": ("Oggetto", "Data", "Da", "A"),
    }[a.language]
    heads = list(
        zip(labels, (a.subject, f"{a.when:%Y-%m-%dT%H:%M:%S}+0100", f'"{a.name}" <{a.address}>', f'"{a.me}" <{a.my_address}>'), strict=True)
    )
    text = joined(
        own(a, mark=False), " \n \n" + rule + "\n" + "\n".join(f"{label}: {value}" for label, value in heads) + "\n \n" + a.rendered
    )
    html = f"<html><body><div>{divs(a.lines)}{divs(a.signature)}<div>&nbsp;</div><div><div>{rule}</div>{''.join(f'<div>{label}: {escape(value)}</div>' for label, value in heads)}<div>&nbsp;</div>{a.html}</div></div></body></html>"
    return Written(text, html)


def roundcube(a: Answer) -> Written:
    intro = a.pick(
        f"On {a.when:%Y-%m-%d %H:%M}, {a.name} wrote:",
        f"Am {a.when:%d.%m.%Y %H:%M}, schrieb {a.name}:",
        f"Le {a.when:%Y-%m-%d %H:%M}, {a.name} a écrit :",
        f"Il {a.when:%d-%m-%Y %H:%M} {a.name} ha scritto:",
    )
    text = joined(own(a), f"{intro}\n{quoted(a.text)}")
    html = f'<html><body style="font-size:10pt"><p>{broken(a.lines)}</p><div id="signature">-- <br>{broken(a.signature)}</div><p id="reply-intro">{escape(intro)}</p><blockquote type="cite" style="padding: 0 0.4em; border-left: #1010ff 2px solid; margin: 0">{a.html}</blockquote></body></html>'
    return Written(text, html)


def open_xchange(a: Answer) -> Written:
    """mailbox.org, 1&1, Mail.de: name first."""
    intro = a.pick(
        f"{a.name} <{a.address}> wrote on {a.when:%d/%m/%Y %H:%M} GMT:",
        f"{a.name} <{a.address}> hat am {a.when:%d.%m.%Y %H:%M} CET geschrieben:",
        f"Le {a.when:%d/%m/%Y %H:%M} CET, {a.name} <{a.address}> a écrit :",
        f"Il {a.when:%d/%m/%Y %H:%M} CET {a.name} <{a.address}> ha scritto:",
    )
    text = joined(own(a), f"{intro}\n\n{quoted(a.rendered)}")
    html = f'<!doctype html><html><body>{"".join(f"<div class=default-style>{escape(line) or chr(160)}</div>" for line in a.lines)}<div class="io-ox-signature">{broken(a.signature)}</div><blockquote type="cite"><div>{escape(intro)}</div><div>&nbsp;</div>{a.html}</blockquote></body></html>'
    return Written(text, html)


PROGRAMS: dict[str, Callable[[Answer], Written]] = {
    program.__name__: program
    for program in (
        gmail, gmail_bottom, gmail_android, outlook_desktop, outlook_old, outlook_web, outlook_mobile, windows_mail, apple_mail, iphone, thunderbird, interleaved,
        gmx, webde_app, yahoo, yahoo_phone, samsung, k9, fairemail, proton, libero, orange, zimbra, t_online, roundcube, open_xchange,
    )
}  # fmt: skip
