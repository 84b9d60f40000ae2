"""Host names of the registration macros, the launches that follow, and the variants of `exec_*`."""

from dataclasses import dataclass, field

import pytest

from mkls.runner.families import family_of, host_name
from mkls.runner.launches import Constant, launch
from mkls.runner.matrix import cases_of
from mkls.runner.request import KernelSpec
from mkls.runner.scalar_types import metal_type
from mkls.runner.variants import variants


def family(name, function):
    return family_of(KernelSpec(name, function, "/k.metal", 1))


@dataclass(frozen=True)
class Tensor:
    """As much of a tensor as a launch looks at."""

    shape: tuple[int, ...]
    dtype: str = "float32"
    strides: tuple[int, ...] | None = None
    size: int = field(default=4)

    def stride(self):
        if self.strides is not None:
            return self.strides
        strides, step = [], 1
        for extent in reversed(self.shape):
            strides.insert(0, step)
            step *= max(extent, 1)
        return tuple(strides)

    def element_size(self):
        return self.size

    def is_contiguous(self):
        return self.stride() == Tensor(self.shape).stride()


@pytest.mark.parametrize(
    ("name", "function", "functor", "flavor", "output", "source", "alpha"),
    [
        ("neg_dense_half_float", "unary_dense", "neg", "dense", "half", "float", ""),
        (
            "bitwise_not_dense_scalar_int_int",
            "unary_dense_scalar",
            "bitwise_not",
            "dense_scalar",
            "int",
            "int",
            "",
        ),
        ("exp_strided_float_uint8_t", "unary_strided", "exp", "strided", "float", "uchar", ""),
        (
            "exp_dense_castout_float2",
            "unary_dense_castout",
            "exp",
            "dense_castout",
            None,
            "float2",
            "",
        ),
        (
            "exp_dense_castout_ilp_half",
            "unary_dense_castout_ilp",
            "exp",
            "dense_castout_ilp",
            None,
            "half",
            "",
        ),
        (
            "pow_dense_float_float_float",
            "unary_alpha_dense",
            "pow",
            "dense",
            "float",
            "float",
            "float",
        ),
        (
            "nan_to_num_dense_half_half_NanToNumParams_half",
            "c10::metal::unary_alpha_dense",
            "nan_to_num",
            "dense",
            "half",
            "half",
            "NanToNumParams_half",
        ),
        (
            "atan2_dense_ilp4_float_int",
            "binary_dense_ilp",
            "atan2",
            "dense_ilp",
            "float",
            "int",
            "",
        ),
        (
            "lt_strided_castout_bool_long",
            "binary_strided_castout",
            "lt",
            "strided_castout",
            "bool",
            "long",
            "",
        ),
        (
            "add_alpha_dense_broadcast_rhs_cast_int_int_int",
            "binary_alpha_dense_broadcast_rhs_cast",
            "add_alpha",
            "dense_broadcast_rhs_cast",
            "int",
            "int",
            "int",
        ),
        (
            "addcmul_strided_cast_bfloat",
            "ternary_strided_cast",
            "addcmul",
            "strided_cast",
            None,
            "bfloat",
            "",
        ),
        ("lerp_dense_half_half", "ternary_dense", "lerp", "dense", "half", "half", ""),
    ],
)
def test_a_host_name_is_read_with_its_template(
    name, function, functor, flavor, output, source, alpha
):
    found = family(name, function)

    assert found is not None
    assert (found.functor, found.flavor, found.alpha) == (functor, flavor, alpha)
    assert found.input.metal == source
    assert (found.output.metal if found.output else None) == output
    if "uint8_t" not in name:
        assert host_name(found) == name


def test_hand_written_kernels_belong_to_no_family():
    assert family("twice_float", "twice") is None
    assert family("dense", "unary_dense") is None
    assert family("exp_dense_thing_float", "unary_dense") is None


def constants(name, function, output, *inputs, alpha=None):
    found = family(name, function)
    assert found is not None
    made = launch(found, output, inputs, alpha)
    return made.threads, [it for it in made.bindings if isinstance(it, Constant)]


def test_four_elements_a_thread_need_the_count():
    assert constants("neg_dense_float_float", "unary_dense", Tensor((1027,)), Tensor((1027,))) == (
        (257,),
        [Constant("uint", (1027,))],
    )


def test_strided_kernels_get_sizes_and_byte_strides_from_the_inside_out():
    threads, bound = constants(
        "neg_strided_float_float", "unary_strided", Tensor((2, 3)), Tensor((2, 3), strides=(1, 2))
    )

    assert threads == (3, 2)
    assert bound == [
        Constant("long", (3, 2)),
        Constant("long", (8, 4)),
        Constant("long", (4, 12)),
        Constant("uint", (2,)),
    ]


def test_binary_kernels_get_the_output_first_and_types_behind_the_rank():
    half = Tensor((3,), "torch.float16", size=2)

    threads, bound = constants(
        "add_strided_cast_float_float", "binary_strided_cast", Tensor((2, 3)), Tensor((2, 3)), half
    )

    assert threads == (6,)
    assert [it.values for it in bound] == [(3, 2), (4, 12), (4, 12), (2, 0), (2, 6, 5, 6)]


def test_alpha_moves_everything_behind_it():
    alpha = Constant("float", (2.0,))

    _, bound = constants(
        "add_dense_broadcast_cast_float_float_float",
        "binary_alpha_dense_broadcast_cast",
        Tensor((4, 3)),
        Tensor((4, 3)),
        Tensor((3,), "int32"),
        alpha=alpha,
    )

    assert bound == [Constant("long", (3,)), alpha, Constant("uint", (4, 4, 6, 3))]


def test_unary_castout_kernels_get_size_and_type_of_the_output():
    half = Tensor((5,), "float16", size=2)

    assert constants("neg_dense_castout_float", "unary_dense_castout", half, Tensor((5,)))[1] == [
        Constant("uint", (2, 5))
    ]
    assert constants(
        "neg_dense_castout_ilp_float", "unary_dense_castout_ilp", half, Tensor((5,))
    ) == ((2,), [Constant("uint", (2, 5, 5, 0))])


def test_ternary_kernels_get_types_after_the_rank():
    _, bound = constants(
        "lerp_strided_cast_float",
        "ternary_strided_cast",
        Tensor((4,)),
        Tensor((4,)),
        Tensor((), "bool", size=1),
        Tensor((4,), strides=(2,)),
    )

    assert [it.values for it in bound] == [(4,), (4,), (4,), (0,), (8,), (1,), (6, 11, 6, 6)]


def test_the_matrix_has_what_the_flavor_is_for():
    def layouts(name, function):
        found = family(name, function)
        assert found is not None
        return {case.layout for case in cases_of(found)}

    assert {"dense", "offset", "transposed", "extremes"} <= layouts(
        "a_dense_float_float", "binary_dense"
    )
    assert {"step 2", "expanded", "scalar", "transposed"} <= layouts(
        "a_strided_float_float", "binary_strided"
    )
    assert layouts("a_dense_broadcast_half_half", "binary_dense_broadcast") == {"broadcast"}
    assert layouts("a_dense_scalar_lhs_half_half", "binary_dense_scalar_lhs") == {"scalar"}


def test_cast_kernels_are_tried_on_mixed_dtypes_that_promote_to_theirs():
    found = family("a_dense_cast_half_half", "binary_dense_cast")
    assert found is not None

    for case in cases_of(found):
        dtypes = {it.dtype for it in case.inputs}
        assert "float16" in dtypes
        assert len(dtypes) == 2


def asked(functor, output, *inputs, **more):
    return [host_name(it) for it in variants(functor, output, inputs, **more)]


def test_exec_chooses_by_layout_and_type():
    row, table = Tensor((9,)), Tensor((3, 4))
    turned = Tensor((3, 4), strides=(1, 3))
    whole = Tensor((3, 4), "int32")

    assert asked("f", row, row) == ["f_dense_scalar_float_float", "f_dense_castout_float"]
    assert asked("f", Tensor((1 << 18,)), Tensor((1 << 18,)))[0] == "f_dense_float_float"
    assert asked("f", table, turned) == ["f_strided_float_float", "f_strided_castout_float"]
    assert asked("f", turned, turned)[0] == "f_dense_scalar_float_float"
    assert asked("f", table, table, table) == ["f_dense_float_float"]
    assert asked("f", table, table, turned) == ["f_strided_float_float"]
    assert asked("f", table, table, whole) == ["f_dense_cast_float_float"]
    assert asked("f", table, table, Tensor((4,))) == ["f_dense_broadcast_float_float"]
    assert asked("f", table, Tensor((1, 4)), table) == ["f_dense_broadcast_rhs_float_float"]
    assert asked("f", table, table, Tensor((3, 1))) == ["f_strided_float_float"]
    assert asked("f", table, Tensor(()), table) == ["f_dense_scalar_lhs_float_float"]
    assert asked("f", table, table, Tensor((1,), "int32")) == ["f_dense_scalar_cast_float_float"]
    assert asked("f", table, table, table, whole) == ["f_dense_cast_float"]
    assert asked("f", table, table, table, alpha="float") == ["f_dense_float_float_float"]
    assert asked("f", Tensor((0, 3)), Tensor((0, 3))) == []


def test_comparisons_of_mixed_dtypes_are_named_after_the_common_one():
    out = Tensor((9,), "bool", size=1)
    mixed = (Tensor((9,)), Tensor((9,), "float16", size=2))

    assert asked("lt", out, *mixed, common=metal_type("float")) == ["lt_dense_cast_bool_float"]
