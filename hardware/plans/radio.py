"""Calculate the loops and their resonators. Nothing was measured.

Lengths are in millimetres, inductances in nanohenry, capacitances in picofarad, resistances in ohm.
A loop is taken as a flat rectangle of round wire in free air. Wood, neighbours and the wires to the
resonator move it by some per cent, which the trimmer corrects.
"""

from __future__ import annotations

from math import asinh, hypot, log, pi

CARRIER = 13.56e6
"""Hertz."""
OMEGA = 2 * pi * CARRIER
WIRE = 0.5
"""Diameter of the loops' wire."""
SOURCE = 50.0
COUPLING, CHOKE = 47.0, 10_000.0
FIXED, BLOCKING = 100.0, 100_000.0
"""Quality of the square field's tanks; of the capacitor at each loop's cold end."""
COIL = 330.0
"""Quality of the coil on each comb."""
TRIMMER = (6.5, 30.0)
LEADS = 25.0
"""Capacitance of a loop's twisted leads."""
STRAY = 5.0
"""Capacitance of the diode, the pads and the leads: a guess."""
E24 = (
    10,
    11,
    12,
    13,
    15,
    16,
    18,
    20,
    22,
    24,
    27,
    30,
    33,
    36,
    39,
    43,
    47,
    51,
    56,
    62,
    68,
    75,
    82,
    91,
)


def inductance(width: float, length: float, wire: float = WIRE) -> float:
    """Return the inductance of a rectangle of round wire (F.

    W. Grover, Inductance Calculations, 1946).
    """
    w, h, a = width * 1e-3, length * 1e-3, wire * 0.5e-3
    d = hypot(w, h)
    henry = 4e-7 * (
        w * log(2 * w / a)
        + h * log(2 * h / a)
        - w * asinh(w / h)
        - h * asinh(h / w)
        + 2 * d
        - 2 * (w + h)
    )
    return henry * 1e9


def with_choke(loop: float) -> float:
    """Return a loop's inductance at radio frequency with the choke across it."""
    return loop * CHOKE / (loop + CHOKE)


def resonating(nanohenry: float) -> float:
    """Return the capacitance that resonates with an inductance at the carrier."""
    return 1e12 / (OMEGA**2 * nanohenry * 1e-9)


def coupled() -> float:
    """Return the coupling capacitor's share of the tank's capacitance, with the source."""
    return COUPLING / (1 + (OMEGA * COUPLING * 1e-12 * SOURCE) ** 2)


def matched() -> float:
    """Return the tank's parallel resistance that matches the source through the coupling."""
    return SOURCE + 1 / ((OMEGA * COUPLING * 1e-12) ** 2 * SOURCE)


def fixed(loop: float) -> float:
    """Return the fixed capacitor (E24) that puts a loop's resonance nearest to mid-trimmer."""
    wanted = resonating(with_choke(loop)) - coupled() - STRAY - sum(TRIMMER) / 2
    values = [step * decade for decade in (1.0, 10.0) for step in E24]
    return min(values, key=lambda value: (abs(value - wanted), value))


def reach(capacitor: float) -> tuple[float, float]:
    """Return the least and the greatest loop inductance that the trimmer tunes to the carrier."""
    ends = []
    for trimmer in reversed(TRIMMER):
        total = resonating(
            capacitor + trimmer + STRAY + coupled()
        )  # the same formula converts either into the other
        ends.append(total * CHOKE / (CHOKE - total))
    return ends[0], ends[1]


def idle_load(capacitor: float) -> float:
    """Return the capacitance that an unselected loop adds to the cable."""
    to_ground = capacitor + sum(TRIMMER) / 2 + STRAY - resonating(CHOKE)
    return COUPLING * to_ground / (COUPLING + to_ground)


def cancelling(loads: float) -> float:
    """Return the coil that cancels this capacitance on the cable."""
    return resonating(loads)
