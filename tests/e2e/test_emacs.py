"""Eglot in a real Emacs, configured by `editors/emacs/mkls.el`."""

import shutil
from pathlib import Path

import pytest

from tests.support.emacs import told_by_emacs
from tests.support.lsp_server import REPOSITORY

pytestmark = pytest.mark.editors

NATIVE = "aten/src/ATen/native"
KERNELS = f"{NATIVE}/mps/kernels/BinaryKernel.metal"
HOST = f"{NATIVE}/mps/operations/SampleKernel.mm"


@pytest.fixture
def sample(tmp_path) -> Path:
    """A copy of the sample workspace."""
    return shutil.copytree(REPOSITORY / "mkls" / "sample", tmp_path / "sample")


@pytest.mark.parametrize(
    ("path", "mode", "text"),
    [
        (KERNELS, "metal-mode", "another kernel has the host name"),
        (HOST, "mkls-host-mode", "no Metal source defines"),
        (f"{NATIVE}/native_functions.yaml", "mkls-rows-mode", "delegates to `notch.out`"),
    ],
)
def test_each_layer_has_its_mode_and_its_diagnostics(sample, tmp_path, path, mode, text):
    told = told_by_emacs(
        sample / path,
        f'(tell (symbol-name major-mode)) (tell (flymake-diagnostic-text (diagnosed "{text}")))',
        tmp_path,
    )

    assert told[0] == mode
    assert text in told[1]


def test_a_code_action_mends_what_is_reported(sample, tmp_path):
    (text,) = told_by_emacs(
        sample / HOST,
        """
        (let* ((it (diagnosed "faed_"))
               (beg (flymake-diagnostic-beg it)) (end (flymake-diagnostic-end it))
               (listed (progn (goto-char beg) (eglot-code-actions beg end "quickfix" nil)))
               (action (seq-find (lambda (it) (string-search "`fade`" (plist-get it :title)))
                                 listed)))
          (if (fboundp 'eglot-execute)
              (eglot-execute (eglot-current-server) action)
            (eglot--apply-workspace-edit (plist-get action :edit)))
          (until (lambda () (save-excursion (goto-char (point-min))
                                            (search-forward "(iter, \\"fade\\")" nil t))))
          (tell (buffer-substring (line-beginning-position) (line-end-position))))
        """,
        tmp_path,
    )

    assert '"fade"' in text


TWICE = """\
// mkls-run: threads=64 group_size=64
// mkls-arg: output = zeros(64)
// mkls-arg: input = ones(64)
// mkls-expect: output == input * 2
kernel void twice(
    device float* output [[buffer(0)]],
    constant float* input [[buffer(1)]],
    uint i [[thread_position_in_grid]]) {
  output[i] = input[i] * 3;
}
"""


def test_a_kernel_is_run_from_the_buffer_and_its_failure_is_gone_to(tmp_path):
    (tmp_path / "mkls.toml").touch()
    file = tmp_path / "twice.metal"
    file.write_text(TWICE, encoding="utf-8")

    before, line, after = told_by_emacs(
        file,
        """
        (defun shown () (until (lambda () (and (not mkls--running) (get-buffer "*mkls run*")
                                               (with-current-buffer "*mkls run*"
                                                 (buffer-string))))))
        (let ((source (current-buffer)))
          (goto-char (point-max))
          (mkls-run-kernel)
          (tell (shown))
          (next-error)
          (tell (line-number-at-pos))
          (with-current-buffer source
            (kill-buffer "*mkls run*")
            (goto-char (point-min))
            (search-forward "* 3")
            (replace-match "* 2")
            (mkls-run-kernel t)
            (tell (shown))))
        """,
        tmp_path / "cache",
    )

    assert "1 run on the emulator, 1 failed" in before
    assert "output[0]: expected 2, got 3; 64 of 64 differ" in before
    assert line == 5
    assert "1 run on the emulator, 0 failed" in after


def test_an_operator_is_run_from_its_row(sample, tmp_path):
    default, shown, refusal = told_by_emacs(
        sample / f"{NATIVE}/native_functions.yaml",
        """
        (search-forward "MPS:")
        (tell (mkls--operator-at-point))
        (mkls-run-operator (mkls--operator-at-point))
        (until (lambda () (and (not mkls--running) (get-buffer "*mkls run*"))))
        (tell (with-current-buffer "*mkls run*" (buffer-string)))
        (let (said)
          (cl-letf (((symbol-function 'message)
                     (lambda (&rest it) (setq said (apply #'format it)))))
            (mkls-run-operator "absent_operator")
            (until (lambda () (and (not mkls--running) said)))
            (tell said)))
        """,
        tmp_path,
    )

    assert default == "softsign.out"
    assert "runs on the emulator" in shown
    assert "UnaryKernel.metal:" in shown
    assert "absent_operator" in refusal
