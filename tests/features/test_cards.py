"""Cards of operators and kernels."""

import pytest

from mkls.features.card_text import card_markdown
from mkls.features.kernel_card import kernel_card
from mkls.features.operator_card import operator_card
from tests.features.ripple import RIPPLE
from tests.support.fixture import parse

LISTS = """\
//- torch/testing/_internal/common_mps.py
def mps_ops_modifier(ops):
    UNIMPLEMENTED_XFAILLIST = {
        "ripple": [torch.int8],
        "nn.functional.wave": None,
        "ripples": None,
    }
"""


@pytest.fixture(scope="module")
def snapshot():
    return parse(RIPPLE + LISTS).snapshot


def test_a_card_has_rows_functions_stubs_kernels_and_tests(snapshot):
    card = operator_card(snapshot, "ripple")

    assert (
        card_markdown(snapshot, card)
        == """\
# `ripple`

| row              | on MPS                    | function     | dtypes     | line |
| ---------------- | ------------------------- | ------------ | ---------- | ---- |
| `ripple`         | Metal, shared             | `ripple_out` | float half | 1    |
| `ripple.out`     | Metal, shared             | `ripple_out` | float half | 4    |
| `ripple.Scalar`  | CompositeImplicitAutograd |              |            | 10   |
| `ripple_.Scalar` | missing                   |              |            | 12   |

## Host functions

- `ripple_out` dispatched to: Ripple.cpp:2
- `ripple_mps_kernel` looks kernels up: Ripple.mm:1

## Stubs

- `ripple_stub` declared: Ripple.h:1
- `ripple_stub` defined: Ripple.cpp:1
- `ripple_stub` registered as ripple_mps_kernel: Ripple.mm:4

## Kernels (2)

- `ripple_float` made by REGISTER: Ripple.metal:17
- `ripple_half` made by REGISTER: Ripple.metal:18

## In the lists of MPS tests

- `UNIMPLEMENTED_XFAILLIST` int8: common_mps.py:3
"""
    )


@pytest.mark.parametrize("name", ["ripple.out", "ripple_", "aten::ripple", "torch.ripple"])
def test_an_operator_is_found_by_any_of_its_names(snapshot, name):
    assert operator_card(snapshot, name).base == "ripple"


def test_there_is_no_card_of_what_does_not_exist(snapshot):
    assert operator_card(snapshot, "tide") is None
    assert kernel_card(snapshot, ("tide",)) == ""


def test_test_names_have_modules_in_front(snapshot):
    assert [it.role for it in operator_card(snapshot, "wave").tests] == ["all dtypes"]


def test_a_kernel_tells_its_arguments_who_asks_for_it_and_which_rows_it_serves(snapshot):
    text = kernel_card(snapshot, ("ripple_half",))

    assert text.startswith("# `ripple_half`\n\nregistered as `ripple_half`\n\ndtypes: half\n")
    assert "| 0   | `device half *`   | `out`   | buffer" in text
    assert text.endswith(
        "## Registered in\n\n- `ripple_half` by `REGISTER`: Ripple.metal:18\n\n"
        "## Asked for by\n\n- `ripple_mps_kernel`: Ripple.mm:2\n\n"
        "## Serves\n\n- `ripple.out`: native_functions.yaml:4\n"
    )
