"""Where operators are defined: the operands that their arguments may take.

Torch's CPU operators (the reference) trap on some integers, and some recurrences loop as often as
an operand says; the values given to kernels stay where both are defined.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Domain:
    """Bounds of one operand, both included; `integers` only; `special` values make sense."""

    low: float
    high: float
    integers: bool = False
    special: bool = False


_RULES: tuple[tuple[re.Pattern[str], int, Domain, bool], ...] = tuple(
    (re.compile(pattern), position, domain, integers_only)
    for pattern, position, domain, integers_only in (
        (r".*(?:div|remainder|fmod|mod)", 1, Domain(1, 9, integers=True), True),
        (r".*shift", 1, Domain(0, 6, integers=True), True),
        (r"pow", 1, Domain(0, 3, integers=True), True),
        (r".*polynomial", 0, Domain(-1, 1), False),
        (r".*polynomial", 1, Domain(0, 8, integers=True), False),
        (r"polygamma", 0, Domain(0.1, 5), False),
        (r"zeta", 0, Domain(1.1, 6), False),
        (r"zeta", 1, Domain(0.5, 6), False),
        (r"igamma", 0, Domain(0.1, 6), False),
        (r"igamma", 1, Domain(0.1, 6), False),
        (r"(?:lcm|gcd)", 0, Domain(0, 60, integers=True), True),
        (r"(?:lcm|gcd)", 1, Domain(0, 60, integers=True), True),
        (r"erfinv", 0, Domain(-0.999, 0.999, special=True), False),
        (r"(?:log|sqrt|rsqrt|lgamma|digamma|trigamma|.*bessel_[yk])", 0,
         Domain(0.05, 12, special=True), False),
        (r"(?:acos|asin|atanh)\b", 0, Domain(-0.999, 0.999, special=True), False),
        (r"acosh", 0, Domain(1, 9, special=True), False),
    )
)  # fmt: skip


def domain_of(functor: str, position: int, is_integral: bool) -> Domain | None:
    """Return where operand `position` of `functor` must stay, None for anywhere."""
    for pattern, where, domain, integers_only in _RULES:
        if where == position and pattern.match(functor) and (is_integral or not integers_only):
            return domain
    return None
