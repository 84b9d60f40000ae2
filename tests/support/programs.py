"""Programs that tests need and that no Python package brings."""

import os
import shutil

import pytest


def program(name: str) -> str:
    """Return the path of the program `name`.

    Where it is missing, the test is skipped; in CI (environment variable `CI`), it fails.
    """
    if found := shutil.which(name):
        return found
    lack = (
        f"`{name}` is not installed (apt-get install emacs-nox elpa-eglot tmux; hx from Debian 13)"
    )
    if os.environ.get("CI") == "true":
        pytest.fail(lack)
    pytest.skip(lack)
