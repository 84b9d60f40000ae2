"""Where kernels run: one module per backend, behind the protocol of `backends/protocol.py`.

Guard: tests/runner/contract runs the same tests on every backend.
"""
