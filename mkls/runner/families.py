"""Kernels made by the registration macros of `c10/metal/indexing.h`, told by name and template.

A host name alone is ambiguous (binary and ternary macros both make `NAME_dense_OUT_IN`); the
template that is instantiated is not.
"""

import re
from dataclasses import dataclass
from functools import cache

from mkls.runner.request import KernelSpec
from mkls.runner.scalar_types import METAL_NAMES, ScalarType, metal_type

_TEMPLATE = re.compile(
    r"(?:\w+::)*(?P<kind>unary|binary|ternary)(?P<alpha>_alpha)?_(?P<flavor>dense|strided)(?P<rest>\w*)\Z"
)
_TYPE = "|".join(map(re.escape, METAL_NAMES))


@dataclass(frozen=True)
class Family:
    """What the name of a registered kernel says.

    `kind` is unary, binary or ternary; `flavor` the part between functor and types (`dense_cast`,
    without the number of `dense_ilp4`). `output` is None where the type is known at run time only.
    `alpha` is the name of the parameter's type, empty without one.
    """

    functor: str
    kind: str
    flavor: str
    input: ScalarType
    output: ScalarType | None = None
    alpha: str = ""

    @property
    def operands(self) -> int:
        """How many input tensors there are."""
        return {"unary": 1, "binary": 2, "ternary": 3}[self.kind]

    @property
    def is_strided(self) -> bool:
        """Whether sizes and strides are passed."""
        return self.flavor.startswith("strided")

    @property
    def is_cast(self) -> bool:
        """Whether the types of the inputs are passed."""
        return self.flavor.endswith("_cast")

    @property
    def is_castout(self) -> bool:
        """Whether the type of the output is passed."""
        return "castout" in self.flavor

    @property
    def is_ilp(self) -> bool:
        """Whether each thread computes four elements."""
        if self.kind == "unary":
            return self.flavor in ("dense", "dense_castout_ilp") and not self.alpha
        return self.flavor == "dense_ilp"


def family_of(spec: KernelSpec) -> Family | None:
    """Return what `spec` says about itself, None when no such macro made it."""
    template = _TEMPLATE.match(spec.function.partition("<")[0].strip())
    if template is None:
        return None
    kind = template["kind"]
    flavor = template["flavor"] + template["rest"]
    pattern = _host_name_pattern(flavor, _types(kind, flavor, bool(template["alpha"])))
    match = pattern.match(spec.host_name)
    if match is None:
        return None
    groups = match.groupdict()
    input_type = metal_type(groups["input"])
    assert input_type is not None
    return Family(
        functor=groups["functor"],
        kind=kind,
        flavor=flavor,
        input=input_type,
        output=metal_type(groups["output"]) if groups.get("output") else None,
        alpha=groups.get("alpha") or "",
    )


def _types(kind: str, flavor: str, has_alpha: bool) -> tuple[str, ...]:
    """Return which types end the host name, in order (the macros' `#DTYPE…` parts)."""
    if (kind == "unary" and "castout" in flavor) or (kind == "ternary" and "_cast" in flavor):
        return ("input",)
    return ("output", "input", "alpha") if has_alpha else ("output", "input")


@cache
def _host_name_pattern(flavor: str, types: tuple[str, ...]) -> re.Pattern[str]:
    label = flavor + r"\d*" if flavor.endswith("_ilp") and "castout" not in flavor else flavor
    parts = [rf"(?P<{it}>{_TYPE if it != 'alpha' else '.+'})" for it in types]
    return re.compile(rf"(?P<functor>.+)_{label}_" + "_".join(parts) + r"\Z")


def host_name(family: Family, ilp_width: int = 4) -> str:
    """Return the name under which the macros register `family`."""
    flavor = f"dense_ilp{ilp_width}" if family.flavor == "dense_ilp" else family.flavor
    names = {
        "output": family.output.metal if family.output else "",
        "input": family.input.metal,
        "alpha": family.alpha,
    }
    parts = [names[it] for it in _types(family.kind, family.flavor, bool(family.alpha))]
    return "_".join((family.functor, flavor, *parts))
