"""What a scanned C++ file states."""

import pytest

from mkls.facts.cpp import cpp_facts
from mkls.facts.model.host import FunctionKind, ItemFacts


def scanned(text: str) -> ItemFacts:
    facts = cpp_facts(text)
    assert not facts.objective
    (item,) = facts.host.items
    assert item.start == 0
    return item.facts


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Tensor& fill_(Tensor& self) {\n}\n", ["fill_"]),
        ("std::tuple<Tensor, Tensor>\nsort_cpu(const Tensor& a,\n  bool b) {\n}\n", ["sort_cpu"]),
        ("TORCH_IMPL_FUNC(sin_out)(const Tensor& a) {\n}\n", ["sin_out"]),
        (
            "TORCH_IMPL_FUNC(sin_out)\n(int a, std::function<void(int)> f) {\n}\n",
            ["sin_out"],
        ),
        ("MAKE(a, b)\n\nTensor f(int a) {\n}\n", ["f"]),
        ("Tensor declared(int a);\nTensor defined(int a) const {\n}\n", ["defined"]),
        ("static inline bool g() {\n}\nnamespace {\nvoid h(int a = 3) {\n}\n}\n", ["g", "h"]),
        ("int table[] = {f(1)};\n  void indented() {\n  }\n", []),
    ],
)
def test_functions_in_column_zero(text: str, names: list[str]) -> None:
    for whole in (text, "\n" + text):
        facts = cpp_facts(whole)
        found = [name for item in facts.host.items for name in item.facts.defined]
        assert [name.text for name in found] == names
        assert [name.span.of(whole) for name in found] == names


def test_a_function_that_leads_to_a_stub_states_how() -> None:
    text = "\nTORCH_IMPL_FUNC(sin_out)(const Tensor& a) {\n  sin_stub(device_type(), *this);\n}\n"
    (function,) = scanned(text).functions
    assert (function.name.text, function.kind) == ("sin_out", FunctionKind.TORCH_IMPL)
    assert function.span.of(text) == text.strip()
    (use,) = function.uses
    assert (use.name.text, use.name.span.of(text), use.called) == ("sin_stub", "sin_stub", True)


def test_a_file_without_stubs_or_functions_states_nothing() -> None:
    assert cpp_facts("#pragma once\nnamespace at { struct A; }\n").host.items == ()


def test_comments_and_macro_definitions_state_nothing() -> None:
    text = "// DEFINE_DISPATCH(a_stub);\n#define D(x) DEFINE_DISPATCH(x)\n * b_stub(kMPS);\n"
    assert cpp_facts(text).host.items == ()


def test_operators_registered_for_mps() -> None:
    text = '\nTORCH_LIBRARY_IMPL(aten, MPS, m) {\n  m.impl("foo", bar);\n}\n'
    (impl,) = scanned(text).impls
    assert impl.operator.span.of(text) == "foo"
    assert impl.dispatch_key == "MPS"


def test_a_file_that_deals_with_metal_is_read_whole() -> None:
    text = 'inline void f() { lib.getPipelineStateForFunc("k"); }\n'
    facts = cpp_facts(text)
    assert facts.objective
    assert facts.host.items[0].facts.functions[0].lookups
