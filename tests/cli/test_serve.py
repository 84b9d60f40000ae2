"""`mkls serve`: calls that cannot be carried out."""

import socket

import pytest

from mkls.cli.main import run


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_number_that_is_no_port_is_refused(port, capsys):
    with pytest.raises(SystemExit) as refused:
        run(["serve", f"--tcp={port}"])

    assert refused.value.code == 2
    assert "argument --tcp" in capsys.readouterr().err


def test_a_port_in_use_is_said_to_be_in_use(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        assert run(["serve", "--tcp", str(port)]) == 2

    assert f"cannot listen on port {port}: " in capsys.readouterr().err
