"""“Run kernel”: everything between a Metal text and a table of results, except the emulator.

Two halves meet in `request.py` and `report.py`. The client half (`client`, `process`, `directives`,
`diagnostics`, …) lives in the server and the command line; it never imports torch. The worker half
(`worker`, `execution`, `launches`, …) runs in a child process, in the user's own torch environment:
its modules import the standard library, torch and each other, msgspec only with the emulator.

Invariants: a worker executes nothing from the workspace except kernels (guard:
tests/runner/test_sandbox.py, tests/runner/test_worker_environment.py); whatever a kernel does, the
client gets an outcome (guard: tests/runner/test_worker_failures.py).
"""
