"""What a rule is, what it reports, and how users silence it. No rule lives here.

Invariant: a diagnostic speaks in offsets of the document that it was found in; only the doors
(`mkls.cli`, `mkls.server`) turn them into lines and columns. Guard: the import contracts.
"""
