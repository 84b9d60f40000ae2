import os
import stat

import pytest

from mkls.session.disk import read_text, write_text


def test_bytes_that_are_no_utf8_survive(tmp_path):
    path = tmp_path / "latin1.mm"
    path.write_bytes(b"// caf\xe9\r\nint x;\r")

    write_text(path, read_text(str(path)).replace("int", "long"))

    assert path.read_bytes() == b"// caf\xe9\r\nlong x;\r"


def test_a_byte_order_mark_is_no_text_but_stays(tmp_path):
    path = tmp_path / "marked.metal"
    path.write_bytes(b"\xef\xbb\xbfkernel")

    text = read_text(str(path))
    write_text(path, text + "s")

    assert text == "kernel"
    assert path.read_bytes() == b"\xef\xbb\xbfkernels"


def test_permissions_and_links_stay(tmp_path):
    path = tmp_path / "real.mm"
    path.write_text("a", encoding="utf-8")
    path.chmod(0o640)
    link = tmp_path / "link.mm"
    link.symlink_to(path)

    write_text(link, "b")

    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == "b"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(it.name for it in tmp_path.iterdir()) == ["link.mm", "real.mm"]


def test_an_empty_file_reads_as_empty(tmp_path):
    path = tmp_path / "empty.mm"
    path.touch()

    assert read_text(str(path)) == ""


def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    path = tmp_path / "pipe.metal"
    os.mkfifo(path)

    with pytest.raises(OSError, match="not a regular file"):
        read_text(str(path))
