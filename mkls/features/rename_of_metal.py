"""Rename what only Metal code names: a functor, a kernel's template, a registration macro."""

from mkls.features.metal_scope import is_other_name, metal_scope
from mkls.features.occurrences import in_metal_code
from mkls.features.rename_plan import Group, Plan, Refusal, plan_of, written
from mkls.index.snapshot import Snapshot
from mkls.text.document import Uri


def metal_plan(
    snapshot: Snapshot, cursor: tuple[Uri, int], name: str, metal: Uri, is_kernel: bool = False
) -> Plan | Refusal:
    """Return the plan for `name`, which the Metal document `metal` defines."""
    found = [
        it
        for it in in_metal_code(snapshot, name, metal_scope(snapshot, metal))
        if not is_other_name(snapshot.sources[it.uri].document.text, it.span, is_kernel)
    ]
    return plan_of(snapshot, cursor, name, written(found, Group.METAL))
