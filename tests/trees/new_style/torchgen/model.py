"""The part of torchgen's model that says which dispatch keys a row may list.

Written for the sample tree; the keys are those of PyTorch 2.13.
"""

from __future__ import annotations

from enum import auto, Enum


class DispatchKey(Enum):
    Undefined = 0
    CatchAll = Undefined

    CPU = auto()
    CUDA = auto()
    HPU = auto()
    IPU = auto()
    MPS = auto()
    MTIA = auto()
    XLA = auto()
    XPU = auto()
    Meta = auto()
    MkldnnCPU = auto()
    ZeroTensor = auto()
    SparseCPU = auto()
    SparseCUDA = auto()
    SparseMPS = auto()
    SparseXPU = auto()
    SparseMeta = auto()
    SparseCsrCPU = auto()
    SparseCsrCUDA = auto()
    SparseCsrMPS = auto()
    SparseCsrXPU = auto()
    SparseCsrMeta = auto()
    QuantizedCPU = auto()
    QuantizedCUDA = auto()
    QuantizedMeta = auto()
    NestedTensorCPU = auto()
    NestedTensorCUDA = auto()
    NestedTensorHPU = auto()
    NestedTensorMeta = auto()
    NestedTensorXPU = auto()
    # Parsed, but of no use in a row:
    NestedTensorMPS = auto()
    AutogradMPS = auto()

    CompositeImplicitAutograd = auto()
    CompositeImplicitAutogradNestedTensor = auto()
    CompositeExplicitAutograd = auto()
    CompositeExplicitAutogradNonFunctional = auto()

    @staticmethod
    def parse(value: str) -> DispatchKey:
        for name, key in DispatchKey.__members__.items():
            if name == value:
                return key
        raise AssertionError(f"unknown dispatch key {value}")


# The keys for which code is generated: rows may list these and no others.
dispatch_keys = [
    DispatchKey.CPU,
    DispatchKey.SparseCPU,
    DispatchKey.SparseCsrCPU,
    DispatchKey.MkldnnCPU,
    DispatchKey.CUDA,
    DispatchKey.MPS,
    DispatchKey.XPU,
    DispatchKey.SparseXPU,
    DispatchKey.SparseCsrXPU,
    DispatchKey.SparseCUDA,
    DispatchKey.SparseCsrCUDA,
    DispatchKey.SparseMPS,
    DispatchKey.SparseCsrMPS,
    DispatchKey.QuantizedCPU,
    DispatchKey.QuantizedCUDA,
    DispatchKey.CompositeImplicitAutograd,
    DispatchKey.CompositeImplicitAutogradNestedTensor,
    DispatchKey.CompositeExplicitAutograd,
    DispatchKey.CompositeExplicitAutogradNonFunctional,
    DispatchKey.NestedTensorCPU,
    DispatchKey.NestedTensorCUDA,
    DispatchKey.NestedTensorXPU,
    DispatchKey.NestedTensorHPU,
    # Generated on its own for structured rows
    DispatchKey.Meta,
    DispatchKey.SparseMeta,
    DispatchKey.SparseCsrMeta,
    DispatchKey.QuantizedMeta,
    DispatchKey.NestedTensorMeta,
    DispatchKey.ZeroTensor,
    DispatchKey.MTIA,
]


def is_generic_dispatch_key(dk: DispatchKey) -> bool:
    return dk in {
        DispatchKey.CompositeExplicitAutograd,
        DispatchKey.CompositeExplicitAutogradNonFunctional,
        DispatchKey.CompositeImplicitAutograd,
        DispatchKey.CompositeImplicitAutogradNestedTensor,
    }


# Structured rows have these dispatch keys only.
STRUCTURED_DISPATCH_KEYS = {
    DispatchKey.CPU,
    DispatchKey.CUDA,
    DispatchKey.MPS,
    DispatchKey.XPU,
    DispatchKey.MTIA,
}
UFUNC_DISPATCH_KEYS = {DispatchKey.CUDA, DispatchKey.CPU}


def is_structured_dispatch_key(dk: DispatchKey) -> bool:
    return dk in STRUCTURED_DISPATCH_KEYS


def is_ufunc_dispatch_key(dk: DispatchKey) -> bool:
    return dk in UFUNC_DISPATCH_KEYS
