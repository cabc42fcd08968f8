"""Estimating a board's loop gains from the tiles on it."""

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
from tests.sensors.serial.connection import Connection

MAX_DRIFT_DB = 5.0
"""More than one strength step."""


def lay_tiles(board_model: BoardModel, cells: tuple[Cell, ...] = SQUARE.cells) -> list[LaidTag]:
    """Place a tile on each cell, in any turn, to about a millimetre."""
    tags = []
    for cell in cells:
        (x, y), spot = SQUARE.centres[cell], board_model.rng.choice(TILE_SPOTS[:4])
        tag = board_model.tag(
            "tile",
            x + spot.x + board_model.rng.gauss(0, 1),
            y + spot.y + board_model.rng.gauss(0, 1),
        )
        tags.append(LaidTag(x + spot.x, y + spot.y, tag.read().strengths))
    return tags


def error(estimate: LoopGains, board_model: BoardModel) -> float:
    """Return the standard deviation in dB of the gains' errors; a common offset does not count."""
    differences = [
        gain - expected for gain, expected in zip(estimate.gains, board_model.loops, strict=True)
    ]
    common = sum(differences) / len(differences)
    return sqrt(sum((difference - common) ** 2 for difference in differences) / len(differences))


@pytest.mark.parametrize("seed", range(8))
def test_a_laid_field_calibrates_every_loop(seed: int) -> None:
    """From 36 tiles in any turns each loop's gain is estimated to 0.8 dB, with a spread of 2 dB."""
    board_model = BoardModel.built(SQUARE, Random(seed))
    estimate = estimate_gains(SQUARE, lay_tiles(board_model))

    assert error(estimate, board_model) < 0.8
    assert min(estimate.tags) >= 3


def test_a_loop_that_no_tile_is_near_is_not_known() -> None:
    """With tiles in one row alone the other rows' loops are reported as unknown, with ordinary
    gain.
    """
    board_model = BoardModel.built(SQUARE, Random(1))
    estimate = estimate_gains(SQUARE, lay_tiles(board_model, SQUARE.cells[:6]))

    read_loops = [loop for loop in range(26) if estimate.tags[loop]]
    assert {0, *range(13, 26)} <= set(read_loops) and not {3, 4, 5, 10, 11, 12} & set(read_loops)
    assert 1 == len({estimate.gains[loop] for loop in range(26) if loop not in read_loops})


def test_a_loop_that_has_changed_is_noticed() -> None:
    """Only a loop that is 8 dB quieter than at its calibration shows drift."""
    board_model = BoardModel.built(SQUARE, Random(2))
    gains = estimate_gains(SQUARE, lay_tiles(board_model)).gains
    board_model.loops = [
        gain - 8.0 if loop == 15 else gain for loop, gain in enumerate(board_model.loops)
    ]

    changed = {
        loop
        for loop, by in gain_drift(SQUARE, gains, lay_tiles(board_model)).items()
        if abs(by) > MAX_DRIFT_DB
    }

    assert {15} == changed


@pytest.mark.slow
def test_each_loop_is_read_by_itself() -> None:
    """A calibration scans each loop alone and uses registered tiles in certain places, no
    unknown tags.
    """
    board_model = BoardModel.built(SQUARE, Random(3))
    records = {Uid(f"{number:016X}"): tag for number, tag in enumerate(lay_tiles(board_model), 1)}
    registered = {uid: TileTag(number) for number, uid in enumerate(records, 1) if number != 36}
    results: list[LoopGains | None] = []
    calibration = Calibration(registered, Locator(SQUARE), results.append)

    loops = []
    while not calibration.over:
        request = calibration.next_request()
        assert isinstance(request, Calibrate)
        loops.append(request.loop)
        strengths = [(uid, tag.strengths[request.loop]) for uid, tag in records.items()]
        calibration.take_scan(
            request,
            [
                TagRecord(uid, tuple(strength if loop == request.loop else 0 for loop in range(26)))
                for uid, strength in strengths
                if strength
            ],
        )

    assert list(range(26)) == loops
    assert results[0] is not None and error(results[0], board_model) < 0.8


def test_nothing_laid_is_no_calibration() -> None:
    """Without a registered tile the calibration has no result."""
    results: list[LoopGains | None] = []
    calibration = Calibration({}, Locator(SQUARE), results.append)
    while not calibration.over:
        calibration.take_scan(Calibrate(calibration.loop), [])

    assert [None] == results


def scan_tiles(tiles: int, seed: int) -> tuple[RfModel, Sequence[float]]:
    """Scan this number of tiles with an uncalibrated host; return the loops and the host's
    gains.
    """
    rng = Random(seed)
    field, world = RfModel.with_spread(rng, 0.12), World()
    for number, cell in enumerate(SQUARE.cells[:tiles], 1):
        world.put_tile(cell, Tile(number, rng.choice((0, 90, 180, 270))))
    connection = Connection("identity", world=world, field=field)
    connection.run(8.0)
    assert isinstance(connection.host.poller, TagPoller)
    return field, connection.host.poller.decoder.locator.gains


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_a_field_of_tiles_tunes_a_board_that_nobody_calibrated(seed: int) -> None:
    """The first scan of a whole field gives each loop's gain within 4 dB, without a click."""
    field, gains = scan_tiles(36, seed)

    assert 26 == len(gains)
    expected = [40 * log10(gain) for gain in field.gains]
    common = (sum(gains) - sum(expected)) / 26
    assert 4.0 > max(abs(gain - true - common) for gain, true in zip(gains, expected, strict=True))


@pytest.mark.slow
def test_a_few_tiles_tune_nothing() -> None:
    """Two rows of tiles leave the other rows' loops unknown: the board stays uncalibrated, and
    scans more often.
    """
    _, gains = scan_tiles(12, 4)

    assert () == gains
