"""What a user may choose about workers (client side)."""

from dataclasses import dataclass, field

_GIB = 1 << 30


@dataclass(frozen=True)
class WorkerSettings:
    """Where and how kernels run; every field has a default that works.

    `interpreter` is a Python with torch, by default the one that runs mkls. `command_prefix`
    starts it elsewhere: the worker's command follows as one more argument, quoted for a shell, as
    `ssh` and `sh -c` expect (`("ssh", "my-mac")`); nothing of mkls need be there. `workers` is how
    many requests run at once. `start_seconds` covers importing torch, `compile_seconds` one
    compilation.
    """

    interpreter: str | None = None
    command_prefix: tuple[str, ...] = ()
    memory_limit_bytes: int = 8 * _GIB
    workers: int = 2
    start_seconds: float = 120.0
    compile_seconds: float = 180.0
    environment: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def is_remote(self) -> bool:
        """Whether the worker may not see this machine's files."""
        return bool(self.command_prefix)
