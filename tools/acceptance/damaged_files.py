"""Files as people may hand them in, damaged in every way: a clear answer, nothing lost, and no
more.

`python -m tools.acceptance.damaged_files [--files N] [--seed N]` damages N files of each kind (a
game's record, kept heads, settings, a backup, the log, keys, registered tags, a photo) and gives
them to the commands that read them. Whatever is in a file, the program prints one sentence or does
what the file asks for; a traceback is a fault, so is a changed folder after a refusal. Prints how
many were refused, how many were harmless, what was at fault, and the longest answer.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal

from click.testing import CliRunner

from companion.cli import main as companion
from companion.core.game import Seat
from companion.games import GAMES
from companion.sensors.tags.registry import TagRegistry, TagRegistryUnreadable, Uid
from companion.server.auth.access import AccessControl
from companion.server.auth.keystore import KeysUnreadable
from companion.table.errors import NewerSchema, StorageFailed, UnreadableEntry
from companion.table.fairness.export import export_record
from companion.table.storage.log import Log, read_bodies
from companion.table.storage.recovery import LOG_FILE
from companion.table.table import Table
from tests.helpers.ramdisk import in_memory
from tests.helpers.simulated_clock import SimulatedClock
from tests.sensors.vision.malicious_images import flipped
from tests.table.storage.backups import backup
from tests.table.storage.writer import game
from tools.photos.scene import Scene, random_laid
from tools.photos.views import View, photo

WHAT = ("files", "refused", "harmless", "longest_ms")
A_PROCESS = 10
"""Photos for one process, and the factor of its CPU limit."""
LONGEST = 5.0
"""Seconds within which any file must have been answered."""
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 10**30, 1e308, "", "x" * 5000, "A1", "🧛🏽‍♀️", "\u202e", [], {}, [[]],
    {"": None}, "9" * 400, "\ud83e", "a\0b", {"\ud83e": 1}, "~nobody/x",
)  # fmt: skip
"""Values that may stand where another is expected."""
SETTINGS = b"""language = "ja"
port = 8080
night_floor = 12
board = "none"
[settle]
rest = 0.5
[panel]
hold = 2.0
"""
PHOTO_READER = """
import json, sys
from companion.sensors.vision.photo_client import DecodeRequest
from companion.platforms import limit_process
from companion.sensors.vision.photo_worker import MEMORY, PROCESSOR_SECONDS, decode_photo, warm_up

warm_up()
limit_process(MEMORY, A_PROCESS * PROCESSOR_SECONDS)
while size := sys.stdin.buffer.read(4):
    photo = sys.stdin.buffer.read(int.from_bytes(size, "big"))
    try:
        found = decode_photo(photo, DecodeRequest())
    except MemoryError:
        print('["scan.too_heavy", {}]', flush=True)
        continue
    wrong = [problem.code for problem in found.problems]
    tiles = {cell: [tile.number, tile.turn] for cell, tile in found.tiles.items()}
    print(json.dumps([wrong[0] if wrong else "", tiles]), flush=True)
"""
"""The process that reads photos, as it is but for reading more than one."""
Outcome = Literal["refused", "harmless"]
Damage = Callable[[bytes, Random], bytes]


class Fault(Exception):
    """Error raised when a file was answered by something else than a sentence, or data was lost."""


# How files are damaged


def flip(good: bytes, rng: Random) -> bytes:
    bad = bytearray(good)
    for _ in range(rng.choice((1, 1, 2, 8, 40))):
        bad[rng.randrange(len(bad))] ^= 1 << rng.randrange(8)
    return bytes(bad)


def cut(good: bytes, rng: Random) -> bytes:
    return good[: rng.randrange(len(good))]


def behead(good: bytes, rng: Random) -> bytes:
    return good[rng.randrange(len(good)) :]


def insert(good: bytes, rng: Random) -> bytes:
    at = rng.randrange(len(good))
    return good[:at] + rng.randbytes(rng.choice((1, 3, 100, 5000))) + good[at:]


def double(good: bytes, rng: Random) -> bytes:
    start, end = sorted(rng.randrange(len(good) + 1) for _ in range(2))
    return good[:end] + good[start:]


def lose(good: bytes, rng: Random) -> bytes:
    start, end = sorted(rng.randrange(len(good) + 1) for _ in range(2))
    return good[:start] + good[end:]


def blank(good: bytes, rng: Random) -> bytes:
    start = rng.randrange(len(good))
    length = min(rng.choice((1, 16, 512, 4096)), len(good) - start)
    return good[:start] + bytes(length) + good[start + length :]


def other_bytes(good: bytes, rng: Random) -> bytes:
    """Return bytes of another kind altogether."""
    deep, marked = b"[" * 100_000, b"\xff\xfe" + good[:50]
    return rng.choice(
        (b"", b"\0", b"\n" * 100, b"{}", b"[]", b"null", deep, marked, rng.randbytes(300))
    )


BLINDLY: tuple[Damage, ...] = (flip, flip, cut, behead, insert, double, lose, blank, other_bytes)


def in_lines(good: bytes, rng: Random) -> bytes:
    """Damage JSON lines by their structure: another value, a missing or further key, lines
    exchanged, doubled or lost.
    """
    lines = good.decode().splitlines()
    at = rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            lines.insert(rng.randrange(len(lines)), lines[at])
        case 1:
            del lines[at]
        case 2:
            another = rng.randrange(len(lines))
            lines[at], lines[another] = lines[another], lines[at]
        case _:
            lines[at] = json.dumps(distorted(json.loads(lines[at]), rng))
    return "\n".join(lines).encode()


def in_values(good: bytes, rng: Random) -> bytes:
    """Damage a guarded JSON document by its structure, under a digest that is right."""
    content = json.dumps(distorted(json.loads(good.rsplit(b"\n", 2)[0]), rng)).encode()
    return b"%s\n%s\n" % (content, hashlib.sha256(content).hexdigest().encode())


def distorted(value: Any, rng: Random) -> Any:
    """Return a JSON value with a part replaced by an odd one, a key missing or one too many."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        match rng.randrange(6):
            case 0:
                return {name: inner for name, inner in value.items() if name != key}
            case 1:
                return value | {rng.choice(("", "x", "seat", "to")): rng.choice(ODD)}
            case _:
                return value | {key: distorted(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], distorted(value[at], rng), *value[at + 1 :]]
    return rng.choice(ODD)


def in_settings(good: bytes, rng: Random) -> bytes:
    """Damage settings line by line."""
    lines = good.decode().splitlines()
    at = rng.randrange(len(lines))
    odd = (
        "= 1",
        "[[x]]",
        "port = -1",
        "port = 99999999999999999999",
        'data = ""',
        "night_floor = nan",
        "x.y.z = {}",
    )
    lines[at] = rng.choice(
        (*odd, lines[at] + " " + lines[rng.randrange(len(lines))], lines[at][::-1])
    )
    return "\n".join(lines).encode()


# Who reads them


class Room:
    """A folder with a good file of each kind, and the readers of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        with game(self.data, 3) as playing:
            playing.begin()
            playing.play(14)
            while playing.table.snapshot()["revealing"]:
                playing.clock.advance(1)
            playing.table.surrender(Seat("V"))
        TagRegistry(self.data).register(Uid("E004010012345678"), "pawn:H1a")
        self.record = folder / "good.jsonl"
        self.record.write_text(
            "".join(f"{line}\n" for line in export_record(read_bodies(self.data), GAMES))
        )
        record_lines = self.record.read_text().splitlines()
        heads = [
            (line["position"], line["head"])
            for line in map(json.loads, record_lines)
            if "head" in line
        ]
        backup(self.data, folder / "good.backup")
        self.kinds: dict[str, tuple[bytes, Sequence[Damage], Callable[[Path], Outcome]]] = {
            "record": (self.record.read_bytes(), (*BLINDLY, *[in_lines] * 12), self._check_record),
            "heads": (
                "".join(f"{at} {head}\n" for at, head in heads * 3).encode(),
                BLINDLY,
                self._check_heads,
            ),
            "settings": (SETTINGS, (*BLINDLY, *[in_settings] * 6), self._check_settings),
            "backup": ((folder / "good.backup").read_bytes(), BLINDLY, self._check_backup),
            "log": ((self.data / LOG_FILE).read_bytes(), BLINDLY, self._check_log),
            "keys": (
                (self.data / "keys.json").read_bytes(),
                (*BLINDLY, *[in_values] * 6),
                self._check_keys,
            ),
            "tags": (
                (self.data / "tags.json").read_bytes(),
                (*BLINDLY, *[in_values] * 6),
                self._check_tags,
            ),
        }

    def _check_record(self, path: Path) -> Outcome:
        outcomes = {self._command("replay", str(path)), self._command("verify", str(path))}
        return "refused" if "refused" in outcomes else "harmless"

    def _check_heads(self, path: Path) -> Outcome:
        return self._command("verify", "--heads", str(path), str(self.record))

    def _check_settings(self, path: Path) -> Outcome:
        return self._command("export", "--config", str(path), "--data", str(self.data), "-")

    def _check_backup(self, path: Path) -> Outcome:
        """An incomplete backup changes nothing; an accepted one is a folder that opens."""
        target = self._copied()
        before = _contents(target)
        outcome = self._command("restore", "--data", str(target), str(path))
        if outcome == "refused" and before != _contents(target):
            raise Fault("a refused backup changed the folder")
        if outcome == "harmless" and self._opened(target) != "harmless":
            raise Fault("a backup was taken that does not open")
        if (target / "restoring").exists():
            raise Fault("a refused backup left something behind")
        return outcome

    def _check_log(self, path: Path) -> Outcome:
        """A damaged log is kept unchanged, and the continued log is a beginning of the old one."""
        target = self._copied()
        shutil.copyfile(path, target / LOG_FILE)
        for beside in target.glob(f"{LOG_FILE}-*"):
            beside.unlink()
        outcome = self._opened(target)
        damaged_copies = [
            path
            for path in target.glob(f"{LOG_FILE}.*-*")
            if path.read_bytes() == (self.folder / "bad").read_bytes()
        ]
        bodies = read_bodies(self.data)
        if (
            outcome == "harmless"
            and not damaged_copies
            and read_bodies(target)[: len(bodies)] != bodies
        ):
            raise Fault("a damaged log was neither kept nor whole")
        return outcome

    def _check_keys(self, path: Path) -> Outcome:
        return self._beside("keys.json", path)

    def _check_tags(self, path: Path) -> Outcome:
        return self._beside("tags.json", path)

    def _beside(self, name: str, path: Path) -> Outcome:
        target = self._copied()
        shutil.copyfile(path, target / name)
        outcome = self._opened(target)
        if outcome == "refused" and path.read_bytes() != (target / name).read_bytes():
            raise Fault(f"a refused {name} was changed")
        return outcome

    def _copied(self) -> Path:
        target = self.folder / "copy"
        for old in self.folder.glob("copy*"):
            shutil.rmtree(old)
        shutil.copytree(self.data, target)
        return target

    @staticmethod
    def _opened(folder: Path) -> Outcome:
        """Open a data folder as the real start does."""
        try:
            log = Log(folder)
        except (StorageFailed, NewerSchema):
            return "refused"
        try:
            table = Table(GAMES, log, SimulatedClock(), Random(1).randbytes, Random(1))
            TagRegistry(folder)
            AccessControl(folder, table, SimulatedClock(), Random(1).randbytes)
        except (KeysUnreadable, TagRegistryUnreadable, UnreadableEntry):
            return "refused"
        finally:
            log.close()
        return "harmless"

    @staticmethod
    def _command(*words: str) -> Outcome:
        """Give a command its file to read; a status without a sentence is a fault."""
        result = CliRunner().invoke(companion, words)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        output = [line for line in result.stderr.splitlines() if line.startswith("companion: ")]
        if result.exit_code and len(output) != 1:
            raise Fault(f"status {result.exit_code} with {result.stderr!r}")
        return "refused" if result.exit_code else "harmless"


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "table.lock"
    }


def damage(room: Room, kind: str, files: int, seed: int, counts: Counter[str]) -> list[str]:
    """Submit `files` damaged files of one kind; return the faults, and count in `counts`."""
    good, ways, check = room.kinds[kind]
    faults = []
    for number in range(files):
        rng = Random(f"{kind} {seed} {number}")
        way = rng.choice(ways)
        bad = way(good, rng)
        path = room.folder / "bad"
        path.write_bytes(bad)
        started = time.monotonic()
        try:
            counts[check(path)] += 1
        except Exception:
            faults.append(f"{kind} {number} ({way.__name__}): {traceback.format_exc()}")
        counts["longest_ms"] = max(counts["longest_ms"], round(1000 * (time.monotonic() - started)))
        counts["files"] += 1
    return faults


# Photos: the real process for photos, which reads many one after another


def photos(files: int, seed: int, counts: Counter[str]) -> list[str]:
    """Send damaged photos to the confined process that reads them; return the faults in words."""
    laid = random_laid(Random(8))
    good = photo(Scene(laid=laid, card="west"), View(), 2)
    reader = PHOTO_READER.replace("A_PROCESS", f"{A_PROCESS}")
    faults: list[str] = []
    for first in range(0, files, A_PROCESS):
        with subprocess.Popen(
            [sys.executable, "-c", reader],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as child:
            for number in range(first, min(first + A_PROCESS, files)):
                rng = Random(f"photo {seed} {number}")
                bad = (
                    flipped(good, seed + number)
                    if rng.random() < 0.5
                    else rng.choice(BLINDLY)(good, rng)
                )
                started = time.monotonic()
                labels = _read_image(child, bad)
                counts["longest_ms"] = max(
                    counts["longest_ms"], round(1000 * (time.monotonic() - started))
                )
                counts["files"] += 1
                if labels is None:
                    assert child.stderr is not None
                    faults.append(f"photo {number}: {child.stderr.read().decode()}")
                    break
                problem, tiles = labels
                counts["refused" if problem else "harmless"] += 1
                if any([*laid[cell]] != tile for cell, tile in tiles.items()):
                    faults.append(f"photo {number}: read wrongly: {tiles}")
    return faults


def _read_image(
    child: subprocess.Popen[bytes], image: bytes
) -> tuple[str, dict[str, list[int]]] | None:
    """Send a picture to the process; return its fault and the tiles that it read, None if it
    ended.
    """
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(len(image).to_bytes(4, "big") + image)
    child.stdin.flush()
    line = child.stdout.readline()
    if not line:
        return None
    wrong, tiles = json.loads(line)
    return wrong, tiles


def run(
    folder: Path, files: int, seed: int, kinds: Sequence[str] = ()
) -> tuple[dict[str, Counter[str]], list[str]]:
    """Damage `files` files of each kind; return the counts of each kind, and the faults."""
    room = Room(folder)
    counts: dict[str, Counter[str]] = {}
    faults: list[str] = []
    for kind in kinds or (*room.kinds, "photo"):
        counts[kind] = Counter()
        if kind == "photo":
            faults += photos(files, seed, counts[kind])
        else:
            faults += damage(room, kind, files, seed, counts[kind])
    return counts, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=200, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("kinds", nargs="*")
    args = parser.parse_args()
    with in_memory() as folder:
        counts, faults = run(Path(folder), args.files, args.seed, args.kinds)
    for fault in faults[:20]:
        print(fault)
    for kind, count in counts.items():
        print(
            f"{kind}: "
            + " ".join(f"{kind_of_answer}={count[kind_of_answer]}" for kind_of_answer in WHAT)
        )
    longest = max(count["longest_ms"] for count in counts.values())
    files = sum(count["files"] for count in counts.values())
    print(f"kinds={len(counts)} files={files} faults={len(faults)} longest_ms={longest}")
    return int(bool(faults) or longest > 1000 * LONGEST)


if __name__ == "__main__":
    sys.exit(main())
