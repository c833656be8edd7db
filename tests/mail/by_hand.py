"""Sixty answers written by hand, after what many mail programs do; none of them comes from the generators of `programs`.

Each has a name, the mail, and the orders that it holds; empty where it must be asked about instead.
"""

import base64
import quopri
from collections.abc import Iterator
from typing import NamedTuple

from tests.mail.letters import letter_html, letter_text

EN, DE, FR, IT = (letter_text(language, "red", "g1") for language in ("en", "de", "fr", "it"))
PAGE = {language: letter_html(language, "red", "g1") for language in ("en", "de", "fr", "it")}
HEAD = "From: Ann Smith <ann@example.org>\nTo: play+aa@marketpost.example\nSubject: Re: Your turn\nMessage-ID: <{name}@example.org>\nMIME-Version: 1.0\n"
US = "Marketpost <play@marketpost.example>"
ADDRESS = "play@marketpost.example"


class ByHand(NamedTuple):
    name: str
    raw: bytes
    expected: str


def quoted(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.splitlines())


def plain(name: str, text: str, expected: str, *, encoding: str = "8bit", more: str = "", charset: str = "utf-8") -> ByHand:
    return ByHand(name, HEAD.format(name=name).encode() + leaf("text/plain", text, encoding, more, charset), expected)


def page(name: str, html: str, expected: str, *, encoding: str = "quoted-printable") -> ByHand:
    return ByHand(name, HEAD.format(name=name).encode() + leaf("text/html", html, encoding), expected)


def both(name: str, text: str, html: str, expected: str) -> ByHand:
    inner = b"".join(
        b"--=_x\n" + leaf(kind, body, "quoted-printable") + b"\n" for kind, body in (("text/plain", text), ("text/html", html))
    )
    head = HEAD.format(name=name).encode() + b'Content-Type: multipart/alternative; boundary="=_x"\n\n'
    return ByHand(name, head + inner + b"--=_x--\n", expected)


def leaf(kind: str, text: str, encoding: str, more: str = "", charset: str = "utf-8") -> bytes:
    data = text.encode(charset)
    body = {"8bit": data, "base64": base64.encodebytes(data), "quoted-printable": quopri.encodestring(data)}[encoding]
    return f"Content-Type: {kind}; charset={charset}{more}\nContent-Transfer-Encoding: {encoding}\n\n".encode() + body


def by_hand() -> Iterator[ByHand]:
    yield from english()
    yield from german()
    yield from french()
    yield from italian()
    yield from pages()
    yield from not_to_be_guessed()


def english() -> Iterator[ByHand]:
    yield plain(
        "outlook-ios",
        f"3: stall A-B; customer C\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: {US}\nSent: Tuesday, May 11, 2027 8:12:44 AM\nTo: Ann Smith <ann@example.org>\nSubject: Your turn: Portobello Market with Bob\n\n{EN}",
        "3: stall A-B; customer C",
    )
    yield plain(
        "outlook-android",
        f"bobby 5\n\nSent from Outlook for Android<https://aka.ms/AAb9ysg>\n\n________________________________\nFrom: Marketpost <{ADDRESS}>\nSent: 11 May 2027 08:12\nTo: ann@example.org <ann@example.org>\nSubject: Your turn\n\n{EN}",
        "bobby 5",
    )
    yield plain(
        "yahoo-android",
        f"2: customer C; bobby 5\n\nSent from Yahoo Mail on Android \n \n  On Tue, 11 May 2027 at 9:12, Marketpost<{ADDRESS}> wrote:   {EN}",
        "2: customer C; bobby 5",
    )
    yield plain(
        "proton-web",
        f"4: mark 6\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\nOn Tuesday, May 11th, 2027 at 9:12 AM, Marketpost <{ADDRESS}> wrote:\n\n{quoted(EN)}",
        "4: mark 6",
    )
    yield plain(
        "samsung",
        f"3: stall A-B; bobby 5\n\n\n\nSent from my Galaxy\n\n\n-------- Original message --------\nFrom: {US}\nDate: 11/05/2027 09:12 (GMT+00:00)\nTo: ann@example.org\nSubject: Your turn: Portobello Market with Bob\n\n{EN}",
        "3: stall A-B; bobby 5",
    )
    yield plain(
        "k9-bottom",
        f"On 11 May 2027 09:12:44 BST, Marketpost <{ADDRESS}> wrote:\n{quoted(EN, '>')}\n\n3: stall A-B\ncustomer C\n-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.",
        "3: stall A-B; customer C",
    )
    yield plain(
        "exchange-disclaimer",
        f"Hi all,\n\n3: stall A-B; customer C; bobby 5\n\nKind regards,\nAnn Smith\nSenior Analyst | Smith & Sons Ltd\nT: +44 20 7946 0018 | M: +44 7700 900123\n\nCONFIDENTIALITY NOTICE: This e-mail and any attachments are confidential and intended solely for the addressee. Registered office: 3 High Street, London. Registered in England no. 1234567.\n\nFrom: {US}\nSent: 11 May 2027 09:12\nTo: Smith, Ann <ann@example.org>\nSubject: [EXTERNAL] Your turn\n\nCAUTION: This email originated from outside the organisation. Do not click links.\n\n{EN}",
        "3: stall A-B; customer C; bobby 5",
    )
    yield plain(
        "external-banner-only",
        f"bobby 5\n\n-----Original Message-----\nFrom: Marketpost [mailto:{ADDRESS}] \nSent: 11 May 2027 09:12\nTo: Smith, Ann\nSubject: Your turn\n\n[EXTERNAL EMAIL]\n\n{EN}",
        "bobby 5",
    )
    yield plain(
        "mutt",
        f"On Tue, May 11, 2027 at 09:12:44AM +0000, Marketpost wrote:\n{quoted(EN)}\n\n3: stall A-B; customer C\n\n-- \nAnn Smith\nhttps://example.org/~ann",
        "3: stall A-B; customer C",
    )
    yield plain("gnus", f"Marketpost <{ADDRESS}> writes:\n\n{quoted(EN)}\n\nbobby 5\n\nAnn", "bobby 5")
    yield plain(
        "alpine",
        f"3: customer clerk C citizen D\n\nOn Tue, 11 May 2027, Marketpost wrote:\n\n{quoted(EN)}\n",
        "3: customer clerk C citizen D",
    )
    yield plain(
        "soft-break-in-order",
        f"3: stall A-B; customer clerk C citizen D; stall E-F; stall B-C; bobby 4-5-6\n\nOn 11/05/2027 09:12, Marketpost wrote:\n{quoted(EN)}",
        "3: stall A-B; customer clerk C citizen D; stall E-F; stall B-C; bobby 4-5-6",
        encoding="quoted-printable",
    )
    yield plain(
        "flowed",
        f"3: stall A-B; customer clerk C citizen D; stall E-F; \nstall B-C; bobby 4-5-6\n\nOn 11/05/2027 09:12, Marketpost wrote:\n{quoted(EN)}",
        "3: stall A-B; customer clerk C citizen D; stall E-F; stall B-C; bobby 4-5-6",
        more="; format=flowed",
    )
    yield plain(
        "wrapped-in-order",
        f"3: stall A-B; customer clerk C citizen D; stall E-F; stall\nB-C; bobby 4-5-6\n\nOn Tue, May 11, 2027 at 9:12 AM Marketpost <{ADDRESS}>\nwrote:\n\n{quoted(EN)}",
        "3: stall A-B; customer clerk C citizen D; stall E-F; stall B-C; bobby 4-5-6",
    )
    yield plain("hey", f"bobby 5\n\nOn May 11, 2027, Marketpost <{ADDRESS}> wrote:\n{quoted(EN)}", "bobby 5")
    yield plain(
        "fastmail",
        f"3: stall A-B; customer C\n\nOn Tue, 11 May 2027, at 9:12 AM, Marketpost wrote:\n{quoted(EN)}\n\n-- \n  Ann Smith\n  ann@example.org",
        "3: stall A-B; customer C",
    )
    yield plain(
        "spark", f"bobby 5\n\nSent via Spark\nOn 11 May 2027 at 09:12 +0100, Marketpost <{ADDRESS}>, wrote:\n{quoted(EN)}", "bobby 5"
    )
    yield plain(
        "lotus-notes",
        f"bobby 5\n\n\n\n\nFrom:   Marketpost <{ADDRESS}>\nTo:     ann@example.org\nDate:   11/05/2027 09:12\nSubject:        Your turn: Portobello Market with Bob\n\n\n\n{EN}",
        "bobby 5",
    )


def german() -> Iterator[ByHand]:
    yield plain(
        "ios-de",
        f"3: Stand A-B; Kunde C\n\nVon meinem iPhone gesendet\n\n> Am 11.05.2027 um 09:12 schrieb Marketpost <{ADDRESS}>:\n> \n{quoted(DE)}",
        "3: stall A-B; customer C",
    )
    yield plain(
        "ios-de-new",
        f"Bobby 5\n\nViele Grüße\nAnn\n\n> Am 11. Mai 2027 um 09:12 schrieb Marketpost <{ADDRESS}>:\n> \n> ﻿{quoted(DE)}",
        "bobby 5",
    )
    yield plain(
        "samsung-de",
        f"2: Kunde C; Bobby 5\n\n\nVon meinem Galaxy gesendet\n\n\n-------- Ursprüngliche Nachricht --------\nVon: {US}\nDatum: 11.05.27 09:12 (GMT+01:00)\nAn: ann@example.org\nBetreff: Du bist am Zug: Portobello Market mit Bob\n\n{DE}",
        "2: customer C; bobby 5",
    )
    yield plain(
        "outlook-mobil-de",
        f"4: markiere 6\n\nOutlook für Android<https://aka.ms/AAb9ysg> beziehen\n________________________________\nVon: {US}\nGesendet: Dienstag, Mai 11, 2027 9:12 AM\nAn: ann@example.org <ann@example.org>\nBetreff: Du bist am Zug\n\n{DE}",
        "4: mark 6",
    )
    yield plain(
        "telekom",
        f"Bobby 5\n\nGesendet mit der Telekom Mail App\n\n\n--- Original-Nachricht ---\nVon: Marketpost\nBetreff: Du bist am Zug\nDatum: 11.05.2027, 9:12 Uhr\nAn: ann@example.org\n\n\n\n{DE}",
        "bobby 5",
    )
    yield plain(
        "gmx-android",
        f"3: Stand A-B\n-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.Am 11.05.27, 09:12 schrieb Marketpost <{ADDRESS}>:\n{quoted(DE)}",
        "3: stall A-B",
    )
    yield plain(
        "posteo",
        f"Moin,\n\n3: Stand A-B; Kunde C; Bobby 4-5\n\nBeste Grüße aus Kiel\nAnn\n\nAm 11.05.2027 09:12 schrieb Marketpost:\n{quoted(DE)}",
        "3: stall A-B; customer C; bobby 4-5",
    )
    yield plain(
        "firma",
        f"Hallo zusammen,\n\nBobby 5\n\nMit freundlichen Grüßen\n\ni. A. Ann Schmidt\nSachbearbeitung\n\nSchmidt & Söhne GmbH\nHauptstraße 3\n20095 Hamburg\nTel. +49 40 123456-5\nwww.example.org\nGeschäftsführer: Bernd Schmidt | Amtsgericht Hamburg HRB 12345\n\nVon: {US} \nGesendet: Dienstag, 11. Mai 2027 09:12\nAn: Schmidt, Ann <ann@example.org>\nBetreff: Du bist am Zug\n\n{DE}",
        "bobby 5",
    )
    yield plain(
        "mailbox-org",
        f"3: Stand A-B\n\n> Marketpost <{ADDRESS}> hat am 11.05.2027 09:12 CEST geschrieben:\n> \n>  \n{quoted(DE)}",
        "3: stall A-B",
    )
    yield plain(
        "thunderbird-unten",
        f"Am 11.05.27 um 09:12 schrieb Marketpost:\n{quoted(DE)}\n\n3: Stand A-B; Kunde C\n\nGruß, Ann",
        "3: stall A-B; customer C",
    )
    yield plain(
        "latin1-de",
        f"Plättchen 2: Kunde Bürger C Gehilfe D\n\nAm 11.05.2027 um 09:12 schrieb Marketpost:\n{quoted(DE)}".replace("–", "-")
        .encode("cp1252", "replace")
        .decode("cp1252"),
        "2: customer citizen C clerk D",
        charset="cp1252",
    )
    yield plain(
        "aquamail-de",
        f"Bobby 5\n\nMit AquaMail Android gesendet\nhttps://www.mobisystems.com/aqua-mail\n\nAm 11. Mai 2027 09:12:44 schrieb Marketpost <{ADDRESS}>:\n\n{quoted(DE)}",
        "bobby 5",
    )
    yield plain(
        "zwischen",
        f"Am 11.05.27 um 09:12 schrieb Marketpost:\n{quoted(DE[:200])}\n\n3: Stand A-B\n\n{quoted(DE[200:])}\n\nKunde C\n",
        "3: stall A-B; customer C",
    )


def french() -> Iterator[ByHand]:
    yield plain(
        "ios-fr",
        f"3 : étal A-B ; client C\n\nEnvoyé de mon iPhone\n\n> Le 11 mai 2027 à 09:12, Marketpost <{ADDRESS}> a écrit :\n> \n{quoted(FR)}",
        "3: stall A-B; customer C",
    )
    yield plain(
        "orange-fr",
        f"Bobby 5\n\nEnvoyé depuis l'application Mail Orange\n\n----------------\n\nDe : Marketpost\nEnvoyé : mardi 11 mai 2027 à 09:12\nA : ann@example.org\nObjet : À vous de jouer\n\n{FR}",
        "bobby 5",
    )
    yield plain(
        "sfr",
        f'Bonjour à tous,\n\n2 : client C\n\nBonne journée,\nAnn\n\n> Message du 11/05/27 09:12\n> De : "Marketpost" <{ADDRESS}>\n> A : ann@example.org\n> Copie à : \n> Objet : À vous de jouer\n> \n{quoted(FR)}',
        "2: customer C",
    )
    yield plain(
        "outlook-fr",
        f"4 : marque 6\n\nCordialement,\n\nAnn Dupont\nResponsable logistique\n12 rue des Lilas – 75011 Paris\nTél. : 01 23 45 67 89\n\nDe : {US} \nEnvoyé : mardi 11 mai 2027 09:12\nÀ : ann@example.org\nObjet : À vous de jouer\n\n{FR}",
        "4: mark 6",
    )
    yield plain(
        "outlook-mobile-fr",
        f"Bobby 5\n\nTélécharger Outlook pour iOS<https://aka.ms/o0ukef>\n________________________________\nDe : {US}\nEnvoyé : mardi, mai 11, 2027 9:12 AM\nÀ : ann@example.org\nObjet : À vous de jouer\n\n{FR}",
        "bobby 5",
    )
    yield plain(
        "yahoo-fr",
        f"3 : étal A-B\n\nEnvoyé à partir de Yahoo Mail pour iPhone\n\n\nLe mardi, mai 11, 2027, 9:12 AM, Marketpost <{ADDRESS}> a écrit :\n\n{FR}",
        "3: stall A-B",
    )
    yield plain(
        "proton-fr",
        f"Bobby 4-5\n\nEnvoyé avec la messagerie sécurisée Proton Mail.\n\nLe mardi 11 mai 2027 à 09:12, Marketpost <{ADDRESS}> a écrit :\n\n{quoted(FR)}",
        "bobby 4-5",
    )
    yield plain(
        "free-fr",
        f'----- Mail original -----\nDe: "Marketpost" <{ADDRESS}>\nÀ: ann@example.org\nEnvoyé: Mardi 11 Mai 2027 09:12:44\nObjet: À vous de jouer\n\n{quoted(FR)}\n\n3 : étal A-B ; client C\n',
        "3: stall A-B; customer C",
    )
    yield plain(
        "samsung-fr",
        f"Bobby 5\n\n\nEnvoyé depuis mon smartphone Samsung Galaxy.\n\n-------- Message d'origine --------\nDe : {US} \nDate : 11/05/2027 09:12 (GMT+01:00) \nÀ : ann@example.org \nObjet : À vous de jouer \n\n{FR}",
        "bobby 5",
    )
    yield plain(
        "base64-fr",
        f"Coucou,\n3 : étal A-B ; client C ; Bobby 5\nBises\nAnn\n\nLe 11/05/2027 à 09:12, Marketpost a écrit :\n{quoted(FR)}",
        "3: stall A-B; customer C; bobby 5",
        encoding="base64",
    )


def italian() -> Iterator[ByHand]:
    yield plain(
        "ios-it",
        f"3: bancarella A-B; cliente C\n\nInviato da iPhone\n\n> Il giorno 11 mag 2027, alle ore 09:12, Marketpost <{ADDRESS}> ha scritto:\n> \n{quoted(IT)}",
        "3: stall A-B; customer C",
    )
    yield plain(
        "outlook-it",
        f"4: marca 6\n\nOttieni Outlook per iOS<https://aka.ms/o0ukef>\n________________________________\nDa: {US}\nInviato: Tuesday, May 11, 2027 9:12:44 AM\nA: ann@example.org <ann@example.org>\nOggetto: Tocca a te\n\n{IT}",
        "4: mark 6",
    )
    yield plain(
        "samsung-it",
        f"Bobby 5\n\n\nInviato dal mio Galaxy\n\n\n-------- Messaggio originale --------\nDa: {US}\nData: 11/05/27 09:12 (GMT+01:00)\nA: ann@example.org\nOggetto: Tocca a te\n\n{IT}",
        "bobby 5",
    )
    yield plain("tiscali", f"2: cliente C\n\nCiao,\nAnn\n\nIl 11.05.2027 09:12 Marketpost ha scritto:\n{quoted(IT)}", "2: customer C")
    yield plain(
        "alice-it",
        f"Bobby 5\n\nInviato da Posta di Windows\n\nDa: Marketpost\nInviato: martedì 11 maggio 2027 09:12\nA: ann@example.org\nOggetto: Tocca a te\n\n{IT}",
        "bobby 5",
    )
    yield plain(
        "gmail-it",
        f"Ciao a tutti!\n\n3: bancarella A-B; Bobby 5\n\nUn abbraccio,\nAnn\n\nIl mar 11 mag 2027, 09:12 Marketpost <{ADDRESS}> ha scritto:\n\n{quoted(IT)}",
        "3: stall A-B; bobby 5",
    )
    yield plain(
        "yahoo-it",
        f"Bobby 5\n\nInviato da Yahoo Mail su Android \n \n  Il mar, 11 mag, 2027 alle 9:12, Marketpost<{ADDRESS}> ha scritto:   {IT}",
        "bobby 5",
    )


def pages() -> Iterator[ByHand]:
    yield page(
        "nested-tables",
        f'<html><body><table width="100%"><tr><td><table><tr><td><table><tr><td>3: stall A-B; customer C</td></tr><tr><td>bobby 5</td></tr></table></td></tr></table></td></tr></table><hr><div><b>From:</b> Marketpost<br><b>Sent:</b> 11 May 2027<br><b>To:</b> ann<br><b>Subject:</b> Your turn</div>{PAGE["en"]}</body></html>',
        "3: stall A-B; customer C; bobby 5",
    )
    yield page(
        "order-split-by-br",
        f'<div dir="auto">3: stall A-B;<br>customer<br>C; bobby 5</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Tue, 11 May 2027, 09:12 Marketpost, &lt;<a href="mailto:{ADDRESS}">{ADDRESS}</a>&gt; wrote:<br></div><blockquote class="gmail_quote">{PAGE["en"]}</blockquote></div>',
        "3: stall A-B; customer C; bobby 5",
    )
    yield page(
        "word-html",
        f'<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {{margin:0}}</style></head><body lang=DE><div class=WordSection1><p class=MsoNormal><span style="font-size:11.0pt">3: Stand A-B; <o:p></o:p></span></p><p class=MsoNormal>Kunde&nbsp;C<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class=MsoNormal><b>Von:</b> Marketpost<br><b>Gesendet:</b> Dienstag, 11. Mai 2027 09:12<br><b>An:</b> Ann<br><b>Betreff:</b> Du bist am Zug</p></div>{PAGE["de"]}</div></body></html>',
        "3: stall A-B; customer C",
    )
    yield page(
        "apple-de-html",
        f'<html><body dir="auto">Bobby 5<br><br><div dir="ltr">Von meinem iPad gesendet</div><div dir="ltr"><br><blockquote type="cite">Am 11.05.2027 um 09:12 schrieb Marketpost &lt;{ADDRESS}&gt;:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">﻿{PAGE["de"]}</div></blockquote></body></html>',
        "bobby 5",
    )
    yield page(
        "list-items",
        f"<ol><li>3: stall A-B</li><li>customer C</li></ol><p>Thanks,<br>Ann</p><blockquote>{PAGE['en']}</blockquote>",
        "3: stall A-B; customer C",
    )
    yield page(
        "spans-and-fonts",
        f'<div><font face="Arial"><span>3</span><span>: </span><b>st</b>all&nbsp;A<span>-</span>B</font></div><div>--&nbsp;</div><div>Ann</div><div>On 11 May 2027, at 09:12, Marketpost &lt;{ADDRESS}&gt; wrote:</div><blockquote type="cite">{PAGE["en"]}</blockquote>',
        "3: stall A-B",
    )
    yield both(
        "proton-both",
        f"bobby 5\n\nOn Tuesday, 11 May 2027 at 09:12, Marketpost <{ADDRESS}> wrote:\n\n{quoted(EN)}",
        f'<div style="font-family: Arial">bobby 5</div><div class="protonmail_signature_block protonmail_signature_block-empty"></div><div class="protonmail_quote">On Tuesday, 11 May 2027 at 09:12, Marketpost wrote:<br><blockquote class="protonmail_quote" type="cite">{PAGE["en"]}</blockquote></div>',
        "bobby 5",
    )
    yield both(
        "exchange-both",
        f"3: stall A-B\n\n{'_' * 32}\nFrom: Marketpost\nSent: Tuesday, May 11, 2027 9:12 AM\nTo: Ann\nSubject: Your turn\n\n{EN}",
        f'<div class="elementToProof">3: stall A-B</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Marketpost<br><b>Sent:</b> Tuesday</div>{PAGE["en"]}',
        "3: stall A-B",
    )


def not_to_be_guessed() -> Iterator[ByHand]:
    yield plain(
        "signature-like-orders",
        f"bobby 5\n\n-- \nAnn Smith\n4: mark 6\n\nOn 11 May 2027, at 09:12, Marketpost wrote:\n{quoted(EN)}",
        "bobby 5",
    )
    yield plain(
        "order-below-name", f"bobby 5\n\nRegards\nAnn\n3: stall A-B\n\nOn 11 May 2027, at 09:12, Marketpost wrote:\n{quoted(EN)}", ""
    )
    yield plain(
        "maybe", f"I think I will play bobby 5, or should I rather mark 6?\n\nOn 11 May 2027, at 09:12, Marketpost wrote:\n{quoted(EN)}", ""
    )
    yield plain("not-this", f"Not bobby 5!\n\nOn 11 May 2027, at 09:12, Marketpost wrote:\n{quoted(EN)}", "")
    yield plain(
        "edited-in-quote",
        f"see below\n\nOn 11 May 2027, at 09:12, Marketpost wrote:\n> This is how orders are written:\n>\n>     3: stall A-B; customer C; bobby 5  <-- this one\n{quoted(EN)}",
        "",
    )
    yield plain(
        "forwarded-advice",
        "Bob says:\n\n---------- Forwarded message ---------\nFrom: Bob <bob@example.org>\nDate: Tue, 11 May 2027 at 09:12\nSubject: try this\nTo: Ann <ann@example.org>\n\n3: stall A-B; customer C\n",
        "",
    )
