"""What is said about one kernel's launch: by the directives above it, and by the call."""

from dataclasses import replace

from mkls.runner.request import KernelSpec, Launch, RunRequest


def launch_for(spec: KernelSpec, request: RunRequest) -> Launch:
    """Return what the directives above `spec` and the call say, the call winning."""
    found = next((it for it in request.launches if _stands_above(it, spec, request)), Launch())
    arguments = {it[0]: it[1] for it in found.arguments}
    names = {it.name for it in spec.arguments} | {"alpha"}
    arguments |= {name: text for name, text in request.arguments.items() if name in names}
    return replace(
        found,
        threads=request.threads or found.threads,
        group_size=request.group_size or found.group_size,
        arguments=tuple(arguments.items()),
        expectations=(request.expectation,) if request.expectation else found.expectations,
    )


def _stands_above(launch: Launch, spec: KernelSpec, request: RunRequest) -> bool:
    if spec.path == request.path and launch.line <= spec.line <= launch.last_line:
        return True
    return launch.function is not None and launch.function == spec.function.partition("<")[0]
