"""`mkls run`: run kernels in place and compare them with torch."""

import argparse
import json
import os
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mkls.cli.main import UsageError
from mkls.cli.run_operator import operator_requests
from mkls.cli.run_sweep import sweep
from mkls.cli.run_table import render, summary
from mkls.cli.style import Style
from mkls.rules import KNOWN_RULES
from mkls.runner.client import Runner
from mkls.runner.codec import to_json
from mkls.runner.conversation import RunFaultError, RunRefusedError
from mkls.runner.directives import directives
from mkls.runner.expressions import ExpressionError, parse_expectation, parse_expression
from mkls.runner.process import WorkerUnavailableError
from mkls.runner.report import Report
from mkls.runner.request import RunRequest
from mkls.runner.requests import file_request
from mkls.runner.settings import WorkerSettings
from mkls.session.config import load_config
from mkls.session.discovery import find_root
from mkls.text.line_index import LineIndex

HELP = "run kernels on the GPU or the CPU emulator and compare them with torch"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mkls run`."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a Metal source")
    parser.add_argument(
        "--op", metavar="OPERATOR", help="run the registered kernels of an operator"
    )
    parser.add_argument("--root", metavar="DIR", help="the checkout; default: found upwards")
    parser.add_argument(
        "--kernel", nargs="+", action="extend", metavar="HOST_NAME", help="these kernels only"
    )
    parser.add_argument("--case", metavar="TEXT", help="only cases whose name contains TEXT")
    parser.add_argument(
        "--backend", choices=("auto", "mps", "emulator"), default="auto", help="default: auto"
    )
    parser.add_argument(
        "--check",
        action=argparse.BooleanOptionalAction,
        help="watch every access (default on the emulator; on MPS: Metal's validation)",
    )
    parser.add_argument(
        "--arg", action="append", default=[], metavar="NAME=EXPR", help="an argument's value"
    )
    parser.add_argument("--threads", metavar="X[,Y[,Z]]", help="the grid, in threads")
    parser.add_argument("--group-size", metavar="X[,Y[,Z]]", help="threads of a threadgroup")
    parser.add_argument("--expect", metavar="EXPR", help="what holds afterwards: 'out == x * 2'")
    parser.add_argument(
        "--timeout", type=_seconds, default=10.0, metavar="SECONDS", help="for one launch"
    )
    parser.add_argument(
        "--seed", type=_whole, default=0, metavar="N", help="another order of threads, with --check"
    )
    parser.add_argument(
        "--finite", action="store_true", help="with --check: tell of NaN and infinities that appear"
    )
    parser.add_argument(
        "--sweep",
        action="store_true",
        help="run in many sizes and threadgroups, and shrink what fails",
    )
    parser.add_argument("--output-format", choices=("full", "json"), default="full")
    parser.add_argument(
        "--python",
        metavar="PATH",
        default=os.environ.get("MKLS_WORKER_PYTHON"),
        help="a Python with torch; default: this one",
    )
    parser.add_argument(
        "--worker-command",
        metavar="COMMAND",
        default=os.environ.get("MKLS_WORKER_COMMAND", ""),
        help="starts the worker elsewhere: 'ssh my-mac'",
    )


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise ValueError
    return value


def _whole(text: str) -> int:
    value = int(text)
    if not 0 <= value < 1 << 31:
        raise ValueError
    return value


def run(options: argparse.Namespace) -> int:
    """Run, print, and return 1 when something has to be mended."""
    _sort_out_file(options)
    requests = [_with_options(it, options) for it in _requests(options)]
    started = time.monotonic()
    try:
        with Runner(_settings(options)) as runner:
            reports = [_swept(runner, it, options) for it in requests]
    except (RunRefusedError, WorkerUnavailableError) as error:
        raise UsageError(str(error)) from error
    except RunFaultError as error:
        raise RuntimeError(f"in the worker: {error}") from error
    report = _merged(reports, options.file or reports[0].file)
    _print(report, time.monotonic() - started, options.output_format)
    return int(not report.is_clean)


def _swept(runner: Runner, request: RunRequest, options: argparse.Namespace) -> Report:
    if not options.sweep:
        return _report(runner, request)
    if options.file is None:
        raise UsageError("--sweep takes a FILE: an operator's kernels run in many sizes anyway")
    return sweep(replace(request, check=True), options.file, lambda it: _report(runner, it))


def _sort_out_file(options: argparse.Namespace) -> None:
    """Take back the file that `--kernel NAME FILE` swallowed."""
    if options.file is None and options.kernel and Path(options.kernel[-1]).is_file():
        options.file = options.kernel.pop()
    if (options.file is None) == (options.op is None):
        raise UsageError("name either a FILE or an operator with --op")


def _requests(options: argparse.Namespace) -> list[RunRequest]:
    if options.op is not None:
        return operator_requests(options.op, options.root)
    path = Path(options.file)
    if not path.is_file():
        raise UsageError(f"{options.file}: no such file")
    path = path.resolve()
    root = Path(options.root).resolve() if options.root else find_root(path)
    config = load_config(root, KNOWN_RULES)
    try:
        request = file_request(path, root, config.include_dirs, _torch_headers())
    except OSError as error:
        raise UsageError(f"{options.file}: {error.strerror}") from error
    _refuse_bad_directives(request, options.file)
    return [request]


def _torch_headers() -> Path | None:
    spec = find_spec("torch")
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0]) / "include" if folders else None


def _refuse_bad_directives(request: RunRequest, shown: str) -> None:
    problems = directives(request.source).problems
    if not problems:
        return
    lines = LineIndex(request.source)
    places = ((lines.position(it.span.start), it.message) for it in problems)
    raise UsageError(
        "\n".join(f"{shown}:{place.line + 1}:{place.column + 1}: {text}" for place, text in places)
    )


def _with_options(request: RunRequest, options: argparse.Namespace) -> RunRequest:
    return replace(
        request,
        kernels=tuple(options.kernel or request.kernels),
        case=options.case,
        backend=options.backend,
        check=options.check,
        arguments=_arguments(options.arg, request),
        threads=_sizes("--threads", options.threads),
        group_size=_sizes("--group-size", options.group_size),
        expectation=_expectation(options.expect),
        timeout=options.timeout,
        seed=options.seed,
        finite=options.finite,
    )


def _arguments(given: Sequence[str], request: RunRequest) -> dict[str, str]:
    arguments: dict[str, str] = {}
    known = {it.name for spec in request.kernel_table or () for it in spec.arguments}
    for text in given:
        name, equals, expression = text.partition("=")
        name = name.strip()
        if not equals or not name.isidentifier():
            raise UsageError(f"--arg {text}: expected NAME=EXPR")
        if known and name not in known | {"alpha"}:
            raise UsageError(f"--arg {name}: no kernel of the file has such an argument")
        try:
            parse_expression(expression)
        except ExpressionError as error:
            raise UsageError(_pointing(f"--arg {name}", expression, error)) from error
        arguments[name] = expression.strip()
    return arguments


def _expectation(text: str | None) -> str | None:
    if text is not None:
        try:
            parse_expectation(text)
        except ExpressionError as error:
            raise UsageError(_pointing("--expect", text, error)) from error
    return text


def _sizes(option: str, text: str | None) -> str | None:
    if text is None:
        return None
    parts = text.split(",")
    if len(parts) > 3 or not all(it.strip().isdigit() for it in parts):
        raise UsageError(f"{option} {text}: expected one to three numbers: 1024 or 32,32")
    return f"({text},)"


def _pointing(option: str, text: str, error: ExpressionError) -> str:
    carets = " " * error.start + "^" * max(error.end - error.start, 1)
    return f"{option}: {error.message}\n  {text}\n  {carets}"


def _settings(options: argparse.Namespace) -> WorkerSettings:
    return WorkerSettings(
        interpreter=options.python or None,
        command_prefix=tuple(shlex.split(options.worker_command)),
    )


def _report(runner: Runner, request: RunRequest) -> Report:
    drawn = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def show(event: dict[str, Any]) -> None:
        if drawn and event["type"] == "stage":
            what = f"{event['stage']} {event.get('kernel', '')} {event.get('case', '')}"
            sys.stderr.write(f"\r\033[K{what[:79]}")
            sys.stderr.flush()

    job = runner.submit(request, show)
    try:
        return job.result()
    except KeyboardInterrupt:
        job.cancel()
        raise
    finally:
        if drawn:
            sys.stderr.write("\r\033[K")


def _merged(reports: Sequence[Report], file: str) -> Report:
    runs = tuple(run for report in reports for run in report.runs)
    return Report(reports[0].backend, file, runs)


def _print(report: Report, seconds: float, output_format: str) -> None:
    if output_format == "json":
        json.dump(_as_called(report), sys.stdout, indent=1, ensure_ascii=False, allow_nan=False)
        sys.stdout.write("\n")
        return
    sys.stdout.write(render(report, Style.of(sys.stdout)))
    sys.stdout.flush()
    print(summary(report, seconds, Style.of(sys.stderr)), file=sys.stderr)


def _as_called(report: Report) -> Any:
    """Name the file as the caller did; other paths are absolute."""
    absolute = str(Path(report.file).resolve())

    def renamed(value: Any) -> Any:
        if isinstance(value, dict):
            return dict(_renamed_items(value, renamed))  # pyright: ignore[reportUnknownArgumentType]
        if isinstance(value, list):
            return [renamed(it) for it in value]  # pyright: ignore[reportUnknownVariableType]
        return report.file if value == absolute else value

    return renamed(to_json(report))


def _renamed_items(value: dict[str, Any], renamed: Any) -> Iterator[tuple[str, Any]]:
    for key, item in value.items():
        yield key, renamed(item) if key != "message" else item
