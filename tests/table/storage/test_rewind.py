"""A restored data folder: screens have a longer history than the table, and everybody reads
that.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.server.client import GameTable
from tests.table.play import Play
from tests.table.toy_game import A, Ask, End, S, Step


def test_what_a_screen_remembers_is_compared(tmp_path: Path) -> None:
    """A screen with the same history, a shorter one, or an older game changes nothing."""
    play = Play(tmp_path / "data")
    play.start("S", "A", "B")
    heads = [(snapshot["position"], snapshot["head"]) for snapshot in [play.table.snapshot()]]
    play.night(S, Step(1), End())
    heads.append((play.table.snapshot()["position"], play.table.snapshot()["head"]))
    entries = len(play.log)
    for position, head in heads:
        play.table.check_memory(position, head)
    play.table.check_memory(1, "0" * 64)

    assert (entries, False) == (len(play.log), play.table.snapshot()["paused"])
    play.table.close()


def test_an_older_folder_under_running_screens(tmp_path: Path) -> None:
    """Copy the folder, take the radar, put the copy back: the first screen that returns shows
    everybody where the histories part, and play pauses until it is resumed; a second screen adds
    nothing.
    """
    play = Play(tmp_path / "data")
    play.start("S", "A", "B")
    play.night(S, Step(1), End())
    position = play.table.snapshot()["position"]
    shutil.copytree(play.folder, tmp_path / "kept", ignore=shutil.ignore_patterns("*-shm"))
    play.submit(A, Ask())
    remembered = play.table.snapshot()
    play.table.close()
    play.folder = tmp_path / "kept"
    play.open()
    play.table.check_memory(remembered["position"], remembered["head"])
    snapshot = play.table.snapshot()

    assert ("history_rewound", position) == tuple(snapshot["log"][-1]["event"].values())
    assert snapshot["paused"]
    play.table.check_memory(remembered["position"], remembered["head"])
    assert snapshot is play.table.snapshot()
    play.table.pause(False)
    play.submit(A, Ask())
    assert play.table.snapshot()["position"] > remembered["position"]
    play.table.check_memory(remembered["position"], remembered["head"])
    assert ["history_rewound", remembered["position"]] == list(
        play.table.snapshot()["log"][-1]["event"].values()
    )
    play.table.close()


def test_phones_and_displays_tell_what_they_remember(tmp_path: Path) -> None:
    """A seated phone's hello carries its last position; a stranger's is ignored."""
    game_table = GameTable(tmp_path / "data")
    phone = game_table.placed()[0]
    before = game_table.table.snapshot()
    strange = {"expect": before["position"], "head": "ab" * 32}
    game_table.phone().request("hello", **strange)
    assert before["position"] == game_table.table.snapshot()["position"]

    phone.request("hello", expect=before["position"], head=before["head"])
    assert before["position"] == game_table.table.snapshot()["position"]
    phone.request("hello", **strange)
    assert "history_rewound" == game_table.table.snapshot()["log"][-1]["event"]["event"]
    game_table.close()


def test_a_stream_shows_it_too(tmp_path: Path) -> None:
    """A phone that returns to its stream is compared before it receives anything."""
    game_table = GameTable(tmp_path / "data")
    phone = game_table.placed()[0]
    message, _ = phone.seal({"id": phone.new_id(), "do": "hello", "expect": 999, "head": "ab" * 32})
    phone.post("/stream", message).close()

    assert game_table.table.snapshot()["paused"]
    game_table.close()
