"""The C++ that the runtime calls for a kernel; it stands on the line that declares the kernel."""

from typing import Literal

from mkls.emulator.kernel_table import Argument, KernelEntry
from mkls.emulator.phases.module import thread_symbol

Mode = Literal["independent", "phased", "cooperative"]
"""How a kernel's threads run: each by itself in one loop, in phases if possible, or on fibers."""


def mention(kernel: KernelEntry, number: int) -> str:
    """C++ that makes the compiler look at `kernel`, and that nobody runs."""
    pointer = _pointer(kernel)
    return f' extern "C" void {entry_symbol(number)}() {{ {pointer} (void)mkls_callee; }}'


_KINDS = {
    "thread_position_in_grid": "kThreadPositionInGrid",
    "thread_position_in_threadgroup": "kThreadPositionInThreadgroup",
    "thread_index_in_threadgroup": "kThreadIndexInThreadgroup",
    "thread_index_in_simdgroup": "kThreadIndexInSimdgroup",
    "simdgroup_index_in_threadgroup": "kSimdgroupIndexInThreadgroup",
    "thread_index_in_quadgroup": "kThreadIndexInQuadgroup",
    "quadgroup_index_in_threadgroup": "kQuadgroupIndexInThreadgroup",
    "threadgroup_position_in_grid": "kThreadgroupPositionInGrid",
    "threads_per_threadgroup": "kThreadsPerThreadgroup",
    "dispatch_threads_per_threadgroup": "kDispatchThreadsPerThreadgroup",
    "threads_per_grid": "kThreadsPerGrid",
    "grid_size": "kThreadsPerGrid",
    "grid_origin": "kGridOrigin",
    "threadgroups_per_grid": "kThreadgroupsPerGrid",
    "threads_per_simdgroup": "kThreadsPerSimdgroup",
    "thread_execution_width": "kThreadsPerSimdgroup",
    "simdgroups_per_threadgroup": "kSimdgroupsPerThreadgroup",
    "dispatch_simdgroups_per_threadgroup": "kDispatchSimdgroupsPerThreadgroup",
    "quadgroups_per_threadgroup": "kQuadgroupsPerThreadgroup",
    "dispatch_quadgroups_per_threadgroup": "kDispatchQuadgroupsPerThreadgroup",
}


def entry_symbol(number: int) -> str:
    """The symbol that runs the threads of kernel `number`."""
    return f"mkls_kernel_{number}"


def layout_symbol(number: int) -> str:
    """The symbol that describes the arguments of kernel `number`."""
    return f"mkls_layout_{number}"


def trampoline(kernel: KernelEntry, number: int, mode: Mode) -> str:
    """Entry and layout of `kernel`, on one line."""
    kinds = ", ".join(_kind(argument) for argument in kernel.arguments)
    pointer = _pointer(kernel)
    if mode == "phased":
        entry = _entry_by_thread(pointer, kinds, number)
    else:
        entry = _entry(pointer, kinds, number, mode)
    return (
        f"{entry}"
        f' extern "C" void {layout_symbol(number)}(::mkls::argument_layout* mkls_out) '
        f"{{ {pointer} ::mkls::describe<{kinds}>(mkls_callee, mkls_out); }}"
    )


def _entry(pointer: str, kinds: str, number: int, mode: Mode) -> str:
    """All threads of a threadgroup, in one function."""
    arguments = f", {kinds}" if kinds else ""
    return (
        f' extern "C" void {entry_symbol(number)}'
        "(const ::mkls_group* mkls_group_, ::mkls_cursor* mkls_cursor_) "
        f"{{ {pointer} "
        f"::mkls::run_threads<mkls_callee, ::mkls::mode::{mode}{arguments}>"
        "(mkls_callee, mkls_group_, mkls_cursor_); }"
    )


def _entry_by_thread(pointer: str, kinds: str, number: int) -> str:
    """One thread, from which phases are made, and all of them on fibers in case that fails."""
    arguments = f", {kinds}" if kinds else ""
    thread = thread_symbol(number)
    return (
        f' extern "C" __attribute__((noinline)) void {thread}(const ::mkls_group* mkls_group_, '
        "unsigned mkls_x, unsigned mkls_y, unsigned mkls_z, unsigned mkls_index) "
        f"{{ {pointer} ::mkls::run_thread<mkls_callee{arguments}>(mkls_callee, mkls_group_, "
        "::mkls::thread_place{mkls_x, mkls_y, mkls_z, mkls_index}); }"
        f' extern "C" void {entry_symbol(number)}'
        "(const ::mkls_group* mkls_group_, ::mkls_cursor* mkls_cursor_) "
        f"{{ ::mkls::run_cooperative({thread}, mkls_group_, mkls_cursor_); }}"
    )


def probe_symbol(number: int) -> str:
    """The symbol that is one thread of kernel `number`, in code that is only looked at."""
    return f"mkls_probe_{number}"


def probe(kernel: KernelEntry, number: int) -> str:
    """One thread of `kernel`, a function of the buffers and of its position in the grid."""
    kinds = "".join(f", {_kind(argument)}" for argument in kernel.arguments)
    return (
        f' extern "C" void {probe_symbol(number)}(void* const* mkls_buffers_, unsigned mkls_x_) '
        f"{{ {_pointer(kernel)} "
        f"::mkls::probe<mkls_callee{kinds}>(mkls_callee, mkls_buffers_, mkls_x_); }}"
    )


def _pointer(kernel: KernelEntry) -> str:
    if kernel.parameters is None:
        return f"constexpr auto mkls_callee = &{kernel.callee};"
    return f"constexpr void (*mkls_callee)({kernel.parameters}) = &{kernel.callee};"


def _kind(argument: Argument) -> str:
    index = argument.index_expression or str(argument.index or 0)
    if argument.kind == "buffer":
        return f"({index})"
    if argument.kind == "threadgroup":
        return f"(::mkls::kThreadgroupBuffer + ({index}))"
    if argument.kind == "builtin":
        return "::mkls::" + _KINDS[argument.attribute or ""]
    return "::mkls::kAbsent"
