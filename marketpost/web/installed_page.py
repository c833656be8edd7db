"""What lets a browser install the pages as an app: the manifest, and a page for when there is no network."""

import json

from flask import Response, render_template

from api.http.auth import Permission, declared
from marketpost.web.pages import page, pages, static_url


def _manifest() -> Response:
    """Serve the web app manifest."""
    document = {
        "name": "Marketpost",
        "short_name": "Marketpost",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#f3efe4",
        "theme_color": "#1f5f4a",
        "icons": [{"src": static_url("icon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any maskable"}],
    }
    return Response(json.dumps(document), mimetype="application/manifest+json")


pages.add_url_rule("/manifest.webmanifest", "manifest", declared(_manifest, Permission.OPEN))


@page("/offline")
def show_offline() -> str:
    """Show that there is no network; browsers keep this page."""
    return render_template("offline.html")
