"""Whatever a kernel does, the client gets one clear outcome, and the next kernel runs."""

import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from mkls.runner.client import Runner
from mkls.runner.conversation import RunCancelledError, RunRefusedError
from mkls.runner.process import WorkerUnavailableError
from mkls.runner.request import RunRequest
from mkls.runner.requests import file_request
from mkls.runner.settings import WorkerSettings
from tests.runner.conftest import only

FINE = """
// mkls-arg: out = zeros(64)
// mkls-expect: out == 3
kernel void fine(device float* out, uint tid [[thread_position_in_grid]]) { out[tid] = 3; }
"""
FOREVER = """
kernel void forever(device float* out, uint tid [[thread_position_in_grid]]) {
  float x = out[tid];
  while (x >= 0) {
    x = x + 1;
    if (x > 1e6) x = 0;
  }
  out[tid] = x;
}
"""
LONG = 600.0


def request_for(tmp_path: Path, text: str, **options: object) -> RunRequest:
    path = tmp_path / "kernels.metal"
    path.write_text(text, encoding="utf-8")
    return replace(file_request(path, tmp_path), **options)


def starts_running(event: dict) -> bool:
    return event["type"] == "stage" and event["stage"] == "run"


def test_an_endless_loop_is_stopped_at_its_line_and_the_rest_runs(execute):
    report = execute(FOREVER + FINE, timeout=0.3)

    endless, fine = report.runs
    assert endless.outcome == "timed-out"
    assert endless.stopped_at is not None
    assert 4 <= endless.stopped_at.line <= 7
    assert fine.outcome == "passed"


def test_endless_recursion_is_a_crash_of_that_kernel_alone(execute):
    deep = """
int deep(int n, device int* out) {
  int local[200];
  for (int i = 0; i < 200; ++i) local[i] = out[i % 8] + n;
  return local[n % 200] + deep(n + 1, out) + deep(n + 2, out);
}
kernel void recursive(device int* out, uint tid [[thread_position_in_grid]]) {
  out[tid] = deep(1, out);
}
"""
    report = execute(deep + FINE)

    assert [it.outcome for it in report.runs] == ["crashed", "passed"]
    assert "stack overflowed" in report.runs[0].message


def test_an_allocation_beyond_the_limit_is_refused(execute):
    with pytest.raises(RunRefusedError, match="not enough memory"):
        execute(FINE.replace("zeros(64)", "zeros(25_000_000_000)"))

    assert only(execute(FINE)).outcome == "passed"


def test_a_killed_worker_costs_the_kernel_that_ran(runner, tmp_path):
    request = request_for(tmp_path, FOREVER + FINE, timeout=LONG)

    def kill(event: dict) -> None:
        if starts_running(event) and event["kernel"] == "forever":
            for pid in runner.worker_pids:
                os.kill(pid, signal.SIGKILL)

    report = runner.submit(request, kill).result(timeout=120)

    assert [(it.kernel, it.outcome) for it in report.runs] == [
        ("forever", "crashed"),
        ("fine", "passed"),
    ]
    assert "SIGKILL" in report.runs[0].message


def test_a_worker_that_does_not_answer_is_killed(tmp_path):
    request = request_for(tmp_path, FOREVER, timeout=0.01)

    with Runner() as own:

        def suspend(event: dict) -> None:
            if starts_running(event):
                for pid in own.worker_pids:
                    os.kill(pid, signal.SIGSTOP)

        report = own.submit(request, suspend).result(timeout=120)
        assert own.worker_pids == ()

    assert only(report).outcome == "timed-out"
    assert "took longer than 0.01 s" in only(report).message


def test_cancel_stops_a_kernel_that_runs(runner, tmp_path):
    running = threading.Event()
    job = runner.submit(
        request_for(tmp_path, FOREVER, timeout=LONG),
        lambda event: running.set() if starts_running(event) else None,
    )
    assert running.wait(120)

    job.cancel()

    with pytest.raises(RunCancelledError):
        job.result(timeout=60)


def test_a_request_cancelled_while_it_waits_never_runs(tmp_path):
    request = request_for(tmp_path, FOREVER, timeout=LONG)
    running = threading.Event()
    with Runner(WorkerSettings(workers=1)) as own:
        first = own.submit(request, lambda event: running.set() if starts_running(event) else None)
        assert running.wait(120)
        events: list[dict] = []
        second = own.submit(request, events.append)
        second.cancel()
        with pytest.raises(RunCancelledError):
            second.result(timeout=60)
        first.cancel()
        with pytest.raises(RunCancelledError):
            first.result(timeout=60)

    assert events == []


def test_two_requests_at_once_get_their_own_results(runner, tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    both_run = threading.Barrier(2, timeout=120)

    def wait(event: dict) -> None:
        if starts_running(event):
            both_run.wait()

    jobs = [
        runner.submit(request_for(tmp_path / "a", FINE), wait),
        runner.submit(request_for(tmp_path / "b", FINE.replace("== 3", "== 4")), wait),
    ]

    first, second = (only(job.result(timeout=120)) for job in jobs)
    assert first.outcome == "passed"
    assert second.outcome == "mismatched"


def test_a_worker_stays_warm_between_requests(runner, execute):
    execute(FINE)
    before = runner.worker_pids
    execute(FINE)

    assert set(runner.worker_pids) & set(before)


def test_restart_replaces_every_worker():
    with Runner() as own:
        own.warm_up()
        before = own.worker_pids
        assert len(before) == 1
        own.restart()
        assert own.worker_pids == ()


def test_no_process_is_left_behind(tmp_path):
    running = threading.Event()
    with Runner() as own:
        own.submit(
            request_for(tmp_path, FOREVER, timeout=LONG),
            lambda event: running.set() if starts_running(event) else None,
        )
        assert running.wait(120)
        (pid,) = own.worker_pids

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_an_interpreter_that_does_not_exist_is_named(tmp_path):
    with (
        Runner(WorkerSettings(interpreter="/no/such/python")) as own,
        pytest.raises(WorkerUnavailableError, match=r"cannot start `/no/such/python`"),
    ):
        own.submit(request_for(tmp_path, FINE)).result(timeout=60)


def test_an_interpreter_without_torch_says_so(tmp_path):
    fake = tmp_path / "python-without-torch"
    fake.write_text("#!/bin/sh\necho 'No module named torch' >&2\nexit 3\n", encoding="utf-8")
    fake.chmod(0o755)
    with (
        Runner(WorkerSettings(interpreter=str(fake))) as own,
        pytest.raises(WorkerUnavailableError, match="status 3: No module named torch"),
    ):
        own.submit(request_for(tmp_path, FINE)).result(timeout=60)


def test_an_unknown_kernel_is_refused_with_what_is_close(execute):
    with pytest.raises(RunRefusedError, match="no kernel `fin`; did you mean `fine`"):
        execute(FINE, kernels=("fin",))


def test_an_unknown_argument_is_refused(execute):
    with pytest.raises(RunRefusedError, match="has no buffer argument `output`; it has `out`"):
        execute(FINE.replace("mkls-arg: out", "mkls-arg: output"))


def test_a_claim_about_nothing_is_refused_before_the_kernel_runs(execute):
    with pytest.raises(RunRefusedError, match="`result` in `result == 3` is no argument"):
        execute(FINE.replace("out == 3", "result == 3"))
