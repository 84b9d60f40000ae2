"""The cross-links of a workspace at one moment.

Invariant: a snapshot is a pure function of its documents: equal documents give equal
snapshots, however many edits led to them. Guard: tests/test_properties.py.
"""
