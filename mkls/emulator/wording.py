"""What a checked run saw, put into words."""

from mkls.emulator.guarded_arguments import Memory
from mkls.emulator.raw_reports import NO_VALUE, RawReport


def message_of(
    kind: str, report: RawReport, memory: Memory | None, index: int | None, length: int | None
) -> str:
    """What happened, in a sentence without its place."""
    name = f"`{memory.name}`" if memory else "memory"
    if report.kind == NO_VALUE:
        variable = variable_name(report.text)
        return f"uses `{variable}`, which has no value yet" if variable else "uses no value"
    texts = {
        "integer-overflow": f"{report.value} does not fit into the 32 bits of an address",
        "out-of-bounds-read": f"reads {name}[{index}], which has {length} elements",
        "out-of-bounds-write": f"writes {name}[{index}], which has {length} elements",
        "array-index-out-of-bounds": f"index {report.value} is outside the array",
        "nil-buffer": f"{'writes' if report.is_write else 'reads'} through a nil buffer",
        "read-only-write": f"writes {name}[{index}], which is bound read-only",
        "misaligned-access": f"accesses {name} at an address that is no multiple of {report.value}",
        "uninitialized-read": f"reads {name}[{index}] before a thread of the threadgroup wrote it",
        "data-race": f"{'writes' if report.is_write else 'reads'} {name}[{index}] unordered with "
        f"the {'write' if report.other_is_write else 'read'} of another thread",
        "same-value-race": f"writes {name}[{index}] unordered with another thread that writes "
        "the same value",
        "barrier-divergence": f"{report.value} threads of the threadgroup never reach this barrier"
        if report.value
        else "threads of one threadgroup wait at different barriers",
        "simdgroup-lanes": f"reads lane {report.value}, which does not take part",
        "division-by-zero": "divides an integer by zero",
        "shift-out-of-range": f"shifts by {report.value}, which is not less than the width",
    }
    return texts[kind]


def variable_name(text: bytes | None) -> str:
    """A variable's name out of the compiler's, which is `name`, `name.i` where it was inlined."""
    return (text or b"").decode(errors="replace").lstrip("-").split("@")[0].split(".")[0]
