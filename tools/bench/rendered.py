"""Readings of the rendered pictures that `make rendered` has made on this machine."""

from __future__ import annotations

from collections.abc import Iterable

from tools.bench.figure import Figure, at_most, beside
from tools.photos.rendered.__main__ import FIRST, FOLDER, SCENES
from tools.photos.rendered.reading import read_scenes, share_read


def figures() -> Iterable[Figure]:
    """Measure the readings of the rendered pictures."""
    counts_by_kind = read_scenes(FOLDER, range(FIRST, FIRST + SCENES))
    for kind, name in (("watch", "camera over a table"), ("photo", "photo of the field")):
        verdicts = counts_by_kind.get(f"{kind} all")
        if verdicts is None:
            yield beside(f"rendered scenes, {name}: `make rendered` makes them", 0, "scenes")
            continue
        yield beside(f"rendered scenes, {name}", verdicts["scenes"], "scenes")
        yield at_most(f"things read wrongly, {name}", verdicts["wrong"], 0, "things")
        for which, words in (("uncovered", "uncovered"), ("even", "uncovered, evenly lit")):
            unread = 100 * (1 - share_read(verdicts, which))
            yield at_most(f"things not read of those {words}, {name}", unread, 1, "%")
