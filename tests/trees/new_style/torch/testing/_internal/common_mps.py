"""Which tests of the sample tree's operators are expected to fail on MPS."""

from __future__ import annotations

import unittest
from collections.abc import Sequence
from typing import Optional

import torch

from .common_utils import MACOS_VERSION
from .opinfo.core import DecorateInfo, OpInfo


def mps_ops_modifier(ops: Sequence[OpInfo], device_type: str = "mps") -> Sequence[OpInfo]:
    # An operator that is absent here is expected to fail for complex inputs.
    SUPPORTED_COMPLEX_OPS = {
        "abs",
        "add",
        "complex",
        "eq",
        "exp",
        "mul",
        "neg",
        "sub",
        "sum",
        "tanh",
        "where",
    }

    MACOS_BEFORE_14_4_XFAILLIST: dict[str, Optional[list]] = {
        "cumsum": [torch.int64],
    }

    # Operators without any kernel for MPS.
    UNIMPLEMENTED_XFAILLIST: dict[str, Optional[list]] = {
        "heaviside": None,
        "special.airy_ai": None,
        "linalg.lstsqgrad_oriented": None,
        # Only unsigned integers are missing
        "bincount": [torch.uint8],
    }
    UNIMPLEMENTED_XFAILLIST_SPARSE: dict[str, Optional[list]] = {
        "logspace": None,
    }

    UNDEFINED_XFAILLIST: dict[str, Optional[list]] = {
        "nn.functional.dropout": [torch.float16, torch.float32],
    }

    ON_MPS_XFAILLIST: dict[str, Optional[list]] = {
        "trace": [torch.int8],
    }

    EMPTY_OPS_SKIPLIST: dict[str, Optional[list]] = {
        "argmax": None,
    }

    SKIPLIST: dict[str, Optional[list]] = {
        # Random numbers differ between devices
        "uniform": None,
        "bernoulli": [torch.float32],
    }

    def decorate(op: OpInfo, decorator: DecorateInfo) -> None:
        op.decorators = (*op.decorators, decorator)

    for op in ops:
        key = op.name + op.variant_test_name
        for table in (UNIMPLEMENTED_XFAILLIST, UNDEFINED_XFAILLIST, ON_MPS_XFAILLIST):
            if key in table:
                decorate(op, DecorateInfo(unittest.expectedFailure, dtypes=table[key]))
        for table in (SKIPLIST, EMPTY_OPS_SKIPLIST):
            if key in table:
                decorate(op, DecorateInfo(unittest.skip("Skipped!"), dtypes=table[key]))
        if key in MACOS_BEFORE_14_4_XFAILLIST and MACOS_VERSION < 14.4:
            decorate(
                op, DecorateInfo(unittest.expectedFailure, dtypes=MACOS_BEFORE_14_4_XFAILLIST[key])
            )
        if key not in SUPPORTED_COMPLEX_OPS:
            decorate(
                op,
                DecorateInfo(unittest.expectedFailure, dtypes=[torch.complex32, torch.complex64]),
            )
    return ops


def mps_ops_grad_modifier(ops: Sequence[OpInfo]) -> Sequence[OpInfo]:
    XFAILLIST_GRAD: dict[str, Optional[list]] = {
        "trace": [torch.float16],
        "renorm": None,
    }

    SKIPLIST_GRAD: dict[str, Optional[list]] = {
        "nn.functional.mish": [torch.float16],
    }

    for op in ops:
        key = op.name + op.variant_test_name
        if key in XFAILLIST_GRAD:
            op.decorators = (
                *op.decorators,
                DecorateInfo(unittest.expectedFailure, dtypes=XFAILLIST_GRAD[key]),
            )
        if key in SKIPLIST_GRAD:
            op.decorators = (
                *op.decorators,
                DecorateInfo(unittest.skip("Skipped!"), dtypes=SKIPLIST_GRAD[key]),
            )
    return ops


def mps_ops_error_inputs_modifier(ops: Sequence[OpInfo]) -> Sequence[OpInfo]:
    # No exception is raised where the CPU raises one.
    XFAILLIST = {
        "gather",
        "index_copy",
    }
    for op in ops:
        if op.name + op.variant_test_name in XFAILLIST:
            op.decorators = (*op.decorators, DecorateInfo(unittest.expectedFailure))
    return ops
