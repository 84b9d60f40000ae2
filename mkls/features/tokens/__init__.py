"""Semantic tokens: what each word of a document is, for colours."""
