;;; mkls.el --- PyTorch's Metal kernels: checks, fixes, runs  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Version: 0.1.0
;; Keywords: languages, tools
;; SPDX-License-Identifier: BSD-3-Clause

;;; Commentary:

;; Modes for the three layers of an MPS operator, the server `mkls' for them, and commands that run
;; kernels.  Emacs 29 has Eglot; Emacs 28 needs it from GNU ELPA.
;;
;;   (require 'mkls)
;;   (dolist (hook '(metal-mode-hook mkls-host-mode-hook mkls-rows-mode-hook))
;;     (add-hook hook #'eglot-ensure))

;;; Code:

(require 'cc-mode)
(require 'compile)
(require 'eglot)
(require 'project)
(require 'seq)

(defgroup mkls nil
  "PyTorch's Metal kernels."
  :group 'tools)

(defcustom mkls-command '("mkls" "serve")
  "The command that starts the server: a program and its arguments."
  :type '(repeat string)
  :risky t)

(defconst mkls-root-marker "aten/src/ATen/native/native_functions.yaml"
  "The file by which the top of a PyTorch checkout is known.")

;;;; Modes

(defconst mkls-metal-font-lock-keywords
  `((,(regexp-opt '("kernel" "vertex" "fragment" "mesh" "object" "device" "constant" "thread"
                    "threadgroup" "threadgroup_imageblock" "ray_data" "object_data" "coherent")
                  'symbols)
     . font-lock-keyword-face)
    (,(concat "\\_<\\(?:packed_\\)?"
              "\\(?:bool\\|char\\|uchar\\|short\\|ushort\\|int\\|uint\\|long\\|ulong"
              "\\|half\\|float\\|bfloat\\)"
              "\\(?:[2-4]\\(?:x[2-4]\\)?\\)?\\_>")
     . font-lock-type-face)
    ("\\[\\[\\([[:alpha:]_]+\\)" 1 font-lock-preprocessor-face t)
    ("^// \\(mkls-[a-z]+:\\)" 1 font-lock-preprocessor-face t))
  "What Metal adds to C++.")

;;;###autoload
(define-derived-mode metal-mode c++-mode "Metal"
  "Major mode for the Metal Shading Language, which is C++ and address spaces."
  (font-lock-add-keywords nil mkls-metal-font-lock-keywords)
  (mkls--in-workspace))

;;;###autoload
(define-derived-mode mkls-host-mode objc-mode "MPS host"
  "Major mode for the Objective-C++ that looks kernels up and launches them."
  (mkls--in-workspace))

(defconst mkls-rows-font-lock-keywords
  '(("#.*" 0 font-lock-comment-face t)
    ("^- func: \\([[:alnum:]_.]+\\)" 1 font-lock-function-name-face)
    ("^\\(?:- \\)?[ ]*\\([[:alnum:]_, ]+\\):" 1 font-lock-keyword-face))
  "What is coloured in rows of operators.")

;;;###autoload
(define-derived-mode mkls-rows-mode prog-mode "Rows"
  "Major mode for `native_functions.yaml'."
  (setq-local comment-start "# "
              comment-start-skip "#+[ \t]*"
              indent-tabs-mode nil
              font-lock-defaults '(mkls-rows-font-lock-keywords t))
  (mkls--in-workspace))

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.metal\\'" . metal-mode))
  (add-to-list 'auto-mode-alist '("/\\(?:c10/metal\\|mps/kernels\\)/.*\\.h\\'" . metal-mode))
  (add-to-list 'auto-mode-alist '("/ATen/.*\\.mm\\'" . mkls-host-mode))
  (add-to-list 'auto-mode-alist '("/native_functions\\.yaml\\'" . mkls-rows-mode)))

;; Before C++ and Objective-C, of which two of the modes are kinds.
(add-to-list 'eglot-server-programs
             (cons '(metal-mode mkls-host-mode mkls-rows-mode) (lambda (&rest _) mkls-command)))

(put 'metal-mode 'eglot-language-id "metal")
(put 'mkls-host-mode 'eglot-language-id "objective-cpp")
(put 'mkls-rows-mode 'eglot-language-id "yaml")

(defun mkls--in-workspace ()
  "Let the buffer's project be its PyTorch checkout, with or without git."
  (add-hook 'project-find-functions #'mkls-project nil t))

(defun mkls-project (directory)
  "Return the PyTorch checkout or place of an `mkls.toml' around DIRECTORY."
  (when-let ((root (or (locate-dominating-file directory mkls-root-marker)
                       (locate-dominating-file directory "mkls.toml"))))
    (cons 'transient (expand-file-name root))))

;;;; Runs

(defvar mkls--running nil
  "The server and the token of the run that has no answer yet.")

(defvar mkls--count 0
  "How many runs were started.")

(defun mkls--server ()
  "Return the server of the buffer, or tell that there is none."
  (or (eglot-current-server)
      (user-error "No server looks after this buffer; M-x eglot starts it")))

(defun mkls--uri ()
  "Return the URI of the buffer's file as Eglot says it."
  (plist-get (eglot--TextDocumentIdentifier) :uri))

(defun mkls--arguments-at-point (server)
  "Ask SERVER which kernels are at point, or at the next place above it."
  (let* ((here (1- (line-number-at-pos nil t)))
         (lenses (jsonrpc-request server :textDocument/codeLens
                                  (list :textDocument (list :uri (mkls--uri)))))
         (runs (seq-filter (lambda (it)
                             (equal (plist-get (plist-get it :command) :command) "mkls.runKernel"))
                           lenses))
         (line (lambda (it) (plist-get (plist-get (plist-get it :range) :start) :line)))
         (above (seq-filter (lambda (it) (<= (funcall line it) here)) runs))
         (found (car (sort (append (or above runs) nil)
                           (lambda (a b) (> (funcall line a) (funcall line b)))))))
    (unless found (user-error "There is no kernel to run here"))
    (copy-sequence (aref (plist-get (plist-get found :command) :arguments) 0))))

;;;###autoload
(defun mkls-run-kernel (&optional checked)
  "Run the kernels at point, from the text in the buffer.
With a prefix argument they run CHECKED, which finds races and accesses out of
bounds."
  (interactive "P")
  (let* ((server (mkls--server))
         (arguments (mkls--arguments-at-point server)))
    (when checked (setq arguments (plist-put arguments :check t)))
    (mkls--run server "mkls.runKernel" arguments)))

(defun mkls--operator-at-point ()
  "Return the operator in whose row point is, if it is in one."
  (save-excursion
    (end-of-line)
    (when (re-search-backward "^- func: \\([[:alnum:]_.]+\\)" nil t)
      (match-string-no-properties 1))))

;;;###autoload
(defun mkls-run-operator (operator)
  "Run the kernels of OPERATOR and compare them with torch's own."
  (interactive
   (let ((default (and (derived-mode-p 'mkls-rows-mode) (mkls--operator-at-point))))
     (list (read-string (format-prompt "Run operator" default) nil nil default))))
  (mkls--run (mkls--server) "mkls.runOperator" (list :operator operator)))

(defun mkls-cancel-run ()
  "Stop the run that is under way."
  (interactive)
  (if (not mkls--running)
      (message "mkls: nothing is running")
    (jsonrpc-notify (car mkls--running) :window/workDoneProgress/cancel
                    (list :token (cdr mkls--running)))))

(defun mkls--run (server command arguments)
  "Let SERVER carry out COMMAND with ARGUMENTS, and show what comes of it."
  (when mkls--running (user-error "A run is under way; M-x mkls-cancel-run stops it"))
  (eglot--signal-textDocument/didChange)
  (let ((token (format "mkls-emacs-%d" (cl-incf mkls--count)))
        (directory default-directory))
    (setq mkls--running (cons server token))
    (message "mkls: running...")
    (jsonrpc-async-request
     server :workspace/executeCommand
     (list :command command :arguments (vector arguments) :workDoneToken token)
     :timeout 3600
     :success-fn (lambda (report) (setq mkls--running nil) (mkls--show report directory))
     :error-fn (lambda (failure)
                 (setq mkls--running nil)
                 (message "mkls: %s" (plist-get failure :message)))
     :timeout-fn (lambda () (setq mkls--running nil) (message "mkls: no answer within an hour")))))

(define-compilation-mode mkls-run-mode "mkls run"
  "Shows what runs of kernels came to; \\[next-error] goes to what failed.")

(defun mkls--show (report directory)
  "Show REPORT, whose paths are seen from DIRECTORY."
  (let* ((runs (append (plist-get report :runs) nil))
         (failed (seq-filter #'mkls--failed-p runs)))
    (with-current-buffer (get-buffer-create "*mkls run*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (mkls-run-mode)
        (setq default-directory directory)
        (insert (format "%s on the %s, %d failed\n\n" (mkls--counted runs)
                        (plist-get report :backend) (length failed)))
        (dolist (run runs) (insert (mkls--line run (plist-get report :file))))
        (goto-char (point-min)))
      (setq next-error-last-buffer (current-buffer))
      (display-buffer (current-buffer)))
    (message "mkls: %s, %d failed" (mkls--counted runs) (length failed))))

(defun mkls--counted (runs)
  "Return how many RUNS there are."
  (format (if (= (length runs) 1) "%d run" "%d runs") (length runs)))

(defun mkls--failed-p (run)
  "Whether RUN neither passed nor was left out."
  (not (member (plist-get run :outcome) '("passed" "skipped"))))

(defun mkls--line (run file)
  "Return the line about RUN of a kernel in FILE."
  (let ((what (format "%s (%s): %s" (plist-get run :kernel) (plist-get run :case) (mkls--told run))))
    (if (not (mkls--failed-p run))
        (format "  %s\n" what)
      (let ((spot (seq-find #'mkls--spot-p (list (mkls--first run :findings)
                                                 (mkls--first run :problems) run))))
        (format "%s:%d:%d: error: %s\n"
                (if spot (plist-get spot :path) file)
                (or (plist-get spot :line) 1)
                (or (plist-get spot :column) 1)
                what)))))

(defun mkls--first (run key)
  "Return the first of what RUN has under KEY."
  (let ((listed (plist-get run key)))
    (and (> (length listed) 0) (elt listed 0))))

(defun mkls--spot-p (it)
  "Whether IT tells a place."
  (let ((path (plist-get it :path)) (line (plist-get it :line)))
    (and (stringp path) (not (string-empty-p path)) (numberp line) (> line 0))))

(defun mkls--told (run)
  "Return in a few words what RUN came to."
  (let ((mismatch (plist-get run :mismatch))
        (finding (mkls--first run :findings))
        (problem (mkls--first run :problems))
        (message (plist-get run :message)))
    (cond
     (mismatch
      (format "%s[%s]: expected %s, got %s; %s of %s differ"
              (plist-get mismatch :argument)
              (mapconcat (lambda (it) (format "%s" it)) (plist-get mismatch :index) ", ")
              (plist-get mismatch :expected) (plist-get mismatch :got)
              (plist-get mismatch :count) (plist-get mismatch :total)))
     (finding (format "%s: %s" (plist-get finding :kind) (plist-get finding :message)))
     (problem (plist-get problem :message))
     ((and (stringp message) (not (string-empty-p message))) message)
     (t (plist-get run :outcome)))))

(provide 'mkls)
;;; mkls.el ends here
