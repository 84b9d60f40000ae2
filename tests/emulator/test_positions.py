"""A place in the user's text survives preprocessing, rewriting and compiling."""

from pathlib import Path

import pytest

from mkls.emulator.edits import Edit, EditedText, blank
from mkls.emulator.errors import CompileError
from tests.emulator.kernels import Compile


def problem_of(compile_: Compile, source: str, **options: object) -> CompileError:
    with pytest.raises(CompileError) as raised:
        compile_(source, prelude=False, **options)
    return raised.value


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ("kernel   void f(device int* a)  {\n  a[0]   =   nope;\n}", 2, 14),
        ("kernel void f(device int* a [[buffer(0)]]) { a[0] = nope; }", 1, 53),
        ("kernel void f() {\n  /* é */ int x = /* ü */ nope;\n}", 2, 27),
        ("#define M(x) x + 1\nkernel void f(device int* a) {\n  a[0] = M(nope);\n}", 3, 10),
        ("#define M 1\nkernel void f(device int* a) {\n  a[M] = M + M + nope;\n}", 3, 18),
        ("kernel void f(device int* a) {\n  threadgroup Foo x[3];\n}", 2, 15),
        ("kernel void f(device Foo* a) {}", 1, 22),
        ("kernel void f(device int* a) {\n  threadgroup int x[3]; x[0] = nope;\n}", 2, 32),
    ],
)
def test_line_and_column(compile_: Compile, source: str, line: int, column: int) -> None:
    error = problem_of(compile_, source)
    first = error.problems[0]
    assert (first.path, first.line, first.column) == ("program_source", line, column)
    assert (error.filename, error.lineno, error.offset) == ("program_source", line, column)
    assert error.text == source.split("\n")[line - 1]


def test_an_error_in_a_header_names_the_header(compile_: Compile, tmp_path: Path) -> None:
    folder = tmp_path / "a b ü"
    folder.mkdir()
    (folder / "helper.h").write_text("inline int f() {\n    return nope;\n}\n")
    main = folder / "main.metal"
    main.write_text('#include "helper.h"\n')
    error = problem_of(compile_, main.read_text() + "kernel void k() {}", filename=str(main))
    first = error.problems[0]
    assert (first.path, first.line, first.column) == (str(folder / "helper.h"), 2, 12)


def test_a_missing_header_is_an_error_at_its_line(compile_: Compile) -> None:
    error = problem_of(compile_, '\n#include "not/there.h"\n')
    assert (error.lineno, error.problems[0].message) == (2, "'not/there.h' file not found")


def test_one_mistake_in_a_template_is_reported_once(compile_: Compile) -> None:
    source = (
        "template <typename T> kernel void f(device T* a) {\n  a[0] = a->nope;\n}\n"
        'template [[host_name("i")]] kernel void f<int>(device int*);\n'
        'template [[host_name("h")]] kernel void f<half>(device half*);\n'
    )
    error = problem_of(compile_, source)
    assert [(p.line, p.column) for p in error.problems] == [(2, 11)]
    assert [(n.line) for n in error.problems[0].notes] == [4]


def test_an_instantiation_that_fits_no_template_is_shown_there(compile_: Compile) -> None:
    source = (
        "template <typename T> kernel void f(device T* a) {}\n"
        'template [[host_name("i")]] kernel void f<int>(device float*);\n'
    )
    error = problem_of(compile_, source)
    assert error.problems[0].line == 2
    assert "mkls" not in str(error)


def test_an_error_inside_the_library_moves_to_the_call(compile_: Compile) -> None:
    error = problem_of(compile_, "kernel void f(device int* a) {\n  a[0] = as_type<int>(1.0h);\n}")
    assert (error.problems[0].line, "same size" in error.problems[0].message) == (2, True)


def test_edits_know_the_way_back() -> None:
    edited = EditedText("int foo [[a]]; bar", [Edit(4, 7, "x(foo)"), Edit(8, 13, blank("[[a]]"))])
    assert edited.text == "int x(foo)      ; bar"
    assert edited.original_offset(edited.text.index("foo")) == 4
    assert edited.original_offset(edited.text.index("bar")) == 15
