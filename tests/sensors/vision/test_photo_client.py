"""Hostile pictures: a clear refusal, in a process without rights, and no growth of the service's
memory.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from threading import Event, Thread

import pytest
from PIL import Image, ImageOps

from companion.core.placement import Cell, Tile
from companion.process import start_worker
from companion.sensors.vision import photo_client
from companion.sensors.vision.field import FieldScan
from companion.sensors.vision.photo_client import DecoderBusy, PhotoDecoder
from companion.server.auth.tickets import TICKET_SECONDS
from tests.helpers.repetitions import soak
from tests.sensors.vision.malicious_images import HARMLESS, REFUSED, encode_picture, flipped, noise
from tests.sensors.vision.test_photo import PLAIN, TRUTH, laid_tiles, wrong
from tools.photos.scene import Scene
from tools.photos.views import photo

pytestmark = pytest.mark.slow

TIMEOUT = 90.0
"""Seconds within which a loaded machine has read any acceptable photo."""
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
"""The possible problems of a photo that was damaged at random."""


@cache
def field() -> bytes:
    return photo(Scene(laid=TRUTH, card="west"), PLAIN, 2)


def decode(photo: bytes, tiles: dict[Cell, Tile] | None = None) -> FieldScan:
    return PhotoDecoder(TIMEOUT).decode(
        (photo[start : start + 65536] for start in range(0, len(photo), 65536)), tiles
    )


def codes(result: FieldScan) -> list[str]:
    return [problem.code for problem in result.problems]


def resident() -> int:
    """Return this process's memory in kilobytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmRSS:")[2].split()[0])


def test_a_good_photo_is_read() -> None:
    """A photo sent to the decoder process is read as in this process, with the known field."""
    result = decode(field())

    assert ({}, True, "card") == (wrong(result, TRUTH), result.is_field, result.north)
    assert "known" == decode(field(), laid_tiles(TRUTH)).north


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_photo_is_refused(name: str) -> None:
    """Bombs, other kinds of files and broken ones are refused with their reasons; this process's
    memory does not grow.
    """
    make, reason = REFUSED[name]
    picture = make()
    before = resident()

    assert [reason] == codes(decode(picture))
    assert resident() - before < 20_000


@pytest.mark.parametrize("name", HARMLESS)
def test_an_odd_picture_is_looked_at(name: str) -> None:
    """A picture that can be opened is read, whatever its colours, frames and tags; these have no
    tile.
    """
    assert ["scan.no_tiles"] == codes(decode(HARMLESS[name]()))


@pytest.mark.parametrize("kind", ["PNG", *soak("JPEG")])
def test_the_largest_picture_that_is_taken_fits(kind: str) -> None:
    """A PNG of 24 megapixels and a progressive JPEG of 108 are read within a photo's memory
    limit.
    """
    large = (
        encode_picture(noise((6000, 4000), "RGBA"), "PNG", compress_level=1)
        if kind == "PNG"
        else encode_picture(noise((12_000, 9_000)), "JPEG", progressive=True)
    )

    assert ["scan.no_tiles"] == codes(decode(large))


@pytest.mark.parametrize("size", [(8160, 6120), *soak((5712, 4284), (6016, 4016))])
def test_a_phones_largest_picture_is_read(size: tuple[int, int]) -> None:
    """A photo of 50 megapixels, as phones write it, is read whole."""
    with Image.open(BytesIO(field())) as picture:
        large = encode_picture(picture.resize(size, Image.Resampling.BICUBIC), "JPEG", quality=90)

    result = decode(large)

    assert ({}, True) == (wrong(result, TRUTH), result.is_field)


@pytest.mark.parametrize("lost", [20, *soak(2)])
def test_a_jpeg_may_lack_its_end(lost: int) -> None:
    """A JPEG without its last bytes is read as far as it goes."""
    result = decode(field()[:-lost])

    assert ({}, True) == (wrong(result, TRUTH), result.is_field)


def test_transparent_parts_are_white() -> None:
    """A drawing of the field on a transparent ground is read as on white paper."""
    with Image.open(BytesIO(field())) as picture:
        grey = picture.convert("L")
    ink = Image.merge("LA", (Image.new("L", grey.size, 0), ImageOps.invert(grey)))

    result = decode(encode_picture(ink, "PNG"))

    assert ({}, True) == (wrong(result, TRUTH), result.is_field)


@pytest.mark.parametrize("seed", [0, *soak(*range(1, 10))])
def test_a_damaged_photo_never_gives_a_wrong_tile(seed: int) -> None:
    """A photo with damaged bytes is refused, or its tiles are right."""
    result = decode(flipped(field(), seed))

    assert {} == wrong(result, TRUTH)
    assert set(codes(result)) <= WORDS


def test_a_photo_that_takes_too_long_is_given_up() -> None:
    """After its time limit a good photo is refused too."""
    assert ["scan.too_slow"] == codes(PhotoDecoder(seconds=0.01).decode([field()]))


def test_one_at_a_time() -> None:
    """While a photo is read another one is refused at once; afterwards it is read."""
    decoder, started, resume = PhotoDecoder(TIMEOUT), Event(), Event()

    def slow_chunks() -> Iterator[bytes]:
        yield field()[:1000]
        started.set()
        resume.wait()
        yield field()[1000:]

    scans: list[FieldScan] = []
    thread = Thread(target=lambda: scans.append(decoder.decode(slow_chunks())))
    thread.start()
    started.wait()
    with pytest.raises(DecoderBusy) as busy:
        decoder.decode([field()])
    resume.set()
    thread.join()

    assert "scan.busy" == busy.value.message.code
    assert [True] == [scan.is_field for scan in scans]
    assert decoder.decode([field()]).is_field


def pid(decoder: PhotoDecoder) -> int | None:
    process = decoder.prepared_process
    return None if process is None else process.pid


def test_a_prepared_process_reads_one_photo() -> None:
    """`prepare` starts one process, however often; it reads the next photo, and no further one."""
    decoder = PhotoDecoder(TIMEOUT)
    decoder.prepare()
    process = decoder.prepared_process
    decoder.prepare()
    assert process
    assert process.pid == pid(decoder)

    assert decoder.decode([field()]).is_field
    assert (0, None) == (process.returncode, pid(decoder))
    assert decoder.decode([field()]).is_field


def test_a_prepared_process_that_died_is_replaced() -> None:
    """A photo is read even if the kernel ended the process that waited for it."""
    decoder = PhotoDecoder(TIMEOUT)
    decoder.prepare()
    process = decoder.prepared_process
    assert process
    process.kill()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)

    assert decoder.decode([field()]).is_field


def test_a_second_ticket_gives_the_process_its_whole_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process waits as long for the second ticket's photo as for the first one's."""
    monkeypatch.setattr(photo_client, "PREPARED_SECONDS", 1.0)
    decoder = PhotoDecoder(TIMEOUT)
    decoder.prepare()
    monkeypatch.undo()
    decoder.prepare()
    time.sleep(1.5)

    process = decoder.prepared_process
    assert process and process.poll() is None
    decoder.close()


def test_without_a_request_nothing_is_read() -> None:
    """A process whose table has ended ends too, and writes nothing."""
    worker = [sys.executable, "-m", "companion.sensors.vision.photo_worker"]
    ended = subprocess.run(worker, stdin=subprocess.DEVNULL, capture_output=True, check=False)

    assert (0, b"", b"") == (ended.returncode, ended.stdout, ended.stderr)


def test_a_process_that_cannot_start_costs_no_ticket(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without memory for a process the ticket is given all the same; the photo says what is
    wrong.
    """

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOMEM, "")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    decoder = PhotoDecoder(TIMEOUT)
    decoder.prepare()
    assert decoder.prepared_process is None
    with pytest.raises(OSError):
        decoder.decode([field()])


def test_a_prepared_process_ends_without_a_photo(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process without a photo is ended when its ticket is no longer valid, and with the
    decoder.
    """
    assert TICKET_SECONDS == photo_client.PREPARED_SECONDS
    start, started = start_worker, list[subprocess.Popen[bytes]]()

    def kept(module: str) -> subprocess.Popen[bytes]:
        started.append(start(module))
        return started[-1]

    monkeypatch.setattr(photo_client, "start_worker", kept)
    monkeypatch.setattr(photo_client, "PREPARED_SECONDS", 0.1)
    decoder = PhotoDecoder(TIMEOUT)
    decoder.prepare()
    assert -signal.SIGKILL == started[0].wait(TIMEOUT)

    monkeypatch.undo()
    decoder.prepare()
    process = decoder.prepared_process
    assert process
    decoder.close()
    assert (-signal.SIGKILL, None) == (process.returncode, pid(decoder))


ESCAPES = {
    "a file": "open('/etc/passwd')",
    "a connection": "import socket; socket.socket()",
    "a process": "import os; os.execv('/bin/true', ['true']) if os.getuid() and os.fork() else "
    "os.pipe()",
    "much memory": "bytearray(500_000_000)",
}


@pytest.mark.parametrize("name", ESCAPES)
def test_there_is_no_way_out(name: str) -> None:
    """The process that reads a photo can open no file and no connection, start no process and
    allocate no more memory.
    """
    program = (
        "import socket\n"
        "from companion.sensors.vision.photo_worker import (\n"
        "    MEMORY, PROCESSOR_SECONDS, limit_process, warm_up)\n"
        "warm_up(); limit_process(MEMORY, PROCESSOR_SECONDS)\n"
        f"try:\n    {ESCAPES[name]}\nexcept (OSError, MemoryError):\n    print('refused')\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )

    assert "refused\n" == process.stdout


def test_pictures_of_other_seeds_are_other_pictures() -> None:
    """All damaged photos differ from each other and from the good one."""
    assert 11 == len({flipped(field(), seed) for seed in range(10)} | {field()})
