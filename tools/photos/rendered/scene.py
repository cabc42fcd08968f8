"""Scenes for the path tracer, by seed: the pieces on the table, the light, the lens, the sensor."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Literal

from msgspec import Struct

from companion.core.grid import cell_name, parse_cell
from companion.core.placement import Cell
from companion.games.vampireradar.layout import PARTS
from companion.sensors.vision.codes import MARKED_PAWNS
from companion.sensors.vision.field import FIELD_CELLS
from tools.photos.scene import PITCH, random_laid

Kind = Literal["watch", "photo"]
"""What reads the picture: the watching camera, or the reader of the one photo of the field."""

SIZE = (2000, 1500)
SENSOR, FOCAL = 9.8, 7.0
"""Width of the sensor and focal length in mm: a phone's main camera, 26 mm on film."""
FIELD_HALF = 3 * PITCH
MARGIN = 1.06
"""How much larger than the field the picture is at least."""
COVERS = ("bare", "hand", "sleeve", "dice", "cup", "sheet")
LIGHTS = ("warm", "day", "mixed", "spot", "dim")
TABLES = ("wood", "cloth", "mat")
PAWN_SPREAD, PAWN_CLEARANCE = 22.0, 27.0
"""Mm from a tile's middle within which a pawn stands, and between the middles of two pawns."""
TOKENS, TOKEN_SPREAD, TOKEN_CLEARANCE = 12, 19.0, 20.0
"""Tokens of a scene, mm from a tile's middle within which one lies, and from it to a pawn's."""
MAX_RISE = 1.7
"""Mm that a tile may rise under a token, whose top lies at 2 mm; the card is 0.3 mm."""
TOKEN_KINDS = tuple(PARTS.tokens)
PAWN_COLOURS = ((0.55, 0.09, 0.07), (0.08, 0.2, 0.5), (0.75, 0.6, 0.1))
SKINS = ((0.75, 0.5, 0.38), (0.36, 0.19, 0.11), (0.85, 0.62, 0.5))


class Sensor(Struct, frozen=True):
    """The sensor's effects.

    `barrel`: share of the radius, at the picture's corner, by which the lens draws points in.
    `vignette`: share of the light lost in the corners. `noise`: grey levels. `shake`: pixels.
    `is_video`: the picture is a frame of a compressed video.
    """

    barrel: float
    vignette: float
    noise: float
    shake: float
    quality: int
    is_video: bool


class RenderedScene(Struct, frozen=True):
    """A scene. `laid`: number and clockwise turn of each cell's tile. `pawns`: place in mm.
    `tokens`: the kind on each cell.

    `spec`: what the renderer draws, as `blender.py` reads it. Pieces are named by their prints.
    """

    number: int
    kind: Kind
    cover: str
    light: str
    laid: dict[Cell, tuple[int, int]]
    pawns: dict[str, tuple[float, float]]
    tokens: dict[Cell, str]
    sensor: Sensor
    spec: dict[str, Any]


def scene(kind: Kind, number: int) -> RenderedScene:
    """Return scene `number` of a kind; the same number is the same scene."""
    rng = Random(f"{kind} {number}")
    laid = {Cell(cell): tile for cell, tile in random_laid(rng).items()}
    light = LIGHTS[number % len(LIGHTS)]
    cover = COVERS[number // len(LIGHTS) % len(COVERS)] if kind == "watch" else "bare"
    pawns = dict(_pawns(rng)) if kind == "watch" else {}
    spec: dict[str, Any] = {
        "name": f"{kind}-{number:04}",
        "seed": number,
        "light": light,
        "exposure": rng.uniform(-0.4, 0.4),
        "table": rng.choice(TABLES),
        "lamination": rng.choice((0.0, 0.0, 0.6)),
        "tiles": [*_tiles(laid, rng), *([_card(rng)] if kind == "photo" else [])],
        "pawns": [_pawn(pawn, at, rng) for pawn, at in pawns.items()],
        "tokens": [],
        "things": list(_things(cover, rng)),
        "camera": _camera(kind, rng),
    }
    sensor = Sensor(
        barrel=rng.uniform(-0.01, 0.03),
        vignette=rng.uniform(0.1, 0.4),
        noise=rng.uniform(2, 9 if light == "dim" else 5),
        shake=rng.choice((0.0, 0.0, 1.0, 2.0)),
        quality=rng.randint(60, 90),
        is_video=kind == "watch" and rng.random() < 0.3,
    )
    lying = {}
    # Every other round of lights and covers has tokens.
    if kind == "watch" and number // (len(LIGHTS) * len(COVERS)) % 2 == 1:
        tokens = _tokens(pawns, spec["tiles"], Random(f"tokens {number}"))
        lying = {cell: token["print"] for cell, token in tokens.items()}
        spec["tokens"] = list(tokens.values())
    return RenderedScene(number, kind, cover, light, laid, pawns, lying, sensor, spec)


def middle(cell: Cell) -> tuple[float, float]:
    """Return a cell's middle in mm, x to the east and y to the south of the field's middle."""
    column, row = parse_cell(cell)
    return (column - 2.5) * PITCH, (row - 2.5) * PITCH


def cell_at(place: tuple[float, float]) -> Cell:
    """Return the cell of a place in mm."""
    column, row = (round(part / PITCH + 2.5) for part in place)
    return cell_name(column, row)


def _tiles(laid: dict[Cell, tuple[int, int]], rng: Random) -> Iterator[dict[str, Any]]:
    warp = rng.choice((0.0, 0.6, 1.5, 3.0))
    for cell, (number, turn) in laid.items():
        x, y = middle(cell)
        yield {
            "name": cell,
            "print": f"VRT{number:02}",
            "side": 60.0,
            "x": x + rng.uniform(-1.2, 1.2),
            "y": y + rng.uniform(-1.2, 1.2),
            "turn": turn + rng.uniform(-2.5, 2.5),
            "curl": rng.uniform(0, warp),
            "bend": rng.choice((0, 0, rng.uniform(0, warp))),
        }


def _card(rng: Random) -> dict[str, Any]:
    x, y = middle(Cell("A1"))
    dx, dy = rng.choice(((-66, 2), (3, -65)))
    turn = rng.uniform(-5, 5)
    return {
        **{"name": "card", "print": "VRC00", "side": 60.0, "x": x + dx, "y": y + dy},
        **{"turn": turn, "curl": 0.0, "bend": 0.0},
    }


def _pawns(rng: Random) -> Iterator[tuple[str, tuple[float, float]]]:
    standing: list[tuple[float, float]] = []
    for pawn in rng.sample(MARKED_PAWNS, rng.randint(4, len(MARKED_PAWNS))):
        while True:
            x, y = (
                (rng.randrange(6) - 2.5) * PITCH + rng.uniform(-PAWN_SPREAD, PAWN_SPREAD)
                for _ in range(2)
            )
            if all(math.dist((x, y), other) > PAWN_CLEARANCE for other in standing):
                break
        standing.append((x, y))
        yield pawn, (x, y)


def _pawn(pawn: str, at: tuple[float, float], rng: Random) -> dict[str, Any]:
    side = MARKED_PAWNS.index(pawn) // 4
    return {
        **{"name": pawn, "print": pawn, "x": at[0], "y": at[1], "turn": rng.uniform(0, 360)},
        "colour": PAWN_COLOURS[side],
    }


def _tokens(
    pawns: dict[str, tuple[float, float]], tiles: Sequence[dict[str, Any]], rng: Random
) -> dict[Cell, dict[str, Any]]:
    tokens: dict[Cell, dict[str, Any]] = {}
    under = {tile["name"]: tile for tile in tiles}
    for cell in rng.sample(FIELD_CELLS, TOKENS):
        x, y = (part + rng.uniform(-TOKEN_SPREAD, TOKEN_SPREAD) for part in middle(cell))
        kind = rng.choice(TOKEN_KINDS)
        if any(math.dist((x, y), pawn) <= TOKEN_CLEARANCE for pawn in pawns.values()):
            continue
        turn = rng.uniform(0, 360)
        # The renderer lays tokens flat; one would lie inside a tile that rises higher.
        if rise(under[cell], x, y) < MAX_RISE:
            name = f"token {cell}"
            tokens[cell] = {"name": name, "print": kind, "x": x, "y": y, "turn": turn}
    return tokens


def rise(tile: dict[str, Any], x: float, y: float) -> float:
    """Return how high (mm) a warped tile stands at a place."""
    angle = math.radians(tile["turn"])
    dx, dy = (x - tile["x"]) / tile["side"], (y - tile["y"]) / tile["side"]
    right = 2 * abs(dx * math.cos(angle) + dy * math.sin(angle))
    down = 2 * abs(dy * math.cos(angle) - dx * math.sin(angle))
    curl, bend = float(tile["curl"]), float(tile["bend"])
    return curl * float(max(right, down) ** 3 * right * down) + bend * float(1 - right**2)


def _things(cover: str, rng: Random) -> Iterator[dict[str, Any]]:
    kind = {"dice": "die"}.get(cover, cover)
    for _ in range({"bare": 0, "dice": 5, "cup": 2}.get(cover, 1)):
        yield {
            "kind": kind,
            "x": rng.uniform(-165, 165),
            "y": rng.uniform(-165, 165),
            "z": rng.uniform(25, 90),
            # From the south, give or take: where the players sit.
            "turn": rng.uniform(-50, 50),
            "roll": rng.uniform(-40, 40),
            "colour": rng.choice(SKINS) if kind == "hand" else (0.2, 0.3, 0.5),
        }


def _camera(kind: Kind, rng: Random) -> dict[str, Any]:
    is_photo = kind == "photo"
    held = {
        "size": SIZE,
        "sensor": SENSOR,
        "focal": FOCAL,
        "fstop": rng.choice((1.8, 2.2, 2.8)),
        "focus": rng.uniform(0.96, 1.03),
        "tilt": rng.uniform(0, 60) if is_photo else rng.uniform(0, 12),
        "azimuth": rng.uniform(-25, 25) if is_photo else 90 * rng.randrange(4) + rng.uniform(-6, 6),
        "roll": rng.uniform(-8, 8) if is_photo else rng.uniform(-4, 4),
        "x": 0.0,
        "y": 0.0,
    }
    margin = MARGIN * rng.uniform(1, 1.15)
    return _aimed(held, FIELD_HALF + (66 if is_photo else 0), margin)


def _aimed(held: dict[str, Any], north_west: float, margin: float) -> dict[str, Any]:
    """Return the camera over the middle of what it sees, so far that the whole field is in the
    picture; `north_west`: mm from the field's middle to what is seen of its north and west.
    """
    corners = [(x, y) for x in (-north_west, FIELD_HALF) for y in (-north_west, FIELD_HALF)]
    distance = 600.0
    for _ in range(12):
        pixels = [pixel(held, distance, x, y) for x, y in corners]
        low, high = ([pick(axis) for axis in zip(*pixels, strict=True)] for pick in (min, max))
        wide, tall = high[0] - low[0], high[1] - low[1]
        step = distance * SENSOR / FOCAL / SIZE[0] / 2
        azimuth = math.radians(held["azimuth"])
        right, ahead = step * (high[0] + low[0]) / 2, -step * (high[1] + low[1]) / 2
        held = {
            **held,
            "x": held["x"] + right * math.cos(azimuth) + ahead * math.sin(azimuth),
            "y": held["y"] + right * math.sin(azimuth) - ahead * math.cos(azimuth),
        }
        distance *= (1 + max(wide / SIZE[0], tall / SIZE[1])) / 2
    return {**held, "distance": distance * margin}


def pixel(held: dict[str, Any], distance: float, x: float, y: float) -> tuple[float, float]:
    """Return where a point of the table (mm) appears, in pixels from the picture's middle."""
    tilt, azimuth, roll = (math.radians(held[name]) for name in ("tilt", "azimuth", "roll"))
    east, north = x - held["x"], held["y"] - y
    # Turned by the azimuth, then tilted, then rolled, as the renderer's camera is.
    right = east * math.cos(azimuth) - north * math.sin(azimuth)
    ahead = east * math.sin(azimuth) + north * math.cos(azimuth)
    depth = distance + ahead * math.sin(tilt)
    up = ahead * math.cos(tilt)
    scale = FOCAL / SENSOR * SIZE[0] / depth
    return (
        scale * (right * math.cos(roll) + up * math.sin(roll)),
        scale * (right * math.sin(roll) - up * math.cos(roll)),
    )
