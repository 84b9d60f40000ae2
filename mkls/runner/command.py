"""The command that starts a worker, here or elsewhere (client side)."""

import io
import shlex
import sys
import zipfile
from functools import cache
from pathlib import Path

from mkls.runner.settings import WorkerSettings

_PACKAGE = Path(__file__).resolve().parents[1]
_LEFT_OUT = {"__pycache__", "server", "rules", "manual", "features", "index", "session"}

_BOOTSTRAP = """\
import sys
sys.path.pop(0)
import hashlib, io, os, runpy, shutil, tempfile, zipfile
pipe = open(0, "rb", 0, closefd=False)
size, data = int(pipe.readline()), b""
while len(data) < size:
    data += pipe.read(size - len(data)) or sys.exit("mkls: the connection closed")
home = os.path.join(os.path.expanduser("~"), ".cache", "mkls", "worker")
folder = os.path.join(home, hashlib.sha256(data).hexdigest()[:16])
if not os.path.isdir(folder):
    os.makedirs(home, exist_ok=True)
    fresh = tempfile.mkdtemp(dir=home)
    zipfile.ZipFile(io.BytesIO(data)).extractall(fresh)
    try:
        os.rename(fresh, folder)
    except OSError:
        shutil.rmtree(fresh)
runpy.run_path(os.path.join(folder, "mkls", "runner", "worker.py"), run_name="__main__")
"""


def worker_command(settings: WorkerSettings) -> list[str]:
    """Return the command line of a worker."""
    limit = str(settings.memory_limit_bytes)
    if not settings.is_remote:
        interpreter = settings.interpreter or sys.executable
        return [interpreter, "-u", str(_PACKAGE / "runner" / "worker.py"), limit]
    interpreter = settings.interpreter or "python3"
    variables = [f"{name}={value}" for name, value in settings.environment.items()]
    started = [*(("env", *variables) if variables else ()), interpreter]
    command = shlex.join([*started, "-u", "-c", _BOOTSTRAP, limit])
    return [*settings.command_prefix, command]


def preamble(settings: WorkerSettings) -> bytes:
    """Return what the worker reads first: mkls itself, when it starts on another machine."""
    if not settings.is_remote:
        return b""
    data = package_archive()
    return str(len(data)).encode() + b"\n" + data


@cache
def package_archive() -> bytes:
    """Return what a worker needs of this package as a zip file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(_PACKAGE.rglob("*")):
            parts = path.relative_to(_PACKAGE).parts
            if path.is_file() and not _LEFT_OUT.intersection(parts):
                # A fixed date, so that equal files make equal archives.
                entry = zipfile.ZipInfo("/".join(("mkls", *parts)))
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
