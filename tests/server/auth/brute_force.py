"""Everybody at the table together wants the vampire's seat: `python -m
tests.server.auth.brute_force`.

A late code, a second claim, and thousands of tries at the recovery code from many phones, with
restarts between.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from msgspec import Struct
from pytest import MonkeyPatch

import companion.server.auth.access as access_module
from tests.helpers.simulated_clock import SimulatedClock
from tests.server.client import GameTable

RIGHT = "1111"


class Tried(Struct, frozen=True):
    """Result: how many codes were compared with the right one, refusals by kind, and who got in."""

    evaluated: int
    refusals: dict[str, int]
    got_in: int
    late: str
    second: str


def guess_codes(tries: int, restart_every: int) -> Tried:
    """Try wrong codes, half a minute apart; every code but the right one is tried in turn."""
    evaluated = got_in = 0
    refusals: dict[str, int] = {}
    compare: Any = vars(access_module)["same_pin"]

    def counted(*of: Any) -> bool:
        nonlocal evaluated
        evaluated += 1
        return bool(compare(*of))

    with MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(access_module, "same_pin", counted)
        game_table = GameTable(Path(folder) / "data")
        second, late = _claims(game_table)
        for number in range(tries):
            if number % restart_every == restart_every - 1:
                game_table.close()
                game_table = GameTable(Path(folder) / "data")
            code = f"{number % 10_000:04}"
            answer = game_table.phone(f"192.168.1.{number % 200}").request(
                "recover", seat="V", pin="2222" if code == RIGHT else code
            )
            got_in += answer["ok"]
            refusals[str(answer.get("code"))] = refusals.get(str(answer.get("code")), 0) + 1
            assert isinstance(game_table.clock, SimulatedClock)
            game_table.clock.advance(30)
        game_table.close()
    return Tried(evaluated, refusals, got_in, late, second)


def _claims(game_table: GameTable) -> tuple[str, str]:
    """Sit down, start; return the answers to a second claim and to one after the start."""
    code = game_table.code
    game_table.seated("V", "H1")
    second = game_table.phone().request("claim", seat="V", code=game_table.code, pin=RIGHT)["code"]
    game_table.table.start()
    return str(second), str(
        game_table.phone().request("claim", seat="H2", code=code, pin=RIGHT)["code"]
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=10_000)
    parser.add_argument("--restart-every", type=int, default=500)
    args = parser.parse_args()
    tried = guess_codes(args.tries, args.restart_every)
    print(
        f"tries={args.tries} evaluated={tried.evaluated} got_in={tried.got_in} "
        f"second_claim={tried.second} late_code={tried.late}"
    )
    kept_out = tried.evaluated <= 10 and not tried.got_in
    return 0 if kept_out and (tried.second, tried.late) == ("seat_taken", "seats_closed") else 1


if __name__ == "__main__":
    raise SystemExit(main())
