"""The commands about running kernels."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
from lsprotocol import types as lsp

from mkls.index.kernels_unit import Unit
from mkls.runner.codec import to_json
from mkls.runner.operator_kernels import nothing_registered, requests_of
from mkls.runner.request import RunRequest
from mkls.runner.requests import document_request
from mkls.server.backend import Backend
from mkls.server.client import canonical
from mkls.server.errors import request_failed
from mkls.server.folders import Folder
from mkls.server.show_commands import arguments_of
from mkls.session.run_config import RunConfig


class KernelArguments(msgspec.Struct, frozen=True):
    """What `mkls.runKernel` takes: `kernel` are host names, without which all are run."""

    uri: str
    kernel: str | list[str] | None = None
    case: str | None = None
    check: bool | None = None
    backend: str | None = None

    @property
    def kernels(self) -> tuple[str, ...]:
        """The host names."""
        return (self.kernel,) if isinstance(self.kernel, str) else tuple(self.kernel or ())


class OperatorArguments(msgspec.Struct, frozen=True):
    """What `mkls.runOperator` takes: `sub`, or `sub.Tensor`."""

    operator: str


async def run_kernel(backend: Backend, params: lsp.ExecuteCommandParams) -> object:
    """Answer `mkls.runKernel`: run kernels of a document as the editor has it."""
    wanted = arguments_of(KernelArguments, params)
    uri = canonical(wanted.uri)
    folder = backend.folder(uri)
    await folder.loaded.wait()
    config = _allowed(folder)
    snapshot, source = backend.snapshot(uri)
    unit = snapshot.kernels.unit_with(uri) if source else None
    if unit is None:
        raise request_failed(f"`{wanted.uri}` is no Metal source that mkls has read")
    request = _configured(document_request(snapshot, unit.uri, folder.config.include_dirs), config)
    request = replace(request, kernels=wanted.kernels or _names(unit), case=wanted.case)
    if wanted.check is not None:
        request = replace(request, check=wanted.check)
    if wanted.backend is not None:
        request = replace(request, backend=wanted.backend)
    title = f"Running {_subject(request)}"
    report = await backend.runs.run(folder, snapshot, [request], title, params.work_done_token)
    return to_json(report)


async def run_operator(backend: Backend, params: lsp.ExecuteCommandParams) -> object:
    """Answer `mkls.runOperator`: run the kernels of an operator against torch's own."""
    operator = arguments_of(OperatorArguments, params).operator
    refusal = request_failed("no workspace is open")
    for folder in backend.folders:
        backend.loader.start(folder)
        await folder.loaded.wait()
        backend.documents.read(folder)
        snapshot = folder.snapshot()
        requests = requests_of(snapshot, operator, folder.config.include_dirs)
        if requests:
            config = _allowed(folder)
            requests = [_configured(it, config) for it in requests]
            title, token = f"Running {operator}", params.work_done_token
            return to_json(await backend.runs.run(folder, snapshot, requests, title, token))
        refusal = request_failed(nothing_registered(snapshot, operator))
    raise refusal


async def restart_worker(backend: Backend, _params: lsp.ExecuteCommandParams) -> None:
    """Answer `mkls.restartWorker`."""
    await backend.runs.restart()


COMMANDS: Mapping[str, Any] = {
    "mkls.runKernel": run_kernel,
    "mkls.runOperator": run_operator,
    "mkls.restartWorker": restart_worker,
}


def _allowed(folder: Folder) -> RunConfig:
    if folder.config.run.enabled is False:
        raise request_failed("running kernels is switched off by the setting `mkls.run.enabled`")
    return folder.config.run


def _configured(request: RunRequest, config: RunConfig) -> RunRequest:
    timeout = config.timeout or request.timeout
    return replace(request, backend=config.backend or "auto", check=config.check, timeout=timeout)


def _names(unit: Unit) -> tuple[str, ...]:
    return tuple(dict.fromkeys(it.host_name for it in unit.kernels))


def _subject(request: RunRequest) -> str:
    count = len(request.kernels)
    return f"`{request.kernels[0]}`" if count == 1 else f"{count} kernels"
