"""How mail programs write an answer, in four languages: text part, HTML part, and how they are packed."""

from collections.abc import Callable

from tests.mail.programs.answer import Answer, Written
from tests.mail.programs.everywhere import (
    apple_mail,
    gmail,
    gmail_android,
    gmail_bottom,
    interleaved,
    iphone,
    outlook_desktop,
    outlook_mobile,
    outlook_old,
    outlook_web,
    thunderbird,
    windows_mail,
)
from tests.mail.programs.phones import fairemail, k9, samsung
from tests.mail.programs.services import (
    gmx,
    libero,
    open_xchange,
    orange,
    proton,
    roundcube,
    t_online,
    webde_app,
    yahoo,
    yahoo_phone,
    zimbra,
)

PROGRAMS: dict[str, Callable[[Answer], Written]] = {
    program.__name__: program
    for program in (
        gmail, gmail_bottom, gmail_android, outlook_desktop, outlook_old, outlook_web, outlook_mobile, windows_mail, apple_mail, iphone, thunderbird, interleaved,
        gmx, webde_app, yahoo, yahoo_phone, samsung, k9, fairemail, proton, libero, orange, zimbra, t_online, roundcube, open_xchange,
    )
}  # fmt: skip
