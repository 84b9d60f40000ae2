"""Objective-C++ and the C++ beside it: items, headers of functions, macros, brackets, flow.

A file is first *blanked* (comments, string contents and directives become spaces of the same
length), so that everything that follows searches code only; then it is split into top-level items,
and only the items that matter are looked into.

Invariant: nothing here fails on any text, and every offset refers to the original text. Guard:
`tests/index/test_host_properties.py`.
"""
