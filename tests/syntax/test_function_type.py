"""Parameters of C++ functions, compared by their text."""

import pytest

from mkls.syntax.host.function_type import differ, parameters_of, plain_type, type_of


@pytest.mark.parametrize(
    ("written", "parameters"),
    [
        ("void (*)()", []),
        ("void(*)(TensorIterator&)", ["TensorIterator&"]),
        (
            "void (*fn)(at::Tensor const& self, std::array<bool, 3>, int64_t dim = 1)",
            ["at::Tensor const&", "std::array<bool, 3>", "int64_t"],
        ),
        ("unary_fn", None),
    ],
)
def test_the_parameters_of_a_type(written, parameters):
    assert parameters_of(written) == parameters


@pytest.mark.parametrize(
    ("parameter", "type_"),
    [
        ("const Tensor& self", "const Tensor&"),
        ("unsigned int", "unsigned int"),
        ("at::Tensor", "at::Tensor"),
        ("const Scalar", "const Scalar"),
        ("std::optional<Generator> gen", "std::optional<Generator>"),
        ("bool", "bool"),
    ],
)
def test_a_parameter_may_have_a_name(parameter, type_):
    assert type_of(parameter) == type_


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("const at::Tensor&", "Tensor const &"),
        ("c10::ArrayRef<int64_t>", "IntArrayRef"),
        ("const bool", "bool"),
        ("::std::optional<at::Generator>", "c10::optional<Generator>"),
    ],
)
def test_one_type_in_two_spellings(one, other):
    assert plain_type(one) == plain_type(other)
    assert not differ(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("TensorIterator&", "TensorIteratorBase&"),
        ("Scalar", "const Scalar&"),
        ("const Tensor&", "Tensor&"),
        ("int64_t", "int"),
        ("bool", "int64_t"),
    ],
)
def test_two_types(one, other):
    assert differ(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("scale_t", "std::optional<double>"), ("std::array<bool, 3ul>", "std::array<bool, 3>")],
)
def test_what_may_be_an_alias_is_not_judged(one, other):
    assert not differ(one, other)
