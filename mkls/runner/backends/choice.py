"""Choose the backend of a run (worker side)."""

from mkls.runner.backends.protocol import Backend, BackendUnavailableError


def backend(name: str) -> Backend:
    """Return the backend `name`; `auto` is MPS where torch has it, else the emulator.

    Raises:
        BackendUnavailableError: There is none of that name, or it cannot run here.
    """
    import torch

    has_mps = bool(torch.backends.mps.is_available())
    if name == "mps" or (name == "auto" and has_mps):
        if not has_mps:
            raise BackendUnavailableError(
                "torch has no MPS device here; use `--backend emulator`, or a Mac as the worker"
            )
        from mkls.runner.backends.mps import MpsBackend

        return MpsBackend()
    if name not in ("auto", "emulator"):
        raise BackendUnavailableError(f"unknown backend `{name}`; there are auto, mps, emulator")
    try:
        from mkls.runner.backends.emulator import EmulatorBackend
    except ImportError as error:
        missing = error.name or str(error)
        raise BackendUnavailableError(
            f"the emulator needs `{missing}` next to torch: pip install '{missing}'"
        ) from error
    return EmulatorBackend()
