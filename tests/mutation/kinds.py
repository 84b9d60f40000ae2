"""Every kind of mistake."""

from tests.mutation import (
    bindings,
    bodies,
    dispatch,
    launches,
    lookups,
    parameters,
    registrations,
    spaces,
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
)
BY_NAME = {kind.name: kind for kind in KINDS}
