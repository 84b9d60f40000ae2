import pytest

from mkls.text.document import Language, Uri, language_of, language_of_text, path_of, uri_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("aten/src/ATen/native/native_functions.yaml", Language.NATIVE_FUNCTIONS),
        ("aten/src/ATen/native/mps/kernels/Cross.metal", Language.METAL),
        ("aten/src/ATen/native/mps/kernels/SortMerge.h", Language.METAL),
        ("c10/metal/utils.h", Language.METAL),
        ("aten/src/ATen/native/mps/OperationUtils.h", Language.CPP),
        ("aten/src/ATen/native/mps/operations/Cross.mm", Language.HOST),
        ("torchgen/model.py", Language.TORCHGEN),
        ("aten/src/ATen/native/tags.yaml", Language.TORCHGEN),
        ("setup.py", Language.PYTHON),
        ("setup.cfg", None),
        ("other.yaml", None),
        ("README", None),
    ],
)
def test_the_name_tells_the_language(path, language):
    assert language_of(Uri(f"file:///repo/{path}")) is language


@pytest.mark.parametrize("path", ["/a b/ü.metal", "/plain.mm", "/50%/#1.mm"])
def test_a_path_survives_the_way_to_a_uri_and_back(path):
    assert path_of(uri_of(path)) == path


def test_windows_drives():
    assert uri_of("C:\\a\\b.mm") == "file:///C%3A/a/b.mm"
    assert path_of(Uri("file:///C%3A/a/b.mm")) == "C:/a/b.mm"


def test_other_schemes_have_no_path():
    assert path_of(Uri("untitled:Untitled-1")) == "untitled:Untitled-1"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("#pragma once\n#include <metal_stdlib>\n", Language.METAL),
        ("#pragma once\nusing namespace metal;\nfloat twice(float x);\n", Language.METAL),
        ("template <typename T>\n[[kernel]] void arange(device T* out) {}\n", Language.METAL),
        ("void fill(uint i [[thread_position_in_grid]]);\n", Language.METAL),
        ("#pragma once\n#include <ATen/Tensor.h>\n", Language.CPP),
        ('const char* SOURCE = R"(\n#include <metal_stdlib>\n)";\n', Language.CPP),
    ],
)
def test_the_text_of_a_header_tells_its_language(text, language):
    assert language_of_text(Uri("file:///repo/src/utils.h"), text) is language
    assert language_of_text(Uri("file:///repo/src/utils.cpp"), text) is Language.CPP


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("aten/src/ATen/native/native_functions.yaml", "", Language.NATIVE_FUNCTIONS),
        ("native_functions.yaml", "- func: f() -> ()\n", Language.NATIVE_FUNCTIONS),
        ("native_functions.yaml", "# rows\n- func: f(\n", Language.NATIVE_FUNCTIONS),
        ("config/native_functions.yaml", "functions:\n  - name: a\n", None),
    ],
)
def test_another_project_may_call_anything_native_functions(path, text, language):
    assert language_of_text(Uri(f"file:///repo/{path}"), text) is language


@pytest.mark.parametrize(
    ("path", "text", "language"),
    [
        ("ops.py", "lib = torch.mps.compile_shader(SOURCE)\n", Language.PYTHON),
        ("ops.py", "import torch\n", None),
        ("torch/testing/_internal/common_mps.py", "", Language.PYTHON),
    ],
)
def test_a_python_file_is_read_for_what_it_says_of_mps(path, text, language):
    assert language_of_text(Uri(f"file:///repo/{path}"), text) is language
