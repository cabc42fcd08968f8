"""Home Assistant beside a table: `python -m tests.acceptance.home_assistant`, as root.

debootstrap builds Debian 13 in a temporary folder; there Home Assistant from PyPI, Debian's
Mosquitto and a table run. What Home Assistant has of the table is read from the topics on which it
publishes its own states. It must find every entity of the card in docs/club.md, dim the lamp in the
vampire's turn and flash it at a hit by the automations that stand there, and go on after the table
was killed and after its own restart. Prints the seconds of each step.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from tests.acceptance.check import ROOT
from tests.acceptance.debian13 import checkout_in_debian, environment, mounted, run
from tests.bench.played_table import GameTable
from tests.bench.processes import hosted
from tests.bench.served_table import Hosting
from tests.helpers.ports import free_port
from tests.mqtt.broker import Mosquitto, Recorder, broker_of

VERSION = "2026.2.3"
NEEDED = "python3-dev,gcc,g++,libffi-dev,libssl-dev,mosquitto"
"""What PyPI's packages are built with where there is no wheel, and the broker."""
HASS = Path("/opt/hass/bin/hass")
SEEN = "seen"
"""The first part of the topics on which Home Assistant publishes its states."""
TIMEOUT = 900.0
"""Seconds until something has come: at its first start Home Assistant installs what it needs."""
NIGHT, LAMP = "binary_sensor.table_night", "light.living_room"
FLASH = "automation.flash_at_a_hit"
LOW, HIGH = "26", "204"
"""Of 255: the 10 % and 80 % of the automation."""
SPEED_UP = 200.0
GAMES = 20
"""Games of many shots in which one must have hit."""
CONFIGURATION = """
homeassistant:
  name: Home
  time_zone: UTC
http:
  server_host: 127.0.0.1
  server_port: {port}
logger:
  default: warning
automation: !include automations.yaml
mqtt_statestream:
  base_topic: {seen}
  publish_attributes: true
input_number:
  lamp:
    min: 0
    max: 255
    initial: 200
template:
  - light:
      - name: Living room
        state: "{{{{ states('input_number.lamp') | float > 0 }}}}"
        level: "{{{{ states('input_number.lamp') | int }}}}"
        turn_on:
          action: input_number.set_value
          target: {{entity_id: input_number.lamp}}
          data: {{value: 255}}
        turn_off:
          action: input_number.set_value
          target: {{entity_id: input_number.lamp}}
          data: {{value: 0}}
        set_level:
          action: input_number.set_value
          target: {{entity_id: input_number.lamp}}
          data: {{value: "{{{{ brightness }}}}"}}
"""
ENTRY: dict[str, Any] = {
    "data": {"broker": "127.0.0.1", "port": 0},
    "disabled_by": None,
    "discovery_keys": {},
    "domain": "mqtt",
    "entry_id": "01JMQTT0000000000000000000",
    "minor_version": 1,
    "options": {},
    "pref_disable_new_entities": False,
    "pref_disable_polling": False,
    "source": "user",
    "subentries": [],
    "title": "broker",
    "unique_id": None,
    "version": 1,
    "created_at": "2026-01-01T00:00:00+00:00",
    "modified_at": "2026-01-01T00:00:00+00:00",
}
"""The broker as somebody enters it on Home Assistant's page, in that version's storage."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    if parser.parse_args().inside:
        print(*inside())
        return 0
    with tempfile.TemporaryDirectory(prefix="home-assistant-") as name:
        root = Path(name)
        checkout_in_debian(root, NEEDED)
        for command in (
            "make .venv/ready-dev",
            f"python3 -m venv /opt/hass && /opt/hass/bin/pip install -q homeassistant=={VERSION}",
        ):
            run(mounted(root, command), environment())
        said = run(
            mounted(root, ".venv/bin/python -m tests.acceptance.home_assistant --inside"),
            environment() | {"UV_NATIVE_TLS": "true", "SSL_CERT_FILE": environment()["PIP_CERT"]},
        )
    print(said.strip().splitlines()[-1])
    return 0


def inside() -> list[str]:
    """Run table, broker and Home Assistant in this root; return the seconds of each step."""
    with tempfile.TemporaryDirectory(prefix="hass-") as name:
        folder, steps = Path(name), Steps()
        mosquitto = Mosquitto(folder / "broker")
        mosquitto.start()
        home = Home(folder / "home", mosquitto.port)
        recorder = Recorder(broker_of(mosquitto.address()), f"{SEEN}/#")
        try:
            check(home, folder / "data", mosquitto.address(), recorder, steps)
        except BaseException:
            print(home.log(), file=sys.stderr)
            raise
        finally:
            home.stop()
            recorder.close()
            mosquitto.stop()
    return [f"home_assistant={VERSION}", *steps.figures]


def check(home: Home, data: Path, broker: str, recorder: Recorder, steps: Steps) -> None:
    """Play before Home Assistant; raise TimeoutError for what does not come."""

    def state(entity: str, of: str = "state") -> str:
        said = recorder.last(f"{SEEN}/{entity.replace('.', '/')}/{of}")
        return "" if said is None else said.decode().strip('"')

    def is_found() -> bool:
        # Where nobody is to move the state is empty.
        known = [recorder.last(f"{SEEN}/{entity.replace('.', '/')}/state") for entity in card]
        return None not in known and b"unavailable" not in known

    def has_hit() -> bool:
        return state(FLASH, "last_triggered") not in ("", "null")

    card = entities_of_card()
    hosting = Hosting(str(data), free_port(), broker=broker)
    home.start()
    with hosted(hosting) as table:
        steps.wait(is_found, f"entities of {card}", "found")
        people = GameTable(hosting.port, data, 2, Random(1))
        steps.wait(lambda: state(NIGHT) == "on", "the night", "night")
        steps.wait(lambda: state(LAMP, "brightness") == LOW, "the low lamp", "lamp_low")
        people.close()
        table.send_signal(signal.SIGKILL)
        steps.wait(lambda: state(NIGHT) == "unavailable", "a table that is lost", "lost")
    home.stop()
    recorder.heard.clear()
    home.start()
    with hosted(msgspec.structs.replace(hosting, speed_up=SPEED_UP)):
        steps.wait(lambda: state(NIGHT) == "on", "the night, after both restarts", "restarted")
        rng = Random(2)
        while not has_hit():
            shoot_or_step(people, rng)
            if people.games > GAMES:
                raise TimeoutError("no shot hit")
        people.to_humans()
        steps.wait(lambda: state(LAMP, "brightness") == HIGH, "the lamp after a night", "hit")
        people.close()


def shoot_or_step(people: GameTable, rng: Random) -> None:
    """Shoot where somebody may, else do the next thing at random."""
    snapshot = people.snapshot()
    shots = [action for action in snapshot["legal"] or [] if action["type"] == "shoot"]
    if shots and not snapshot["secret"]:
        people.display.ask("submit", actions=[rng.choice(shots)], seat=snapshot["to_move"])
    else:
        people.step(snapshot)


def entities_of_card() -> list[str]:
    """Return the entities of the card in docs/club.md."""
    return re.findall(r"^  - (\w+\.\w+)$", yaml_of_page()[1], re.MULTILINE)


def yaml_of_page() -> list[str]:
    """Return the YAML in docs/club.md: the automations, the card."""
    page = (ROOT / "docs/club.md").read_text(encoding="utf-8")
    return re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


class Home:
    """Home Assistant with a folder of its own: the broker's address and the page's automations."""

    def __init__(self, folder: Path, broker: int) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        (folder / ".storage").mkdir(parents=True)
        (folder / "configuration.yaml").write_text(
            CONFIGURATION.format(port=free_port(), seen=SEEN), encoding="utf-8"
        )
        (folder / "automations.yaml").write_text(yaml_of_page()[0], encoding="utf-8")
        entry = ENTRY | {"data": {"broker": "127.0.0.1", "port": broker}}
        entries = {"version": 1, "minor_version": 5, "key": "core.config_entries"}
        (folder / ".storage/core.config_entries").write_text(
            json.dumps(entries | {"data": {"entries": [entry]}})
        )

    def start(self) -> None:
        """Start it; what it prints is kept."""
        path = f"{HASS.parent}:{os.environ['PATH']}"
        with (self._folder / "printed").open("ab") as printed:
            self._process = subprocess.Popen(
                [HASS, "-c", self._folder],
                stdout=printed,
                stderr=printed,
                env=os.environ | {"PATH": path},
            )

    def stop(self) -> None:
        """End it as its owner does, and wait until it has written everything."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=TIMEOUT)
            self._process = None

    def log(self) -> str:
        """Return what it has printed."""
        return (self._folder / "printed").read_text(encoding="utf-8")


class Steps:
    """The seconds that each step took."""

    def __init__(self) -> None:
        self.figures: list[str] = []

    def wait(self, condition: Callable[[], bool], what: str, name: str) -> None:
        """Wait until something is so; raise TimeoutError."""
        begun = time.monotonic()
        while not condition():
            if time.monotonic() > begun + TIMEOUT:
                raise TimeoutError(f"still waiting for {what}")
            time.sleep(0.1)
        self.figures.append(f"{name}_s={time.monotonic() - begun:.1f}")


if __name__ == "__main__":
    sys.exit(main())
