"""A real Emacs with Eglot and the repository's `mkls.el`, in batch mode."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.lsp_client import DEADLINE
from tests.support.lsp_server import REPOSITORY
from tests.support.programs import program

_SETUP = """
(progn
  ;; Before Emacs 29, Debian has Eglot in packages of their own, which `-Q` leaves out.
  (when (< emacs-major-version 29)
    (let ((packages "/usr/share/emacs/site-lisp/elpa"))
      (when (file-directory-p packages)
        (dolist (it (directory-files packages t "\\\\`[a-z]")) (add-to-list 'load-path it)))))
  (setq eglot-sync-connect 30 eglot-connect-timeout 30 eglot-autoshutdown t
        eglot-confirm-server-initiated-edits nil create-lockfiles nil make-backup-files nil
        enable-local-variables :safe)
  (load MKLS nil t)
  (require 'json)
  (setq mkls-command COMMAND)
  (defun until (look)
    (let ((end (+ (float-time) DEADLINE)) seen)
      (while (and (not (setq seen (funcall look))) (< (float-time) end))
        (accept-process-output nil 0.05))
      (or seen (error "Waited in vain; %S" (mapcar #'flymake-diagnostic-text
                                                  (flymake-diagnostics))))))
  (defun diagnosed (text)
    (flymake-start)
    (until (lambda () (seq-find (lambda (it) (string-search text (flymake-diagnostic-text it)))
                                (flymake-diagnostics)))))
  (defun tell (value) (princ (concat "\\n=> " (json-encode value) "\\n")))
  (find-file FILE)
  (apply #'eglot (eglot--guess-contact))
  (until #'eglot-current-server))
"""

_END = """
(progn (set-buffer-modified-p nil) (eglot-shutdown (eglot-current-server)) (kill-emacs 0))
"""


def told_by_emacs(file: Path, lisp: str, cache: Path) -> list[Any]:
    """Open `file`, evaluate `lisp`, and return each value that it hands to `tell`."""
    setup = _SETUP
    for name, value in (
        ("MKLS", json.dumps(str(REPOSITORY / "editors" / "emacs" / "mkls.el"))),
        ("COMMAND", f'\'({json.dumps(sys.executable)} "-m" "mkls" "serve")'),
        ("DEADLINE", str(DEADLINE)),
        ("FILE", json.dumps(str(file))),
    ):
        setup = setup.replace(name, value)
    forms = [part for form in (setup, f"(progn {lisp})", _END) for part in ("--eval", form)]
    done = subprocess.run(
        [program("emacs"), "--batch", "-Q", *forms],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=10 * DEADLINE,
        check=False,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "MKLS_CACHE_DIR": str(cache)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [
        json.loads(line.removeprefix("=> "))
        for line in done.stdout.splitlines()
        if line.startswith("=> ")
    ]
