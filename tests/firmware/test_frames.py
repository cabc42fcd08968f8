"""The firmware's frame code, compiled for this computer and compared with the companion's and the
shared vectors.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

import pytest
from companion.sensors.serial.frames import (
    MAX_PAYLOAD,
    Frame,
    FrameError,
    decode_frame,
    encode_frame,
)

from tests.firmware.conftest import FIRMWARE, needed
from tests.sensors.serial.wire_vectors import VECTORS

Program = Callable[[Iterable[str]], list[str]]
ROUNDS = 20_000


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Run the firmware's frame.c as a program: lines in, lines out."""
    needed("gcc")
    binary = tmp_path_factory.mktemp("frames") / "frames"
    sources = [Path(__file__).with_name("frames_program.c"), FIRMWARE / "protocol" / "frame.c"]
    warnings = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-g"]
    subprocess.run(
        ["gcc", *warnings, "-I", FIRMWARE / "protocol", "-o", binary, *sources], check=True
    )

    def run(lines: Iterable[str]) -> list[str]:
        result = subprocess.run(
            [binary], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
        )
        return result.stdout.splitlines()

    return run


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_vectors(program: Program, vector: dict[str, str]) -> None:
    """The firmware encodes every frame of vectors.json byte by byte, and decodes it."""
    body = f"{int(vector['type']):02x}{int(vector['seq']):02x}{vector['payload']}"

    encoded, read = program(
        [f"encode {vector['type']} {vector['seq']} {vector['payload']}", f"decode {vector['wire']}"]
    )

    assert (vector["wire"], body) == (encoded, read.strip())


def test_any_frame_is_made_alike(program: Program) -> None:
    """Both ends encode any message to the same bytes, zeros and the longest payload included."""
    rng = Random(1)
    frames = [some_frame(rng) for _ in range(2000)] + [
        Frame(0, 0, bytes(MAX_PAYLOAD)),
        Frame(255, 255, b"\xff" * 200),
    ]

    encoded = program(f"encode {frame.type} {frame.seq} {frame.payload.hex()}" for frame in frames)

    assert [encode_frame(frame).hex() for frame in frames] == encoded


def test_damaged_frames_are_decoded_alike(program: Program) -> None:
    """From bytes flipped, lost, added or strung together both ends accept the same frames and
    refuse the same rest.
    """
    rng = Random(2)
    streams = [damaged(rng) for _ in range(ROUNDS)]

    decoded = program(f"decode {stream.hex()}" for stream in streams)

    assert [decode_all(stream) for stream in streams] == [line.split() for line in decoded]
    refused = sum(line.count("bad") for line in decoded)
    assert ROUNDS / 3 < refused, "the damage should show"


def some_frame(rng: Random) -> Frame:
    """Return a frame with more zeros than chance would give it."""
    length = rng.choice((0, 1, 5, 20, rng.randrange(MAX_PAYLOAD + 1)))
    return Frame(
        rng.randrange(256),
        rng.randrange(256),
        bytes(rng.choice((0, rng.randrange(256))) for _ in range(length)),
    )


def damaged(rng: Random) -> bytes:
    """Return two frames on the wire with up to three bytes of damage, or noise longer than any
    frame.
    """
    if rng.random() < 0.02:
        return rng.randbytes(300).replace(b"\0", b"\1") + b"\0" + encode_frame(some_frame(rng))
    stream = bytearray(encode_frame(some_frame(rng)) + encode_frame(some_frame(rng)))
    for _ in range(rng.randrange(4)):
        at = rng.randrange(len(stream))
        match rng.randrange(3):
            case 0:
                stream[at] ^= 1 << rng.randrange(8)
            case 1:
                del stream[at]
            case 2:
                stream.insert(at, rng.randrange(256))
    return bytes(stream)


def decode_all(stream: bytes) -> list[str]:
    """Return the companion's decoding of a stream, in the program's words."""
    decoded = []
    for piece in stream.split(b"\0")[:-1]:
        if piece:
            try:
                frame = decode_frame(piece)
                decoded.append(bytes((frame.type, frame.seq)).hex() + frame.payload.hex())
            except FrameError:
                decoded.append("bad")
    return decoded
