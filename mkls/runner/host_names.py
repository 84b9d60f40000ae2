"""Operators' names in host names, without knowing any kernel's template."""

import re

from mkls.runner.families import family_of
from mkls.runner.request import KernelSpec
from mkls.runner.scalar_types import METAL_NAMES

_TYPES = "|".join(METAL_NAMES)
ELEMENTWISE_NAME = re.compile(rf"(?P<functor>\w+?)_(?P<first>{_TYPES})(?:_(?P<last>{_TYPES}))?\Z")
"""`OP_TYPE` or `OP_IN_OUT`, the style of PyTorch 2.6."""


def functor_in(spec: KernelSpec) -> str | None:
    """Return the functor that a kernel's host name begins with, None when it has no such form."""
    family = family_of(spec)
    if family is not None:
        return family.functor
    match = ELEMENTWISE_NAME.match(spec.host_name)
    return match["functor"] if match else None
