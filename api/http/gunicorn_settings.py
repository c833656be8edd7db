"""Settings of gunicorn: `marketpost api` runs `api.http.gunicorn --config python:api.http.gunicorn_settings "api.http.served:served()"`.

One greenlet for each connection, by gunicorn's own gevent worker: an open event stream or a half-sent request costs a little memory
and holds nobody up.
"""

import resource
from typing import Any

from marketpost.store.parent_process import die_with

worker_class = "api.http.gunicorn_worker.ProblemWorker"
worker_connections = 6000
"""Connections in each process at most."""
keepalive = 10
"""Seconds within which the head of a request must arrive; then the connection is closed."""
graceful_timeout = 2
"""Seconds that requests have to finish when the service stops; event streams are cut, and their readers reconnect."""
limit_request_fields = 64
"""Header lines of a request at most: so many, of up to 8 kB each, are held for a client that never ends its head."""
loglevel = "error"
logger_class = "api.http.gunicorn_logger.NoAccessLog"
logconfig_dict = {
    "handlers": {"plain": {"()": "workers.log_output.log_handler"}},
    "root": {"level": "WARNING", "handlers": ["plain"]},
    "loggers": {"gunicorn.error": {"level": "ERROR", "handlers": []}, "gunicorn.access": {"level": "ERROR", "handlers": []}},
    "formatters": {},
}
"""Everything that this process logs goes where it never blocks. Nothing here may import `ssl`, which gevent has to change first."""
proc_name = "marketpost-api"
control_socket_disable = True
FILES = 16_384
"""File descriptors of a process: a stream needs two, one to its reader and one to Redis."""


def post_fork(arbiter: Any, worker: Any) -> None:
    """Raise the limit of open files, and make the worker end with the arbiter, even if that is killed."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES if most == resource.RLIM_INFINITY else min(FILES, most), most))
    die_with(arbiter.pid)
