"""The plans of the boards agree with each other, with their sources and with the service."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from companion.config import PanelSettings
from hardware.plans.__main__ import draw_wiring, sheets, texts
from hardware.plans.circuit import Part, circuits
from tests.hardware.plans import CHECKOUT, HARDWARE, NANO_PORTS, cabled, expand, rows

BUILDS = ("presence", "panel")
WIRINGS = sorted(str(path.relative_to(HARDWARE))[:-4] for path in HARDWARE.glob("*/wiring*.yml"))


def test_the_plans_are_what_their_sources_make() -> None:
    """`make hardware` writes each plan from its sources, and no plan is left over."""
    generated = texts()
    files = {path for build in BUILDS for path in (HARDWARE / build).rglob("*") if path.is_file()}
    by_kicad = ("draw.py", "gerbers.zip", "positions.csv")
    files = {path for path in files if path.name not in by_kicad and path.suffix != ".pyc"}
    files = {path for path in files if path.stem != "strip"}
    files |= set((HARDWARE / "case").glob("*.svg"))
    drawn = {HARDWARE / f"{name}.svg" for name in WIRINGS}

    assert files == set(generated) | set(sheets()) | drawn
    for path, text in generated.items():
        assert text == path.read_text(encoding="utf-8"), f"{path.name} is old: make hardware"


@pytest.mark.parametrize("name", WIRINGS)
def test_the_wiring_drawings_show_what_is_wired(name: str, tmp_path: Path) -> None:
    """WireViz draws each wiring with the same words as the kept drawing; places may differ."""
    drawn = draw_wiring(HARDWARE / f"{name}.yml", tmp_path)

    assert words_of(drawn) == words_of(HARDWARE / f"{name}.svg")


def words_of(drawing: Path) -> Counter[str]:
    return Counter(
        text.text or ""
        for text in ElementTree.parse(drawing).iter("{http://www.w3.org/2000/svg}text")
    )


@pytest.mark.parametrize("build", BUILDS)
def test_each_part_is_bought_once_and_sits_in_one_place(build: str) -> None:
    """The parts list, the wiring and the strips name the same parts; numbers and sums are right."""
    lines = [line for line in rows(HARDWARE / build / "parts.csv") if line["refs"] != "total"]
    bought = Counter(ref for line in lines for ref in expand(line["refs"]))
    wired = {
        ref
        for wiring in (HARDWARE / build).glob("wiring*.yml")
        for ref in yaml.safe_load(wiring.read_text(encoding="utf-8"))["connectors"]
    }
    elsewhere = on_strips() if build == "presence" else set()

    assert {1} == set(bought.values())
    assert set(bought) - {ref for ref in bought if ref.startswith("X")} == wired | elsewhere
    for line in lines:
        assert (
            not line["refs"].startswith("X") and int(line["quantity"]) == len(expand(line["refs"]))
        ) or line["refs"][0] == "X"
        assert f"{int(line['quantity']) * float(line['eur_each']):.2f}" == line["eur_all"]
        assert all(line[column] for column in ("what", "maker", "mpn", "alternative", "where"))
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", line["estimated_on"])


def on_strips() -> set[str]:
    """Return the parts of the six strips: those that the machine sets on one, times six."""
    one = rows(HARDWARE / "presence" / "strip" / "bom.csv")
    refs = [ref for line in one for ref in line["Designator"].split(",")]
    letters = {ref: ref.rstrip("0123456789") for ref in refs}
    return {
        f"{letters[ref]}{100 * strip + int(ref.removeprefix(letters[ref]))}"
        for strip in range(1, 7)
        for ref in refs
    }


@pytest.mark.parametrize("build", BUILDS)
def test_the_sums_of_the_parts_lists_are_right(build: str) -> None:
    """The two last lines are the sum of what is needed and of everything, and are marked as
    estimates.
    """
    *lines, needed, everything = rows(HARDWARE / build / "parts.csv")

    assert sum(
        float(line["eur_all"]) for line in lines if line["needed"] == "yes"
    ) == pytest.approx(float(needed["eur_all"]))
    assert sum(float(line["eur_all"]) for line in lines) == pytest.approx(
        float(everything["eur_all"])
    )
    assert "estimate" in needed["what"] and "estimate" in everything["what"]


def test_the_panel_is_wired_to_the_pins_that_the_service_uses() -> None:
    """Button, lamp and piezo hang on the header's pins of the BCM numbers that are the settings'
    defaults.
    """
    header = {17: "11", 27: "13", 18: "12", 3: "5"}
    cables = cabled("panel/wiring")
    settings = PanelSettings()

    for bcm, part in (
        (settings.button, "SW1"),
        (settings.lamp, "R1"),
        (settings.piezo, "R2"),
        (3, "SW2"),
    ):
        assert cables.root(("A1", header[bcm])) == cables.root((part, "1"))
        assert cables.root(("A1", header[bcm])) == cables.root(("A1", f"label GPIO {bcm}"))


def test_a_knocked_piezo_cannot_hurt_the_pi() -> None:
    """Between the piezo and its GPIO lies 1 kΩ; on the GPIO's side a diode leads to 3.3 V and one
    comes from ground, bars (pin 1) towards the higher voltage.
    """
    cables = cabled("panel/wiring")
    bought = {row["refs"]: row["what"] for row in rows(HARDWARE / "panel" / "parts.csv")}

    assert bought["R2"].startswith("1 kΩ")
    assert cables.root(("R2", "2")) == cables.root(("BZ1", "1"))
    gpio = cables.root(("A1", "12"))
    assert gpio == cables.root(("R2", "1"))
    assert gpio == cables.root(("D2", "2")) == cables.root(("D3", "1"))
    assert cables.root(("A1", "1")) == cables.root(("D2", "1"))
    assert cables.root(("A1", "6")) == cables.root(("D3", "2"))


LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)\)")
REFERENCE = re.compile(r"\b(?:BZ|C|D|J|R|S|SW|U|X)\d{1,3}\b")


@pytest.mark.parametrize("name", ["README.md", "../docs/boards.md"])
def test_the_documents_speak_of_files_and_parts_that_exist(name: str) -> None:
    """Each link leads to a file, and each part in a text is in a parts list."""
    text = (HARDWARE / name).read_text(encoding="utf-8")
    for target in LINK.findall(text):
        place = (HARDWARE / name).parent / target
        assert target.startswith("http") or place.exists(), target
    bought = {
        ref
        for build in BUILDS
        for line in rows(HARDWARE / build / "parts.csv")
        for ref in expand(line["refs"])
    }
    cells = {line["cell"] for line in rows(HARDWARE / "presence" / "cells.csv")}

    assert set() == set(REFERENCE.findall(text)) - bought - cells - set(NANO_PORTS)


def test_make_hardware_is_the_one_command() -> None:
    """`make hardware` runs the program that writes the plans."""
    output = subprocess.run(
        ["make", "-n", "hardware"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    ).stdout

    assert "-m hardware.plans" in output


@pytest.mark.parametrize(
    ("build", "drawn"),
    [
        ("presence", lambda part: part.on in ("strip1", "loose")),
        ("panel", lambda part: True),
    ],
)
def test_the_schematic_shows_each_pin_with_its_net(
    build: str, drawn: Callable[[Part], bool]
) -> None:
    """Each pin of each part of the reader and of one strip is drawn once, with the name of its net
    in the circuit, and no other part is.
    """
    circuit = next(circuit for circuit in circuits() if circuit.name == build)
    pins_with_nets = {
        (f"{part.ref}.{pin}", net)
        for part in circuit.parts
        if drawn(part)
        for pin, net in part.pins.items()
    }
    sheet = ElementTree.parse(HARDWARE / build / "schematic.svg")
    counted = Counter(
        (text.get("data-pin", ""), text.text or "")
        for text in sheet.iter("{http://www.w3.org/2000/svg}text")
        if text.get("data-pin")
    )

    assert Counter(pins_with_nets) == counted
