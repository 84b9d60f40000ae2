"""What one document states, whichever language it is in.

Invariant: facts are immutable and hold for one document on its own: nothing here depends on
another file, on the file system or on the order in which files were read; broken text states
less and never raises. Guard: tests/test_properties.py.
"""
