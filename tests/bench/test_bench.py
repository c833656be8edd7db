"""The bench measures a service as it is: its yardstick's jobs are run, and its moves applied."""

from tests.bench.service import empty_jobs_done, running, script, stored_moves


def test_empty_jobs_and_waiting_moves_are_worked_off_beside_each_other() -> None:
    with running(1) as bench:
        assert empty_jobs_done(bench, 3) > 0
        assert stored_moves(bench, script(1)) > 0
