"""Choose the form of a response by the `Accept` header."""

from flask import request

from api.http.problems import Problem
from marketpost.rules.refusal import Refusal


def accepted(*offered: str) -> str:
    """Return the offered media type that the client likes best; the first if it likes all the same."""
    if not request.accept_mimetypes:
        return offered[0]
    best = request.accept_mimetypes.best_match(offered)
    if best is None:
        raise Problem(Refusal("not-acceptable", 0, {"offered": list(offered)}))
    return best
