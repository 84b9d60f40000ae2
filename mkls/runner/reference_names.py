"""Functor names of PyTorch's Metal kernels, and torch's functions of the same meaning."""

import re

from mkls.runner.expression_names import FUNCTIONS

_ALIASES = {
    "add_alpha": "add",
    "sub_alpha": "sub",
    "lerp_alpha": "lerp",
    "lerp": "lerp",
    "sqr": "square",
    "div_true": "true_divide",
    "complex_mul": "mul",
    "complex_kernel": "complex",
    "make_complex": "complex",
    "nextafter_kernel": "nextafter",
    "pow_scalar": "pow",
    "pow_tensor_scalar": "pow",
    "copysign_integral": "copysign",
    "bitwise_lshift": "bitwise_left_shift",
    "bitwise_rshift": "bitwise_right_shift",
    "lshift": "bitwise_left_shift",
    "rshift": "bitwise_right_shift",
    "hardswish": "nn.functional.hardswish",
    "hardsigmoid": "nn.functional.hardsigmoid",
    "softplus": "nn.functional.softplus",
    "round_decimals": "round",
    "trigamma": "polygamma",
}
_ROUNDED_DIVISIONS = {"div_floor": "floor", "floor_divide": "floor", "div_trunc": "trunc"}
_ENDINGS = re.compile(r"(?:_forward|_kernel|_dense|_strided|_scalar|_tensor|_op)\Z")


def reference_name(functor: str) -> str | None:
    """Return the path in torch of the function that `functor` computes, None when none is known."""
    if functor in _ROUNDED_DIVISIONS:
        return "div"
    candidates = [_ALIASES.get(functor, functor), functor, _ENDINGS.sub("", functor)]
    for candidate in candidates:
        path = FUNCTIONS.get(candidate)
        if path and path not in _NO_OPERATORS:
            return path
    return None


_NO_OPERATORS = frozenset({"all", "any", "sum", "prod", "mean", "full", "arange", "empty", "zeros",
                           "ones", "cat", "stack", "sort", "topk", "where"})  # fmt: skip


def rounding_mode(functor: str) -> str | None:
    """Return the `rounding_mode` with which `functor` divides."""
    return _ROUNDED_DIVISIONS.get(functor)


def functors_of(operator: str) -> tuple[str, ...]:
    """Return the functor names whose meaning is torch's `operator`."""
    same = [name for name, target in _ALIASES.items() if target.rpartition(".")[2] == operator]
    divisions = tuple(_ROUNDED_DIVISIONS) if operator in ("div", "floor_divide") else ()
    plain = (operator.removeprefix("special_"),) if operator.startswith("special_") else ()
    return (operator, *plain, *same, *divisions)
