"""Make what is not written by hand out of hardware/pins.toml: `python firmware/generate.py`.

Writes firmware/common/pins.h and firmware/protocol/crc_table.h, and
companion/sensors/serial/firmware_version.py for the service. All are committed;
tests/hardware/test_generated.py compares them with a fresh generation.
"""

from __future__ import annotations

import tomllib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
SOURCE = CHECKOUT / "hardware" / "pins.toml"
_MADE = "Made by firmware/generate.py from hardware/pins.toml: change that and run it again."


class PinsError(ValueError):
    """Error raised when pins.toml contradicts itself."""


def read_pins() -> dict[str, Any]:
    """Return pins.toml as it is written; raise `PinsError` if a pin, an input or a loop is used
    twice or left out.
    """
    pins = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    for name, board in pins["boards"].items():
        _once([pin["pin"] for pin in board["pins"].values()], f"pins of {name}")
        _once([pin["arduino"] for pin in board["pins"].values()], f"Arduino pins of {name}")
    for name, geometry in pins["geometries"].items():
        loops = [loop for axis in geometry["axes"] for strips in _strips(axis) for loop in strips]
        if sorted(loops) != list(range(len(loops))):
            raise PinsError(f"the loops of {name} are not numbered from 0, each once")
        if len(loops) > pins["boards"]["identity"]["loop_outputs"]:
            raise PinsError(f"{name} has more loops than outputs")
        _once(cell_names(geometry), f"cells of {name}")
    return pins


def cell_names(geometry: Mapping[str, Any]) -> list[str]:
    """Return the cells of a geometry in the board's order."""
    return [cell for row in geometry["rows"] for cell in row.split()]


def cell_inputs(pins: Mapping[str, Any], geometry: Mapping[str, Any]) -> list[int]:
    """Return the chain's input of each cell of the presence board, in the board's order."""
    each = pins["boards"]["presence"]["row_inputs"]
    rows = enumerate(geometry["rows"])
    return [each * number + place for number, row in rows for place in range(len(row.split()))]


def cell_place(cell: str, axis: Mapping[str, Any]) -> int:
    """Return a cell's place on an axis, from 0: the number of the centred strip that it lies on."""
    letter, number = ord(cell[0].lower()) - ord("a"), int(cell[1:]) - 1
    match axis["place"]:
        case "letter":
            return letter
        case "number":
            return number
        case "number - letter":
            return number - letter + axis["centred"]["count"] // 2
    raise PinsError(f"{axis['place']!r} is no place")


def pins_header(pins: Mapping[str, Any]) -> str:
    """Return firmware/common/pins.h."""
    return "\n".join(_header_lines(pins)) + "\n"


def crc_table_header() -> str:
    """Return firmware/protocol/crc_table.h: the CRC-32 of each byte."""
    # zlib inverts before and after; with both undone this is the table's own entry.
    table = [zlib.crc32(bytes((byte,)), 0xFFFFFFFF) ^ 0xFFFFFFFF for byte in range(256)]
    rows = [
        ", ".join(f"0x{entry:08x}" for entry in table[start : start + 6])
        for start in range(0, 256, 6)
    ]
    lines = [
        "/* The table of CRC-32 (reflected, edb88320). Made by firmware/generate.py. */",
        *(f"{row}," for row in rows),
    ]
    return "\n".join(lines) + "\n"


def version_module(pins: Mapping[str, Any]) -> str:
    """Return companion/sensors/serial/firmware_version.py."""
    lines = (
        f'"""The version of the Nano\'s firmware that this program brings.\n\n{_MADE}\n"""',
        "",
        f'FIRMWARE = "{pins["protocol"]["firmware"]}"',
        '"""As `fw=` in the greeting."""',
        'NANO = "companion-nano"',
        '"""As `kind=` in the greeting; only such a board\'s version is compared."""',
    )
    return "\n".join(lines) + "\n"


def outputs() -> dict[Path, str]:
    """Return every file that is made, with its text."""
    pins = read_pins()
    return {
        CHECKOUT / "firmware" / "common" / "pins.h": pins_header(pins),
        CHECKOUT / "firmware" / "protocol" / "crc_table.h": crc_table_header(),
        CHECKOUT / "companion" / "sensors" / "serial" / "firmware_version.py": version_module(pins),
    }


def _version(pins: Mapping[str, Any]) -> tuple[int, int]:
    major, minor = pins["protocol"]["firmware"].split(".")
    return int(major), int(minor)


def _once(names: list[str], what: str) -> None:
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise PinsError(f"used twice among the {what}: {', '.join(sorted(twice))}")


def _strips(axis: Mapping[str, Any]) -> list[range]:
    kinds = (axis[kind] for kind in ("centred", "border") if kind in axis)
    return [range(strips["first"], strips["first"] + strips["count"]) for strips in kinds]


def _header_lines(pins: Mapping[str, Any]) -> Iterator[str]:
    yield f"/* {_MADE} */"
    yield "#ifndef PINS_H"
    yield "#define PINS_H"
    yield ""
    major, minor = _version(pins)
    yield f"#define PROTOCOL {pins['protocol']['version']}"
    yield f"#define FIRMWARE 0x{major:02x}{minor:02x}"
    yield f"#define BAUD {pins['protocol']['baud']}UL"
    for name, geometry in pins["geometries"].items():
        yield ""
        yield from _geometry_lines(name.upper(), geometry)
        inputs = _joined(map(str, cell_inputs(pins, geometry)))
        yield f"#define {name.upper()}_INPUTS {{{inputs}}}"
    opening = "#if"
    for name, board in pins["boards"].items():
        yield ""
        yield f"{opening} defined(BOARD_{name.upper()})"
        yield from _board_lines(pins, board)
        opening = "#elif"
    yield ""
    yield "#endif"
    yield ""
    yield "#endif"


def _geometry_lines(name: str, geometry: Mapping[str, Any]) -> Iterator[str]:
    axes = geometry["axes"]
    yield f"#define {name}_CODE {geometry['code']}"
    yield f"#define {name}_ROWS {len(geometry['rows'])}"
    yield f"#define {name}_COLUMNS {max(len(row.split()) for row in geometry['rows'])}"
    yield f"#define {name}_CELLS {len(cell_names(geometry))}"
    yield f"#define {name}_LOOPS {sum(len(strips) for axis in axes for strips in _strips(axis))}"
    centred = [sum(1 << loop for loop in _strips(axis)[0]) for axis in axes]
    yield f"#define {name}_CENTRED 0x{sum(centred):08x}UL"
    yield f"#define {name}_AXES {{{_joined(f'0x{loops:08x}UL' for loops in centred)}}}"


def _board_lines(pins: Mapping[str, Any], board: Mapping[str, Any]) -> Iterator[str]:
    if "chain_chips" in board:
        yield f"#define CHAIN_CHIPS {board['chain_chips']}"
    yield f"#define ROW_INPUTS {board['row_inputs']}"
    yield f"#define LOOP_OUTPUTS {board['loop_outputs']}"
    if "reader_supply" in board:
        yield f"#define READER_MILLIVOLTS {round(1000 * board['reader_supply'])}"
    for name, pin in board["pins"].items():
        port, bit = pin["pin"][1], pin["pin"][2]
        yield f"#define {name.upper()}_PORT PORT{port}"
        yield f"#define {name.upper()}_DDR DDR{port}"
        yield f"#define {name.upper()}_IN PIN{port}"
        yield f"#define {name.upper()}_BIT {bit}"


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def main() -> None:
    """Write every file that is made."""
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
