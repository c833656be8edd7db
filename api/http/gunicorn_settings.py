"""Settings of gunicorn: `marketpost api` runs `gunicorn --config python:api.http.gunicorn_settings "api.http.served:served()"`.

One greenlet for each connection, by gunicorn's own gevent worker: an open event stream or a half-sent request costs a little memory
and holds nobody up.
"""

import resource
from typing import Any

from marketpost.store.parent_process import die_with

worker_class = "api.http.gunicorn_worker.ProblemWorker"
worker_connections = 4000
"""In each process."""
keepalive = 10
"""Seconds in which the head of a request has to come; then the connection is closed."""
graceful_timeout = 2
"""Seconds in which requests may finish when the service stops. Event streams do not: their readers come again."""
limit_request_fields = 64
"""So many lines of a head are held for somebody who never comes to its end, of 8 kB each."""
loglevel = "error"
proc_name = "marketpost-api"
control_socket_disable = True
FILES = 16_384
"""A stream has two: its reader's connection and one to the store."""


def post_fork(arbiter: Any, worker: Any) -> None:
    """Open as many files as we may, and end with the arbiter, whatever ends it."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES if most == resource.RLIM_INFINITY else min(FILES, most), most))
    die_with(arbiter.pid)
