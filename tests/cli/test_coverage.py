"""The report of what runs on MPS, as text, as JSON, and as a page in a browser."""

import json
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from mkls.cli.formats.coverage_page import coverage_page
from mkls.cli.main import run
from tests.features.ripple import RIPPLE

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
NODE = shutil.which("node")
_FLAGS = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--disable-dev-shm-usage",
)


@pytest.fixture
def tree(tmp_path):
    for part in RIPPLE.split("//- ")[1:]:
        name, text = part.split("\n", 1)
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "tree"


@pytest.fixture
def report(tree, capsys):
    assert run(["coverage", "--root", str(tree), "--output-format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_json_has_every_row(report):
    assert {it["name"]: it["state"] for it in report["rows"]} == {
        "ripple": "Metal kernels",
        "ripple.out": "Metal kernels",
        "ripple.Scalar": "composite",
        "ripple_.Scalar": "missing",
        "wave": "host code",
    }
    assert report["gaps"] == 1
    assert report["states"]["Metal kernels"] == 2
    assert report["rows"][0] == {
        "name": "ripple",
        "operator": "ripple",
        "state": "Metal kernels",
        "kind": "",
        "function": "ripple_out",
        "delegate": "ripple.out",
        "elsewhere": ["CPU", "CUDA"],
        "migration": "shared with CPU, CUDA",
        "stubs": ["ripple_stub"],
        "kernels": ["ripple_float", "ripple_half"],
        "dtypes": ["float", "half"],
        "path": "aten/src/ATen/native/native_functions.yaml",
        "line": 1,
    }


def test_text_counts_states_and_lists_gaps_when_asked(tree, capsys):
    assert run(["coverage", "--root", str(tree)]) == 0
    text = capsys.readouterr().out
    assert "  Metal kernels                  2  40.0 %" in text
    assert text.endswith("but none for MPS; --gaps lists them\n")

    assert run(["coverage", "--root", str(tree), "--gaps"]) == 0
    assert capsys.readouterr().out.endswith("\n  ripple  ripple_.Scalar\n")


@pytest.mark.parametrize("command", [["coverage"], ["operator", "add"]])
def test_without_rows_the_call_is_wrong(tmp_path, capsys, command):
    assert run([*command, "--root", str(tmp_path)]) == 2
    assert "no `native_functions.yaml` is at hand" in capsys.readouterr().err


def test_the_card_of_an_operator(tree, capsys):
    assert run(["operator", "ripple.out", "--root", str(tree)]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# `ripple`\n")
    assert "- `ripple_stub` registered as ripple_mps_kernel: Ripple.mm:4" in text

    assert run(["operator", "ripple", "--root", str(tree), "--output-format", "json"]) == 0
    card = json.loads(capsys.readouterr().out)
    assert [it["name"] for it in card["kernels"]] == ["ripple_float", "ripple_half"]
    assert [it["role"] for it in card["functions"]] == ["dispatched to", "looks kernels up"]


def test_an_unknown_operator_gets_a_suggestion(tree, capsys):
    assert run(["operator", "rippel", "--root", str(tree)]) == 2
    assert "did you mean `ripple`?" in capsys.readouterr().err


class _Page(HTMLParser):
    """The tags and the scripts of a page; fails on an element that is not closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.links, self.scripts = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        self.ids += [named["id"]] if "id" in named else []
        self.links += [named[it] for it in ("src", "href") if it in named]
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["script"]:
            self.scripts.append(data)


def test_the_page_is_whole_and_needs_nothing_else(report):
    page = _Page(coverage_page(report))

    assert json.loads(page.scripts[0]) == report
    assert page.links == []
    assert len(page.ids) == len(set(page.ids))


def test_nothing_in_the_data_ends_the_script():
    page = _Page(coverage_page({"rows": ["</script><b>"]}))

    assert json.loads(page.scripts[0]) == {"rows": ["</script><b>"]}


@pytest.mark.skipif(not NODE, reason="needs node")
def test_filters_and_order(report, tmp_path):
    script = tmp_path / "page.js"
    script.write_text(_Page(coverage_page(report)).scripts[1])
    program = """
      const page = require(process.argv[1]);
      const rows = JSON.parse(process.argv[2]);
      const all = { states: new Set(), text: "", gaps: false, own: false };
      const names = (wanted) => rows.filter((it) => page.matches(it, { ...all, ...wanted }))
        .map((it) => it.name);
      console.log(JSON.stringify([
        names({}).length, names({ states: new Set(["missing"]) }), names({ gaps: true }),
        names({ own: true }), names({ text: "half RIPPLE_STUB" }),
        page.sorted(rows, "name", true)[0].name, page.sorted(rows, "kernels", true)[0].name,
      ]));
    """
    done = subprocess.run(
        [NODE, "-e", program, str(script), json.dumps(report["rows"])],
        check=True, capture_output=True, text=True,
    )  # fmt: skip

    assert json.loads(done.stdout) == [
        5,
        ["ripple_.Scalar"],
        ["ripple_.Scalar"],
        ["wave"],
        ["ripple", "ripple.out"],
        "wave",
        "ripple",
    ]


@pytest.mark.skipif(not BROWSER, reason="needs Chromium")
def test_a_browser_shows_it_and_filters(report, tmp_path):
    clicks = """<script>
      document.querySelector('[data-state="missing"]').click();
      document.title = document.getElementById("count").textContent;
      document.querySelector('[data-state="missing"]').click();
      const search = document.getElementById("search");
      search.value = "wave";
      search.dispatchEvent(new Event("input"));
    </script></body>"""
    page = tmp_path / "page.html"
    page.write_text(coverage_page(report).replace("</body>", clicks))
    done = subprocess.run(
        [BROWSER, *_FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", page.as_uri()],
        check=True, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    shown = done.stdout

    assert "<title>1 of 5 rows</title>" in shown
    assert '<p id="count" aria-live="polite">1 of 5 rows</p>' in shown
    assert 'class="name" title="aten/src/ATen/native/native_functions.yaml:16">wave</td>' in shown
    assert shown.count("<tr>") == 1
