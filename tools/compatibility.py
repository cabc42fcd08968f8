"""Make the files of a release that later ones must open: `python -m tools.compatibility`.

Into tests/compatibility/MAJOR.MINOR, for each game: the record of a whole game between bots, and
the log of that game and of a second one in its middle, with the position and the head where each
ends. For each game with content files: its sample as a file. The same
program makes the same records and heads.
"""

from __future__ import annotations

import json
import shutil
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

from companion import __version__
from companion.core.game import Seat
from companion.games import GAMES
from companion.table.fairness.export import export_record
from companion.table.storage.log import read_bodies
from companion.table.storage.recovery import LOG_FILE
from tests.helpers.bot_table import bot_table, play_out

ROOT = Path(__file__).resolve().parents[1] / "tests/compatibility"
PLAYERS = {
    "vampireradar": 2, "nosferatu": 2, "shisogari": 4, "vwars": 3, "vampire_empire": 2,
    "manhunt": 2,
}  # fmt: skip
"""The fewest players of each game: their games are the shortest."""
SAMPLES = {"vwars": "sample.toml", "vampire_empire": "sample.toml", "manhunt": "maps/town.toml"}
"""The sample of each game with content files, in the game's package."""
MIDDLE = 12
"""Positions that the second game goes on for: turns of all seats, and a secret one."""


def main() -> None:
    """Make the folder of this release again."""
    target = ROOT / ".".join(__version__.split(".")[:2])
    shutil.rmtree(target, ignore_errors=True)
    for game in GAMES:
        save_game(game.name, target / game.name)
    size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    print(f"{target.relative_to(ROOT.parents[1])}: {len(GAMES)} games, {size / 1000:.0f} KB")


def save_game(name: str, target: Path) -> None:
    """Play a game to its end and the beginning of the next; write what is kept of them."""
    target.mkdir(parents=True)
    with TemporaryDirectory(prefix="compatibility-") as place:
        folder = Path(place) / "data"
        with bot_table(folder) as (table, clock):
            table.lobby.propose({"game": name, "players": PLAYERS[name]})
            game = next(each for each in GAMES if each.name == name)
            for seat in game.seat_names(PLAYERS[name]):
                table.seats.give(Seat(seat), level_of(name))
            table.start()
            play_out(table, clock)
            record = list(export_record(read_bodies(folder), GAMES))
            over = table.snapshot()
            table.open_next_game(by=0)
            table.start()
            begun = table.snapshot()["position"]
            while table.snapshot()["position"] < begun + MIDDLE:
                clock.advance(0.5)
            snapshot = table.snapshot()
        shutil.copyfile(folder / LOG_FILE, target / LOG_FILE)
        ends = {
            "record": {"position": over["position"], "head": over["head"]},
            "log": {
                "position": snapshot["position"],
                "head": snapshot["head"],
                "entries": len(read_bodies(folder)),
            },
        }
    (target / "ends.json").write_text(json.dumps(ends, indent=1) + "\n", encoding="utf-8")
    text = "".join(f"{line}\n" for line in record)
    (target / "record.jsonl").write_text(text, encoding="utf-8", newline="\n")
    if name in SAMPLES:
        sample = resources.files(f"companion.games.{name}").joinpath(SAMPLES[name])
        (target / "content.toml").write_bytes(sample.read_bytes())


def level_of(name: str) -> str:
    """Return the level of the bots: one whose games are short, and which no clock limits."""
    levels = {"vampireradar": "greedy", "manhunt": "greedy", "nosferatu": "random"}
    return levels.get(name, "heuristic")


if __name__ == "__main__":
    main()
