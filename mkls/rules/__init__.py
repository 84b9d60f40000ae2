"""One module per rule: its page, its check and its value `RULE`.

Invariant: rules never import each other and read no text; a need that two of them share becomes a
query in `mkls.index`. Guards: the import contracts, tests/test_tidy.py.
"""
