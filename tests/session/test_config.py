import pytest

from mkls.diagnostics.model import Severity
from mkls.rules import RULES
from mkls.session.config import Config, load_config


def config(tmp_path, text: str, name: str = "mkls.toml") -> Config:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return load_config(tmp_path, RULES)


def test_no_file_means_the_defaults(tmp_path):
    assert load_config(tmp_path, RULES) == Config()


def test_every_key(tmp_path):
    (tmp_path / "third_party/torch/include").mkdir(parents=True)
    found = config(
        tmp_path,
        """
select = ["dispatch"]
extend-select = ["unresolved-kernel-name"]
ignore = "duplicate-host-name, stub"
exclude = ["old/*"]
include-dirs = ["third_party/torch/include"]
severity = { unresolved-kernel-name = "warning" }
per-file-ignores = { "tests/*" = ["all"] }
msl = "all"
""",
    )

    assert found.messages == ()
    assert found.selection.select == ("dispatch",)
    assert found.selection.extend_select == ("unresolved-kernel-name",)
    assert found.selection.ignore == ("duplicate-host-name", "stub")
    assert found.selection.severities == {"unresolved-kernel-name": Severity.WARNING}
    assert found.selection.per_file_ignores == {"tests/*": ("all",)}
    assert found.exclude == ("old/*",)
    assert found.include_dirs == ("third_party/torch/include",)
    assert found.msl == "all"


@pytest.mark.parametrize("value", ['"never"', "true", "[]"])
def test_which_metal_is_compiled_is_one_of_three_words(tmp_path, value):
    found = config(tmp_path, f"msl = {value}\n")

    assert found.msl is None
    assert found.messages == (
        'mkls.toml: `msl` expects "changed" or "all" or "off"; it is ignored',
    )


def test_folders_of_headers_that_are_missing_are_told(tmp_path):
    (tmp_path / "here").mkdir()

    found = config(tmp_path, 'include-dirs = ["here", "gone"]')

    assert found.messages == ("mkls.toml: `include-dirs`: gone: no such folder",)


def test_the_home_folder_may_be_a_tilde(tmp_path, monkeypatch):
    (tmp_path / "home/pytorch").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))

    found = config(tmp_path, 'include-dirs = ["~/pytorch"]')

    assert found.include_dirs == (str(tmp_path / "home/pytorch"),)
    assert found.messages == ()


def test_the_table_of_a_project(tmp_path):
    found = config(tmp_path, '[tool.mkls]\nignore = ["stub"]\n', "pyproject.toml")

    assert found.selection.ignore == ("stub",)


def test_a_project_without_the_table(tmp_path):
    assert config(tmp_path, "[tool.other]\n", "pyproject.toml") == Config()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("selct = []", "mkls.toml: unknown key `selct`; known are select"),
        ("select = [1]", "mkls.toml: `select` expects a list of strings; it is ignored"),
        ('ignore = ["nope"]', "mkls.toml: `nope` is no rule and no group; see `mkls rules`"),
        ('severity = { stub = "loud" }', "mkls.toml: `severity` expects a table of names"),
        ('severity = { stub = ["error"] }', "mkls.toml: `severity` expects a table of names"),
        ("per-file-ignores = 3", "mkls.toml: `per-file-ignores` expects a table from globs"),
        ("select = [", "mkls.toml: Invalid value (at end of document); the defaults apply"),
    ],
)
def test_what_is_wrong_is_said_and_the_rest_counts(tmp_path, text, message):
    found = config(tmp_path, text)

    (said,) = found.messages
    assert said.startswith(message)
    assert found.selection.severities == {}


def test_a_byte_order_mark_is_no_mistake(tmp_path):
    found = config(tmp_path, '\ufeffignore = ["stub"]')

    assert found.selection.ignore == ("stub",)
    assert found.messages == ()


def test_hints_and_lenses_that_are_switched_off(tmp_path):
    found = config(
        tmp_path,
        """
code-lens = false
[inlay-hints]
buffer-indices = false
hostNames = false
dtypes = true
""",
    )

    assert found.messages == ()
    assert found.hidden_hints == {"buffer-indices", "host-names"}
    assert found.hidden_lenses == {"run", "users", "dtypes", "rows"}


def test_unknown_hints_are_told_of(tmp_path):
    found = config(tmp_path, 'code-lens = 3\n[inlay-hints]\ntypes = false\ndtypes = "no"\n')

    assert [it.partition(": ")[2] for it in found.messages] == [
        "unknown key `inlay-hints.types`; known are buffer-indices, host-names, resolution, dtypes",
        "`inlay-hints.dtypes` expects true or false; it is ignored",
        "`code-lens` expects a table; it is ignored",
    ]
