"""Python, as far as mkls needs it: sets and dicts that are written out.

Invariant: nothing is imported or run, and nothing fails on any text. Guard:
tests/facts/test_python_facts.py.
"""
