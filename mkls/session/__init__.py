"""The only mutable state: which text each document holds now, and how the user configured mkls.

Invariant: the only package below the doors that touches the disk; what can fail there comes back as
a value that says so. Guard: the import contracts.
"""
