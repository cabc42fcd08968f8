"""Compare the readings of rendered pictures with the truth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import msgspec
from msgspec import Struct

from companion.core.placement import Cell, Tile
from companion.sensors.observation import Observation
from companion.sensors.vision.camera_client import FrameRequest
from companion.sensors.vision.camera_worker import read_frame
from companion.sensors.vision.field import FIELD_CELLS, NoField, scan_field
from companion.sensors.vision.frame import FrameContext
from companion.sensors.vision.tracker import CameraTracker
from companion.sensors.vision.zxing_reader import ZxingReader, open_photo
from tools.photos.rendered.scene import TOKEN_KINDS, Kind, RenderedScene, cell_at, scene
from tools.photos.rendered.sensor import taken

Verdicts = Counter[str]
"""How many things are right, unknown and wrong. How many nothing covers, and how many of these no
shadow's edge crosses and no lamp mirrors; of both, how many are right.
"""


class Shown(Struct, frozen=True):
    """How a code or mark is shown; see `blender.py`."""

    seen: float
    lit: tuple[float, ...]
    mirrors: float

    def is_even(self, is_glossy: bool) -> bool:
        """Return whether it is visible whole, without a shadow's edge, and mirrors no lamp."""
        has_edge = any(0 < share < 1 for share in self.lit)
        return self.seen == 1 and not has_edge and not (is_glossy and self.mirrors)


Truth = dict[str, Shown]
"""How each tile, by cell, and each pawn is shown."""


def read_scenes(folder: Path, numbers: range) -> dict[str, Verdicts]:
    """Return each condition's verdicts over the scenes of these numbers that have a picture."""
    by_condition: defaultdict[str, Verdicts] = defaultdict(Counter)
    for kind in get_args(Kind):
        for number in numbers:
            rendered = scene(kind, number)
            picture = folder / f"{rendered.spec['name']}.png"
            if not picture.exists():
                continue
            truth = msgspec.json.decode(picture.with_suffix(".json").read_bytes(), type=Truth)
            photo = taken(picture, rendered.sensor, number)
            read = _watched if kind == "watch" else _scanned
            verdicts = read(rendered, photo, truth)
            verdicts["scenes"] = 1
            for condition in ("all", *conditions(rendered)):
                by_condition[f"{kind} {condition}"] += verdicts
            if verdicts["wrong"]:
                print(f"wrong: {picture.name}: {verdicts['wrong']}", flush=True)
    return dict(sorted(by_condition.items()))


def line(condition: str, verdicts: Verdicts) -> str:
    """Return a condition's figures for people."""
    counts = " ".join(
        f"{name}={verdicts[name]}" for name in ("scenes", "right", "unknown", "wrong")
    )
    shares = " ".join(
        f"{which}={100 * share_read(verdicts, which):.2f}%" for which in ("uncovered", "even")
    )
    return f"{condition:24} {counts} {shares}"


def share_read(verdicts: Verdicts, which: str) -> float:
    """Return the share of "uncovered" or "even" pieces that are read right."""
    return verdicts[f"{which} right"] / max(1, verdicts[which])


def conditions(rendered: RenderedScene) -> Iterator[str]:
    """Yield a scene's conditions."""
    sensor, tilt = rendered.sensor, rendered.spec["camera"]["tilt"]
    yield f"light {rendered.light}"
    yield f"table {rendered.spec['table']}"
    if rendered.kind == "watch":
        yield f"cover {rendered.cover}"
        if rendered.tokens:
            yield "tokens"
    else:
        yield f"tilt {15 * int(tilt // 15)} to {15 * int(tilt // 15) + 15}"
    if rendered.spec["lamination"]:
        yield "laminated"
    if sensor.is_video:
        yield "video"
    if sensor.quality < 70:
        yield "JPEG below 70"
    if sensor.shake:
        yield "shake"
    if any(tile["curl"] > 1 or tile["bend"] > 1 for tile in rendered.spec["tiles"]):
        yield "warped"


def _watched(rendered: RenderedScene, photo: bytes, truth: Truth) -> Verdicts:
    tiles = {cell: Tile(*tile) for cell, tile in rendered.laid.items()}
    result = read_frame(photo, FrameRequest(len(photo), FrameContext(tiles, tokens=TOKEN_KINDS)))
    observation = None if result.problem else CameraTracker("camera").update(result, 0.0)
    standing: dict[Cell, set[str]] = {}
    for pawn, place in rendered.pawns.items():
        standing.setdefault(cell_at(place), set()).add(pawn)
    verdicts: Verdicts = Counter()
    for cell in FIELD_CELLS:
        names_here = standing.get(cell, set())
        names = (
            set()
            if observation is None or observation.pawns is None
            else observation.pawns.get(cell, frozenset())
        )
        if observation is None or cell in observation.unknown:
            verdict = "unknown"
        elif names == names_here or (cell in observation.partly and names < names_here):
            verdict = "right"
        else:
            verdict = "wrong"
        _count(verdicts, verdict, [truth[name] for name in names_here or {cell}], rendered)
    if rendered.tokens:
        verdicts += _count_tokens(rendered, observation, truth)
    return verdicts


def _count_tokens(
    rendered: RenderedScene, observation: Observation | None, truth: Truth
) -> Verdicts:
    """Compare the cells' tokens with the truth. A cell without one counts too: it is right if the
    observation says that none lies there. A reported token is right on a covered cell too.
    """
    verdicts: Verdicts = Counter()
    for cell in FIELD_CELLS:
        expected = Counter([rendered.tokens[cell]] if cell in rendered.tokens else [])
        tokens = (observation.tokens if observation is not None else None) or {}
        reported = tokens.get(cell, Counter())
        is_unknown = (
            observation is None
            or observation.tokens is None
            or cell in observation.unknown | observation.tokens_unknown
        )
        if reported or not is_unknown:
            verdict = "right" if expected == reported else "wrong"
        else:
            verdict = "unknown"
        name = f"token {cell}"
        visible = [truth[name] if expected else truth[cell]]
        _count(verdicts, verdict, visible, rendered)
    return verdicts


def _scanned(rendered: RenderedScene, photo: bytes, truth: Truth) -> Verdicts:
    verdicts: Verdicts = Counter()
    try:
        tiles = scan_field(ZxingReader(open_photo(photo))).tiles
    except NoField:
        tiles = {}
    for cell, tile in rendered.laid.items():
        read = tiles.get(cell)
        verdict = "unknown" if read is None else "right" if read == Tile(*tile) else "wrong"
        _count(verdicts, verdict, [truth[cell]], rendered)
    return verdicts


def _count(
    verdicts: Verdicts, verdict: str, visible: Sequence[Shown], rendered: RenderedScene
) -> None:
    is_glossy = bool(rendered.spec["lamination"])
    verdicts[verdict] += 1
    for which, belongs in (
        ("uncovered", all(each.seen == 1 for each in visible)),
        ("even", all(each.is_even(is_glossy) for each in visible)),
    ):
        verdicts[which] += belongs
        verdicts[f"{which} right"] += belongs and verdict == "right"
