"""The vocabulary of facts: frozen, serialisable values, one module per language."""
