"""Notifications of the browser: the service worker, and the switch on the game page and the settings page."""

from flask import Response, request

from api.http.auth import Permission, declared
from api.http.context import mailer, token
from api.push import subscribe, unsubscribe
from marketpost.web import session
from marketpost.web.pages import content, page, pages


def service_worker() -> Response:
    """Send the service worker; at the top of the site, so that it serves all pages."""
    response = Response(content("service-worker.js"), mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


pages.add_url_rule("/service-worker.js", "service_worker", declared(service_worker, Permission.OPEN))


@page("/push", "POST")
def switch_push_on() -> Response:
    """Store the subscription of this browser."""
    subscribe(mailer(), token(), request.form.get("subscription", ""))
    return Response(status=204)


@page("/push/off", "POST")
def switch_push_off() -> Response:
    """Delete the subscription of this browser."""
    unsubscribe(mailer(), session.must_be_me().id, request.form.get("endpoint", ""))
    return Response(status=204)
