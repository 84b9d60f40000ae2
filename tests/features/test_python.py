"""Metal sources in strings of Python, and the kernels that Python asks for."""

from mkls.features.code_lens import lens_words, lenses
from mkls.features.document_symbols import document_symbols
from mkls.features.hover import hover
from mkls.features.rename import renameable
from mkls.features.rename_plan import Refusal
from mkls.server.virtual_documents import shader_at
from tests.support.features import check_definition, check_references
from tests.support.fixture import parse

STRING = '''
//- wave.py
import torch
lib = torch.mps.compile_shader("""
kernel void rise(device float* out, uint i [[thread_position_in_grid]]) { out[i] = 1; }
#           ^^^^ definition
""")
def run(x):
    lib.ri$0se(x)
'''
PIECES = r"""
//- wave.py
import torch
HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
lib = torch.mps.compile_shader(
    HEAD + "kernel void fall(device float* down) { down[0] = rsqrt(2.0f); }\n"
)
def run(x):
    lib.fall(x)
"""
BESIDE = """
//- wave.py
from pathlib import Path
import torch
lib = torch.mps.compile_shader((Path(__file__).parent / "wave.metal").read_text())
def run(x):
    lib.rise(x)
#       ^^^^ reference

//- wave.metal
kernel void ri$0se(device float* out) { out[0] = 1; }
//          ^^^^ declared
"""


def test_a_call_leads_to_the_kernel_in_the_string():
    check_definition(STRING)


def test_a_kernel_in_a_string_leads_to_who_asks_for_it():
    check_definition(
        STRING.replace("#           ^^^^ definition\n", "")
        .replace("rise(device", "ri$0se(device")
        .replace("ri$0se(x)", "rise(x)\n#       ^^^^ definition")
    )


def test_references_of_a_file_are_in_python():
    check_references(BESIDE)


def test_references_of_a_kernel_in_a_string():
    check_references(
        STRING.replace("definition", "declared").replace(
            "ri$0se(x)", "ri$0se(x)\n#       ^^^^ reference"
        )
    )


def _hover(text: str, at: str) -> tuple[str, str]:
    fixture = parse(text.replace("$0", ""))
    (uri,) = (it for it in fixture.snapshot.sources if it.endswith(".py"))
    document = fixture.snapshot.sources[uri].document
    found = hover(fixture.snapshot, uri, document.text.index(at) + 1)
    assert found is not None
    return found.span.of(document.text), found.markdown


def test_hovers_in_pieces_of_a_source():
    span, page = _hover(PIECES, "down[0]")
    assert span == "down"
    assert "buffer **0** of kernel `fall`, the lowest free number, only written" in page
    assert _hover(PIECES, "rsqrt")[1].startswith("```cpp\nT rsqrt(T x)")
    span, page = _hover(PIECES, "fall(device")
    assert span == "fall"
    assert "asked for by wave.py:7" in page
    span, page = _hover(PIECES, "fall(x)")
    assert page.startswith("kernel **`fall`**, from wave.py:4\n\n| #")


def test_what_is_called_on_the_way_to_a_kernel_is_none():
    text = STRING.replace("lib.ri$0se(x)", "kernel = lib.rise\n    kernel(x)")
    assert _hover(text, "kernel(x)")[0] == "kernel"
    fixture = parse(text)
    (uri,) = fixture.snapshot.sources
    written = fixture.snapshot.sources[uri].document.text
    assert hover(fixture.snapshot, uri, written.index("lib.rise") + 1) is None


def test_the_outline_holds_the_kernels_of_each_string():
    fixture = parse(PIECES)
    (uri,) = fixture.snapshot.sources
    (shader,) = document_symbols(fixture.snapshot, uri)

    assert [it.name for it in shader.children] == ["fall"]
    assert shader.children[0].span.of(fixture.snapshot.sources[uri].document.text) == "fall"


def test_the_whole_source_of_pieces_is_shown():
    fixture = parse(PIECES)
    (uri,) = fixture.snapshot.sources
    at = fixture.snapshot.sources[uri].document.text.index("fall(device")

    shown = shader_at(fixture.snapshot, uri, at)
    assert shown is not None
    assert shown.startswith("#include <metal_stdlib>\nusing namespace metal;\nkernel void fall(")


def test_names_are_not_changed_in_python():
    fixture = parse(STRING)

    assert isinstance(renameable(fixture.snapshot, *fixture.place), Refusal)


def test_a_lens_counts_what_python_asks_for():
    fixture = parse(BESIDE)
    uri = fixture.place[0]

    (lens,) = lenses(fixture.snapshot, uri)
    assert lens_words(fixture.snapshot, lens.kind, lens.names) == "1 look-up · 0 rows"
