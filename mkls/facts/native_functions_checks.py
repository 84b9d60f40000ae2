"""What torchgen rejects in one entry that is well written (`NativeFunction.from_yaml`)."""

import re
from collections.abc import Iterator
from typing import Final

from mkls.facts.model.name import Name
from mkls.facts.model.native_functions import (
    COMPOSITE_EXPLICIT_NON_FUNCTIONAL,
    COMPOSITE_IMPLICIT,
    COMPOSITE_IMPLICIT_NESTED,
    COMPOSITES,
    Entry,
)
from mkls.syntax.native_functions.schema import ArgumentKind, FunctionSchema, SchemaKind
from mkls.syntax.native_functions.schema_checks import tensor_options
from mkls.syntax.problem import Problem
from mkls.text.span import Span

_VARIANTS = frozenset(("function", "method"))
_DEVICE_CHECKS = frozenset(("NoCheck", "ExactSame"))
_UFUNC_KEYS = frozenset(
    (
        "CUDAFunctor",
        "CUDAFunctorOnOther",
        "CUDAFunctorOnSelf",
        "CPUScalar",
        "CPUVector",
        "ScalarOnly",
        "Generic",
    )
)
SEEDED_BY_ARGUMENT: Final = "an operator that drops out needs the tag `nondeterministic_seeded`"
"""What torchgen since 2.0 says of an operator for the names of its arguments alone."""
_TELLING = re.compile("_foreach|rand|dropout|Generator")


def entry_problems(entry: Entry, schema: FunctionSchema) -> list[Problem]:
    """Return what torchgen would reject in `entry`, whose schema and types are sound."""
    problems: list[Problem] = []
    if entry.variants or entry.device_check or entry.cpp_no_default_args:
        problems += _binding_problems(entry, schema)
    if entry.structured or entry.structured_delegate or entry.structured_inherits:
        problems += _structured_problems(entry, schema)
    if entry.ufunc_inner_loop or entry.precomputed:
        problems += _structured_only_problems(entry)
    if entry.has_dispatch:
        problems += _dispatch_problems(entry, schema)
    elif not entry.structured and entry.structured_delegate is None:
        problems += _factory_problems(entry, schema)
    if _TELLING.search(schema.text):
        problems += _name_problems(entry, schema)
    return problems


def _binding_problems(entry: Entry, schema: FunctionSchema) -> Iterator[Problem]:
    for variant in entry.variants:
        if variant.text not in _VARIANTS:
            message = f"no variant is called `{variant.text}`: expected `function` or `method`"
            yield Problem(variant.span, message)
        elif variant.text == "method" and schema.kind is SchemaKind.OUT:
            yield Problem(variant.span, "a row with out arguments has the variant `function` only")
        elif variant.text == "method" and entry.python_module is not None:
            yield Problem(variant.span, "functions of a `python_module` cannot be methods")
    check = entry.device_check
    if check is not None and check.text not in _DEVICE_CHECKS:
        yield Problem(check.span, "`device_check` is `NoCheck` or `ExactSame`")
    if entry.cpp_no_default_args:
        defaulted = {it.name for it in schema.arguments if it.declaration.default is not None}
        for name in entry.cpp_no_default_args:
            if name.text not in defaulted:
                yield Problem(name.span, f"no argument with a default is called `{name.text}`")


def _structured_problems(entry: Entry, schema: FunctionSchema) -> Iterator[Problem]:
    delegate, inherits = entry.structured_delegate, entry.structured_inherits
    is_out = schema.kind in (SchemaKind.OUT, SchemaKind.SCRATCH)
    if entry.structured and not is_out:
        message = "only an out variant is `structured`: use `structured_delegate` here"
        yield Problem(_key_span(entry, "structured"), message)
    if delegate is not None:
        if entry.structured:
            message = "a row is either `structured` or has a `structured_delegate`"
            yield Problem(_key_span(entry, "structured_delegate"), message)
        elif is_out:
            message = "an out variant does not delegate: use `structured: True` here"
            yield Problem(_key_span(entry, "structured_delegate"), message)
        if "::" in delegate.text:
            yield Problem(delegate.span, "a `structured_delegate` has no namespace")
    if inherits is not None and not entry.structured:
        message = "`structured_inherits` needs `structured: True`"
        yield Problem(_key_span(entry, "structured_inherits"), message)
    if inherits is not None and "::" in inherits.text:
        yield Problem(inherits.span, "`structured_inherits` has no namespace")
    if not entry.device_guard and (entry.structured or delegate is not None):
        message = "structured kernels do not respect `device_guard: False`"
        yield Problem(_key_span(entry, "device_guard"), message)


def _structured_only_problems(entry: Entry) -> Iterator[Problem]:
    for key in ("precomputed", "ufunc_inner_loop"):
        if entry.key(key) is not None and not entry.structured:
            yield Problem(_key_span(entry, key), f"`{key}` needs `structured: True`")
    for loop in entry.ufunc_inner_loop:
        if loop.key is not None and loop.key.text not in _UFUNC_KEYS:
            yield Problem(loop.key.span, f"no ufunc key is called `{loop.key.text}`")
        name, _, dtypes = loop.function.text.partition(" ")
        if not name or not (dtypes.startswith("(") and dtypes.endswith(")")):
            message = "expected a function and its dtypes, as in `add (AllAndComplex, Half)`"
            yield Problem(loop.function.span, message)


def _dispatch_problems(entry: Entry, schema: FunctionSchema) -> Iterator[Problem]:
    if entry.manual_kernel_registration:
        message = "`dispatch` has no effect beside `manual_kernel_registration`"
        yield Problem(_key_span(entry, "dispatch"), message)
    composites: list[Name] = []
    seen: set[str] = set()
    for line in entry.dispatch:
        for key in line.keys:
            if not key.text:
                yield Problem(_next_to(key.span), "expected a dispatch key between the commas")
            elif key.text in seen:
                yield Problem(key.span, f"`{key.text}` is listed twice in this dispatch")
            elif key.text in COMPOSITES:
                composites.append(key)
            seen.add(key.text)
        if line.function is not None and line.function.text.count("::") > 3:
            yield Problem(line.function.span, "a function has at most three namespaces")
    yield from _composite_problems(composites)
    if seen == {COMPOSITE_IMPLICIT}:
        yield from _redundant_problems(entry, schema)


def _composite_problems(composites: list[Name]) -> Iterator[Problem]:
    texts = [it.text for it in composites]
    nested_pair = (
        len(texts) == 2
        and COMPOSITE_IMPLICIT_NESTED in texts
        and COMPOSITE_EXPLICIT_NON_FUNCTIONAL not in texts
    )
    if len(texts) > 1 and not nested_pair:
        message = f"`{texts[1]}` and `{texts[0]}` exclude each other: each serves every backend"
        yield Problem(composites[1].span, message)


def _redundant_problems(entry: Entry, schema: FunctionSchema) -> Iterator[Problem]:
    key = entry.key_name(COMPOSITE_IMPLICIT)
    line = entry.dispatch_lines[COMPOSITE_IMPLICIT]
    if key is None or line.function is None:
        return
    expected = cpp_name(schema)
    if line.function.text == expected:
        message = "this dispatch is what a row without `dispatch` has: delete it"
        yield Problem(key.span, message)
    elif entry.structured_delegate is None and not line.function.takes_symint:
        message = f"expected `{expected}`: then the dispatch can be deleted"
        yield Problem(line.function.span, message)


def cpp_name(schema: FunctionSchema) -> str:
    """Return the C++ function of a row without dispatch (torchgen's `api.cpp.name`)."""
    name = schema.name.function
    return f"{name}_out" if schema.kind in (SchemaKind.OUT, SchemaKind.SCRATCH) else name


def _factory_problems(entry: Entry, schema: FunctionSchema) -> Iterator[Problem]:
    function = schema.name.function
    makes = function.startswith("new_") or function.endswith("_like")
    if not makes:
        tensors = any(it.declaration.base == "Tensor" for it in schema.arguments)
        makes = not tensors and bool(tensor_options(schema.arguments))
    if makes and entry.operator is not None:
        message = f"factory `{entry.operator.text}` needs a `CompositeExplicitAutograd` dispatch"
        yield Problem(entry.operator.span, message)


def _name_problems(entry: Entry, schema: FunctionSchema) -> Iterator[Problem]:
    operator = entry.operator
    if operator is None:
        return
    if operator.text.startswith("_foreach") and (
        entry.device_check is None or entry.device_check.text != "NoCheck"
    ):
        yield Problem(operator.span, "a `_foreach` operator needs `device_check: NoCheck`")
    if any(it.text == "nondeterministic_seeded" for it in entry.tags):
        return
    if _is_random(operator.text, schema):
        yield Problem(operator.span, "a random operator needs the tag `nondeterministic_seeded`")
    elif _may_drop(operator.text) and any("dropout" in (it.name or "") for it in schema.arguments):
        yield Problem(operator.span, SEEDED_BY_ARGUMENT)


def _is_random(operator: str, schema: FunctionSchema) -> bool:
    if "rand" in operator:
        return True
    if any(
        it.declaration.base == "Generator" and it.kind is not ArgumentKind.OUT
        for it in schema.arguments
    ):
        return True
    return "dropout" in operator and _may_drop(operator)


def _may_drop(operator: str) -> bool:
    """Whether torchgen does not know better: how a dropout is undone, there is nothing random."""
    return "backward" not in operator and operator != "_cudnn_init_dropout_state"


def _key_span(entry: Entry, key: str) -> Span:
    lines = entry.key(key)
    return lines.name.span if lines else Span(0, 1)


def _next_to(span: Span) -> Span:
    return Span(span.start, max(span.end, span.start + 1))
