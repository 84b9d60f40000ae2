"""The command line: one module per command, one per output format.

Results go to standard output, progress and messages to standard error. Exit status: 0 nothing to
report, 1 findings, 2 a wrong call or a failure of mkls itself. Guard: tests/cli.
"""
