"""Compare what is read in rendered pictures with the truth."""

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
from companion.sensors.vision.field import NoField, scan_field
from companion.sensors.vision.frame import FrameContext
from companion.sensors.vision.tracker import FIELD_CELLS, CameraTracker
from companion.sensors.vision.zxing_reader import ZxingReader, open_photo
from tests.photos.rendered.scene import TOKEN_KINDS, Kind, RenderedScene, cell_at, scene
from tests.photos.rendered.sensor import taken

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
        """Return whether it is seen whole, without a shadow's edge, and mirrors no lamp."""
        has_edge = any(0 < share < 1 for share in self.lit)
        return self.seen == 1 and not has_edge and not (is_glossy and self.mirrors)


Truth = dict[str, Shown]
"""How each tile, by cell, and each pawn is shown."""


def read_scenes(folder: Path, numbers: range) -> dict[str, Verdicts]:
    """Return each condition's verdicts over the scenes of these numbers that have a picture."""
    found: defaultdict[str, Verdicts] = defaultdict(Counter)
    for kind in get_args(Kind):
        for number in numbers:
            made = scene(kind, number)
            picture = folder / f"{made.spec['name']}.png"
            if not picture.exists():
                continue
            truth = msgspec.json.decode(picture.with_suffix(".json").read_bytes(), type=Truth)
            photo = taken(picture, made.sensor, number)
            read = _watched if kind == "watch" else _scanned
            verdicts = read(made, photo, truth)
            verdicts["scenes"] = 1
            for condition in ("all", *conditions(made)):
                found[f"{kind} {condition}"] += verdicts
            if verdicts["wrong"]:
                print(f"wrong: {picture.name}: {verdicts['wrong']}", flush=True)
    return dict(sorted(found.items()))


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
    """Return the share of "uncovered" or "even" things that are read right."""
    return verdicts[f"{which} right"] / max(1, verdicts[which])


def conditions(made: RenderedScene) -> Iterator[str]:
    """Yield a scene's conditions."""
    sensor, tilt = made.sensor, made.spec["camera"]["tilt"]
    yield f"light {made.light}"
    yield f"table {made.spec['table']}"
    if made.kind == "watch":
        yield f"cover {made.cover}"
        if made.tokens:
            yield "tokens"
    else:
        yield f"tilt {15 * int(tilt // 15)} to {15 * int(tilt // 15) + 15}"
    if made.spec["lamination"]:
        yield "laminated"
    if sensor.is_video:
        yield "video"
    if sensor.quality < 70:
        yield "JPEG below 70"
    if sensor.shake:
        yield "shake"
    if any(tile["curl"] > 1 or tile["bend"] > 1 for tile in made.spec["tiles"]):
        yield "warped"


def _watched(made: RenderedScene, photo: bytes, truth: Truth) -> Verdicts:
    known = {cell: Tile(*tile) for cell, tile in made.laid.items()}
    result = read_frame(photo, FrameRequest(len(photo), FrameContext(known, tokens=TOKEN_KINDS)))
    seen = None if result.problem else CameraTracker("camera").update(result, 0.0)
    standing: dict[Cell, set[str]] = {}
    for pawn, place in made.pawns.items():
        standing.setdefault(cell_at(place), set()).add(pawn)
    verdicts: Verdicts = Counter()
    for cell in FIELD_CELLS:
        there = standing.get(cell, set())
        names = set() if seen is None or seen.pawns is None else seen.pawns.get(cell, frozenset())
        if seen is None or cell in seen.unknown:
            verdict = "unknown"
        elif names == there or (cell in seen.partly and names < there):
            verdict = "right"
        else:
            verdict = "wrong"
        _count(verdicts, verdict, [truth[name] for name in there or {cell}], made)
    if made.tokens:
        verdicts += _tokens_told(made, seen, truth)
    return verdicts


def _tokens_told(made: RenderedScene, seen: Observation | None, truth: Truth) -> Verdicts:
    """Compare the cells' tokens with what is told; a cell without one is a thing too."""
    verdicts: Verdicts = Counter()
    for cell in FIELD_CELLS:
        there = [made.tokens[cell]] if cell in made.tokens else []
        if seen is None or seen.tokens is None or cell in seen.unknown | seen.tokens_unknown:
            verdict = "unknown"
        else:
            is_right = Counter(there) == seen.tokens.get(cell, Counter())
            verdict = "right" if is_right else "wrong"
        name = f"token {cell}"
        shown = [truth[name] if there else truth[cell]]
        _count(verdicts, verdict, shown, made)
    return verdicts


def _scanned(made: RenderedScene, photo: bytes, truth: Truth) -> Verdicts:
    verdicts: Verdicts = Counter()
    try:
        tiles = scan_field(ZxingReader(open_photo(photo))).tiles
    except NoField:
        tiles = {}
    for cell, tile in made.laid.items():
        read = tiles.get(cell)
        verdict = "unknown" if read is None else "right" if read == Tile(*tile) else "wrong"
        _count(verdicts, verdict, [truth[cell]], made)
    return verdicts


def _count(verdicts: Verdicts, verdict: str, shown: Sequence[Shown], made: RenderedScene) -> None:
    is_glossy = bool(made.spec["lamination"])
    verdicts[verdict] += 1
    for which, belongs in (
        ("uncovered", all(each.seen == 1 for each in shown)),
        ("even", all(each.is_even(is_glossy) for each in shown)),
    ):
        verdicts[which] += belongs
        verdicts[f"{which} right"] += belongs and verdict == "right"
