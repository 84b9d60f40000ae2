"""A migration, file by file, and what makes it refuse."""

import pytest

from mkls.features.generated_actions import offers
from mkls.generation.add_mps import plan_mps
from mkls.generation.migrate import plan_migration
from mkls.generation.plan import Plan, Reason, Refusal, changed_texts
from tests.support.fixture import Fixture, of_files, parse
from tests.support.legacy_tree import NATIVE, YAML, Legacy, legacy_files

OPERATION = f"{NATIVE}/mps/operations"
KERNELS = f"{NATIVE}/mps/kernels"
HYPOT = Legacy("hypot", 2)
NE = Legacy("ne", 2)
UNKNOWN = Legacy("ripple", 2)


def carried_out(fixture: Fixture, operator: str, planner=plan_migration) -> dict[str, str]:
    """The texts of the files that the plan changes or makes."""
    answer = planner(fixture.snapshot, operator)
    assert isinstance(answer, Plan), answer
    texts = changed_texts(fixture.snapshot, answer)
    return {uri.removeprefix("file:///"): text for uri, text in texts.items()}


def refused(fixture: Fixture, operator: str, planner=plan_migration) -> Refusal:
    answer = planner(fixture.snapshot, operator)
    assert isinstance(answer, Refusal)
    return answer


def test_every_file_changes_as_a_person_would_change_it():
    texts = carried_out(of_files(legacy_files([HYPOT, NE])), "ne")

    assert texts.keys() == {
        YAML,
        f"{KERNELS}/BinaryKernel.metal",
        f"{OPERATION}/BinaryKernel.mm",
        f"{OPERATION}/Legacy.mm",
    }
    assert "    CPU, CUDA, MPS: ne_out\n" in texts[YAML]
    assert "ne_out_mps" not in texts[YAML] + texts[f"{OPERATION}/Legacy.mm"]
    assert "ne_native.h" not in texts[f"{OPERATION}/Legacy.mm"]
    assert "TORCH_IMPL_FUNC(hypot_out_mps)" in texts[f"{OPERATION}/Legacy.mm"]
    assert "run_graph" in texts[f"{OPERATION}/Legacy.mm"]
    host = texts[f"{OPERATION}/BinaryKernel.mm"]
    assert host.index("ATen/native/Legacy.h") < host.index("ATen/native/Seeds.h")
    assert (
        """\
static void ne_mps_kernel(TensorIteratorBase& iter) {
  lib.exec_binary_kernel(iter, "ne", std::nullopt, std::nullopt, /*natural_output_dtype=*/kBool);
}

REGISTER_DISPATCH(ne_stub, &ne_mps_kernel)

} // namespace at::native
"""
        in host
    )
    metal = texts[f"{KERNELS}/BinaryKernel.metal"]
    assert "inline enable_if_t<is_complex_v<T>, bool> operator()(const T a, const T b)" in metal
    assert (
        "REGISTER_BINARY_OP(ne, float, bool);\nREGISTER_BINARY_CASTOUT_OP(ne, float, bool);\n"
        in metal
    )


def test_macros_of_the_source_are_used_where_they_fit():
    texts = carried_out(of_files(legacy_files([HYPOT])), "hypot")

    assert texts[f"{KERNELS}/BinaryKernel.metal"].endswith(
        "REGISTER_FLOAT_BINARY_OP(product);\n\nREGISTER_FLOAT_BINARY_OP(hypot);\n"
    )


def test_a_helper_goes_with_its_last_caller():
    texts = carried_out(of_files(legacy_files([HYPOT])), "hypot")

    assert "run_graph" not in texts[f"{OPERATION}/Legacy.mm"]


def test_a_kernel_whose_mathematics_are_not_known_is_left_to_write():
    fixture = of_files(legacy_files([UNKNOWN]))
    plan = plan_migration(fixture.snapshot, "ripple")
    assert isinstance(plan, Plan)

    texts = carried_out(fixture, "ripple")

    (todo,) = plan.todo
    assert todo.startswith("write the body of `ripple_functor`, then delete the check")
    assert "// TODO: compute the result of `ripple`." in texts[f"{KERNELS}/BinaryKernel.metal"]
    check = '  TORCH_CHECK_NOT_IMPLEMENTED(false, "TODO: ripple_functor computes nothing yet");\n'
    assert check in texts[f"{OPERATION}/BinaryKernel.mm"]


def test_the_dtypes_of_an_unknown_kernel_are_those_of_the_cpu():
    fixture = of_files(legacy_files([UNKNOWN]))
    cpu = """
static void ripple_kernel(TensorIteratorBase& iter) {
  AT_DISPATCH_ALL_TYPES_AND2(kHalf, kBool, iter.dtype(), "ripple", [&]() { run(); });
}
REGISTER_DISPATCH(ripple_stub, &ripple_kernel)
"""
    plan = plan_migration(fixture.snapshot, "ripple", [cpu])
    assert isinstance(plan, Plan)

    metal = "".join(changed_texts(fixture.snapshot, plan).values())

    assert "REGISTER_BINARY_OP(ripple, long, long);" in metal
    assert "REGISTER_BINARY_OP(ripple, bool, bool);" in metal
    assert "REGISTER_FLOAT_BINARY_OP(ripple);" in metal
    assert "float2" not in metal


def with_changed(files: dict[str, str], path: str, old: str, new: str) -> Fixture:
    assert old in files[path]
    return of_files(files | {path: files[path].replace(old, new)})


def test_it_refuses_where_cpu_and_cuda_differ():
    files = legacy_files([HYPOT])
    fixture = with_changed(files, YAML, "CPU, CUDA: hypot_out", "CPU: hypot_out\n    CUDA: other")

    answer = refused(fixture, "hypot")

    assert answer.reason is Reason.BACKENDS_DIFFER
    assert "CPU runs `hypot_out` and CUDA `other`" in answer.message


def test_it_refuses_ufunc_rows():
    files = legacy_files([HYPOT])
    rows = "  ufunc_inner_loop:\n    Generic: hypot (All)\n  dispatch:\n"
    fixture = with_changed(files, YAML, "  dispatch:\n    CPU, CUDA: hypot_out\n", rows)

    assert refused(fixture, "hypot").reason is Reason.UFUNC


def test_it_refuses_while_code_refers_to_the_legacy_function():
    files = legacy_files([HYPOT])
    files[f"{NATIVE}/Other.cpp"] = "void f() {\n  structured_hypot_out_mps op;\n}\n"

    answer = refused(of_files(files), "hypot")

    assert answer.reason is Reason.STILL_USED
    assert answer.message == "`hypot_out_mps` is still used: Other.cpp, line 2"


def test_it_refuses_when_nothing_is_left_to_do():
    files = legacy_files([HYPOT], has_mps=False)

    assert refused(of_files(files), "hypot").reason is Reason.NOTHING_TO_DO


def test_it_names_operators_that_are_meant():
    answer = refused(of_files(legacy_files([HYPOT])), "hypott")

    assert answer.message == "no row is called `hypott`; did you mean `hypot`?"


# Texts as people have them


def test_line_endings_stay_as_they_are():
    files = {path: text.replace("\n", "\r\n") for path, text in legacy_files([HYPOT]).items()}

    for path, text in carried_out(of_files(files), "hypot").items():
        assert text.count("\n") == text.count("\r\n"), path


def test_what_nobody_asked_about_stays_byte_for_byte():
    files = legacy_files([HYPOT])
    path = f"{OPERATION}/BinaryKernel.mm"
    odd = (
        files[path]
        .replace("  lib.exec", "\tlib.exec")
        .replace("namespace at", "  // \N{SNOWMAN}\nnamespace at", 1)
    )

    text = carried_out(of_files(files | {path: odd}), "hypot")[path]

    assert [line for line in odd.splitlines() if line not in text.splitlines()] == []


@pytest.mark.parametrize("path", [f"{OPERATION}/BinaryKernel.mm", f"{KERNELS}/BinaryKernel.metal"])
def test_a_half_typed_file_is_left_alone(path):
    files = legacy_files([HYPOT])

    answer = refused(of_files(files | {path: files[path] + "static void half("}), "hypot")

    assert answer.reason is Reason.HALF_TYPED
    assert path.rpartition("/")[2] in answer.message


def test_a_half_typed_row_is_left_alone():
    fixture = with_changed(legacy_files([HYPOT]), YAML, "hypot.out(Tensor self", "hypot.out(Tensor")

    assert refused(fixture, "hypot").reason is Reason.BROKEN_ROW


def test_a_file_that_is_no_utf_8_is_left_alone():
    files = legacy_files([HYPOT])
    path = f"{OPERATION}/Legacy.mm"

    answer = refused(of_files(files | {path: "// caf\udce9\n" + files[path]}), "hypot")

    assert answer.reason is Reason.NOT_TEXT


# Adding MPS


def test_mps_comes_into_the_shared_line_with_stub_and_kernel():
    texts = carried_out(of_files(legacy_files([HYPOT], has_mps=False)), "hypot", plan_mps)

    assert "    CPU, CUDA, MPS: hypot_out\n" in texts[YAML]
    assert texts[YAML].count("MPS") == 1
    assert (
        "REGISTER_DISPATCH(hypot_stub, &hypot_mps_kernel)" in texts[f"{OPERATION}/BinaryKernel.mm"]
    )


ROWS = """
//- aten/src/ATen/native/native_functions.yaml
- func: ebb(Tensor self, float? depth=None) -> Tensor
  dispatch:
    CPU: ebb_cpu
    CUDA: ebb_cuda
    MPS: ebb_mps

- func: ebb_(Tensor(a!) self, float? depth=None) -> Tensor(a!)
  dispatch:
    CompositeExplicitAutograd: ebb_

- func: ebb.out(Tensor self, float? depth=None, *, Tensor(a!) out) -> Tensor(a!)
  dispatch:
    CPU: ebb_out_cpu
    CUDA: ebb_out_cuda

- func: ebb.symint(Tensor self, SymInt[] size, Generator? generator=None) -> (Tensor, Tensor)
  dispatch:
    CPU: ebb_symint
    CUDA: ebb_cuda_symint  # as it is
  tags: nondeterministic_seeded

- func: ebb.dtype(Tensor self) -> Tensor
  dispatch:
    CUDA: ebb_dtype_cuda
//- aten/src/ATen/native/mps/operations/Ebb.mm
#include <ATen/native/mps/OperationUtils.h>

#ifndef AT_PER_OPERATOR_HEADERS
#include <ATen/NativeFunctions.h>
#else
#include <ATen/ops/ebb_native.h>
#endif

namespace at::native {

Tensor ebb_mps(const Tensor& self, std::optional<double> depth) {
  return self;
}

} // namespace at::native
"""


def test_rows_that_cannot_share_get_functions_of_their_own():
    texts = carried_out(parse(ROWS), "ebb", plan_mps)

    assert "    CUDA: ebb_out_cuda\n    MPS: ebb_out_mps\n" in texts[YAML]
    assert "    CUDA: ebb_cuda_symint  # as it is\n    MPS: ebb_mps_symint\n" in texts[YAML]
    assert texts[YAML].count("MPS:") == 3
    host = texts[f"{OPERATION}/Ebb.mm"]
    assert "#include <ATen/ops/ebb.h>\n#include <ATen/ops/ebb_native.h>\n" in host
    assert (
        """\
Tensor& ebb_out_mps(const Tensor& self, std::optional<double> depth, Tensor& out) {
  const auto computed = at::ebb(self, depth);
  at::native::resize_output(out, computed.sizes());
  out.copy_(computed);
  return out;
}
"""
        in host
    )
    assert (
        """\
std::tuple<Tensor, Tensor> ebb_mps_symint(const Tensor& self,
                                          c10::SymIntArrayRef size,
                                          std::optional<Generator> generator) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "TODO: ebb_mps_symint computes nothing yet");
}
"""
        in host
    )


def test_structured_rows_get_what_precomputed_hands_on():
    fixture = parse("""
//- aten/src/ATen/native/native_functions.yaml
- func: flow.out(Tensor self, int dim, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  precomputed:
  - dim -> int dim, bool is_last
  dispatch:
    CPU: flow_out_cpu
    CUDA: flow_out_cuda
//- aten/src/ATen/native/mps/operations/Other.mm
namespace at::native {
}
""")

    texts = carried_out(fixture, "flow", plan_mps)

    assert """\
TORCH_IMPL_FUNC(flow_out_mps)
(const Tensor& self, int64_t dim, bool is_last, at::OptionalTensorRef bias, const Tensor& out) {
""" in texts[f"{OPERATION}/Flow.mm"]


# What is offered where


@pytest.mark.parametrize(
    ("line", "titles"),
    [
        ("- func: hypot(", ["Migrate `hypot` to its dispatch stub"]),
        ("    MPS: hypot_out_mps", ["Migrate `hypot` to its dispatch stub"]),
    ],
)
def test_the_editor_offers_it_on_the_rows(line, titles):
    snapshot = of_files(legacy_files([HYPOT])).snapshot
    uri = next(iter(snapshot.operators.rows_in))
    offset = snapshot.sources[uri].document.text.index(line) + 8

    assert [it.title for it in offers(snapshot, uri, offset)] == titles


def test_the_editor_offers_it_on_the_legacy_function():
    snapshot = of_files(legacy_files([HYPOT])).snapshot
    uri = next(it for it in snapshot.sources if it.endswith("Legacy.mm"))
    offset = snapshot.sources[uri].document.text.index("hypot_out_mps") + 1

    assert [it.title for it in offers(snapshot, uri, offset)] == [
        "Migrate `hypot` to its dispatch stub"
    ]
