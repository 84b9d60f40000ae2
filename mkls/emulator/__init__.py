"""Runs Metal kernels on the CPU: preprocess, rewrite, compile, load, launch.

A kernel file is preprocessed with empty system headers, so that only the user's text and the
headers it includes are left; its Metal spellings are rewritten to C++17 in place, line for line; a
clang compiles it against the shim in `mkls/msl/include`; and a small runtime (`runtime/*.cc`) runs
the threadgroups on the machine's cores.

Invariant: a position in the user's text survives every step, so that an error or a finding names
the user's line and column. Guard: `tests/emulator/test_positions.py`.
"""
