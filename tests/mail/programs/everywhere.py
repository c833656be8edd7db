"""Answers as Gmail, Outlook, Apple's programs and Thunderbird write them."""

from html import escape

from tests.mail.programs.answer import NB, NNB, Answer, Written, broken, divs, joined, own, paragraphs, quoted


def gmail_intro(a: Answer) -> str:
    who = f"{a.name} <{a.address}>"
    return a.pick(
        f"On {a.date(en='EEE, d MMM yyyy', de='d', fr='d', it='d')} at {a.when:%H:%M}, {who} wrote:",
        f"Am {a.date(en='d', de='EEE, d. MMM yyyy', fr='d', it='d')} um {a.when:%H:%M}{NNB}Uhr schrieb {who}:",
        f"Le{NB}{a.date(en='d', de='d', fr='EEE d MMM yyyy', it='d')} à{NB}{a.when:%H:%M}, {who} a écrit{NB}:",
        f"Il giorno {a.date(en='d', de='d', fr='d', it='EEE d MMM yyyy')} alle ore {a.when:%H:%M} {who} ha scritto:",
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


def outlook_headers(a: Answer) -> list[tuple[str, str]]:
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
