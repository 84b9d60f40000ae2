"""A library of torch's whose kernels run with Metal's validation switched on."""

import os
from collections.abc import Callable
from typing import Any

import torch

from mkls.runner.backends.mps import StandardError
from mkls.runner.embedding import Embedded
from mkls.runner.report import Finding
from mkls.runner.validation_layer import ENVIRONMENT, findings_of


class CheckedLibrary:
    """Wraps torch's library; `findings` grows with every call.

    Metal reads its variables when the device is made: set them before the first use of MPS, or
    run with `mkls run`, whose worker is started with them.
    """

    def __init__(self, library: Any, embedded: Embedded) -> None:
        """Wrap `library`, compiled from `embedded`."""
        os.environ.update(ENVIRONMENT)
        self._library = library
        self._origins = dict(enumerate(embedded.origins, 1))
        self.findings: list[Finding] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Return kernel `name`; calling it runs it and reads what Metal says."""
        kernel = getattr(self._library, name)

        def run(*arguments: Any, **options: Any) -> None:
            with StandardError() as written:
                kernel(*arguments, **options)
                torch.mps.synchronize()
            self.findings.extend(findings_of(written.text, self._origins))

        return run

    def __dir__(self) -> list[str]:
        """Return the kernels' names."""
        return dir(self._library)
