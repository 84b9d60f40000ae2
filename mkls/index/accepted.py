"""What the workspace's torchgen accepts; what any torchgen accepts, where there is none."""

from collections.abc import Iterable

import msgspec

from mkls.facts.model.torchgen import TorchgenFacts

_DISPATCH_KEYS = frozenset(
    (
        "CPU",
        "SparseCPU",
        "SparseCsrCPU",
        "MkldnnCPU",
        "CUDA",
        "MPS",
        "XPU",
        "SparseXPU",
        "SparseCsrXPU",
        "SparseCUDA",
        "SparseCsrCUDA",
        "SparseMPS",
        "SparseCsrMPS",
        "QuantizedCPU",
        "QuantizedCUDA",
        "CompositeImplicitAutograd",
        "CompositeImplicitAutogradNestedTensor",
        "CompositeExplicitAutograd",
        "CompositeExplicitAutogradNonFunctional",
        "NestedTensorCPU",
        "NestedTensorCUDA",
        "NestedTensorXPU",
        "NestedTensorHPU",
        "Meta",
        "SparseMeta",
        "SparseCsrMeta",
        "QuantizedMeta",
        "NestedTensorMeta",
        "ZeroTensor",
        "MTIA",
    )
)
_STRUCTURED_KEYS = frozenset(("CPU", "CUDA", "MPS", "XPU", "MTIA"))


class Accepted(msgspec.Struct, frozen=True):
    """The words that `native_functions.yaml` may use in this workspace.

    `base_types` and `tags` are None where the workspace has no torchgen that lists them: then
    nothing is certain. `is_known` tells whether the dispatch keys are the workspace's own.
    """

    dispatch_keys: frozenset[str] = _DISPATCH_KEYS
    structured_keys: frozenset[str] = _STRUCTURED_KEYS
    known_dispatch_keys: frozenset[str] = _DISPATCH_KEYS
    base_types: frozenset[str] | None = None
    tags: frozenset[str] | None = None
    is_known: bool = False
    seeded_arguments: frozenset[str] = frozenset(("dropout",))


def accepted(facts: Iterable[TorchgenFacts]) -> Accepted:
    """Return what `facts` accept together; each list is taken from the first file that has it."""
    lists: dict[str, frozenset[str]] = {}
    for file in facts:
        for name in file.__struct_fields__:
            value = getattr(file, name)
            if value is not None:
                lists.setdefault(name, value)
    keys = lists.get("dispatch_keys")
    return Accepted(
        dispatch_keys=keys or _DISPATCH_KEYS,
        structured_keys=lists.get("structured_keys", _STRUCTURED_KEYS),
        known_dispatch_keys=lists.get("known_dispatch_keys", _DISPATCH_KEYS),
        base_types=lists.get("base_types"),
        tags=lists.get("tags"),
        is_known=keys is not None,
        seeded_arguments=lists.get("seeded_arguments", frozenset(("dropout",))),
    )
