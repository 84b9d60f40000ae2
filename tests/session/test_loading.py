from pathlib import Path

from mkls.cli.demo import SAMPLE
from mkls.features.diagnostics import all_findings
from mkls.session.config import Config
from mkls.session.loading import load_workspace, uris_below
from mkls.text.document import Language, Uri, uri_of


def write(root: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return root


def test_progress_counts_every_file():
    steps: list[tuple[int, int]] = []

    session = load_workspace(SAMPLE, Config(), lambda done, total: steps.append((done, total)))

    total = len(session.snapshot().sources)
    assert steps == [(done, total) for done in range(1, total + 1)]


def test_what_is_excluded_is_not_read(tmp_path):
    root = write(tmp_path, {"a.metal": "", "old/b.metal": ""})

    session = load_workspace(root, Config(exclude=("old/*",)))

    assert uri_of(str(root / "old/b.metal")) not in session.snapshot().sources
    assert uri_of(str(root / "a.metal")) in session.snapshot().sources


def test_sources_outside_pytorch_include_the_headers_of_the_installed_torch(tmp_path):
    source = (
        "#include <c10/metal/indexing.h>\n"
        "struct twice_functor {\n"
        "  template <typename T> T operator()(const T x) { return x + x; }\n"
        "};\n"
        "REGISTER_UNARY_OP(twice, float, float);\n"
    )
    root = write(tmp_path, {"twice.metal": source})

    snapshot = load_workspace(root, Config()).snapshot()

    assert "twice_dense_float_float" in snapshot.kernels.by_host_name
    assert snapshot.kernels.complete
    assert snapshot.library
    assert all_findings(snapshot, snapshot.sources) == []


def test_configured_folders_come_before_torch(tmp_path):
    macro = (
        "#define MAKE(N) [[host_name(#N)]] kernel void N##_k(device float* o [[buffer(0)]]) {}\n"
    )
    root = write(
        tmp_path,
        {
            "src/a.metal": "#include <c10/metal/own.h>\nMAKE(own)\n",
            "vendor/c10/metal/own.h": f"#pragma once\n{macro}",
        },
    )

    snapshot = load_workspace(root, Config(include_dirs=("vendor",))).snapshot()

    assert "own" in snapshot.kernels.by_host_name


def test_a_header_with_metal_in_it_is_metal(tmp_path):
    root = write(tmp_path, {"u.h": "#include <metal_stdlib>\n", "v.h": "#include <vector>\n"})

    sources = load_workspace(root, Config()).snapshot().sources

    languages = {uri.rpartition("/")[2]: it.document.language for uri, it in sources.items()}
    assert languages["u.h"] is Language.METAL
    assert languages["v.h"] is Language.CPP


def test_uris_below():
    uris = [Uri("file:///a/b.mm"), Uri("file:///a/bc/d.mm"), Uri("file:///a/b/e.mm")]

    assert uris_below(uris, [Path("/a/b")]) == [Uri("file:///a/b/e.mm")]
    assert uris_below(uris, [Path("/a/b.mm")]) == [Uri("file:///a/b.mm")]
