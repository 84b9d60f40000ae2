"""Which name each `exec_*` asks for: the formulas of `MetalShaderLibrary` in torch 2.13.

They stand in for `OperationUtils.mm` where the workspace does not hold it; a workspace that does
is read itself (see `mkls.index.lookups`). Source: `aten/src/ATen/native/mps/OperationUtils.{h,mm}`.
"""

import re
from collections.abc import Mapping

from mkls.facts.model.name_expression import (
    Dtype,
    Literal,
    NameExpression,
    Parameter,
    choice,
    concat,
)
from mkls.text.span import Span

DTYPES_2_13 = frozenset(
    [
        "float",
        "half",
        "bfloat",
        "int",
        "long",
        "short",
        "char",
        "uchar",
        "bool",
        "float2",
        "half2",
        "ushort",
        "uint",
        "ulong",
    ]
)
"""What `scalarToMetalTypeString` returns in torch 2.13."""

STEM = "name"
PARAMS = "params_type_name"
_NOWHERE = Span(0, 0)
_PIECE = re.compile(r"\{(\w)\}")

_TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "exec_unary_kernel": (
        *("{N}_dense_{D}_{D}", "{N}_dense_scalar_{D}_{D}", "{N}_strided_{D}_{D}"),
        *("{N}_inner_contiguous_{D}_{D}", "{N}_dense_{D}_{D}_{D}", "{N}_strided_{D}_{D}_{D}"),
        *("{N}_dense_castout_{D}", "{N}_dense_castout_ilp_{D}", "{N}_strided_castout_{D}"),
        *("{N}_inner_contiguous_castout_{D}",),
    ),
    "exec_unary_kernel_raw": ("{N}_dense_castout_{D}", "{N}_dense_castout_ilp_{D}"),
    "exec_unary_kernel_with_params": ("{N}_dense_{D}_{D}_{P}", "{N}_strided_{D}_{D}_{P}"),
    "exec_binary_kernel": tuple(
        f"{{N}}_{flavour}_{{D}}_{{D}}{alpha}"
        for flavour in (
            *("dense", "dense_ilp4", "dense_cast", "strided", "strided_cast", "strided_castout"),
            *("dense_scalar", "dense_scalar_lhs", "dense_scalar_cast", "dense_scalar_lhs_cast"),
            *("dense_broadcast", "dense_broadcast_rhs", "dense_broadcast_cast"),
            *("dense_broadcast_rhs_cast", "inner_contiguous"),
        )
        for alpha in ("", "_{D}")
    ),
    "exec_binary_kernel_with_params": (
        *("{N}_dense_{D}_{D}_{P}", "{N}_strided_{D}_{D}_{P}"),
        *("{N}_dense_cast_{D}_{P}", "{N}_strided_cast_{D}_{P}"),
    ),
    "exec_ternary_kernel": (
        *("{N}_dense_{D}_{D}", "{N}_strided_{D}_{D}", "{N}_dense_cast_{D}", "{N}_strided_cast_{D}"),
    ),
}


def _formula(templates: tuple[str, ...]) -> NameExpression:
    return choice([_expression(template) for template in templates])


def _expression(template: str) -> NameExpression:
    holes: dict[str, NameExpression] = {
        "N": Parameter(STEM, _NOWHERE),
        "P": Parameter(PARAMS, _NOWHERE),
        "D": Dtype("", _NOWHERE),
    }
    pieces = _PIECE.split(template)
    return concat(
        [
            holes[piece] if index % 2 else Literal(piece, _NOWHERE)
            for index, piece in enumerate(pieces)
            if piece
        ]
    )


FORMULAS: Mapping[str, NameExpression] = {
    function: _formula(templates) for function, templates in _TEMPLATES.items()
}
