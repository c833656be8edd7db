"""The rq edge: jobs without arguments, the work queue, the sweeper, and how a process is assembled."""
