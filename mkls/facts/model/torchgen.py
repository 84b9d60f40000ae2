"""What a checkout's torchgen accepts, which differs by version."""

import msgspec


class TorchgenFacts(msgspec.Struct, frozen=True):
    """The lists of one file: `torchgen/model.py` or `tags.yaml`; None where it has no such list.

    `dispatch_keys` are those that `dispatch` may name (`dispatch_keys` of model.py) and
    `known_dispatch_keys` all members of `DispatchKey`. `structured_keys` are those of which a
    structured group generates its kernels (`STRUCTURED_DISPATCH_KEYS`).
    """

    dispatch_keys: frozenset[str] | None = None
    known_dispatch_keys: frozenset[str] | None = None
    structured_keys: frozenset[str] | None = None
    base_types: frozenset[str] | None = None
    tags: frozenset[str] | None = None
    seeded_arguments: frozenset[str] | None = None
    """The words in the names of arguments that make torchgen take an operator for a random one."""
