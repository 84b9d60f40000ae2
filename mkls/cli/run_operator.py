"""The kernels of an operator, found in the workspace."""

from mkls.cli.main import UsageError
from mkls.cli.workspace import open_workspace
from mkls.runner.operator_kernels import nothing_registered, requests_of
from mkls.runner.request import RunRequest


def operator_requests(operator: str, root: str | None) -> list[RunRequest]:
    """Return one request for each Metal source that registers kernels of `operator`.

    Raises:
        UsageError: There are none.
    """
    snapshot = open_workspace([root] if root else [], root).session.snapshot()
    requests = requests_of(snapshot, operator)
    if not requests:
        raise UsageError(nothing_registered(snapshot, operator))
    return requests
