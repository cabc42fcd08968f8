"""A partition with ext4, as a card or a stick has one: a file that the kernel takes for a disk (a
loop device).
"""

from __future__ import annotations

import io
import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import TracebackType

from companion.cli import main as companion
from tests.installer.debian import TIMEOUT, ended

ROOT = Path(__file__).resolve().parents[2]


class Card:
    """A partition with a label, attached as `device` for as long as this is used as a context."""

    def __init__(self, folder: Path, label: str, kind: str = "ext4") -> None:
        self.image = folder / f"{label}.img"
        with self.image.open("wb") as file:
            file.truncate(128 << 20)
        output(f"mkfs.{kind}", "-q", "-L", label, str(self.image))
        self.uuid = output("blkid", "-o", "value", "-s", "UUID", str(self.image))
        self.device = ""

    def __enter__(self) -> Card:
        self.device = output("losetup", "--find", "--show", str(self.image))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        output("losetup", "--detach", self.device)


def output(*words: str) -> str:
    """Return the output of a command, which must succeed."""
    result = ended(words)
    assert 0 == result.returncode, result.stdout
    return result.stdout.strip()


def among_own_mounts(*commands: str) -> list[tuple[int, str]]:
    """Run commands one after the other in their own mount namespace, those of `companion` in one
    program; return each one's status and output, on one line.
    """
    result = subprocess.run(
        ["unshare", "-m", sys.executable, "-m", "tests.installer.card"],
        input=json.dumps(commands),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert 0 == result.returncode, result.stderr
    return [(status, " ".join(text.split())) for status, text in json.loads(result.stdout)]


def run(command: str) -> tuple[int, str]:
    """Run one command, in this program if it is one of `companion`; return status and output."""
    words = shlex.split(command)
    if words[0] != "companion":
        result = ended(["sh", "-ec", command])
        return result.returncode, result.stdout
    with redirect_stdout(io.StringIO()) as text, redirect_stderr(text):
        try:
            companion(words[1:])
        except SystemExit as end:
            return int(end.code or 0), text.getvalue()
    raise AssertionError("a command ends the program")


def main(commands: Sequence[str]) -> None:
    print(json.dumps([run(command) for command in commands]))


if __name__ == "__main__":
    main(json.load(sys.stdin))
