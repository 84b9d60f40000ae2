"""Fixtures for all tests; failed asserts of the helpers are explained as well."""

import hypothesis
import pytest

pytest.register_assert_rewrite("tests.support")

from tests.support.pytorch import (  # noqa: E402  (after the rewrite is registered)
    native_functions_2_13,
    pytorch_tree,
    torch_include,
)
from tests.support.trees import new_style_tree  # noqa: E402

__all__ = ["native_functions_2_13", "new_style_tree", "pytorch_tree", "torch_include"]

# No test judges wall-clock time: machines are noisy.
hypothesis.settings.register_profile("mkls", deadline=None)
hypothesis.settings.load_profile("mkls")
