"""A reader of a board's lines, written from docs/your-own-board.md alone and sharing no code with
the companion's: what firmware and examples send is judged by both.
"""

from __future__ import annotations

import re
import shlex
from functools import reduce
from operator import xor

State = tuple[str, ...]


class LineReader:
    """Reads lines; keeps every one, and the states that two in a row agree on.

    `rest`: the beginning of a line.
    """

    def __init__(self, rest: bytes = b"") -> None:
        self.lines: list[str] = []
        self.greetings: list[dict[str, str]] = []
        self.states: list[State] = []
        self.faults: list[str] = []
        self.others: list[str] = []
        self.agreed: list[State] = []
        self.rest = rest

    def read(self, data: bytes) -> None:
        """Take bytes of the board."""
        *lines, self.rest = re.split(rb"\r\n|\r|\n", self.rest + data)
        for line in lines:
            if line:
                self._take(line.decode("latin-1"))

    def _take(self, line: str) -> None:
        self.lines.append(line)
        body, star, digits = line.partition("*")
        if line.startswith("#board "):
            version, *words = shlex.split(line.removeprefix("#board "))
            pairs = [word.partition("=") for word in words]
            named = {key: value for key, equals, value in pairs if equals}
            fields = [key for key, equals, _ in pairs if not equals]
            self.greetings.append({"version": version, "field": "".join(fields), **named})
        elif line.startswith("!"):
            self.faults.append(line[1:])
        elif star and f"{reduce(xor, body.encode('latin-1'), 0):02X}" != digits.upper():
            self.others.append(line)
        elif body == "-" or re.fullmatch(r"[A-Za-z]\d+( [A-Za-z]\d+)*", body):
            state = () if body == "-" else tuple(sorted(body.upper().split()))
            if self.states and self.states[-1] == state:
                self.agreed.append(state)
            self.states.append(state)
        else:
            self.others.append(line)
