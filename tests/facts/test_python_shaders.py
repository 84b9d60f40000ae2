"""What a Python file states about shaders."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mkls.facts.python import python_facts
from mkls.facts.python_shaders import shader_calls
from mkls.text.edit import Edit, apply_edits
from mkls.text.source_text import document_span, text_offset, verbatim_span
from mkls.text.span import Span
from tests.support.trees import EXTENSION

MSL = "kernel void f(device float* out) {}"


def source_of(expression: str, before: str = "") -> str | None:
    """Return the MSL that `expression` stands for."""
    text = f"import torch\n{before}\nlib = torch.mps.compile_shader({expression})\n"
    (library,) = shader_calls(text).libraries
    return library.shader.text if library.shader else None


@pytest.mark.parametrize(
    ("expression", "before"),
    [
        (f'"{MSL}"', ""),
        (f"source='{MSL}'", ""),
        ("SOURCE", f'SOURCE = "{MSL}"'),
        ('"kernel void " + NAME + REST', 'NAME = "f"\nREST = "(device float* out) {}"'),
        ('"kernel void %s(device float* out) {}" % NAME', 'NAME = "f"'),
        ('f"kernel void {NAME}(device float* out) {{}}"', 'NAME = "f"'),
        ('"kernel void {}(device {t}* out) {{}}".format("f", t="float")', ""),
        ('SOURCE.replace("NAME", "f")', f'SOURCE = "{MSL}".replace("f(", "NAME(")'),
        (
            "source()",
            f'def source(kind="f"):\n    return f"{MSL[:12]}{{kind}}{MSL[13:-2]}{{{{}}}}"',
        ),
        (f'textwrap.dedent("""\\\n    {MSL}""")', "import textwrap"),
        (f'("""\n{MSL}\n""").strip()', ""),
        ('TABLE["f"]', f'TABLE = {{"f": "{MSL}"}}'),
    ],
)
def test_a_source_is_put_together(expression, before):
    assert source_of(expression, before) == MSL


@pytest.mark.parametrize(
    ("expression", "before"),
    [
        ("SOURCE", "from elsewhere import SOURCE"),
        ("SOURCE", f'SOURCE = "{MSL}"\nSOURCE += more()'),
        ("SOURCE", f'SOURCE = "{MSL}"\nSOURCE = "other"'),
        (
            "source()",
            f'import random\ndef source():\n    return "{MSL}" if random.random() else ""',
        ),
        ("source()", f'def source():\n    yield "{MSL}"'),
        ('f"{MSL:>80}"', f'MSL = "{MSL}"'),
        ('"%5d" % 3', ""),
        ('"a" * 3', ""),
        ("", ""),
    ],
)
def test_what_is_not_certain_is_not_told(expression, before):
    assert source_of(expression, before) is None


def test_places_in_the_source_are_places_in_the_file():
    text = (
        'import torch\nHEAD = "#define A 1\\n"\nlib = torch.mps.compile_shader(\n'
        '    HEAD + f"kernel void é{1}f(device float* out) {{ }}")\n'
    )
    shader = shader_calls(text).libraries[0].shader
    assert shader is not None

    for word in ("#define", "kernel", "é", "float"):
        at = shader.text.index(word)
        span = Span(at, at + len(word))
        place = document_span(shader.runs, span)
        assert place is not None
        assert place.of(text) == word
        assert verbatim_span(shader.runs, span) == place
        assert text_offset(shader.runs, place.start) == at
    brace = shader.text.index("{")
    place = document_span(shader.runs, Span(brace, brace + 1))
    assert place is not None
    assert place.of(text) == "{{"
    assert verbatim_span(shader.runs, Span(brace, brace + 1)) is None


@pytest.mark.parametrize(
    ("expression", "path", "beside"),
    [
        ('Path(__file__).with_name("a.metal").read_text()', "a.metal", True),
        ('(Path(__file__).parent / "k" / "a.metal").read_text("utf-8")', "k/a.metal", True),
        (
            'Path(__file__).resolve().parent.parent.joinpath("a.metal").read_text()',
            "../a.metal",
            True,
        ),
        ('open(os.path.join(os.path.dirname(__file__), "a.metal")).read()', "a.metal", True),
        ('importlib.resources.files("p.q").joinpath("a.metal").read_text()', "p/q/a.metal", False),
        ('Path("kernels/a.metal").read_text()', "kernels/a.metal", False),
    ],
)
def test_a_source_in_a_file(expression, path, beside):
    text = (
        "import importlib.resources, os, torch\nfrom pathlib import Path\n"
        f"lib = torch.mps.compile_shader({expression})\n"
    )
    file = shader_calls(text).libraries[0].file

    assert file is not None
    assert (file.path, file.beside) == (path, beside)


SAMPLES = {it.name: it.read_text("utf-8") for it in sorted((EXTENSION / "ripple").glob("*.py"))}
SNIPPETS = (
    *"()[]{}\"'\\,.:=\n \t#",
    '"""',
    "'''",
    "f'{",
    "def f():\n",
    "    ",
    "é😋",
    "\r\n",
    "@x\n",
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(SAMPLES)), st.data())
def test_reading_a_broken_file_never_fails(name, data):
    text = SAMPLES[name]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 8)))
        text = apply_edits(text, [Edit(Span(start, end), data.draw(st.sampled_from(SNIPPETS)))])

    facts = python_facts(text).shaders

    for launch in facts.launches:
        assert 0 <= launch.span.start <= launch.span.end <= len(text)
        assert launch.library < len(facts.libraries)
    for library in facts.libraries:
        for run in library.shader.runs if library.shader else ():
            assert run.span.end <= len(text)


def test_a_half_typed_function_hides_no_other():
    text = SAMPLES["waves.py"]
    broken = text.replace("def row_sums(x: torch.Tensor)", "def row_sums(x: torch.")

    kernels = {it.kernel for it in shader_calls(broken).launches}

    assert kernels == {"wave_copy_float", "wave_copy_half"}


def test_a_kernel_of_another_class_is_named_where_it_stands():
    text = (
        "import torch\nclass A:\n"
        f'    lib = torch.mps.compile_shader("{MSL}")\n    kernel = lib.f\n\n'
        "def run(out):\n    A.kernel(out)\n    A.lib.g(out)\n"
    )

    names = [it.name.span.of(text) for it in shader_calls(text).references]

    assert names == ["f", "g"]
