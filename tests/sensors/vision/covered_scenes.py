"""Drawn scenes of a table with tokens under hands, sleeves, cups and dice, and of a knocked camera:
`python -m tests.sensors.vision.covered_scenes --scenes N` counts wrong readings.

Each scene has its true placement. The pawns of a tile and its token are right, wrong or unknown;
the last line is `wrong=N`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from companion.core.grid import parse_cell
from companion.core.placement import Cell, Pawn, Tile
from companion.games.vampireradar.layout import PARTS
from companion.sensors.observation import Observation
from companion.sensors.vision.camera_client import FrameRequest
from companion.sensors.vision.camera_worker import read_frame
from companion.sensors.vision.codes import FIRST_MARKER, FIRST_TOKEN_MARKER, MARKED_PAWNS
from companion.sensors.vision.field import FIELD_CELLS
from companion.sensors.vision.frame import FrameContext
from companion.sensors.vision.tracker import MAX_MISSED_FRAMES, CameraTracker
from tools.photos.frame_sequence import FrameSequence
from tools.photos.scene import PITCH, Scene, random_laid
from tools.photos.views import VIEWS

PICTURES = MAX_MISSED_FRAMES + 1
"""Number of pictures of each scene."""
SPREAD = 24.0
"""Millimetres from a tile's middle within which a pawn is set down."""
CLEARANCE = 28.0
"""Millimetres between the middles of two pawns."""
MAX_TOKENS, TOKEN_SPREAD = 14, 19.0
"""Tokens on the field at once, and millimetres from a tile's middle within which one lies."""
TOKEN_KINDS = tuple(PARTS.tokens)


class CoveredTable:
    """A table under a camera; `film` changes when the camera is knocked."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.laid = random_laid(self.rng)
        view = VIEWS["overhead"]
        # The second is knocked by 12 degrees and a few centimetres, the third turned round.
        views = (view, replace(view, tilt=9, roll=12), replace(view, roll=180, azimuth=4))
        self.films = [FrameSequence(self.laid, each) for each in views]
        self.tracker = CameraTracker("camera")
        self.caps: dict[Pawn, tuple[float, float]] = {}
        self.tokens: dict[Cell, tuple[float, float, str]] = {}
        for pawn in MARKED_PAWNS:
            self._set_down(pawn)

    def scenes(self, count: int) -> Iterator[tuple[str, Counter[str]]]:
        """Yield for each scene the kind of cover, and how many readings were right, wrong and
        unknown.
        """
        yield "bare", self._read_scene(Scene(laid=self.laid), self.films[0])
        for number in range(count):
            for pawn in self.rng.sample(MARKED_PAWNS, 2):
                self._set_down(pawn)
            for cell in self.rng.sample(FIELD_CELLS, 3):
                self._toggle_token(cell)
            name = ("die", "cup", "sleeve", "hand", "knock")[number % 5]
            film = self.films[self.rng.choice((1, 2)) if name == "knock" else 0]
            yield name, self._read_scene(self._scene(name), film)

    def _set_down(self, pawn: Pawn) -> None:
        """Put a pawn at a random place without another one."""
        self.caps.pop(pawn, None)
        while True:
            column, row = parse_cell(self.rng.choice(FIELD_CELLS))
            x, y = (
                (place - 2.5) * PITCH + self.rng.uniform(-SPREAD, SPREAD) for place in (column, row)
            )
            if all(
                (x - other_x) ** 2 + (y - other_y) ** 2 > CLEARANCE**2
                for other_x, other_y in self.caps.values()
            ):
                self.caps[pawn] = x, y
                return

    def _toggle_token(self, cell: Cell) -> None:
        """Remove the token of a cell, or place one."""
        if self.tokens.pop(cell, None) is not None or len(self.tokens) == MAX_TOKENS:
            return
        right, down = (self.rng.uniform(-TOKEN_SPREAD, TOKEN_SPREAD) for _ in range(2))
        self.tokens[cell] = right, down, self.rng.choice(TOKEN_KINDS)

    def _scene(self, name: str) -> Scene:
        x, y = (self.rng.uniform(-160, 160) for _ in range(2))
        if name == "hand":
            return Scene(laid=self.laid, hand=(x, y))
        count = {"die": 4, "cup": 2, "sleeve": 1}.get(name, 0)
        places = [(x, y), *((self.rng.uniform(-160, 160), -y / 2) for _ in range(count))][:count]
        return Scene(laid=self.laid, things=tuple((name, *place) for place in places))

    def _read_scene(self, scene: Scene, film: FrameSequence) -> Counter[str]:
        tiles = {Cell(cell): Tile(*tile) for cell, tile in self.laid.items()}
        caps = tuple(
            (
                "A1",
                x + 2.5 * PITCH,
                y + 2.5 * PITCH,
                FIRST_MARKER + MARKED_PAWNS.index(pawn),
            )
            for pawn, (x, y) in self.caps.items()
        )
        tokens = tuple(
            (cell, right, down, FIRST_TOKEN_MARKER + TOKEN_KINDS.index(kind))
            for cell, (right, down, kind) in self.tokens.items()
        )
        picture = film.scene_picture(
            replace(scene, caps=caps, marked_tokens=tokens), self.rng.randrange(1000)
        )
        context = FrameContext(tiles, tokens=TOKEN_KINDS)
        result = read_frame(picture, FrameRequest(len(picture), context))
        if result.problem is not None:
            return Counter({"unknown": len(FIELD_CELLS), "token unknown": len(FIELD_CELLS)})
        observation = [self.tracker.update(result, 0.0) for _ in range(PICTURES)][-1]
        return self._count(observation)

    def _count(self, observation: Observation) -> Counter[str]:
        """Compare the reading of each cell with the true placement."""
        counts: Counter[str] = Counter()
        truth: dict[Cell, set[Pawn]] = {}
        for pawn, (x, y) in self.caps.items():
            column, row = round(x / PITCH + 2.5), round(y / PITCH + 2.5)
            truth.setdefault(Cell(f"{'ABCDEF'[column]}{row + 1}"), set()).add(pawn)
        assert observation.pawns is not None
        for cell in FIELD_CELLS:
            pawns, names = truth.get(cell, set()), observation.pawns.get(cell, frozenset())
            if cell in observation.unknown:
                counts["unknown"] += 1
            elif names == pawns or (cell in observation.partly and names < pawns):
                counts["right"] += 1
            else:
                counts["wrong"] += 1
        for cell in FIELD_CELLS if observation.tokens is not None else ():
            lying = [self.tokens[cell][2]] if cell in self.tokens else []
            if cell in observation.unknown | observation.tokens_unknown:
                counts["token unknown"] += 1
            elif observation.tokens is not None and observation.tokens.get(
                cell, Counter()
            ) == Counter(lying):
                counts["token right"] += 1
            else:
                counts["wrong"] += 1
        return counts


def count_scenes(seed: int, count: int) -> dict[str, Counter[str]]:
    """Return the counts of readings under each kind of cover."""
    counts_by_cover: dict[str, Counter[str]] = {}
    for name, counts in CoveredTable(seed).scenes(count):
        counts_by_cover[name] = counts_by_cover.get(name, Counter()) + counts
    return counts_by_cover


def main() -> None:
    """Draw the scenes and print the counts."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.sensors.vision.covered_scenes", description=__doc__
    )
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    counts_by_cover = count_scenes(args.seed, args.scenes)
    for name, counts in counts_by_cover.items():
        kinds = ("right", "unknown", "token right", "token unknown", "wrong")
        print(f"{name}:", ", ".join(f"{kind} {counts[kind]}" for kind in kinds))
    wrong = sum(counts["wrong"] for counts in counts_by_cover.values())
    print(f"wrong={wrong}")
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
