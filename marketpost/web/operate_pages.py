"""The operator's pages at `/operate`: their frame, signing in and out, and the overview. They are served only if `OPERATORS` is set."""

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from babel.dates import format_timedelta
from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from api.http.auth import SAFE, Permission, View, declared
from api.http.context import inside, ports
from api.http.operator_cookie import begin_operating, end_operating, must_be_operator, operator, session_secret
from api.http.request_id import request_id
from api.http.request_limits import client
from marketpost.mail.outbound.letters.times import locale
from marketpost.play.keeping.service_drain import NOT_ABOUT_A_PLAYER, begin_drain, end_drain
from marketpost.play.limits import Limit
from marketpost.play.people.operators import audit
from marketpost.rules.refusal import Refused
from marketpost.rules.words import LANGUAGES
from marketpost.web.form_keys import check_sent_key, mask_key, session_key
from marketpost.web.operate_figures import deliveries_by_outcome, held_letters, queues
from marketpost.web.page_language import language, say, set_language
from marketpost.web.pages import dressed, told
from workers.health_checks import examine_stores

log = logging.getLogger("marketpost.operate")
operate = dressed(Blueprint("operate", __name__, url_prefix="/operate", template_folder="templates"))
LONGEST_REASON = 300


def operator_page(rule: str, *methods: str, access: Permission = Permission.OPERATOR) -> Callable[[View], View]:
    """Register a view; GET unless given otherwise, and for operators only unless given otherwise."""

    def decorate(view: View) -> View:
        operate.add_url_rule(rule, view.__name__, declared(view, access), methods=list(methods or ("GET",)))
        return view

    return decorate


def _form_key() -> bytes:
    return session_key("operate", session_secret()) if operator() else b""


@operate.before_request
def _check_form() -> None:
    """Refuse a POST that was not sent from a page of ours (cross-site request forgery)."""
    if request.method not in SAFE:
        check_sent_key(_form_key())


@operate.context_processor
def _for_operators() -> dict[str, Any]:
    """Return what every template of these pages may use."""
    return {"operator": operator(), "form_token": mask_key(_form_key()), "when": shown_moment, "longest": LONGEST_REASON}


@operate.errorhandler(Refused)
def _refused(refused: Refused) -> Any:
    """Show why a request is refused; without a session, the sign-in form instead."""
    if refused.code == "operator-missing" and request.method in SAFE:
        return redirect(url_for("operate.show_sign_in"), 303)
    return told(refused.refusal)


def who() -> str:
    """Return the operator as the audit log names them."""
    return f"{must_be_operator()} (page)"


def reason() -> str:
    """Return the reason that the operator typed; refused without one."""
    if not (why := " ".join(request.form.get("why", "").split())):
        raise Refused("field-empty")
    if len(why) > LONGEST_REASON:
        raise Refused("field-long", most=LONGEST_REASON)
    return why


def shown_moment(at: int) -> str:
    """Return a moment as operators see it."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def shown_age(seconds: float | None) -> str:
    """Return how long something has waited, in the reader's language."""
    return "–" if seconds is None else format_timedelta(timedelta(seconds=round(seconds)), threshold=1.5, locale=locale(language()))


@operator_page("/sign-in", access=Permission.OPEN)
def show_sign_in() -> str:
    """Show the form that asks for the operator's password."""
    return render_template("operate-sign-in.html")


@operator_page("/sign-in", "POST", access=Permission.OPEN)
def sign_in_operator() -> Any:
    """Begin a session of an hour. Attempts are counted by network address."""
    ports().limits.spend(Limit.OPERATOR_SIGN_INS_ADDRESS, client())
    response: AnyResponse = redirect(url_for("operate.overview"), 303)
    name = begin_operating(response, request.form.get("password", ""))
    if name is None:
        log.warning("request %(request)s: somebody tried a wrong password at /operate", {"request": request_id()})
        return render_template("operate-sign-in.html", why=say("operate.wrong-password")), 403
    audit(ports(), f"{name} (page)", "sign in", NOT_ABOUT_A_PLAYER)
    return response


@operator_page("/sign-out", "POST")
def sign_out_operator() -> AnyResponse:
    """End the session."""
    response: AnyResponse = redirect(url_for("operate.show_sign_in"), 303)
    end_operating(response)
    return response


@operator_page("/language", "POST", access=Permission.OPEN)
def choose_operators_language() -> AnyResponse:
    """Choose the language of the pages, stored in a cookie."""
    chosen = request.form.get("language", "")
    if chosen not in LANGUAGES:
        raise Refused("unknown-language", language=chosen[:20], languages=LANGUAGES)
    response: AnyResponse = redirect(url_for("operate.overview"), 303)
    return set_language(response, chosen)


@operator_page("")
def overview() -> str:
    """Show health, what waits, what became of letters, and whether the service drains."""
    found = list(examine_stores(inside().settings, ports(), inside().work_queue))
    return render_template(
        "operate.html",
        wrong=[each for each in found if each.advice],
        fine=[each for each in found if not each.advice],
        queues=queues(inside()),
        age=shown_age,
        deliveries=deliveries_by_outcome(inside()),
        held=held_letters(inside()),
        reports=sum(not each.done for each in ports().reports.all()),
        draining=ports().drain.since(),
    )


@operator_page("/drain", "POST")
def drain_service() -> AnyResponse:
    """Let every process accept nothing new."""
    begin_drain(ports(), who())
    return redirect(url_for("operate.overview"), 303)


@operator_page("/resume", "POST")
def resume_service() -> AnyResponse:
    """Accept everything again."""
    end_drain(ports(), who())
    return redirect(url_for("operate.overview"), 303)
