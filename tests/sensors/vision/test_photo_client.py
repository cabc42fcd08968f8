"""Hostile pictures: a clear answer, in a process that can do no harm, and the service's memory
unmoved.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import Event, Thread

import pytest

from companion.core.placement import Cell, Tile
from companion.sensors.vision.field import FieldScan, NoField
from companion.sensors.vision.photo_client import PhotoDecoder
from tests.photos.scene import Scene
from tests.photos.views import photo
from tests.sensors.vision.malicious_images import HARMLESS, REFUSED, flipped, noise, saved
from tests.sensors.vision.test_photo import PLAIN, TRUTH, known, wrong

pytestmark = pytest.mark.slow

TIMEOUT = 90.0
"""Seconds within which a busy machine has read any photo that may be read at all."""
WORDS = {
    f"scan.{word}"
    for word in (
        "broken_picture",
        "no_picture",
        "no_tiles",
        "no_lattice",
        "not_whole",
        "too_many_pixels",
    )
}
"""The results of a photo that was damaged at random, beside a field with some tiles unread."""


@cache
def field() -> bytes:
    return photo(Scene(laid=TRUTH, card="west"), PLAIN, 2)


def developed(photo: bytes, known: dict[Cell, Tile] | None = None) -> FieldScan:
    return PhotoDecoder(TIMEOUT).decode(
        (photo[start : start + 65536] for start in range(0, len(photo), 65536)), known
    )


def codes(found: FieldScan) -> list[str]:
    return [problem.code for problem in found.problems]


def resident() -> int:
    """Return this process's memory in kilobytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


def test_a_good_photo_is_read() -> None:
    """A photo sent to the decoder process is read as in this process, with the known field."""
    found = developed(field())

    assert ({}, True, "card") == (wrong(found, TRUTH), found.is_field, found.north)
    assert "known" == developed(field(), known(TRUTH)).north


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_photo_is_refused(name: str) -> None:
    """Bombs, other kinds of files and broken ones are refused for what they are; memory here does
    not grow by it.
    """
    make, reason = REFUSED[name]
    picture = make()
    before = resident()

    assert [reason] == codes(developed(picture))
    assert resident() - before < 20_000


@pytest.mark.parametrize("name", HARMLESS)
def test_an_odd_picture_is_looked_at(name: str) -> None:
    """What can be opened is looked at, whatever its colours, frames and tags; here no tile is in
    it.
    """
    assert ["scan.no_tiles"] == codes(developed(HARMLESS[name]()))


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_the_largest_picture_that_is_taken_fits(mode: str) -> None:
    """24 megapixels are looked at within the memory that a photo gets."""
    kind, how = (
        ("JPEG", {"progressive": True, "subsampling": 0})
        if mode == "RGB"
        else ("PNG", {"compress_level": 1})
    )

    assert ["scan.no_tiles"] == codes(developed(saved(noise((6000, 4000), mode), kind, **how)))


@pytest.mark.parametrize("seed", range(10))
def test_a_damaged_photo_never_gives_a_wrong_tile(seed: int) -> None:
    """A photo with damaged bytes is refused, or read right as far as it can be read."""
    found = developed(flipped(field(), seed))

    assert {} == wrong(found, TRUTH)
    assert set(codes(found)) <= WORDS


def test_a_photo_that_takes_too_long_is_given_up() -> None:
    """Once its time is over a photo is given up in words, though it would have been a good one."""
    assert ["scan.too_slow"] == codes(PhotoDecoder(seconds=0.01).decode([field()]))


def test_one_at_a_time() -> None:
    """While a photo is read another one is refused at once; afterwards it is taken."""
    room, begun, go_on = PhotoDecoder(TIMEOUT), Event(), Event()

    def slowly() -> Iterator[bytes]:
        yield field()[:1000]
        begun.set()
        go_on.wait()
        yield field()[1000:]

    found: list[FieldScan] = []
    thread = Thread(target=lambda: found.append(room.decode(slowly())))
    thread.start()
    begun.wait()
    with pytest.raises(NoField) as busy:
        room.decode([field()])
    go_on.set()
    thread.join()

    assert "scan.busy" == busy.value.message.code
    assert [True] == [each.is_field for each in found]
    assert room.decode([field()]).is_field


ESCAPES = {
    "a file": "open('/etc/passwd')",
    "a connection": "import socket; socket.socket()",
    "a process": "import os; os.execv('/bin/true', ['true']) if os.getuid() and os.fork() else "
    "os.pipe()",
    "much memory": "bytearray(500_000_000)",
}


@pytest.mark.parametrize("name", ESCAPES)
def test_there_is_no_way_out(name: str) -> None:
    """The process that reads a photo can open no file and no connection, start nothing and take no
    memory.
    """
    program = (
        "import socket\n"
        "from companion.sensors.vision.photo_worker import (\n"
        "    MEMORY, PROCESSOR_SECONDS, apply_rlimits, warm_up)\n"
        "warm_up(); apply_rlimits(MEMORY, PROCESSOR_SECONDS)\n"
        f"try:\n    {ESCAPES[name]}\nexcept (OSError, MemoryError):\n    print('refused')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )

    assert "refused\n" == ended.stdout


def test_pictures_of_other_seeds_are_other_pictures() -> None:
    """The damage is real: no two damaged photos are alike, and none is the good one."""
    assert 11 == len({flipped(field(), seed) for seed in range(10)} | {field()})
