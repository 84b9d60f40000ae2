"""The variant matrix: the inputs on which a registered kernel is tried.

A kernel is tried on what its host would send to it: dense kernels get dense tensors, cast kernels
mixed dtypes, and so on (`exec_*` in `ATen/native/mps/OperationUtils.mm`).
"""

from mkls.runner.families import Family
from mkls.runner.operands import Case, Operand
from mkls.runner.scalar_types import ScalarType, metal_type, torch_type

_ROW = (1027,)
_TABLE = (20, 31)
_BLOCK = (3, 5, 7)

_PROMOTED = {
    # computing dtype: pairs of dtypes whose torch.result_type it is
    "float32": (("float16", "float32"), ("float32", "int32"), ("int64", "float32"),
                ("bfloat16", "float16"), ("uint8", "float32"), ("float32", "bool")),
    "float16": (("float16", "int32"), ("uint8", "float16"), ("float16", "bool")),
    "bfloat16": (("bfloat16", "int32"), ("uint8", "bfloat16"), ("bfloat16", "bool")),
    "int64": (("int64", "int32"), ("uint8", "int64"), ("bool", "int64")),
    "int32": (("int32", "int16"), ("uint8", "int32"), ("int32", "bool")),
    "int16": (("int16", "int8"), ("uint8", "int16"), ("bool", "int16")),
    "int8": (("int8", "bool"),),
    "uint8": (("uint8", "bool"),),
    "complex64": (("complex64", "float32"), ("int32", "complex64")),
}  # fmt: skip
_STORED = {
    # natural dtype: other dtypes of an output that it may be stored in
    "float32": ("float16", "bfloat16"),
    "float16": ("float32", "bfloat16"),
    "bfloat16": ("float32", "float16"),
    "complex64": ("complex32",),
    "complex32": ("complex64",),
    "bool": ("int32", "float32", "uint8"),
    "int64": ("int32", "float32"),
    "int32": ("int64", "float32"),
    "int16": ("int64", "float32"),
    "int8": ("int16", "float32"),
    "uint8": ("int32", "float16"),
}


def cases_of(family: Family) -> list[Case]:
    """Return the cases for a kernel of `family`, the plainest first."""
    if family.is_castout:
        return _castout_cases(family)
    output = family.output or family.input
    if family.is_cast:
        return _cast_cases(family, output)
    dtypes = (family.input.torch,) * family.operands
    return [*_same_dtype_cases(family, dtypes, output.torch), *_special_cases(family, output)]


def _case(
    layout: str,
    dtypes: tuple[str, ...],
    output: str,
    shape: tuple[int, ...],
    layouts: tuple[str, ...],
    out_layout: str = "dense",
) -> Case:
    inputs = tuple(
        Operand(dtype, () if lay == "scalar" else shape, lay)
        for dtype, lay in zip(dtypes, layouts, strict=True)
    )
    return Case(layout, inputs, Operand(output, shape, out_layout))


def _same_dtype_cases(family: Family, dtypes: tuple[str, ...], output: str) -> list[Case]:
    count = len(dtypes)
    if family.is_strided:
        return _strided_cases(dtypes, output)
    if "broadcast" in family.flavor:
        return _broadcast_cases(family, dtypes, output)
    if "scalar" in family.flavor and family.kind == "binary":
        return _scalar_cases(family, dtypes, output)
    everywhere = ("dense",) * count
    return [
        _case("dense", dtypes, output, _ROW, everywhere),
        _case("dense", dtypes, output, (3,), everywhere),
        _case("offset", dtypes, output, _ROW, ("offset",) * count, "offset"),
        _case("transposed", dtypes, output, _TABLE, ("transposed",) * count, "transposed"),
    ]


def _strided_cases(dtypes: tuple[str, ...], output: str) -> list[Case]:
    count = len(dtypes)
    first = ("transposed", *("dense",) * (count - 1))
    cases = [
        _case("transposed", dtypes, output, _TABLE, first),
        _case("step 2", dtypes, output, _ROW, ("step 2",) * count),
        _case("offset", dtypes, output, _BLOCK, ("offset",) * count, "step 2"),
        _case("transposed output", dtypes, output, _TABLE, ("dense",) * count, "transposed"),
    ]
    last = (*("dense",) * (count - 1), "expanded")
    cases.append(_case("expanded", dtypes, output, _TABLE, last))
    if count > 1:
        scalar = (*("dense",) * (count - 1), "scalar")
        cases.append(_case("scalar", dtypes, output, _BLOCK, scalar))
    return cases


def _broadcast_cases(family: Family, dtypes: tuple[str, ...], output: str) -> list[Case]:
    """The small operand is a suffix of the large one's shape; `rhs` means that it comes first."""
    cases: list[Case] = []
    for large, small in (((40, 25), (25,)), (_BLOCK, (5, 7)), (_BLOCK, (7,))):
        shapes = (small, large) if "rhs" in family.flavor else (large, small)
        inputs = tuple(Operand(it, shape) for it, shape in zip(dtypes, shapes, strict=True))
        cases.append(Case("broadcast", inputs, Operand(output, large)))
    return cases


def _scalar_cases(family: Family, dtypes: tuple[str, ...], output: str) -> list[Case]:
    layouts = ("scalar", "dense") if "lhs" in family.flavor else ("dense", "scalar")
    return [
        _case("scalar", dtypes, output, _ROW, layouts),
        _case("scalar", dtypes, output, _BLOCK, layouts),
    ]


def _special_cases(family: Family, output: ScalarType) -> list[Case]:
    """NaN, infinities, denormals and extremes; every pair of them for two operands."""
    plain = family.flavor in ("dense", "dense_scalar", "strided", "dense_ilp")
    scalar = family.kind == "binary" and "scalar" in family.flavor
    # With an extra parameter, sums of extremes overflow on the way to results that do not.
    if not plain or scalar or family.input.is_complex or family.alpha:
        return []
    size = {"unary": 16, "binary": 256, "ternary": 1024}[family.kind]
    operand = Operand(family.input.torch, (size,), "dense", "special")
    return [Case("extremes", (operand,) * family.operands, Operand(output.torch, (size,)))]


def _cast_cases(family: Family, output: ScalarType) -> list[Case]:
    computing = family.input.torch
    pairs = _PROMOTED.get(computing, ()) or ((computing, computing),)
    cases: list[Case] = []
    for number, (first, second) in enumerate(pairs):
        dtypes = (first, second, first)[: family.operands]
        made = _same_dtype_cases(family, dtypes, output.torch)
        cases.extend(made if number == 0 else made[:1])
    return [it for it in cases if _computes_in(computing, it.inputs)]


def _computes_in(dtype: str, inputs: tuple[Operand, ...]) -> bool:
    """Whether torch promotes `inputs` to `dtype`; without dimensions, only the category counts."""
    full = [it.dtype for it in inputs if it.shape]
    scalars = [it.dtype for it in inputs if not it.shape]
    if not scalars:
        return True
    promoted = full[0] if len(set(full)) == 1 else dtype
    higher = [it for it in scalars if _category(it) > _category(promoted)]
    return (higher[0] if higher else promoted) == dtype


def _category(dtype: str) -> int:
    kind = torch_type(dtype)
    assert kind is not None
    if kind.is_complex:
        return 3
    return 2 if kind.is_floating else int(kind.is_integral)


def _castout_cases(family: Family) -> list[Case]:
    natural = family.output or family.input
    stored_in = _STORED.get(natural.torch, (natural.torch,))
    if family.output is None and not (natural.is_floating or natural.is_complex):
        stored_in = ("float32", "float16")  # its functor may well compute floats
    cases: list[Case] = []
    for stored in stored_in:
        dtypes = (family.input.torch,) * family.operands
        cases.extend(_same_dtype_cases(family, dtypes, stored)[:2])
    return cases


def promoted_pairs(dtype: str) -> tuple[tuple[str, str], ...]:
    """Return pairs of dtypes whose `torch.result_type` is `dtype`."""
    return _PROMOTED.get(dtype, ())


def alpha_type(family: Family) -> ScalarType | None:
    """Return the scalar type of the extra parameter; None for a struct or without one."""
    return metal_type(family.alpha) or torch_type(family.alpha) if family.alpha else None
