"""Every function of MSL 6.2 to 6.6, 6.8 and 6.14, with the types that it is tested for."""

from dataclasses import dataclass, field

FLOATS = ("float", "half", "bfloat")
INTEGERS = ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong")
WORDS = ("int", "uint")
WIDTHS = (1, 2, 3, 4)

MATH_1 = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "cospi",
    "exp",
    "exp10",
    "exp2",
    "fabs",
    "floor",
    "fract",
    "log",
    "log10",
    "log2",
    "rint",
    "round",
    "rsqrt",
    "sin",
    "sinh",
    "sinpi",
    "sqrt",
    "tan",
    "tanh",
    "tanpi",
    "trunc",
    "abs",
]
MATH_2 = [
    "atan2",
    "copysign",
    "divide",
    "fdim",
    "fmax",
    "fmin",
    "fmod",
    "max",
    "min",
    "nextafter",
    "pow",
    "powr",
]
MATH_3 = ["fma", "fmax3", "fmedian3", "fmin3", "max3", "median3", "min3", "clamp"]
COMMON = {"mix": 3, "saturate": 1, "sign": 1, "smoothstep": 3, "step": 2}
INTEGER_1 = ["abs", "clz", "ctz", "popcount", "reverse_bits"]
INTEGER_2 = ["absdiff", "addsat", "hadd", "max", "min", "mulhi", "rhadd", "rotate", "subsat"]
INTEGER_3 = ["clamp", "madhi", "madsat", "max3", "median3", "min3"]
WORD_FUNCTIONS = {"mul24": 2, "mad24": 3}
TESTS_1 = ["isfinite", "isinf", "isnan", "isnormal", "signbit"]
TESTS_2 = ["isordered", "isunordered"]


@dataclass(frozen=True)
class Case:
    """One function for one type: `expression` of a, b, c of the types in `arguments`."""

    name: str
    element: str
    width: int
    expression: str
    arguments: tuple[str, ...]
    result: str
    unit: str = field(default="float")

    @property
    def symbol(self) -> str:
        """The C name of the compiled loop."""
        return f"case_{self.name.replace('.', '_')}_{self.element}{self.width}"


def type_name(element: str, width: int) -> str:
    """`float`, 3 → `float3`."""
    return element if width == 1 else f"{element}{width}"


def unsigned(element: str) -> str:
    """The unsigned type of the same size."""
    return element if element.startswith("u") else f"u{element}"


def cases() -> list[Case]:
    """All cases, in the order of the specification."""
    return [*_float_cases(), *_integer_cases()]


def _float_cases() -> list[Case]:
    found: list[Case] = []
    counts = {
        **dict.fromkeys(MATH_1, 1),
        **dict.fromkeys(MATH_2, 2),
        **dict.fromkeys(MATH_3, 3),
        **COMMON,
    }
    for element in FLOATS:
        for width in WIDTHS:
            found += [
                _plain(name, element, width, count, "float") for name, count in counts.items()
            ]
            found += _parts(element, width)
            found += _tests(element, width)
            found += _operators(element, width, "+-*/", "float")
    return found


def _parts(element: str, width: int) -> list[Case]:
    own, whole = type_name(element, width), type_name("int", width)

    def case(name: str, expression: str, *, result: str = own, second: str | None = None) -> Case:
        arguments = (own, second) if second else (own,)
        return Case(name, element, width, expression, arguments, result)

    return [
        case("modf", f"({{ {own} w; metal::modf(a, w); }})"),
        case("modf.whole", f"({{ {own} w; metal::modf(a, w); w; }})"),
        case("frexp", f"({{ {whole} e; metal::frexp(a, e); }})"),
        case("frexp.exponent", f"({{ {whole} e; metal::frexp(a, e); e; }})", result=whole),
        case("sincos", f"({{ {own} c; metal::sincos(a, c); }})"),
        case("sincos.cosine", f"({{ {own} c; metal::sincos(a, c); c; }})"),
        case("ilogb", "metal::ilogb(a)", result=whole),
        case("ldexp", "metal::ldexp(a, b)", second=whole),
        case("fast.exp", "metal::fast::exp(a)"),
        case("precise.sin", "metal::precise::sin(a)"),
        case("intrinsic.tanh", "__metal_tanh(a, __METAL_MAYBE_FAST_MATH__)"),
    ]


def _tests(element: str, width: int) -> list[Case]:
    own, truth = type_name(element, width), type_name("bool", width)
    found = [
        Case(name, element, width, f"metal::{name}(a)", (own,), truth, "relational")
        for name in TESTS_1
    ]
    found += [
        Case(name, element, width, f"metal::{name}(a, b)", (own, own), truth, "relational")
        for name in TESTS_2
    ]
    found.append(
        Case(
            "select", element, width, "metal::select(a, b, c)", (own, own, truth), own, "relational"
        )
    )
    found += [
        Case(f"compare.{word}", element, width, f"a {sign} b", (own, own), truth, "relational")
        for sign, word in COMPARISONS.items()
    ]
    return found


OPERATORS = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide_by", "%": "modulo",
    "&": "and", "|": "or", "^": "xor", "<<": "shift_left", ">>": "shift_right",
}  # fmt: skip
COMPARISONS = {
    "==": "equal", "!=": "unequal", "<": "less", ">": "greater", "<=": "at_most", ">=": "at_least",
}  # fmt: skip


def _operators(element: str, width: int, signs: str | list[str], unit: str) -> list[Case]:
    own = type_name(element, width)
    return [
        Case(
            f"operator.{OPERATORS[sign]}",
            element,
            width,
            f"{own}(a {sign} b)",
            (own, own),
            own,
            unit,
        )
        for sign in signs
    ]


def _plain(name: str, element: str, width: int, count: int, unit: str, result: str = "") -> Case:
    own = type_name(element, width)
    arguments = ", ".join("abc"[:count])
    return Case(
        name, element, width, f"metal::{name}({arguments})", (own,) * count, result or own, unit
    )


def _unit(element: str) -> str:
    """Integer cases make two units, which compile side by side."""
    return "unsigned" if element.startswith("u") else "signed"


def _integer_cases() -> list[Case]:
    found: list[Case] = []
    counts = {
        **dict.fromkeys(INTEGER_1, 1),
        **dict.fromkeys(INTEGER_2, 2),
        **dict.fromkeys(INTEGER_3, 3),
    }
    for element in INTEGERS:
        for width in WIDTHS:
            own = type_name(element, width)
            for name, count in counts.items():
                result = type_name(unsigned(element), width) if name == "absdiff" else own
                found.append(_plain(name, element, width, count, _unit(element), result))
            if element in WORDS:
                found += [
                    _plain(name, element, width, count, _unit(element))
                    for name, count in WORD_FUNCTIONS.items()
                ]
            found += _fields(element, width)
            # Division by zero and wide shifts of scalars are the compiler's, of vectors ours.
            signs = list(OPERATORS) if width > 1 else ["+", "-", "*", "&", "|", "^"]
            found += _operators(element, width, signs, _unit(element))
    return found


def _fields(element: str, width: int) -> list[Case]:
    own = type_name(element, width)
    return [
        Case(
            "extract_bits", element, width, "metal::extract_bits(a, b & 255, b >> 8)",
            (own, "uint"), own, _unit(element),
        ),
        Case(
            "insert_bits", element, width, "metal::insert_bits(a, b, c & 255, c >> 8)",
            (own, own, "uint"), own, _unit(element),
        ),
    ]  # fmt: skip
