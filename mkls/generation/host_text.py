"""Write the host function of a stub that hands its iterator to an `exec_*` function."""

from typing import Final

from mkls.generation.dtypes import BOOLEAN, COMPLEX, FLOATING, INTEGRAL
from mkls.generation.host_site import ARITY_NAMES, HostSite
from mkls.generation.kernel_work import KernelWork
from mkls.generation.stub_calls import StubCall

WIDTH: Final = 120
"""`ColumnLimit` of aten/src/ATen/native/mps/.clang-format."""
_SCALAR_TYPES: Final = {"float": "ScalarType::Float", "long": "ScalarType::Long"}


def function_name(site: HostSite, call: StubCall) -> str:
    """Return the name of the function, as the file calls its others."""
    return f"{base_of_stub(call.stub.name)}{site.suffix}"


def base_of_stub(stub: str) -> str:
    """Return after what the function of `stub` is called."""
    return stub.removesuffix("_stub").removesuffix("_kernel")


def function_text(site: HostSite, call: StubCall, work: KernelWork) -> str:
    """Return the definition of the function, ending in a newline."""
    return stub_function(function_name(site, call), call, _statements(site, call, work))


def stub_function(name: str, call: StubCall, statements: list[str]) -> str:
    """Return a static function of the type of the stub of `call`."""
    parameters = [f"{call.iterator} iter"]
    if call.scalar:
        parameters.append(f"{call.scalar} {call.scalar_name}")
    lines = "".join(f"  {it}\n" for it in statements)
    return f"static void {name}({', '.join(parameters)}) {{\n{lines}}}\n"


def _statements(site: HostSite, call: StubCall, work: KernelWork) -> list[str]:
    arguments = ["iter", f'"{work.stem}"', *_more_arguments(call, work)]
    run = f"{site.library}.exec_{ARITY_NAMES[call.arity]}_kernel({', '.join(arguments)});"
    return [*todo_check(work), *dtype_guard(call, work), run]


def todo_check(work: KernelWork) -> list[str]:
    """Return the statement that keeps a kernel without mathematics from running."""
    if work.written:
        return []
    # The kernel compiles, and computes nothing yet: nobody must get its numbers.
    message = f'"TODO: {work.stem}_functor computes nothing yet"'
    return [f"TORCH_CHECK_NOT_IMPLEMENTED(false, {message});"]


def dtype_guard(call: StubCall, work: KernelWork) -> list[str]:
    """Return the check that only dtypes with kernels go on."""
    kinds = frozenset(work.dtypes)
    dtype = "iter.common_dtype()" if call.arity > 1 else "iter.dtype(1)"
    if kinds.isdisjoint((*FLOATING, *COMPLEX)):
        bools = "true" if not kinds.isdisjoint(BOOLEAN) else "false"
        test, what = f"c10::isIntegralType({dtype}, /*includeBool=*/{bools})", "integers only"
    elif kinds.isdisjoint((*INTEGRAL, *BOOLEAN, *COMPLEX)):
        test, what = f"c10::isFloatingType({dtype})", "floating point only"
    elif kinds <= frozenset(COMPLEX):
        test, what = f"c10::isComplexType({dtype})", "complex tensors only"
    elif kinds.isdisjoint(COMPLEX):
        test, what = f"!c10::isComplexType({dtype})", "real tensors only"
    else:
        return []
    message = f'"{base_of_stub(call.stub.name)} on MPS takes {what}"'
    line = f"TORCH_CHECK_NOT_IMPLEMENTED({test}, {message});"
    if len(line) + 2 <= WIDTH:
        return [line]
    return [f"TORCH_CHECK_NOT_IMPLEMENTED({test},", f"{' ' * 28}{message});"]


def _more_arguments(call: StubCall, work: KernelWork) -> list[str]:
    if call.scalar:
        is_scalar = call.scalar_kind == "Scalar"
        value = call.scalar_name if is_scalar else f"Scalar({call.scalar_name})"
        dtype = _SCALAR_TYPES.get(work.known.alpha)
        return [value, dtype] if dtype else [value]
    if work.known.result == "bool" and call.arity == 2:
        return ["std::nullopt", "std::nullopt", "/*natural_output_dtype=*/kBool"]
    return []


def registration_text(site: HostSite, call: StubCall) -> str:
    """Return the registration of the function, ending in a newline."""
    function = f"{site.ampersand}{function_name(site, call)}"
    return f"REGISTER_DISPATCH({call.stub.name}, {function}){site.semicolon}\n"
