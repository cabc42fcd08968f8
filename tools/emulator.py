"""The Nano's real firmware in simavr with its lamps (firmware/emulator/).

The program is driven by lines; nothing of simavr runs in this process.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from threading import Lock

BUILD = Path(__file__).resolve().parents[1] / "firmware" / "build"
"""Where `make emulator` puts its work, in a checkout."""


class EmulatorMissing(RuntimeError):
    """Error raised when the emulator is not built; its text has the command that builds it."""


class EmulatorError(RuntimeError):
    """Error raised when the emulator rejects a line, or has ended."""


class Emulator:
    """One board's running firmware, or another `program` for the same module. A context manager,
    or `close` it. Thread-safe.

    Its time stands still until `run` or `pace`.
    """

    def __init__(self, build: Path = BUILD, program: str = "presence.elf") -> None:
        emulator, firmware = build / "presence-emulator", build / program
        if not emulator.exists() or not firmware.exists():
            raise EmulatorMissing(
                f"The firmware's emulator is not built in {build}: run `make emulator`."
            )
        self._lock = Lock()
        self._process = subprocess.Popen(
            [emulator, firmware],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout
        self._expect("ready")

    def __enter__(self) -> Emulator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def process(self) -> int:
        """The number of the program's process."""
        return self._process.pid

    def close(self) -> None:
        """End the program."""
        self._in.close()
        self._process.wait()
        self._out.close()

    def ask(self, line: str) -> str:
        """Send a line and return its answer without " ok"; raise `EmulatorError`."""
        with self._lock:
            self._in.write(line + "\n")
            self._in.flush()
            return self._expect("ok")

    def run(self, ms: float) -> bytes:
        """Run for `ms` milliseconds; return what was sent, if no terminal is plugged in."""
        return bytes.fromhex(self.ask(f"run {ms}"))

    def send(self, data: bytes) -> None:
        """Send bytes to the board."""
        self.ask(f"send {data.hex()}")

    def pace(self, times: float) -> None:
        """Set the speed of time: 1.0 as on a real board, 0.0 stopped."""
        self.ask(f"pace {times}")

    def seconds(self) -> float:
        """Return the board's own time since its first start."""
        return int(self.ask("state").partition("us=")[2].split()[0]) / 1_000_000

    def violations(self) -> str:
        """Return what would fail on a real board, such as a pulse too long, since the last call;
        "" without any.
        """
        return self.ask("violations")

    def _expect(self, word: str) -> str:
        # The library prints to the same stream while it loads.
        while True:
            answer = self._out.readline()
            if not answer:
                raise EmulatorError("the emulator has ended")
            if answer.startswith("error"):
                raise EmulatorError(answer.strip())
            rest, _, last = answer.rstrip("\n").rpartition(" ")
            if last == word:
                return rest
