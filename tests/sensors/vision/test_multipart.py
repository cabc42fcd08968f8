"""The parts of a camera's stream, in any pieces."""

from __future__ import annotations

from email.message import Message
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensors.vision.frames.multipart import (
    MAX_PART_HEADER,
    BadMultipart,
    MultipartSplitter,
    PartTooLarge,
)

MOST = 5000
# No line end last: without a length, the one before a delimiter belongs to the delimiter.
PARTS = st.lists(st.binary(max_size=300).map(lambda data: data + b"\xff\xd9"), max_size=5)


def body(parts: list[bytes], *, lengths: bool, end: bytes = b"\r\n") -> bytes:
    """Return a camera's stream: one delimiter before each part, and one at the end."""
    stream = b""
    for part in parts:
        header = Message()
        header["Content-Type"] = "image/jpeg"
        if lengths:
            header["content-length"] = str(len(part))
        lines = b"".join(f"{name}: {value}".encode() + end for name, value in header.items())
        stream += b"--fence" + end + lines + end + part + end
    return stream + b"--fence--" + end


@pytest.mark.slow
@given(PARTS, st.booleans(), st.sampled_from([b"\r\n", b"\n"]), st.lists(st.integers(0, 2000)))
def test_parts_do_not_depend_on_the_pieces(
    parts: list[bytes], lengths: bool, end: bytes, cuts: list[int]
) -> None:
    """Cut anywhere, with lengths or without, a stream gives its parts."""
    stream = body(parts, lengths=lengths, end=end)
    edges = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    splitter = MultipartSplitter(b"fence", MOST)

    assert parts == [part for a, b in pairwise(edges) for part in splitter.feed(stream[a:b])]


def test_a_boundary_with_its_hyphens() -> None:
    """A camera may announce the delimiter as the boundary."""
    stream = body([b"one\xff\xd9", b"two\xff\xd9"], lengths=False)

    assert [b"one\xff\xd9", b"two\xff\xd9"] == list(
        MultipartSplitter(b"--fence", MOST).feed(stream)
    )


@pytest.mark.parametrize("lengths", [True, False])
def test_a_huge_part_is_refused(lengths: bool) -> None:
    """A part may have the most bytes and no more, and is refused before it is stored."""
    stream = body([b"x" * MOST], lengths=lengths)
    assert [b"x" * MOST] == list(MultipartSplitter(b"fence", MOST).feed(stream))
    endless = MultipartSplitter(b"fence", MOST)
    with pytest.raises(PartTooLarge):
        list(endless.feed(b"--fence\r\n\r\n"))
        for _ in range(MOST):
            list(endless.feed(b"xx"))

    if lengths:
        with pytest.raises(PartTooLarge):
            list(MultipartSplitter(b"fence", MOST - 1).feed(stream))


def test_no_delimiter_is_refused() -> None:
    """Bytes without a delimiter, and a header without an end, are refused."""
    for noise in (b"", b"--fence\r\nX: "):
        with pytest.raises(BadMultipart):
            list(MultipartSplitter(b"fence", MOST).feed(noise + b"x" * (MAX_PART_HEADER + 1)))
