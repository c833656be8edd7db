"""Answers as apps for Android write them, whatever service they are used with."""

from html import escape

from tests.mail.programs.answer import Answer, Written, broken, divs, joined, quoted


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
