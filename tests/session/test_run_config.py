"""The table `run`."""

import pytest

from mkls.rules import RULES
from mkls.session.config import load_config
from mkls.session.run_config import RunConfig, run_config


def test_what_is_set_is_read():
    table = {
        "enabled": True,
        "python": "/opt/python",
        "command": ["ssh", "mac"],
        "backend": "mps",
        "check": False,
        "timeout": 3,
    }

    config, messages = run_config(table, "settings")

    assert config == RunConfig(True, "/opt/python", ("ssh", "mac"), "mps", False, 3.0)
    assert messages == ()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("enabled", "yes"),
        ("python", 3),
        ("command", "ssh mac"),
        ("command", [1]),
        ("backend", "cuda"),
        ("backend", []),
        ("check", 1),
        ("timeout", 0),
        ("timeout", True),
        ("timeout", "1s"),
    ],
)
def test_a_value_of_another_kind_is_ignored_with_a_message(key, value):
    config, (message,) = run_config({key: value, "check": True} | {key: value}, "mkls.toml")

    assert getattr(config, key) is None
    assert message.startswith(f"mkls.toml: `run.{key}` expects ")


def test_an_unknown_key_is_told_with_those_that_are_known():
    config, (message,) = run_config({"pyton": "x", "check": None}, "settings")

    assert config == RunConfig()
    assert message == (
        "settings: unknown key `run.pyton`; "
        "known are enabled, python, command, backend, check, timeout"
    )


def test_what_is_no_table_is_ignored():
    assert run_config(5, "settings")[1] == ("settings: `run` expects a table; it is ignored",)
    assert run_config(None, "settings") == (RunConfig(), ())


def test_the_editor_wins_but_cannot_allow_what_the_workspace_forbids():
    stored = RunConfig(enabled=False, backend="mps", timeout=3.0, check=True)
    edited = RunConfig(enabled=True, python="", command=(), check=False, timeout=1.0)

    assert edited.over(stored) == RunConfig(enabled=False, backend="mps", timeout=1.0, check=False)


def test_a_workspace_names_no_programs(tmp_path):
    text = '[run]\npython = "python3"\nbackend = "emulator"\nfast = true\n'
    (tmp_path / "mkls.toml").write_text(text)

    found = load_config(tmp_path, RULES)

    assert found.run == RunConfig(backend="emulator")
    unknown, forbidden = found.messages
    assert unknown.startswith("mkls.toml: unknown key `run.fast`")
    assert forbidden.startswith("mkls.toml: `run.python` and `run.command` name a program")
