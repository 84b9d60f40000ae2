"""Fixtures for all tests; failed asserts of the helpers are explained as well."""

import pytest

pytest.register_assert_rewrite("tests.support")

from tests.support.pytorch import (  # noqa: E402  (after the rewrite is registered)
    native_functions_2_13,
    pytorch_tree,
    torch_include,
)

__all__ = ["native_functions_2_13", "pytorch_tree", "torch_include"]
