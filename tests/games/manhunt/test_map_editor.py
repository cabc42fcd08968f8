"""The editor checks as the table does."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.games.manhunt.map_file import FORMAT, MapFile
from tests.games.manhunt.own_maps import FOLDER, NAMES, own_map, read_map
from tests.games.manhunt.small_map import SMALL, small
from tests.games.manhunt.test_map_file import FAULTS

EDITOR = Path(__file__).parents[3] / "web/games/manhunt/editor"
SCRIPT = """
import { readFileSync } from "node:fs";
const { faults, warnings } = await import(process.argv[1] + "/check.js");
const results = JSON.parse(readFileSync(0, "utf8")).map((map) => ({
  faults: faults(map), warnings: warnings(map),
}));
process.stdout.write(JSON.stringify(results));
"""
MUTATED = 300
READ = """
import { readFileSync } from "node:fs";
const { read, written } = await import(process.argv[1] + "/file.js");
const { faults } = await import(process.argv[1] + "/check.js");
const results = JSON.parse(readFileSync(0, "utf8")).map((text) => {
  const { refused, map } = read(text);
  return refused ? { refused } : { faults: faults(map).length, text: written(map) };
});
process.stdout.write(JSON.stringify(results));
"""
BROKEN = [
    *((old, new) for old, new, _, _ in FAULTS),
    ("format = 1", "format = 2"),
    ('title = "Twelve places"', "title = 12"),
    ("sample = false", 'sample = "no"'),
    ("sample = false", "sample = false\nauthor = 1"),
    ("width = 400", "width = 4"),
    ("x = 50", "x = 50.5"),
    ("x = 50", "x = -1"),
    ("x = 50\n", ""),
    ("number = 1\n", "number = 0\n"),
    ('name = "Pump"', 'name = ""'),
    ('starts = ["hunter"]', 'starts = ["bird"]'),
    ("between = [1, 2]", 'between = "1-2"'),
    ("between = [1, 2]", "between = [1, 2, 3]"),
    ("rounds = 8", "rounds = 61"),
    ("rounds = 8", "round = 8"),
    ("rounds = 8", 'questions = ["where"]'),
    ("hunter]\ntram = ", "hunter]\ntram = 10"),
    ("[size]", "[size"),
]
"""Changes of the small map that a table refuses."""


def browser_says(maps: list[Any], script: str = SCRIPT) -> list[dict[str, Any]]:
    """Return the results of the browser's modules for maps."""
    result = subprocess.run(
        ["node", "--input-type=module", "-e", script, str(EDITOR)],
        input=json.dumps(maps),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    results: list[dict[str, Any]] = json.loads(result.stdout)
    return results


def table_says(content: MapFile) -> dict[str, list[dict[str, Any]]]:
    """Return the table's findings for a map, in the browser's form."""
    return {
        "faults": [_as_browser(each) for each in FORMAT.faults(content, {})],
        "warnings": [_as_browser(each) for each in FORMAT.warnings(content)],
    }


def _as_browser(error: Any) -> dict[str, Any]:
    return {"path": list(error.path), "code": error.code, "params": dict(error.params)}


def mutated(chance: random.Random) -> Any:
    """Return a map whose fields are right and which may contradict itself."""
    content = small() if chance.random() < 0.7 else own_map(chance.choice(NAMES))
    values = msgspec.json.decode(msgspec.json.encode(content))
    for _ in range(chance.randrange(1, 5)):
        _break(values, chance)
    return values


def _break(values: Any, chance: random.Random) -> None:
    place, way = chance.choice(values["places"]), chance.choice(values["ways"])
    rules = values.setdefault("rules", {})
    match chance.randrange(13):
        case 0:
            place["number"] = chance.choice(values["places"])["number"]
        case 1:
            place["name"] = chance.choice([values["places"][0]["name"], "x" * 41, "港" * 40])
        case 2:
            place[chance.choice("xy")] = 99_999
        case 3:
            place["starts"] = chance.choice([["fugitive"], ["hunter"], ["hunter", "fugitive"], []])
        case 4:
            way["kind"] = chance.choice(["street", "tram", "k" * 41, "ferry"])
        case 5 if len(values["ways"]) > 4:
            number = place["number"]
            values["ways"] = [
                each for each in values["ways"] if number not in each.get("between", ())
            ] or values["ways"]
        case 6:
            way["fugitive_only"] = True
        case 7:
            values["ways"].append({"between": [place["number"], chance.randrange(1, 70)]})
        case 8:
            values["ways"].append({"from": place["number"], "to": place["number"]})
        case 9:
            values["ways"].append({"from": place["number"]})
        case 10:
            rules["ends"] = chance.choice([["caught"], ["hideout"], ["targets"], ["rounds"]])
            rules["targets"] = chance.randrange(3)
        case 11:
            rules["announce"] = chance.choice(["nothing", "distance", "kind"])
            rules["shows"] = chance.choice([[], [3, 60]])
            rules["tickets"] = chance.choice([{}, {"hunter": {"ferry": 2}}, {"fugitive": {"a": 1}}])
        case 12:
            values["background"] = chance.choice(["a/b.jpg", "a.jpg"])
            values["ways"] += [
                {"between": [place["number"], other["number"]], "kind": f"kind {number}"}
                for number, other in enumerate(values["places"][:9])
            ]


@pytest.mark.slow
def test_the_editor_finds_what_the_table_finds() -> None:
    """For our maps, and for many that contradict themselves, both checks give the same findings in
    the same order, each at the same field.
    """
    chance = random.Random(24)
    maps = [msgspec.to_builtins(own_map(name)) for name in NAMES]
    maps += [mutated(chance) for _ in range(MUTATED)]
    contents = [msgspec.convert(each, MapFile) for each in maps]
    results = browser_says(maps)
    codes: set[str] = set()
    for content, result in zip(contents, results, strict=True):
        expected = table_says(content)
        assert expected == {"faults": result["faults"], "warnings": result["warnings"]}
        codes |= {each["code"] for each in expected["faults"] + expected["warnings"]}

    assert 18 <= len(codes), sorted(codes)


@pytest.mark.slow
def test_the_editor_opens_what_the_table_reads() -> None:
    """Our maps and the small one are opened, and written so that a table reads the same map; the
    editor refuses every file that a table refuses.
    """
    sound = [SMALL, *((FOLDER / f"{name}.toml").read_text(encoding="utf-8") for name in NAMES)]
    broken = [SMALL.replace(old, new, 1) for old, new in BROKEN]
    results = browser_says([*sound, *broken], READ)
    for text, result in zip(sound, results, strict=False):
        assert 0 == result["faults"]
        reading = read_map("map.toml", text.encode())
        assert reading.content == read_map("map.toml", result["text"].encode()).content

    for text, result in zip(broken, results[len(sound) :], strict=True):
        assert text not in sound
        assert read_map("map.toml", text.encode()).errors
        assert result.get("faults") != 0, text
