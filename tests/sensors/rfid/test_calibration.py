"""Estimating a board's loop gains from the tiles that lie on it."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10, sqrt
from random import Random

import pytest

from companion.core.placement import Cell
from companion.sensors.observation import Tile
from companion.sensors.rfid.calibration import (
    Calibration,
    LaidTag,
    LoopGains,
    estimate_gains,
    gain_drift,
)
from companion.sensors.rfid.geometries import SQUARE
from companion.sensors.rfid.locate import TILE_SPOTS, Locator
from companion.sensors.rfid.registry import TileTag
from companion.sensors.serial.messages import Calibrate, TagRecord, Uid
from companion.sensors.serial.poller import TagPoller
from companion.sim.rf_model import RfModel
from companion.sim.table_model import World
from tests.sensors.rfid.field_model import BoardModel
from tests.sensors.serial.wire_driver import Wire

MAX_DRIFT_DB = 5.0
"""More than one strength step."""


def lay(board_model: BoardModel, cells: tuple[Cell, ...] = SQUARE.cells) -> list[LaidTag]:
    """Lay a tile on each cell, in any turn, stuck to about a millimetre."""
    laid = []
    for cell in cells:
        (x, y), spot = SQUARE.centres[cell], board_model.rng.choice(TILE_SPOTS[:4])
        tag = board_model.tag(
            "tile",
            x + spot.x + board_model.rng.gauss(0, 1),
            y + spot.y + board_model.rng.gauss(0, 1),
        )
        laid.append(LaidTag(x + spot.x, y + spot.y, tag.read().strengths))
    return laid


def error(tuning: LoopGains, board_model: BoardModel) -> float:
    """Return the standard deviation in dB that the gains leave; a common offset does not count."""
    off = [found - true for found, true in zip(tuning.gains, board_model.loops, strict=True)]
    common = sum(off) / len(off)
    return sqrt(sum((one - common) ** 2 for one in off) / len(off))


@pytest.mark.parametrize("seed", range(8))
def test_a_laid_field_calibrates_every_loop(seed: int) -> None:
    """From 36 tiles in any turns each loop's gain is estimated to less than 0.8 dB, of a spread of
    2 dB.
    """
    board_model = BoardModel.built(SQUARE, Random(seed))
    tuning = estimate_gains(SQUARE, lay(board_model))

    assert error(tuning, board_model) < 0.8
    assert min(tuning.tags) >= 3


def test_a_loop_that_no_tile_is_near_is_not_known() -> None:
    """With tiles in one row alone the other rows' loops are reported as unknown, with ordinary
    gain.
    """
    board_model = BoardModel.built(SQUARE, Random(1))
    tuning = estimate_gains(SQUARE, lay(board_model, SQUARE.cells[:6]))

    known = [loop for loop in range(26) if tuning.tags[loop]]
    assert {0, *range(13, 26)} <= set(known) and not {3, 4, 5, 10, 11, 12} & set(known)
    assert 1 == len({tuning.gains[loop] for loop in range(26) if loop not in known})


def test_a_loop_that_has_changed_is_noticed() -> None:
    """Only a loop that is 8 dB quieter than at its calibration shows drift."""
    board_model = BoardModel.built(SQUARE, Random(2))
    gains = estimate_gains(SQUARE, lay(board_model)).gains
    board_model.loops = [
        loud - 8.0 if loop == 15 else loud for loop, loud in enumerate(board_model.loops)
    ]

    changed = {
        loop
        for loop, by in gain_drift(SQUARE, gains, lay(board_model)).items()
        if abs(by) > MAX_DRIFT_DB
    }

    assert {15} == changed


def test_each_loop_is_read_by_itself() -> None:
    """A calibration scans each loop alone and uses registered tiles in certain places, no
    unknown tags.
    """
    board_model = BoardModel.built(SQUARE, Random(3))
    records = {Uid(f"{number:016X}"): one for number, one in enumerate(lay(board_model), 1)}
    known = {uid: TileTag(number) for number, uid in enumerate(records, 1) if number != 36}
    found: list[LoopGains | None] = []
    calibration = Calibration(known, Locator(SQUARE), found.append)

    asked = []
    while not calibration.over:
        wanted = calibration.wanted()
        assert isinstance(wanted, Calibrate)
        asked.append(wanted.loop)
        on = [(uid, one.strengths[wanted.loop]) for uid, one in records.items()]
        calibration.scanned(
            wanted,
            [
                TagRecord(uid, tuple(s if n == wanted.loop else 0 for n in range(26)))
                for uid, s in on
                if s
            ],
        )

    assert list(range(26)) == asked
    assert found[0] is not None and error(found[0], board_model) < 0.8


def test_nothing_laid_is_no_calibration() -> None:
    """Without a registered tile on the board nothing is calibrated."""
    found: list[LoopGains | None] = []
    calibration = Calibration({}, Locator(SQUARE), found.append)
    while not calibration.over:
        calibration.scanned(Calibrate(calibration.loop), [])

    assert [None] == found


def laid_board(tiles: int, seed: int) -> tuple[RfModel, Sequence[float]]:
    """Let an uncalibrated host scan this number of tiles; return the loops and the host's gains."""
    rng = Random(seed)
    field, world = RfModel.built(rng, 0.12), World()
    for number, cell in enumerate(SQUARE.cells[:tiles], 1):
        world.put_tile(cell, Tile(number, rng.choice((0, 90, 180, 270))))
    wire = Wire("identity", world=world, field=field)
    wire.run(8.0)
    assert isinstance(wire.host.poller, TagPoller)
    return field, wire.host.poller.decoder.locator.gains


@pytest.mark.parametrize("seed", range(3))
def test_a_field_of_tiles_tunes_a_board_that_nobody_calibrated(seed: int) -> None:
    """The first scan of a whole field gives each loop's gain within a step of 4 dB, without a
    click.
    """
    field, gains = laid_board(36, seed)

    assert 26 == len(gains)
    true = [40 * log10(loud) for loud in field.loudness]
    common = (sum(gains) - sum(true)) / 26
    assert 4.0 > max(abs(gain - loud - common) for gain, loud in zip(gains, true, strict=True))


def test_a_few_tiles_tune_nothing() -> None:
    """Two rows of tiles leave the other rows' loops unknown: the board stays uncalibrated, and
    scans more often.
    """
    _, gains = laid_board(12, 4)

    assert () == gains
