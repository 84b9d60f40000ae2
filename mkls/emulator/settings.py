"""What a user may choose about the emulator."""

import msgspec


class EmulatorSettings(msgspec.Struct, frozen=True):
    """Choices of one session; every field has a default that works.

    `compiler` is the command line of a clang++ (16 or newer); without it the variable MKLS_CXX
    counts, then the `ziglang` wheel. `cache_directory` defaults to MKLS_EMULATOR_CACHE, then to the
    platform's cache folder. A launch that takes longer than `deadline_seconds` is stopped.
    A checked launch whose threads may show their order is run in `schedules` orders; with `finite`
    it also tells of NaN and infinities that come out of finite inputs.
    """

    compiler: str | None = None
    cache_directory: str | None = None
    cache_bytes: int = 512 << 20
    cores: int | None = None
    deadline_seconds: float | None = None
    schedules: int = 3
    finite: bool = False
