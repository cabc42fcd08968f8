"""A game on a disk that fills up: `unshare -Urm python -m tests.table.storage.full_disk FOLDER`.

First a disk too small for any reserve: the game is refused with "disk_full", stays as it was, and
goes on with the same submission when there is room. Then a larger one that something else fills:
the reserve lets the game go on. Prints what was seen.
"""

from __future__ import annotations

import sys
from pathlib import Path

from companion.table.errors import StorageFailed
from tests.table.storage.namespace import mount
from tests.table.storage.writer import game


def without_reserve(disk: Path) -> str:
    """Play on 216 KiB until nothing can be stored, then on 8 MiB."""
    mount("-t", "tmpfs", "-o", "size=216k", "small", str(disk))
    output: list[str] = []
    with game(disk / "data", 1, output.append) as playing:
        playing.begin()
        try:
            playing.play(400)
        except StorageFailed:
            output.append("STUCK")
        refused = [line for line in output if line.startswith("REFUSED")]
        # The refused entry was an action, or a dawn that waits for room.
        assert "STUCK" == output[-1] and set(refused) <= {"REFUSED disk_full"}, output[-5:]
        entries, snapshot = len(playing.log), playing.table.snapshot()
        assert "full" == snapshot["storage"], snapshot["storage"]
        mount("-o", "remount,size=8m", str(disk))
        playing.play(1)
        assert len(playing.log) > entries
        went_on = output[-1].startswith("ACK")
    return f"stuck=True went_on={went_on}"


def with_reserve(disk: Path) -> str:
    """Play on 64 MiB that other data fills to the last byte."""
    mount("-t", "tmpfs", "-o", "size=64m", "large", str(disk))
    output: list[str] = []
    with game(disk / "data", 1, output.append) as playing:
        playing.begin()
        assert "ok" == playing.table.snapshot()["storage"]
        with (disk / "hog").open("wb", buffering=0) as hog:
            try:
                while hog.write(bytes(4096)):
                    pass
            except OSError:
                output.append("FILLED")
        playing.play(60)
        storage = playing.table.snapshot()["storage"]
        assert not any(line.startswith("REFUSED") for line in output), output
    return f"played={sum(line.startswith('ACK') for line in output)} storage={storage}"


def main() -> None:
    disk = Path(sys.argv[1])
    disk.mkdir(exist_ok=True)
    print(without_reserve(disk), with_reserve(disk))


if __name__ == "__main__":
    main()
