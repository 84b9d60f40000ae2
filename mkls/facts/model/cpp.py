"""What a C++ file of ATen states about stubs and host functions, by scanning alone."""

import msgspec

from mkls.facts.model.host import HostFacts


class FunctionTypeAlias(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """`using unary_fn = void (*)(TensorIteratorBase&);`, which types of stubs are written with."""

    name: str
    type: str


class CppFacts(msgspec.Struct, frozen=True, array_like=True, weakref=True):
    """What a C++ source or header states.

    `host` holds it all, in one item that starts at 0 when the file was only scanned; a file that
    deals with Metal (`getPipelineStateForFunc`, MSL in a string) is read as Objective-C++ is.
    """

    host: HostFacts = HostFacts()
    objective: bool = False
    aliases: tuple[FunctionTypeAlias, ...] = ()
