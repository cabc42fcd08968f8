"""The identity board by physics: its loops can be tuned, and a loop that is off is dark.

The wires are solved by our own partial elements, checked by NEC2; the diodes by ngspice.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hardware.plans import radio
from hardware.plans.field import LoopField, Tuned, coupling
from hardware.plans.loops import loops_of
from hardware.plans.source import Loop, read_pins
from tests.hardware.plans import HARDWARE

pytestmark = pytest.mark.slow

LOOPS = loops_of(read_pins()["geometries"]["square"])
MOST_BESIDE = 0.10
"""The share of the selected loop's current that another one may carry."""
SELECTED, BESIDE = 2, (1, 3, 8, 9)
"""A row loop in the middle, and the four that couple most with it."""
PIECE = 0.003
"""Metres of wire that NEC2 takes as one piece: less than the 4 mm between two loops."""


@pytest.fixture(scope="module")
def board() -> LoopField:
    """The square field's 26 loops."""
    return LoopField(LOOPS)


@pytest.fixture(scope="module")
def tuned(board: LoopField) -> list[Tuned]:
    """Return each loop's figures when it alone is selected."""
    return [board.tuned(number) for number in range(len(LOOPS))]


def test_every_trimmer_tunes_its_loop_among_the_others(tuned: Sequence[Tuned]) -> None:
    """Each of the 26 loops has its most current with its trimmer within 6.5 to 30 pF, with 5 pF to
    spare at both ends.
    """
    least, most = radio.TRIMMER

    assert 26 == len(tuned)
    assert all(least + 5 <= one.trimmer <= most - 5 for one in tuned)


def test_no_loop_that_is_off_carries_a_tenth(tuned: Sequence[Tuned]) -> None:
    """With every other diode biased off, no loop carries 10 % of the selected one's current."""
    assert max(one.worst for one in tuned) <= MOST_BESIDE


def test_each_loop_matches_the_cable(tuned: Sequence[Tuned]) -> None:
    """Each loop's calculated return loss is at least that required on the bench: 10 dB."""
    assert min(one.return_loss for one in tuned) >= 10


def test_the_documents_say_what_was_calculated(tuned: Sequence[Tuned]) -> None:
    """The range of trimmers, currents beside and return losses in README.md are these."""
    text = (HARDWARE / "README.md").read_text(encoding="utf-8")
    trimmers = [one.trimmer for one in tuned]
    least, most = min(trimmers), max(trimmers)
    worst = max(one.worst for one in tuned)
    losses = [one.return_loss for one in tuned]

    assert f"{least:.1f} to {most:.1f} pF" in text
    assert f"{100 * worst:.1f} % of its current" in text
    assert f"{min(losses):.1f} to {max(losses):.1f} dB" in text


def test_two_wires_in_one_groove_could_not_be_tuned() -> None:
    """The reason for the 4 mm between grooves: with wires 0.6 mm apart most row loops would need a
    trimmer of less than 6.5 pF.
    """
    rows = LoopField([loop for loop in LOOPS if loop.axis == "row"], apart=1.7)
    trimmers = [rows.tuned(number).trimmer for number in range(13)]

    assert sum(trimmer < radio.TRIMMER[0] for trimmer in trimmers) >= 11


def test_a_loop_alone_has_grovers_inductance() -> None:
    """The sum of its pieces equals Grover's closed formula for a rectangle, but for the gap at its
    feed.
    """
    for loop in (LOOPS[2], LOOPS[8]):
        alone = LoopField([loop])

        assert alone.inductance(0) == pytest.approx(
            radio.inductance(loop.width, loop.length), rel=0.015
        )


@pytest.mark.parametrize("beside", [1, 8])
def test_nec2_agrees_about_the_loops(beside: int, tmp_path: Path) -> None:
    """NEC2, which solves the same wires as antennas, sees the same inductance within 3 % and the
    same current in a neighbour that is a closed ring within 10 %.
    """
    near = [LOOPS[SELECTED], LOOPS[beside]]
    reactance, currents = by_nec(near, tmp_path)
    nanohenry, calculated = shorted(LoopField(near))

    assert reactance / radio.OMEGA * 1e9 == pytest.approx(nanohenry, rel=0.03)
    relative = [current / currents[0] for current in currents]
    assert relative == pytest.approx(calculated, rel=0.10)


def shorted(field: LoopField) -> tuple[float, list[float]]:
    """Return the first loop's inductance in nH and all currents relative to its own, if all the
    others are closed rings.
    """
    count = len(field.loops)
    matrix = np.array([[field.mutual(a, b) for b in range(count)] for a in range(count)])
    induced = np.linalg.solve(matrix[1:, 1:], -matrix[1:, 0])
    return float(matrix[0, 0] + matrix[0, 1:] @ induced), [1.0, *np.abs(induced).tolist()]


def by_nec(loops: Sequence[Loop], folder: Path) -> tuple[float, list[float]]:
    """Return the first loop's reactance in ohm and each loop's current, the others closed rings."""
    tag, cards = 0, ["CE"]
    sources: list[tuple[int, int]] = []
    for loop in loops:
        half, along, y = loop.width / 2e3, loop.length / 2e3, loop.centre[1] / 1e3
        sides = [
            ((-along, y + half), (-along, y - half)),
            ((-along, y - half), (along, y - half)),
            ((along, y - half), (along, y + half)),
            ((along, y + half), (-along, y + half)),
        ]
        for (x0, y0), (x1, y1) in sides:
            tag += 1
            pieces = round((abs(x1 - x0) + abs(y1 - y0)) / PIECE) | 1
            z = 0.003 if loop.kind == "border" else 0.0  # wires that cross must not meet
            ends = f"{x0:.6f} {y0:.6f} {z} {x1:.6f} {y1:.6f} {z}"
            cards.append(f"GW {tag} {pieces} {ends} {radio.WIRE / 2e3}")
            if len(sources) < (tag + 3) // 4:
                sources.append((tag, pieces // 2 + 1))
    cards += ["GE 0", "LD 5 0 0 0 5.8e7", "FR 0 1 0 0 13.56 0"]
    cards += [f"EX 0 {sources[0][0]} {sources[0][1]} 0 1.0 0", "XQ", "EN"]
    deck = folder / "loops.nec"
    deck.write_text("\n".join(cards) + "\n", encoding="ascii")
    # nec2c takes names of 80 characters at most.
    subprocess.run(["nec2c", "-i", deck.name, "-o", "loops.out"], cwd=folder, check=True)
    output = (folder / "loops.out").read_text(encoding="ascii")
    fed = output.split("ANTENNA INPUT PARAMETERS")[1]
    row = next(line.split() for line in fed.splitlines() if re.match(r"\s+1\s+\d", line))
    currents = [0.0] * len(loops)
    for line in output.split("CURRENTS AND LOCATION")[1].splitlines():
        words = line.split()
        if len(words) == 10 and words[0].isdigit():
            number = (int(words[1]) - 1) // 4
            currents[number] = max(currents[number], float(words[8]))
    return float(row[7]), currents


@pytest.mark.parametrize(
    ("bias", "dark"), [(10.0, True), pytest.param(0.0, False, marks=pytest.mark.soak)]
)
def test_reverse_bias_keeps_the_neighbours_dark(
    bias: float, dark: bool, board: LoopField, tuned: Sequence[Tuned], tmp_path: Path
) -> None:
    """ngspice with real diodes: at 10 V of reverse bias, which the circuit gives, the four nearest
    loops carry less than 10 % of the selected one's current; at 0 V some carries more than 35 %.
    """
    deck = tmp_path / "loops.cir"
    deck.write_text(circuit(board, tuned[SELECTED].trimmer, bias), encoding="ascii")
    result = subprocess.run(["ngspice", "-b", deck], capture_output=True, text=True, check=True)
    values = dict(re.findall(r"^i?(\d|bias|diode)\s+=\s+(\S+)", result.stdout, re.M))
    currents = [float(values[str(n)]) for n in range(5)]
    worst = max(currents[1:]) / currents[0]

    assert (worst <= MOST_BESIDE) is dark
    assert dark or worst > 0.35
    if dark:
        assert currents[0] > 0.1
    volts = {name: float(values[name]) for name in ("bias", "diode")}
    guide = (HARDWARE / "assembly.md").read_text(encoding="utf-8")
    assert "**11 to 13 mA** more; 3.7 to 4.1 V across R100; 0.7 to 1.0 V across D100" in guide
    assert 3.7 <= volts["bias"] <= 4.1 and 11 <= volts["bias"] / 0.330 <= 13
    assert 0.7 <= volts["diode"] <= 1.0


def circuit(board: LoopField, trimmer: float, bias: float) -> str:
    """Return the selected loop and its four neighbours as ngspice reads them."""
    numbers = (SELECTED, *BESIDE)
    middle = sum(radio.TRIMMER) / 2
    volts = 2 * (2 * 0.1 * radio.SOURCE) ** 0.5
    lines = [
        "the selected loop and the four beside it",
        f"Vs src 0 SIN(0 {volts:g} 13.56Meg)",
        f"Rs src rf {radio.SOURCE}",
        "Vp plus 0 5",
        ".model PIN D(IS=1e-14 N=1.3 RS=1.0 TT=1.55u CJO=0.35p VJ=0.7 M=0.1 BV=150)",
    ]
    for n, number in enumerate(numbers):
        on = n == 0
        farad = radio.FIXED + radio.STRAY + (trimmer if on else middle)
        lines += [
            f"Ca{n} rf t{n} {radio.COUPLING}p",
            f"Cb{n} t{n} 0 {farad}p",
            f"La{n} t{n} x{n} {radio.CHOKE}n",
            f"Ra{n} x{n} b{n} 15",
            f"Cc{n} b{n} 0 10n",
            # A sink of 5 ohm when it is on; through 10 kΩ at 5 V and the bias when it is off.
            f"Rb{n} b{n} o{n} {330 if on else 10330}",
            f"Vb{n} o{n} 0 {0.06 if on else 5 + bias}",
            f"D{n} w{n} t{n} PIN",
            f"Lw{n} w{n} m{n} {board.inductance(number) + radio.LEADS:.2f}n",
            f"Rw{n} m{n} c{n} 0.6",
            f"Cd{n} c{n} 0 {radio.BLOCKING}p",
            f"Re{n} c{n} plus 0.05",
        ]
    for a in range(5):
        for b in range(a + 1, 5):
            lines.append(f"K{a}{b} Lw{a} Lw{b} {coupling(board, numbers[a], numbers[b]):.5f}")
    idle = 21 * radio.idle_load(radio.FIXED)
    coil = radio.COIL / 2
    lines += [
        f"Ci rf 0 {idle:.1f}p",
        f"Lc rf y {coil}n",
        f"Rc y 0 {radio.OMEGA * coil * 1e-9 / 40:.3f}",
        ".options reltol=1e-4 method=gear maxord=2",
        ".tran 2n 60u 58u 1n",
        *(f".meas tran i{n} rms i(Lw{n}) from=58u to=60u" for n in range(5)),
        ".meas tran bias avg par('v(b0)-v(o0)') from=58u to=60u",
        ".meas tran diode avg par('v(w0)-v(t0)') from=58u to=60u",
        ".end",
    ]
    return "\n".join(lines) + "\n"
