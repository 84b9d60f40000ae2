"""Messages are cut out of the stream wherever it is broken."""

from hypothesis import given
from hypothesis import strategies as st

from mkls.server.frames import Frames
from tests.support.lsp_client import frame


@given(st.lists(st.binary(max_size=20)), st.data())
def test_chunks_do_not_matter(bodies, data):
    stream = b"".join(frame(body) for body in bodies)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    frames = Frames()

    chunks = (
        stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)
    )

    assert [body for chunk in chunks for body in frames.feed(chunk)] == bodies


@given(st.binary(max_size=60))
def test_nothing_that_arrives_raises(noise):
    frames = Frames()

    assert all(body is None or isinstance(body, bytes) for body in frames.feed(noise))


def test_a_bad_head_does_not_hurt_what_follows():
    stream = b"Content-Length: many\r\n\r\n" + frame(b"{}")

    assert Frames().feed(stream) == [None, b"{}"]
