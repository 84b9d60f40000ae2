"""The title of a kernel's code lens (client side, pure)."""

from collections.abc import Sequence

from mkls.runner.report import Run

READY = "▶ Run"
RUNNING = "◌ Running…"

_SHORT = {
    "float32": "float",
    "float16": "half",
    "bfloat16": "bfloat",
    "int64": "long",
    "int32": "int",
    "int16": "short",
    "int8": "char",
    "uint8": "uchar",
    "complex64": "float2",
    "complex32": "half2",
}


def lens_title(runs: Sequence[Run]) -> str:
    """Return what the last run of one kernel, or of all kernels of one functor, came to."""
    if not runs:
        return READY
    bad = [it for it in runs if it.outcome not in ("passed", "skipped")]
    if bad:
        return f"✗ {_failure(bad[0])}"
    ran = [it for it in runs if it.outcome == "passed"]
    if not ran:
        return "· not run: no inputs"
    if not any(it.verified for it in ran):
        return "✓ ran"
    dtypes = len({it.dtype for it in ran if it.dtype})
    cases = f"{len(ran)} case{'s' * (len(ran) != 1)}"
    return f"✓ {cases} · {dtypes} dtype{'s' * (dtypes != 1)}" if dtypes else f"✓ {cases}"


def _failure(run: Run) -> str:
    if run.outcome == "compile-error":
        return "does not compile"
    where = ", ".join(it for it in (_SHORT.get(run.dtype, run.dtype), run.layout) if it)
    if run.mismatch:
        what = f"{run.mismatch.count} of {run.mismatch.total} differ"
    elif run.outcome == "finding":
        what = run.findings[0].kind.replace("-", " ") if run.findings else "finding"
    else:
        what = {"crashed": "crashed", "timed-out": "timed out"}.get(run.outcome, run.outcome)
    return f"{where}: {what}" if where else what
