"""`python -P -m api.http.gunicorn`: gunicorn, with our packages found already.

Fault: gunicorn puts the folder in which it is started before all others, and that may hold another copy of our source.
"""

from importlib import import_module

from gunicorn.app.wsgiapp import run  # type: ignore[import-untyped]

OURS = ("api", "marketpost", "workers")

if __name__ == "__main__":
    for package in OURS:
        import_module(package)
    run()
