import pytest

from mkls.cli.progress import ProgressBar


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("mkls.cli.progress.time.monotonic", lambda: now[0])
    return now


def test_short_work_shows_no_bar(clock, capsys):
    bar = ProgressBar("reading", shown=True)
    clock[0] = 0.9
    bar(5, 10)
    bar.clear()

    assert capsys.readouterr().err == ""


def test_after_a_second_the_bar_is_drawn_and_in_the_end_erased(clock, capsys):
    bar = ProgressBar("reading", shown=True)
    clock[0] = 1.1
    bar(5, 10)
    drawn = capsys.readouterr().err
    bar.clear()

    assert drawn.startswith("\rreading ███████████████░")
    assert drawn.endswith("5/10")
    assert capsys.readouterr().err == "\r\x1b[K"


def test_it_is_not_redrawn_at_every_step(clock, capsys):
    bar = ProgressBar("reading", shown=True)
    clock[0] = 1.1
    bar(5, 10)
    bar(6, 10)

    assert "6/10" not in capsys.readouterr().err


def test_without_a_terminal_nothing_is_drawn(clock, capsys):
    bar = ProgressBar("reading", shown=False)
    clock[0] = 9.0
    bar(5, 10)
    bar.clear()

    assert capsys.readouterr().err == ""
