"""`native_functions.yaml`: entries that cannot hurt each other, and the schemas inside them.

Invariants: what is wrong with one entry never changes how another is read; every value and its
span agree with a YAML loader's; every schema agrees with torchgen's reading of it.
Guards: tests/syntax/test_native_functions_*.py, tests/syntax/test_function_schema.py.
"""
