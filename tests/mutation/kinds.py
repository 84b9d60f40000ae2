"""Every kind of mistake."""

from tests.mutation import (
    bindings,
    bodies,
    dispatch,
    extension,
    kernel_slips,
    launch_slips,
    launches,
    lookups,
    parameters,
    registrations,
    row_slips,
    spaces,
    stub_slips,
    stubs,
)
from tests.support.mutation import Kind

KINDS: tuple[Kind, ...] = (
    *dispatch.KINDS,
    *stubs.KINDS,
    *lookups.KINDS,
    *registrations.KINDS,
    *bindings.KINDS,
    *parameters.KINDS,
    *launches.KINDS,
    *bodies.KINDS,
    *spaces.KINDS,
    *row_slips.KINDS,
    *stub_slips.KINDS,
    *kernel_slips.KINDS,
    *launch_slips.KINDS,
)
EXTENSION_KINDS = extension.KINDS
"""The mistakes that are made outside of PyTorch, in the sample of an extension."""
BY_NAME = {kind.name: kind for kind in (*KINDS, *EXTENSION_KINDS)}
