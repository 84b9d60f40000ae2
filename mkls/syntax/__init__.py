"""Text to tolerant trees: one folder per language.

Invariant: reading never fails; what cannot be read becomes a `Problem` with a span.
Guard: tests/test_properties.py.
"""
