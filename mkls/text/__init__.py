"""Documents, offsets, spans and edits.

Invariant: this package knows no language's grammar and no protocol; every place is a half-open
range of code-point offsets into one text. Guard: the import contracts of `pyproject.toml`.
"""
