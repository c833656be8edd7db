"""Answers as the pages and apps of mail services write them."""

from html import escape

from tests.mail.programs.answer import NB, Answer, Written, broken, divs, joined, own, paragraphs, quoted


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
