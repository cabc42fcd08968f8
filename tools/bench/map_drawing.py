"""The time Chromium takes to draw a map of 500 places, from its data to the frame."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.helpers.chromium import chromium
from tests.helpers.ports import free_port
from tools.bench.chromium import ARGUMENTS, CHROMIUM
from tools.bench.figure import Figure, at_most
from tools.bench.processes import command, first_page

ACROSS, DOWN = 25, 20
"""Places in a row, and rows: 500 places."""
APART = 100
"""Units from one place to the next."""
DRAWINGS = 15
BUDGET = 100.0
"""Milliseconds."""
DRAW = """
async ([map, drawings]) => {
  const { render, h } = await import("/static/core/dom.js");
  const { drawCity, drawNames, plan } =
    await import("/static/games/manhunt/city_drawing.js");
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const times = { first: [], again: [] };
  const draw = async (screen, places) => {
    const began = performance.now();
    const city = plan({ ...map, places }, String);
    const box = `0 0 ${map.size.width} ${map.size.height}`;
    const size = { id: "map", viewBox: box, width: 1180, height: 820 };
    render(screen, [h("svg", size, drawCity(city), drawNames(city))]);
    screen.getBoundingClientRect();
    const spent = performance.now() - began;
    await frame();
    return spent;
  };
  for (let count = 0; count < drawings; count += 1) {
    const screen = document.createElement("div");
    document.body.replaceChildren(screen);
    await frame();
    times.first.push(await draw(screen, map.places));
    const moved = map.places.map((place, index) => (index ? place : { ...place, x: 40 + count }));
    times.again.push(await draw(screen, moved));
  }
  return times;
}
"""
"""Draws a map repeatedly: into an empty page, and after one place has moved."""


def figures() -> Iterable[Figure]:
    """Measure the drawing of a map, in milliseconds until its layout is done."""
    with (
        TemporaryDirectory(prefix="bench-map-") as folder,
        chromium(ARGUMENTS, CHROMIUM) as browser,
    ):
        port = free_port()
        with command(Path(folder), port) as process:
            first_page(port, process)
            page = browser.new_page(viewport={"width": 1180, "height": 820})
            page.goto(f"http://127.0.0.1:{port}/map-editor")
            times = page.evaluate(DRAW, [large_map(), DRAWINGS])
    for phase, name in (("first", "drawn"), ("again", "drawn again, one place moved")):
        milliseconds = statistics.median(times[phase])
        yield at_most(
            f"a map of {ACROSS * DOWN} places {name} (median)", milliseconds, BUDGET, "ms"
        )


def large_map() -> dict[str, Any]:
    """Return a map of 500 places in rows, a little out of line, with 1201 ways of three kinds."""
    rng = Random(1)
    places: list[dict[str, Any]] = [
        {
            "number": row * ACROSS + column + 1,
            "name": f"Place {row} {column}",
            "x": round((column + 0.5 + rng.uniform(-0.2, 0.2)) * APART),
            "y": round((row + 0.5 + rng.uniform(-0.2, 0.2)) * APART),
        }
        for row in range(DOWN)
        for column in range(ACROSS)
    ]
    kinds = ("street", "water", "rail")
    ways = [
        {
            "between": [place["number"], other["number"]],
            "kind": kinds[index % len(kinds)],
        }
        for index, place in enumerate(places)
        for other in places[index + 1 : index + ACROSS + 1]
        if math.dist((place["x"], place["y"]), (other["x"], other["y"])) < 1.45 * APART
        and (place["x"] - other["x"]) * (place["y"] - other["y"]) < APART**2 / 2
    ]
    return {
        "size": {"width": ACROSS * APART, "height": DOWN * APART},
        "places": places,
        "ways": ways,
    }
