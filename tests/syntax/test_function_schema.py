"""What a schema says, where each part stands, and what is wrong with a broken one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mkls.syntax.native_functions.function_schema import read_function_schema
from mkls.syntax.native_functions.schema import ArgumentKind, SchemaKind

ADD_OUT = (
    "aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)"
)


def test_the_name_falls_into_namespace_function_and_overload():
    name = read_function_schema(ADD_OUT).name

    assert (name.namespace, name.function, name.overload) == ("aten", "add", "out")
    assert name.span.of(ADD_OUT) == "add.out"
    assert name.function_span.of(ADD_OUT) == "add"
    assert name.overload_span.of(ADD_OUT) == "out"


@pytest.mark.parametrize(
    ("written", "base", "inplace"),
    [
        ("add", "add", False),
        ("add_", "add", True),
        ("__and__", "__and__", False),
        ("__iand__", "__and__", True),
        ("native_batch_norm_functional", "native_batch_norm", False),
        ("_foreach_add_", "_foreach_add", True),
    ],
)
def test_variants_share_a_base(written, base, inplace):
    name = read_function_schema(f"{written}(Tensor(a!) self) -> Tensor(a!)").name

    assert (name.base, name.is_inplace) == (base, inplace)


def test_every_part_of_an_argument_has_its_place():
    schema = read_function_schema(ADD_OUT)
    alpha, out = schema.arguments[2:]

    assert alpha.span.of(ADD_OUT) == "Scalar alpha=1"
    assert alpha.type_span.of(ADD_OUT) == "Scalar"
    assert alpha.name_span.of(ADD_OUT) == "alpha"
    assert alpha.default_span.of(ADD_OUT) == "1"
    assert out.type_span.of(ADD_OUT) == "Tensor(a!)"
    assert out.annotation_span.of(ADD_OUT) == "a!"
    assert schema.returns[0].span.of(ADD_OUT) == "Tensor(a!)"
    assert schema.arguments_span.of(ADD_OUT).startswith("Tensor self")
    assert schema.returns_span.of(ADD_OUT) == "Tensor(a!)"


def test_the_star_and_the_annotation_tell_how_an_argument_is_passed():
    kinds = [it.kind for it in read_function_schema(ADD_OUT).arguments]

    positional = ArgumentKind.POSITIONAL
    assert kinds == [positional, positional, ArgumentKind.KEYWORD_ONLY, ArgumentKind.OUT]


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ("f(Tensor self) -> Tensor", SchemaKind.FUNCTIONAL),
        ("f(Tensor(a) self) -> Tensor(a)", SchemaKind.FUNCTIONAL),
        ("f_(Tensor(a!) self) -> Tensor(a!)", SchemaKind.INPLACE),
        ("f(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", SchemaKind.OUT),
        ("f(Tensor self, Tensor(a!) running) -> Tensor", SchemaKind.MUTABLE),
        (
            "f(Tensor self, *, Tensor(a!) out, Tensor(b!) _scratch_x) -> Tensor(a!)",
            SchemaKind.SCRATCH,
        ),
    ],
)
def test_the_kind_is_what_it_writes_to(schema, kind):
    assert read_function_schema(schema).problems == ()
    assert read_function_schema(schema).kind is kind


@pytest.mark.parametrize(
    ("schema", "place", "message"),
    [
        ("", "", "expected an operator's name"),
        ("f", "", "expected `(` after the name"),
        ("f Tensor self) -> Tensor", " Tensor self) -> Tensor", "expected `(`"),
        ("f(Tensor self", "", "expected `)`"),
        ("f(Tensor(a!) self", "", "expected `)`"),
        ("f(Tensor self)", ")", "expected ` -> ` and what is returned"),
        ("f(Tensor self) ->", ") ->", "expected ` -> `"),
        ("f(Tensor self) -> ", "", "expected what is returned"),
        ("f(Tensor self) -> (Tensor)", "(Tensor)", "a single one is not"),
        ("f(Tensor self) -> Tensor, Tensor", "Tensor, Tensor", "written in parentheses"),
        ("f.(Tensor self) -> Tensor", ".", "expected an overload's name"),
        ("f_out(Tensor self) -> Tensor", "f_out", "reserved"),
        ("__iand2__(Tensor self) -> Tensor", "__iand2__", "no in-place operator of Python"),
        ("f(Tensr self) -> Tensor", "Tensr", "no type is called `Tensr`"),
        ("f(Tensor) -> Tensor", "Tensor", "expected a name after the type"),
        ("f(Tensor self,int dim) -> Tensor", ",int dim", "a comma and one space"),
        ("f(Tensor  self) -> Tensor", "  self", "one space between type and name"),
        ("f(Tensor self, ) -> Tensor", "", "between the commas"),
        ("f(Tensor self, int[0] d) -> Tensor", "[0]", "`[n]` with n > 0"),
        ("f(Tensor self, int d=) -> Tensor", "=", "expected a value after `=`"),
        ("f(Tensor self, int[2] d=[0, 1]) -> Tensor", "=[0", "without spaces: `[0,1]`"),
        ("f(int(a!) self) -> Tensor", "a!", "only `Tensor`, `Tensor?` and `Tensor[]`"),
        ("f(Tensor(A) self) -> Tensor", "A", "expected an alias annotation"),
        ("f(Tensor(a|b!) self) -> Tensor", "a|b!", "several alias sets"),
        ("f(Tensor self, *) -> Tensor", "*", "expected an argument after `*`"),
        ("f(Tensor self, *, int a, *, int b) -> Tensor", "*", "`*` can stand only once"),
        (
            "f(Tensor self, *, Tensor(a!) out, int d) -> Tensor(a!)",
            "int d",
            "can follow an out argument",
        ),
        ("f_(Tensor self) -> Tensor", "Tensor", "expected `Tensor(a!) self`"),
        ("f_(Tensor(a!) self) -> Tensor", "Tensor", "expected `-> Tensor(a!)`"),
        ("f_(Tensor(a!)[] self) -> Tensor", "Tensor", "returns nothing"),
        (
            "f(Tensor self, *, Tensor(a!) out) -> Tensor(b!)",
            "Tensor(b!)",
            "expected `Tensor(a!)`",
        ),
        ("f(Tensor self, *, Tensor(a!) out) -> ()", "()", "expected 1 returns"),
        ("f(Tensor self, *, Tensor(a!)[] out) -> Tensor(a!)", "Tensor(a!)", "are not returned"),
        (
            "f(Tensor self, Tensor(a!) o) -> Tensor(a!)",
            "Tensor(a!)",
            "a written return is `self` or an out argument",
        ),
        (
            "f(Tensor(a!) self, Tensor b) -> (Tensor(a!), Tensor)",
            "(Tensor(a!), Tensor)",
            "all written to",
        ),
        ("f(Tensor(a!) c, Tensor self) -> Tensor", "Tensor(a!)", "before `self`"),
        ("f(Tensor self) -> Tensor x=1", "1", "a return has no default"),
        (
            "f.functional(Tensor self, Tensor(a!) x) -> Tensor",
            "functional",
            "cannot write to its arguments",
        ),
    ],
)
def test_a_problem_stands_where_torchgen_would_stop(schema, place, message):
    problem = read_function_schema(schema).problems[0]

    assert message in problem.message
    assert problem.span.of(schema) == place


def test_what_is_typed_so_far_is_read():
    schema = read_function_schema("lerp.Scalar(Tensor self, Tensor end, Sca")

    assert schema.name.text == "lerp.Scalar"
    assert [it.name for it in schema.arguments] == ["self", "end", None]


@given(st.integers(0, len(ADD_OUT)), st.integers(0, 12), st.text(max_size=4))
def test_any_edit_can_be_read(start, length, text):
    edited = ADD_OUT[:start] + text + ADD_OUT[start + length :]
    schema = read_function_schema(edited)

    for problem in schema.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(edited) + 1
    for argument in schema.arguments:
        assert argument.span.of(edited) == argument.declaration.text
