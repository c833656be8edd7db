"""Answers written by hand, after what many mail programs do; none of them comes from the generators of `programs`.

Each has a name, the mail, and whose orders it holds; some must be asked about instead. The orders are those of any ruleset.
"""

from collections.abc import Iterator
from html import escape, unescape

from tests.mail.corpus import Case
from tests.mail.hand_pieces import ADDRESS, US, Hand, both, page, plain, quoted
from tests.mail.turns import turns


def by_hand(ruleset: str) -> Iterator[Case]:
    """Turns of several steps, where the ruleset has them, so that lines can be broken."""
    by_steps = sorted(turns(ruleset), key=lambda turn: (len(turn.steps("en")) < 2, " " not in turn.steps("en")[-1]))
    en, de, fr, it = (Hand(turn, language) for turn, language in zip(by_steps, ("en", "de", "fr", "it"), strict=False))
    yield from english(en)
    yield from german(de)
    yield from french(fr)
    yield from italian(it)
    yield from pages(Hand(en.turn, "en", in_html=True), Hand(de.turn, "de", in_html=True))
    yield from not_to_be_guessed(en)


def english(say: Hand) -> Iterator[Case]:
    yield plain(
        "outlook-ios",
        f"{say.line}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: {US}\nSent: Tuesday, May 11, 2027 8:12:44 AM\nTo: Ann Smith <ann@example.org>\nSubject: Your turn: {say.title} with Bob\n\n{say.letter}",
        say,
    )
    yield plain(
        "outlook-android",
        f"{say.line}\n\nSent from Outlook for Android<https://aka.ms/AAb9ysg>\n\n________________________________\nFrom: Marketpost <{ADDRESS}>\nSent: 11 May 2027 08:12\nTo: ann@example.org <ann@example.org>\nSubject: Your turn\n\n{say.letter}",
        say,
    )
    yield plain(
        "yahoo-android",
        f"{say.line}\n\nSent from Yahoo Mail on Android \n \n  On Tue, 11 May 2027 at 9:12, Marketpost<{ADDRESS}> wrote:   {say.letter}",
        say,
    )
    yield plain(
        "proton-web",
        f"{say.line}\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\nOn Tuesday, May 11th, 2027 at 9:12 AM, Marketpost <{ADDRESS}> wrote:\n\n{quoted(say.letter)}",
        say,
    )
    yield plain(
        "samsung",
        f"{say.line}\n\n\n\nSent from my Galaxy\n\n\n-------- Original message --------\nFrom: {US}\nDate: 11/05/2027 09:12 (GMT+00:00)\nTo: ann@example.org\nSubject: Your turn: {say.title} with Bob\n\n{say.letter}",
        say,
    )
    yield plain(
        "k9-bottom",
        f"On 11 May 2027 09:12:44 BST, Marketpost <{ADDRESS}> wrote:\n{quoted(say.letter, '>')}\n\n{say.lines}\n-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.",
        say,
    )
    yield plain(
        "exchange-disclaimer",
        f"Hi all,\n\n{say.line}\n\nKind regards,\nAnn Smith\nSenior Analyst | Smith & Sons Ltd\nT: +44 20 7946 0018 | M: +44 7700 900123\n\nCONFIDENTIALITY NOTICE: This e-mail and any attachments are confidential and intended solely for the addressee. Registered office: 3 High Street, London. Registered in England no. 1234567.\n\nFrom: {US}\nSent: 11 May 2027 09:12\nTo: Smith, Ann <ann@example.org>\nSubject: [EXTERNAL] Your turn\n\nCAUTION: This email originated from outside the organisation. Do not click links.\n\n{say.letter}",
        say,
    )
    yield plain(
        "external-banner-only",
        f"{say.line}\n\n-----Original Message-----\nFrom: Marketpost [mailto:{ADDRESS}] \nSent: 11 May 2027 09:12\nTo: Smith, Ann\nSubject: Your turn\n\n[EXTERNAL EMAIL]\n\n{say.letter}",
        say,
    )
    yield plain(
        "mutt",
        f"On Tue, May 11, 2027 at 09:12:44AM +0000, Marketpost wrote:\n{quoted(say.letter)}\n\n{say.line}\n\n-- \nAnn Smith\nhttps://example.org/~ann",
        say,
    )
    yield plain("gnus", f"Marketpost <{ADDRESS}> writes:\n\n{quoted(say.letter)}\n\n{say.line}\n\nAnn", say)
    yield plain(
        "alpine",
        f"{say.line}\n\nOn Tue, 11 May 2027, Marketpost wrote:\n\n{quoted(say.letter)}\n",
        say,
    )
    yield plain(
        "soft-break-in-order",
        f"{say.line}\n\nOn 11/05/2027 09:12, Marketpost wrote:\n{quoted(say.letter)}",
        say,
        encoding="quoted-printable",
    )
    yield plain(
        "flowed",
        f"{say.first} \n{say.rest}\n\nOn 11/05/2027 09:12, Marketpost wrote:\n{quoted(say.letter)}",
        say,
        more="; format=flowed",
    )
    yield plain(
        "wrapped-in-order",
        f"{say.first}\n{say.rest}\n\nOn Tue, May 11, 2027 at 9:12 AM Marketpost <{ADDRESS}>\nwrote:\n\n{quoted(say.letter)}",
        say,
    )
    yield plain("hey", f"{say.line}\n\nOn May 11, 2027, Marketpost <{ADDRESS}> wrote:\n{quoted(say.letter)}", say)
    yield plain(
        "fastmail",
        f"{say.line}\n\nOn Tue, 11 May 2027, at 9:12 AM, Marketpost wrote:\n{quoted(say.letter)}\n\n-- \n  Ann Smith\n  ann@example.org",
        say,
    )
    yield plain(
        "spark", f"{say.line}\n\nSent via Spark\nOn 11 May 2027 at 09:12 +0100, Marketpost <{ADDRESS}>, wrote:\n{quoted(say.letter)}", say
    )
    yield plain(
        "lotus-notes",
        f"{say.line}\n\n\n\n\nFrom:   Marketpost <{ADDRESS}>\nTo:     ann@example.org\nDate:   11/05/2027 09:12\nSubject:        Your turn: {say.title} with Bob\n\n\n\n{say.letter}",
        say,
    )


def german(say: Hand) -> Iterator[Case]:
    yield plain(
        "ios-de",
        f"{say.line}\n\nVon meinem iPhone gesendet\n\n> Am 11.05.2027 um 09:12 schrieb Marketpost <{ADDRESS}>:\n> \n{quoted(say.letter)}",
        say,
    )
    yield plain(
        "ios-de-new",
        f"{say.line}\n\nViele Grüße\nAnn\n\n> Am 11. Mai 2027 um 09:12 schrieb Marketpost <{ADDRESS}>:\n> \n> ﻿{quoted(say.letter)}",
        say,
    )
    yield plain(
        "samsung-de",
        f"{say.line}\n\n\nVon meinem Galaxy gesendet\n\n\n-------- Ursprüngliche Nachricht --------\nVon: {US}\nDatum: 11.05.27 09:12 (GMT+01:00)\nAn: ann@example.org\nBetreff: Du bist am Zug: {say.title} mit Bob\n\n{say.letter}",
        say,
    )
    yield plain(
        "outlook-mobil-de",
        f"{say.line}\n\nOutlook für Android<https://aka.ms/AAb9ysg> beziehen\n________________________________\nVon: {US}\nGesendet: Dienstag, Mai 11, 2027 9:12 AM\nAn: ann@example.org <ann@example.org>\nBetreff: Du bist am Zug\n\n{say.letter}",
        say,
    )
    yield plain(
        "telekom",
        f"{say.line}\n\nGesendet mit der Telekom Mail App\n\n\n--- Original-Nachricht ---\nVon: Marketpost\nBetreff: Du bist am Zug\nDatum: 11.05.2027, 9:12 Uhr\nAn: ann@example.org\n\n\n\n{say.letter}",
        say,
    )
    yield plain(
        "gmx-android",
        f"{say.line}\n-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit GMX Mail gesendet.Am 11.05.27, 09:12 schrieb Marketpost <{ADDRESS}>:\n{quoted(say.letter)}",
        say,
    )
    yield plain(
        "posteo",
        f"Moin,\n\n{say.line}\n\nBeste Grüße aus Kiel\nAnn\n\nAm 11.05.2027 09:12 schrieb Marketpost:\n{quoted(say.letter)}",
        say,
    )
    yield plain(
        "firma",
        f"Hallo zusammen,\n\n{say.line}\n\nMit freundlichen Grüßen\n\ni. A. Ann Schmidt\nSachbearbeitung\n\nSchmidt & Söhne GmbH\nHauptstraße 3\n20095 Hamburg\nTel. +49 40 123456-5\nwww.example.org\nGeschäftsführer: Bernd Schmidt | Amtsgericht Hamburg HRB 12345\n\nVon: {US} \nGesendet: Dienstag, 11. Mai 2027 09:12\nAn: Schmidt, Ann <ann@example.org>\nBetreff: Du bist am Zug\n\n{say.letter}",
        say,
    )
    yield plain(
        "mailbox-org",
        f"{say.line}\n\n> Marketpost <{ADDRESS}> hat am 11.05.2027 09:12 CEST geschrieben:\n> \n>  \n{quoted(say.letter)}",
        say,
    )
    yield plain(
        "thunderbird-unten",
        f"Am 11.05.27 um 09:12 schrieb Marketpost:\n{quoted(say.letter)}\n\n{say.line}\n\nGruß, Ann",
        say,
    )
    yield plain(
        "latin1-de",
        f"{say.line}\n\nAm 11.05.2027 um 09:12 schrieb Marketpost:\n{quoted(say.letter)}".replace("–", "-")
        .encode("cp1252", "replace")
        .decode("cp1252"),
        say,
        charset="cp1252",
    )
    yield plain(
        "aquamail-de",
        f"{say.line}\n\nMit AquaMail Android gesendet\nhttps://www.mobisystems.com/aqua-mail\n\nAm 11. Mai 2027 09:12:44 schrieb Marketpost <{ADDRESS}>:\n\n{quoted(say.letter)}",
        say,
    )
    yield plain(
        "zwischen",
        f"Am 11.05.27 um 09:12 schrieb Marketpost:\n{quoted(say.letter[:200])}\n\n{say.head}\n\n{quoted(say.letter[200:])}\n\n{say.tail}\n",
        say,
    )


def french(say: Hand) -> Iterator[Case]:
    yield plain(
        "ios-fr",
        f"{say.line}\n\nEnvoyé de mon iPhone\n\n> Le 11 mai 2027 à 09:12, Marketpost <{ADDRESS}> a écrit :\n> \n{quoted(say.letter)}",
        say,
    )
    yield plain(
        "orange-fr",
        f"{say.line}\n\nEnvoyé depuis l'application Mail Orange\n\n----------------\n\nDe : Marketpost\nEnvoyé : mardi 11 mai 2027 à 09:12\nA : ann@example.org\nObjet : À vous de jouer\n\n{say.letter}",
        say,
    )
    yield plain(
        "sfr",
        f'Bonjour à tous,\n\n{say.line}\n\nBonne journée,\nAnn\n\n> Message du 11/05/27 09:12\n> De : "Marketpost" <{ADDRESS}>\n> A : ann@example.org\n> Copie à : \n> Objet : À vous de jouer\n> \n{quoted(say.letter)}',
        say,
    )
    yield plain(
        "outlook-fr",
        f"{say.line}\n\nCordialement,\n\nAnn Dupont\nResponsable logistique\n12 rue des Lilas – 75011 Paris\nTél. : 01 23 45 67 89\n\nDe : {US} \nEnvoyé : mardi 11 mai 2027 09:12\nÀ : ann@example.org\nObjet : À vous de jouer\n\n{say.letter}",
        say,
    )
    yield plain(
        "outlook-mobile-fr",
        f"{say.line}\n\nTélécharger Outlook pour iOS<https://aka.ms/o0ukef>\n________________________________\nDe : {US}\nEnvoyé : mardi, mai 11, 2027 9:12 AM\nÀ : ann@example.org\nObjet : À vous de jouer\n\n{say.letter}",
        say,
    )
    yield plain(
        "yahoo-fr",
        f"{say.line}\n\nEnvoyé à partir de Yahoo Mail pour iPhone\n\n\nLe mardi, mai 11, 2027, 9:12 AM, Marketpost <{ADDRESS}> a écrit :\n\n{say.letter}",
        say,
    )
    yield plain(
        "proton-fr",
        f"{say.line}\n\nEnvoyé avec la messagerie sécurisée Proton Mail.\n\nLe mardi 11 mai 2027 à 09:12, Marketpost <{ADDRESS}> a écrit :\n\n{quoted(say.letter)}",
        say,
    )
    yield plain(
        "free-fr",
        f'----- Mail original -----\nDe: "Marketpost" <{ADDRESS}>\nÀ: ann@example.org\nEnvoyé: Mardi 11 Mai 2027 09:12:44\nObjet: À vous de jouer\n\n{quoted(say.letter)}\n\n{say.line}\n',
        say,
    )
    yield plain(
        "samsung-fr",
        f"{say.line}\n\n\nEnvoyé depuis mon smartphone Samsung Galaxy.\n\n-------- Message d'origine --------\nDe : {US} \nDate : 11/05/2027 09:12 (GMT+01:00) \nÀ : ann@example.org \nObjet : À vous de jouer \n\n{say.letter}",
        say,
    )
    yield plain(
        "base64-fr",
        f"Coucou,\n{say.line}\nBises\nAnn\n\nLe 11/05/2027 à 09:12, Marketpost a écrit :\n{quoted(say.letter)}",
        say,
        encoding="base64",
    )


def italian(say: Hand) -> Iterator[Case]:
    yield plain(
        "ios-it",
        f"{say.line}\n\nInviato da iPhone\n\n> Il giorno 11 mag 2027, alle ore 09:12, Marketpost <{ADDRESS}> ha scritto:\n> \n{quoted(say.letter)}",
        say,
    )
    yield plain(
        "outlook-it",
        f"{say.line}\n\nOttieni Outlook per iOS<https://aka.ms/o0ukef>\n________________________________\nDa: {US}\nInviato: Tuesday, May 11, 2027 9:12:44 AM\nA: ann@example.org <ann@example.org>\nOggetto: Tocca a te\n\n{say.letter}",
        say,
    )
    yield plain(
        "samsung-it",
        f"{say.line}\n\n\nInviato dal mio Galaxy\n\n\n-------- Messaggio originale --------\nDa: {US}\nData: 11/05/27 09:12 (GMT+01:00)\nA: ann@example.org\nOggetto: Tocca a te\n\n{say.letter}",
        say,
    )
    yield plain("tiscali", f"{say.line}\n\nCiao,\nAnn\n\nIl 11.05.2027 09:12 Marketpost ha scritto:\n{quoted(say.letter)}", say)
    yield plain(
        "alice-it",
        f"{say.line}\n\nInviato da Posta di Windows\n\nDa: Marketpost\nInviato: martedì 11 maggio 2027 09:12\nA: ann@example.org\nOggetto: Tocca a te\n\n{say.letter}",
        say,
    )
    yield plain(
        "gmail-it",
        f"Ciao a tutti!\n\n{say.line}\n\nUn abbraccio,\nAnn\n\nIl mar 11 mag 2027, 09:12 Marketpost <{ADDRESS}> ha scritto:\n\n{quoted(say.letter)}",
        say,
    )
    yield plain(
        "yahoo-it",
        f"{say.line}\n\nInviato da Yahoo Mail su Android \n \n  Il mar, 11 mag, 2027 alle 9:12, Marketpost<{ADDRESS}> ha scritto:   {say.letter}",
        say,
    )


def pages(say: Hand, german: Hand) -> Iterator[Case]:
    yield plain("groupwise", f"{unescape(say.line)}\n\n>>> Marketpost <{ADDRESS}> 11.05.2027 09:12 >>>\n{say.letter}", say)
    yield page("horde", f"<p>{say.line}</p><p>Quoting {escape(US)}:</p><blockquote>{say.page}</blockquote>", say)
    yield page("nextcloud", f"<p>{say.line}</p><p>{escape(US)} – 11 maggio 2027 09:12</p><blockquote>{say.page}</blockquote>", say)
    yield page(
        "nested-tables",
        f'<html><body><table width="100%"><tr><td><table><tr><td><table><tr><td>{say.head}</td></tr><tr><td>{say.tail}</td></tr></table></td></tr></table></td></tr></table><hr><div><b>From:</b> Marketpost<br><b>Sent:</b> 11 May 2027<br><b>To:</b> ann<br><b>Subject:</b> Your turn</div>{say.page}</body></html>',
        say,
    )
    yield page(
        "order-split-by-br",
        f'<div dir="auto">{say.first}<br>{say.rest}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Tue, 11 May 2027, 09:12 Marketpost, &lt;<a href="mailto:{ADDRESS}">{ADDRESS}</a>&gt; wrote:<br></div><blockquote class="gmail_quote">{say.page}</blockquote></div>',
        say,
    )
    yield page(
        "word-html",
        f'<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {{margin:0}}</style></head><body lang=DE><div class=WordSection1><p class=MsoNormal><span style="font-size:11.0pt">{german.head}; <o:p></o:p></span></p><p class=MsoNormal>{german.tail.replace(" ", "&nbsp;")}<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class=MsoNormal><b>Von:</b> Marketpost<br><b>Gesendet:</b> Dienstag, 11. Mai 2027 09:12<br><b>An:</b> Ann<br><b>Betreff:</b> Du bist am Zug</p></div>{german.page}</div></body></html>',
        german,
    )
    yield page(
        "apple-de-html",
        f'<html><body dir="auto">{german.line}<br><br><div dir="ltr">Von meinem iPad gesendet</div><div dir="ltr"><br><blockquote type="cite">Am 11.05.2027 um 09:12 schrieb Marketpost &lt;{ADDRESS}&gt;:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">﻿{german.page}</div></blockquote></body></html>',
        german,
    )
    yield page(
        "list-items",
        f"<ol><li>{say.head}</li><li>{say.tail}</li></ol><p>Thanks,<br>Ann</p><blockquote>{say.page}</blockquote>",
        say,
    )
    yield page(
        "spans-and-fonts",
        f'<div><font face="Arial"><span>{say.line[:1]}</span><b>{say.line[1:3]}</b>{say.line[3:].replace(" ", "&nbsp;")}</font></div><div>--&nbsp;</div><div>Ann</div><div>On 11 May 2027, at 09:12, Marketpost &lt;{ADDRESS}&gt; wrote:</div><blockquote type="cite">{say.page}</blockquote>',
        say,
    )
    yield both(
        "proton-both",
        f"{unescape(say.line)}\n\nOn Tuesday, 11 May 2027 at 09:12, Marketpost <{ADDRESS}> wrote:\n\n{quoted(say.letter)}",
        f'<div style="font-family: Arial">{say.line}</div><div class="protonmail_signature_block protonmail_signature_block-empty"></div><div class="protonmail_quote">On Tuesday, 11 May 2027 at 09:12, Marketpost wrote:<br><blockquote class="protonmail_quote" type="cite">{say.page}</blockquote></div>',
        say,
    )
    yield both(
        "exchange-both",
        f"{unescape(say.line)}\n\n{'_' * 32}\nFrom: Marketpost\nSent: Tuesday, May 11, 2027 9:12 AM\nTo: Ann\nSubject: Your turn\n\n{say.letter}",
        f'<div class="elementToProof">{say.line}</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Marketpost<br><b>Sent:</b> Tuesday</div>{say.page}',
        say,
    )


def not_to_be_guessed(say: Hand) -> Iterator[Case]:
    yield plain(
        "signature-like-orders",
        f"{say.line}\n\n-- \nAnn Smith\n{say.line}\n\nOn 11 May 2027, at 09:12, Marketpost wrote:\n{quoted(say.letter)}",
        say,
        asked=True,
    )
    yield plain(
        "order-below-name",
        f"{say.line}\n\nRegards\nAnn\n{say.other}\n\nOn 11 May 2027, at 09:12, Marketpost wrote:\n{quoted(say.letter)}",
        say,
        asked=True,
    )
    yield plain(
        "maybe",
        f"I think I will play {say.line}, or should I rather {say.other}?\n\nOn 11 May 2027, at 09:12, Marketpost wrote:\n{quoted(say.letter)}",
        say,
        asked=True,
    )
    yield plain("not-this", f"Not {say.line}!\n\nOn 11 May 2027, at 09:12, Marketpost wrote:\n{quoted(say.letter)}", say, asked=True)
    yield plain(
        "edited-in-quote",
        f"see below\n\nOn 11 May 2027, at 09:12, Marketpost wrote:\n> This is how orders are written:\n>\n>     {say.line}  <-- this one\n{quoted(say.letter)}",
        say,
        asked=True,
    )
    yield plain(
        "forwarded-advice",
        f"Bob says:\n\n---------- Forwarded message ---------\nFrom: Bob <bob@example.org>\nDate: Tue, 11 May 2027 at 09:12\nSubject: try this\nTo: Ann <ann@example.org>\n\n{say.line}\n",
        say,
        asked=True,
    )
