"""Headers embedded for Metal's run-time compiler, and the way back from its messages."""

from pathlib import Path

import pytest
from torch.utils._cpp_embed_headers import embed_headers

from mkls.runner.compiler_messages import problems_of
from mkls.runner.embedding import embed
from mkls.runner.report import Place

FILES = {
    "/torch/c10/metal/utils.h": "#pragma once\n#include <c10/metal/common.h>\nint utils;\n",
    "/torch/c10/metal/common.h": "#pragma once\nint installed_common;\n",
    "/tree/c10/metal/common.h": "#pragma once\nint tree_common;\n",
    "/tree/kernels/Mine.h": "int mine;\n",
}
SOURCE = (
    "#include <metal_stdlib>\n"
    "#include <c10/metal/utils.h>\n"
    '  #include "Mine.h"\n'
    "#include <c10/metal/common.h>\n"
    "kernel void k() { broken; }\n"
)


def embedded(source=SOURCE):
    return embed("/tree/kernels/k.metal", source, ("/tree", "/tree/aten/src", "/torch"), FILES.get)


def test_every_header_is_embedded_once_the_checkouts_first():
    found = embedded()

    assert found.text.count("int tree_common;") == 1
    assert "installed_common" not in found.text
    assert found.headers == (
        "/torch/c10/metal/utils.h",
        "/tree/c10/metal/common.h",
        "/tree/kernels/Mine.h",
    )


def test_what_only_the_compiler_knows_stays_an_include():
    assert embedded().text.startswith("#include <metal_stdlib>\n")


def test_pragma_once_is_dropped():
    assert "#pragma once" not in embedded("#pragma once\n" + SOURCE).text


def test_every_line_knows_where_it_came_from():
    found = embedded()
    lines = found.text.split("\n")

    for number, text in enumerate(lines[:-1], 1):
        path, line = found.origin(number)
        source = SOURCE if path.endswith("k.metal") else FILES[path]
        original = source.split("\n")[line - 1]
        assert text in ("", original)


def test_it_gives_the_text_that_torchs_own_embedding_gives(torch_include, tmp_path):
    source = tmp_path / "k.metal"
    source.write_text(
        "#include <c10/metal/indexing.h>\n"
        "#include <c10/metal/special_math.h>\n"
        "kernel void k() {}\n",
        encoding="utf-8",
    )

    def read(path):
        try:
            return Path(path).read_text(encoding="utf-8")
        except OSError:
            return None

    ours = embed(str(source), source.read_text(encoding="utf-8"), (str(torch_include),), read)
    theirs = embed_headers(str(source), [torch_include])

    def code(text):
        return [line for line in text.splitlines() if line.strip() and "pragma once" not in line]

    assert code(ours.text) == code(theirs)


def line_of(found, text):
    return next(n for n, line in enumerate(found.text.split("\n"), 1) if text in line)


def test_a_message_is_mapped_back_with_its_notes():
    found = embedded()
    here, there = line_of(found, "broken"), line_of(found, "int mine")
    text = (
        "Failed to compile metal source:\n"
        f"program_source:{here}:19: error: use of undeclared identifier 'broken'\n"
        "kernel void k() { broken; }\n"
        "                  ^\n"
        f"program_source:{there}:5: note: did you mean 'mine'?\n"
        "int mine;\n    ^\n"
        f'program_source:{here}:1: warning: a "quoted" warning\n'
    )

    error, warning = problems_of(text, found)

    assert (error.path, error.line, error.column) == ("/tree/kernels/k.metal", 5, 19)
    assert error.message == "use of undeclared identifier 'broken'"
    assert error.notes == (Place("/tree/kernels/Mine.h", 1, 5, "did you mean 'mine'?"),)
    assert (warning.severity, warning.message) == ("warning", 'a "quoted" warning')


def test_an_nserror_is_read_and_says_everything_once():
    found = embedded()
    here = line_of(found, "broken")
    inner = (
        f"program_source:{here}:19: error: use of undeclared identifier \\'broken\\'\\n"
        "kernel void k() { broken; }\\n                  ^\\n"
    )
    text = (
        'Failed to create metal library, error: Error Domain=MTLLibraryErrorDomain Code=3 "'
        f'{inner}" UserInfo={{NSLocalizedDescription={inner}}}'
    )

    (problem,) = problems_of(text, found)

    assert (problem.line, problem.column) == (5, 19)
    assert problem.message == "use of undeclared identifier 'broken'"


def test_fatal_errors_are_errors():
    (problem,) = problems_of("program_source:1:10: fatal error: 'x.h' file not found", embedded())

    assert (problem.severity, problem.line) == ("error", 1)


@pytest.mark.parametrize(
    "text", ["", "Something else went wrong\nin two lines", "program_source:x"]
)
def test_a_failure_without_a_place_is_still_an_error(text):
    (problem,) = problems_of(text, embedded())

    assert problem.severity == "error"
    assert problem.path == "/tree/kernels/k.metal"
    assert problem.message
