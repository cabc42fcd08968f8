"""Make what is not written by hand out of hardware/pins.toml: `python firmware/generate.py`.

Writes firmware/nano/pins.h and companion/sensors/serial/firmware_version.py. Both are committed;
tests/firmware/test_generated.py compares them with a fresh generation.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).resolve().parent.parent
SOURCE = CHECKOUT / "hardware" / "pins.toml"
NANO = "companion-nano"
_MADE = "Made by firmware/generate.py from hardware/pins.toml: change that and run it again."


class PinsError(ValueError):
    """Error raised when pins.toml contradicts itself."""


def read_pins() -> dict[str, Any]:
    """Return pins.toml as it is written; raise `PinsError` if a pin is used twice."""
    pins = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    for name, board in pins["boards"].items():
        for key in ("pin", "arduino"):
            names = [pin[key] for pin in board["pins"].values()]
            if len(names) != len(set(names)):
                raise PinsError(f"a pin of {name} is used twice")
    return pins


def pins_header(pins: Mapping[str, Any]) -> str:
    """Return firmware/nano/pins.h."""
    return "\n".join(_header_lines(pins)) + "\n"


def version_module(pins: Mapping[str, Any]) -> str:
    """Return companion/sensors/serial/firmware_version.py."""
    lines = (
        '"""The version of the Nano\'s firmware that this program brings."""',
        f"# {_MADE}",
        "",
        f'FIRMWARE = "{pins["protocol"]["firmware"]}"',
        '"""As `fw=` in the greeting."""',
        f'NANO = "{NANO}"',
        '"""As `kind=` in the greeting; only such a board\'s version is compared."""',
    )
    return "\n".join(lines) + "\n"


def outputs() -> dict[Path, str]:
    """Return every file that is made, with its text."""
    pins = read_pins()
    return {
        CHECKOUT / "firmware" / "nano" / "pins.h": pins_header(pins),
        CHECKOUT / "companion" / "sensors" / "serial" / "firmware_version.py": version_module(pins),
    }


def _header_lines(pins: Mapping[str, Any]) -> Iterator[str]:
    board = pins["boards"]["presence"]
    yield f"/* {_MADE} */"
    yield "#pragma once"
    yield ""
    yield f'#define KIND "{NANO}"'
    yield f'#define FIRMWARE "{pins["protocol"]["firmware"]}"'
    yield f"#define BAUD {pins['protocol']['baud']}UL"
    yield f"#define CHAIN_CHIPS {board['chain_chips']}"
    for name, pin in board["pins"].items():
        yield f"#define {name.upper()}_PIN {pin['pin'][1]}, {pin['pin'][2]}"


def main() -> None:
    """Write every file that is made."""
    for path, text in outputs().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
