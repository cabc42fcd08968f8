"""Every log, record and content file that a release since 1.0 has written opens."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.content.loader import load_file
from companion.games import GAMES
from companion.replay.build import replay_json
from companion.table.fairness.verify import verify_record
from companion.table.storage.log import read_bodies
from companion.table.storage.recovery import LOG_FILE
from companion.table.table import Table
from tests.helpers.bot_table import bot_table, play_out
from tests.web.test_proof import proved

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
SAVED = sorted(path.parent for path in HERE.glob("*/*/record.jsonl"))
CONTENTS = sorted(HERE.glob("*/*/content.toml"))
NOTHING_SECRET = {"nosferatu": "proof.nothing"}
"""Games of whose record the browser's proof says that nothing was hidden."""


def ends_of(folder: Path) -> Any:
    """Return position and head of the record and of the log."""
    return json.loads((folder / "ends.json").read_text(encoding="utf-8"))


def standing(table: Table) -> dict[str, Any]:
    """Return position and head of a table."""
    snapshot = table.snapshot()
    return {name: snapshot[name] for name in ("position", "head")}


def name_of(folder: Path) -> str:
    return f"{folder.parent.name}-{folder.name}"


def test_every_game_is_there() -> None:
    """Each release has a record and a log of every game."""
    releases = {folder.parent.name for folder in SAVED}

    assert "1.0" in releases
    for release in releases:
        games = {folder.name for folder in SAVED if folder.parent.name == release}
        assert {game.name for game in GAMES} <= games


@pytest.mark.parametrize("folder", SAVED, ids=name_of)
def test_a_log_goes_on(folder: Path, tmp_path: Path) -> None:
    """A log folds to the head that its release had, in the middle of a game; its bots play that
    to the end, and after a restart the table stands there.
    """
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    shutil.copyfile(folder / LOG_FILE, data / LOG_FILE)
    end = ends_of(folder)["log"]
    with bot_table(data, seed=7) as (table, clock):
        stood = standing(table) | {"entries": len(read_bodies(data))}
        assert (end, "play") == (stood, table.snapshot()["phase"])
        play_out(table, clock)
        over = standing(table)
    with bot_table(data, seed=7) as (table, _):
        assert over == standing(table)

    assert over["position"] > end["position"]


@pytest.mark.parametrize("folder", SAVED, ids=name_of)
def test_a_record_is_proved_and_replayed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`companion verify` finds a record true and leading to the head that everybody saw, and its
    replay can be built.
    """
    record = (folder / "record.jsonl").read_text(encoding="utf-8")
    end = ends_of(folder)["record"]
    report = verify_record(record.splitlines(), GAMES, {end["position"]: end["head"]})
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(folder / "record.jsonl")])

    assert (None, end["head"], 0) == (report.wrong, report.head, ended.value.code or 0)
    assert "all right" in capsys.readouterr().out
    assert replay_json(record)["moments"]


def test_the_browser_proves_each_record() -> None:
    """The browser's own proof agrees on each record and its head."""
    pairs = [
        (
            (folder / "record.jsonl").read_text(encoding="utf-8"),
            {"heads": {str(end["position"]): end["head"]}},
        )
        for folder in SAVED
        for end in [ends_of(folder)["record"]]
    ]
    proofs = proved(pairs)

    assert [NOTHING_SECRET.get(folder.name) for folder in SAVED] == [
        proof["wrong"] for proof in proofs
    ]
    assert all(
        proof["head"] == ends_of(folder)["record"]["head"]
        for folder, proof in zip(SAVED, proofs, strict=True)
        if folder.name not in NOTHING_SECRET
    )


@pytest.mark.parametrize("path", CONTENTS, ids=lambda path: name_of(path.parent))
def test_a_content_file_is_usable(path: Path) -> None:
    """A content file has no error."""
    reading = load_file(path, GAMES)

    assert ((), True) == (reading.errors, reading.content is not None)


@pytest.mark.parametrize("folder", SAVED, ids=name_of)
def test_what_is_kept_is_of_its_release(folder: Path) -> None:
    """The kept files name the formats of docs/compatibility.md."""
    with closing(sqlite3.connect(f"file:{folder / LOG_FILE}?immutable=1", uri=True)) as log:
        (schema,) = log.execute("PRAGMA user_version").fetchone()
    with (folder / "record.jsonl").open(encoding="utf-8") as record:
        first = json.loads(record.readline())

    assert (2, 1) == (schema, first["format"])
