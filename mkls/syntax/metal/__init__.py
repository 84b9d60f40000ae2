"""Metal to tokens, items, declarations and trees, with a preprocessor of its own.

Invariant: every function here takes any text and never raises; a macro expands as GCC's
preprocessor would. Guard: tests/syntax/metal/ (properties, and `gcc -E` as the oracle).
"""
