"""What a client asks a worker to run. Standard library only: the worker imports this."""

from dataclasses import dataclass, field


class RequestRefusedError(Exception):
    """A request that cannot be carried out; the message says what to do."""


@dataclass(frozen=True)
class Argument:
    """One parameter of a kernel.

    `type` is spelled as C++ without the name; `kind` is `buffer`, `builtin`, `threadgroup`,
    `texture`, `sampler` or `unknown`; `index` counts within the kind; `access` is None, `read`,
    `write` or `read_write`.
    """

    name: str
    type: str
    kind: str = "buffer"
    index: int | None = None
    access: str | None = None
    attribute: str | None = None


@dataclass(frozen=True)
class KernelSpec:
    """A kernel that the host can ask for. `line` counts from 1: where it is registered."""

    host_name: str
    function: str
    path: str
    line: int
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True)
class Launch:
    """What the directives above one kernel say, as text; `line` is the kernel's, from 1.

    `function` is the kernel function's name where the block stands above its definition: it then
    holds for all of its instantiations.
    """

    line: int = 0
    last_line: int = 0
    function: str | None = None
    threads: str | None = None
    group_size: str | None = None
    arguments: tuple[tuple[str, ...], ...] = ()
    expectations: tuple[str, ...] = ()
    reference: str | None = None


@dataclass(frozen=True)
class OperatorQuestion:
    """Run the kernels of operator `name`; `functors` are the names that its host code asks for."""

    name: str
    overload: str = ""
    functors: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunRequest:
    """Run kernels of one source.

    `path` is absolute, `source` the editor's text. No `kernels` means all. `case` limits a run to
    the cases whose name contains it. `check` None leaves the choice to the backend. `overlay`
    holds texts that win over the disk's, by absolute path: unsaved headers, or, for a worker on
    another machine, everything that is included. `kernel_table` is what the client knows of the
    source's kernels, for backends that cannot tell. `timeout` is in seconds, for one launch.
    `seed` chooses the order of threads in a checked run; `finite` asks it to tell of NaN and
    infinities.
    """

    path: str
    source: str
    kernels: tuple[str, ...] = ()
    case: str | None = None
    backend: str = "auto"
    check: bool | None = None
    arguments: dict[str, str] = field(default_factory=dict[str, str])
    threads: str | None = None
    group_size: str | None = None
    expectation: str | None = None
    timeout: float = 10.0
    launches: tuple[Launch, ...] = ()
    kernel_table: tuple[KernelSpec, ...] | None = None
    include_dirs: tuple[str, ...] = ()
    overlay: dict[str, str] = field(default_factory=dict[str, str])
    operator: OperatorQuestion | None = None
    language_version: str | None = None
    seed: int = 0
    finite: bool = False
