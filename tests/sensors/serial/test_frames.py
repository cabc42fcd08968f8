"""Frames on the serial line: what is sent is received, and nothing else."""

import zlib
from typing import Any

import pytest
from cobs import cobs
from companion.sensors.serial.frames import (
    MAX_ENCODED,
    MAX_PAYLOAD,
    Frame,
    FrameDecoder,
    FrameError,
    cobs_decode,
    cobs_encode,
    decode_frame,
    encode_frame,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.sensors.serial.fuzz import fuzz
from tests.sensors.serial.wire_vectors import NAMES, VECTORS

FRAMES = st.builds(Frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=MAX_PAYLOAD))


def frames_of(decoder: FrameDecoder) -> list[Frame]:
    """Return all frames that a decoder has ready."""
    frames = []
    while (frame := decoder.next_frame()) is not None:
        frames.append(frame)
    return frames


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_vectors(vector: dict[str, Any]) -> None:
    """Each vector of the protocol encodes to its bytes and decodes from them."""
    frame = Frame(vector["type"], vector["seq"], bytes.fromhex(vector["payload"]))
    encoded = bytes.fromhex(vector["wire"])

    assert encoded == encode_frame(frame)
    assert frame == decode_frame(encoded[:-1])


def test_check_values() -> None:
    """The checksum is zlib's CRC-32, and its residue over data and checksum is the protocol's
    constant.
    """
    data = b"123456789"
    crc = zlib.crc32(data)

    assert (0xCBF43926, 0x2144DF1C) == (crc, zlib.crc32(data + crc.to_bytes(4, "little")))


@given(st.binary(max_size=1000))
def test_cobs_is_the_known_one(data: bytes) -> None:
    """Our COBS encodes as an independent implementation does, without a zero, and decodes what that
    encoded.
    """
    encoded = cobs_encode(data)

    assert data == cobs_decode(cobs.encode(data)) == cobs.decode(encoded) == cobs_decode(encoded)
    assert 0 not in encoded


@given(st.binary(max_size=300))
def test_cobs_refuses_what_the_known_one_refuses(encoded: bytes) -> None:
    """Bytes that an independent implementation cannot decode are no COBS here either, and vice
    versa.
    """
    try:
        expected = cobs.decode(encoded)
    except cobs.DecodeError:
        with pytest.raises(FrameError):
            cobs_decode(encoded)
    else:
        assert expected == cobs_decode(encoded)


@pytest.mark.slow
@given(st.lists(FRAMES, max_size=6), st.integers(1, 40))
def test_pieces_of_any_size(frames: list[Frame], size: int) -> None:
    """A stream in any pieces gives the same frames; empty frames are ignored."""
    stream = b"\x00".join(encode_frame(frame) for frame in frames)
    decoder = FrameDecoder()
    for start in range(0, len(stream), size):
        decoder.receive(stream[start : start + size])

    assert frames == frames_of(decoder)
    assert 0 == decoder.rejected


@given(FRAMES)
def test_longest_frame_fits(frame: Frame) -> None:
    """An encoded frame with its delimiter is at most 208 bytes."""
    assert len(encode_frame(frame)) <= MAX_ENCODED + 1 == 208


def test_too_long_is_refused() -> None:
    """A payload of more than 200 bytes is refused."""
    with pytest.raises(FrameError):
        encode_frame(Frame(1, 1, bytes(MAX_PAYLOAD + 1)))


def test_endless_bytes_are_dropped() -> None:
    """Bytes without a delimiter are dropped unread, and the next frame after one is received."""
    decoder = FrameDecoder()
    for _ in range(10_000):
        decoder.receive(b"\x01" * 100)
    decoder.receive(b"\x00" + encode_frame(Frame(2, 3)))

    assert [Frame(2, 3)] == frames_of(decoder)
    assert 1 == decoder.rejected


@given(st.binary(max_size=600), FRAMES, FRAMES)
def test_in_step_within_two_frames(noise: bytes, first: Frame, second: Frame) -> None:
    """After any noise the second frame at the latest is received."""
    decoder = FrameDecoder()
    decoder.receive(noise + encode_frame(first) + encode_frame(second))

    assert frames_of(decoder)[-1] == second


@pytest.mark.slow
def test_fuzzed_frames() -> None:
    """Of many mutated frames none raises, and no frame is accepted that was not sent."""
    report = fuzz(frames=20_000, seed=1)

    assert (0, 0, 0) == (report.crash, report.wrong_accepted, report.out_of_step)
