"""What the words of Metal sources mean, as tables: the MSL library, attributes, c10/metal.

Texts are our own; `section` tells where the Metal Shading Language Specification (version 3.2 and
later) defines a word. Guard: tests/features/test_reference.py compares the tables with the
library's headers.
"""
