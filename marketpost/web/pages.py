"""The blueprint of all pages, with security headers, error pages, static files and the choice of language."""

import hashlib
import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, current_app, g, make_response, redirect, render_template, request, url_for
from redis import RedisError
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from api.http.auth import SAFE, Permission, View, declared
from api.http.context import inside, mailer, ports
from api.http.problems import headers_of, http_problem, noted, status_of
from api.push import CHANNEL
from marketpost.mail.outbound.letters.times import decimal
from marketpost.notify.vapid_key import public_key
from marketpost.rules.refusal import Refusal, Refused
from marketpost.rules.svg import stylesheet
from marketpost.rules.words import LANGUAGES
from marketpost.web import page_language as speech
from marketpost.web import session

STATIC = Path(__file__).parent / "static"
STYLE = "marketpost.css"
JOINED = {"game.js": ("drafts.js", "connection.js", "fingers.js", "replay.js", "game.js")}
"""Scripts that are written as several files and served as one: a page asks once, and nothing has to be built."""
KINDS = {STYLE: "text/css", "icon.svg": "image/svg+xml", "game.js": "text/javascript", "push.js": "text/javascript"}
IMPORTED = re.compile(r'"\./([a-z]+\.(?:js|css))"')
MAILBOX = "marketpost-mailbox"
"""Key of the app extension that says whether the local mailbox page is served."""
FORBIDDEN = 403
OWN_STATUS = {"strange-form": FORBIDDEN, "seat-link-late": 409, "operator-missing": 401}
"""The HTTP status of refusals that only pages have."""
API = "/v1/"
"""Where programs ask; errors there are never pages."""
FOR_A_YEAR = 365 * 24 * 3600
PART = "X-Part"
"""Header by which our script asks for a part of a page; only same-origin scripts can set it."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)

PART_POLICY = "default-src 'none'"
"""For what our script puts into a page, which is never a page by itself."""


def _protect(policy: str, response: Response) -> Response:
    """Add security headers: no caching by others, no framing, no referrer to other sites."""
    response.headers.setdefault("Content-Security-Policy", PART_POLICY if wants_part() else policy)
    response.headers.setdefault("Cache-Control", "private, no-store")
    response.headers.setdefault("Referrer-Policy", "same-origin")
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    return response


def _push_key() -> str:
    """Return the key by which this service subscribes browsers."""
    return public_key(inside().settings)


def _push_ids() -> str:
    """Return the ids of the browsers that are notified; the script finds its own among them."""
    player = session.me()
    return " ".join(each.id for each in mailer().targets.of(player.id) if each.channel == CHANNEL) if player else ""


def _for_all_pages() -> dict[str, Any]:
    """Return what every template may use."""
    return {
        "say": speech.say,
        "decimal": decimal,
        "knows": speech.knows,
        "language": speech.language(),
        "languages": speech.NAMES,
        "name_of": speech.name_of,
        "me": session.me(),
        "form_token": session.form_token(),
        "static": static_url,
        "push_key": _push_key,
        "push_ids": _push_ids,
        "mailbox": current_app.extensions.get(MAILBOX, False),
        "here": request.full_path.rstrip("?") if request.method in SAFE else "/",
    }


def _refused(refused: Refused) -> Any:
    """Show why a request is refused; without a session, the sign-in form instead."""
    if refused.code in ("token-missing", "token-unknown") and request.method in SAFE:
        return redirect(url_for("pages.sign_in_form", back=request.full_path.rstrip("?")), 303)
    return told(refused.refusal)


def _failed(error: HTTPException) -> Any:
    """Show an error page for an HTTP error."""
    if error.code == 413:
        return told(Refusal("too-large", values={"most": current_app.config["MAX_CONTENT_LENGTH"]}))
    return told(Refusal({404: "no-such-page", FORBIDDEN: "strange-form"}.get(error.code or 0, "bad-request")))


def _store_away(error: RedisError) -> Any:
    """Show that the store is unreachable, with a page that needs no store."""
    g.me = g.token = None
    return told(Refusal("store-away"))


def _internal(error: Exception) -> Any:
    """Log an unexpected exception and show an error page."""
    return told(noted(error).refusal)


def no_such_page(error: HTTPException) -> Any:
    """Answer for an address or a method that does not exist: a page for people, a problem for programs."""
    offered = ("application/json", "text/html")
    if request.path.startswith(API) or request.accept_mimetypes.best_match(offered) != offered[1]:
        return http_problem(error)
    return _protect(POLICY, make_response(told(Refusal("no-such-page"))))


def dressed(blueprint: Blueprint, policy: str = POLICY) -> Blueprint:
    """Register the words, headers and error pages of a blueprint."""
    blueprint.after_request(partial(_protect, policy))
    blueprint.context_processor(_for_all_pages)
    blueprint.register_error_handler(Refused, _refused)
    blueprint.register_error_handler(HTTPException, _failed)
    blueprint.register_error_handler(RedisError, _store_away)
    blueprint.register_error_handler(Exception, _internal)
    return blueprint


pages = dressed(Blueprint("pages", __name__, template_folder="templates"))
pages.before_request(session.check_form)


def page(rule: str, *methods: str) -> Callable[[View], View]:
    """Register a page view; GET unless given otherwise."""

    def decorate(view: View) -> View:
        pages.add_url_rule(rule, view.__name__, declared(view, Permission.PAGE), methods=list(methods or ("GET",)))
        return view

    return decorate


def told(refusal: Refusal) -> tuple[str, int, dict[str, str]]:
    """Render the error page of a refusal; also for addresses of no blueprint, whose templates are given nothing else."""
    status = OWN_STATUS.get(refusal.code) or status_of(refusal)
    return render_template("refused.html", **_for_all_pages(), why=speech.explain(refusal)), status, headers_of(refusal)


def wants_part() -> str:
    """Return which part of a page our script asks for; empty if a browser asks for the whole page."""
    return request.headers.get(PART, "")


def back() -> AnyResponse:
    """Redirect to the page that held the form, if it is one of ours."""
    place = request.form.get("back", "")
    return redirect(place if is_own_path(place) else "/", 303)


def is_own_path(place: str) -> bool:
    """Whether a redirect to this path stays on this site.

    A browser drops tabs and line ends and reads `\\` as `/`, so that `/<tab>/host` would lead to another site.
    """
    return place.startswith("/") and place.isprintable() and "\\" not in place and "//" not in place.partition("?")[0]


@cache
def static_url(name: str) -> str:
    """Return the URL of a static file with a hash of its content, so that browsers may cache it for long."""
    return f"/static/{name}?{hashlib.sha256(content(name)).hexdigest()[:12]}"


def content(name: str) -> bytes:
    """Return a static file. The style sheet is that of the pages and the boards in them; a script imports others by their hashed URLs."""
    written = "\n".join((STATIC / part).read_text("utf-8") for part in JOINED.get(name, (name,)))
    if name == STYLE:
        return (written + stylesheet(".board")).encode()
    return IMPORTED.sub(lambda found: f'"{static_url(found[1])}"', written).encode()


def _static(name: str) -> Response:
    """Serve a static file. Its URL changes with its content, so that a browser that has it need not ask again.

    Race: while the service is upgraded, a page of one release may ask the other for its file; that answer is not kept.
    """
    if name not in KINDS:
        raise Refused("no-such-page")
    response = Response(content(name), mimetype=KINDS[name])
    is_asked_for = request.full_path == static_url(name)
    response.headers["Cache-Control"] = f"public, max-age={FOR_A_YEAR}, immutable" if is_asked_for else "no-cache"
    return response


pages.add_url_rule("/static/<name>", "static_file", declared(_static, Permission.OPEN))


@page("/language", "POST")
def choose_language() -> AnyResponse:
    """Choose the language: stored in a cookie, and in the profile of a signed-in player."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        raise Refused("unknown-language", language=chosen[:20], languages=LANGUAGES)
    player = session.me()
    if player:
        ports().players.change(player, lambda known: {"language": chosen})
    return speech.set_language(back(), chosen)
