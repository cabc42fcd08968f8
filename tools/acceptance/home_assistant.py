"""Home Assistant beside a table: `python -m tools.acceptance.home_assistant`, as root.

debootstrap builds Debian 13 in a temporary folder; there Home Assistant from PyPI, Debian's
Mosquitto and a table run. What Home Assistant has of the table is read from its own HTTP interface,
never through the broker. It must find every entity of the card in docs/club.md, dim the lamp in the
vampire's turn and flash it at a hit by the automations that stand there, and go on after the broker
was killed and forgot everything, after the table was killed and after its own restart. Prints the
seconds of each step.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from tests.helpers.ports import free_port
from tests.mqtt.broker import Mosquitto
from tools.acceptance.check import ROOT
from tools.acceptance.debian13 import checkout_in_debian, environment, mounted, run
from tools.bench.played_table import GameTable
from tools.bench.processes import hosted
from tools.bench.served_table import Hosting

VERSION = "2026.2.3"
NEEDED = "python3-dev,gcc,g++,libffi-dev,libssl-dev,mosquitto"
"""What PyPI's packages are built with where there is no wheel, and the broker."""
HASS = Path("/opt/hass/bin/hass")
TIMEOUT = 900.0
"""Seconds until something has come: at its first start Home Assistant installs what it needs."""
NIGHT, LAMP = "binary_sensor.table_night", "light.living_room"
FLASH = "automation.flash_at_a_hit"
LOW, HIGH = 26, 204
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
api:
logger:
  default: warning
automation: !include automations.yaml
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
OWNER, TOKEN, TOKEN_KEY = "0" * 32, "1" * 32, "2" * 128
ACCOUNTS: dict[str, Any] = {
    "users": [
        {
            "id": OWNER,
            "group_ids": ["system-admin"],
            "is_owner": True,
            "is_active": True,
            "name": "Owner",
            "system_generated": False,
            "local_only": False,
        }
    ],
    "groups": [{"id": "system-admin", "name": "Administrators"}],
    "credentials": [],
    "refresh_tokens": [
        {
            "id": TOKEN,
            "user_id": OWNER,
            "client_id": None,
            "client_name": "check",
            "client_icon": None,
            "token_type": "long_lived_access_token",
            "created_at": "2026-01-01T00:00:00+00:00",
            "access_token_expiration": 315360000.0,
            "token": "3" * 128,
            "jwt_key": TOKEN_KEY,
            "last_used_at": None,
            "last_used_ip": None,
            "expire_at": None,
            "credential_id": None,
            "version": VERSION,
        }
    ],
}
"""An account with a token for programs, as its owner makes one on Home Assistant's page."""


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
        output = run(
            mounted(root, ".venv/bin/python -m tools.acceptance.home_assistant --inside"),
            environment() | {"UV_NATIVE_TLS": "true", "SSL_CERT_FILE": environment()["PIP_CERT"]},
        )
    print(output.strip().splitlines()[-1])
    return 0


def inside() -> list[str]:
    """Run table, broker and Home Assistant in this root; return the seconds of each step."""
    with tempfile.TemporaryDirectory(prefix="hass-") as name:
        folder, steps = Path(name), Steps()
        mosquitto = Mosquitto(folder / "broker")
        mosquitto.start()
        home = Home(folder / "home", mosquitto.port)
        try:
            check(home, folder / "data", mosquitto, steps)
        except BaseException:
            print(home.log(), file=sys.stderr)
            raise
        finally:
            home.stop()
            mosquitto.stop()
    return [f"home_assistant={VERSION}", *steps.figures]


def check(home: Home, data: Path, mosquitto: Mosquitto, steps: Steps) -> None:
    """Play beside Home Assistant; raise TimeoutError for a missing state."""

    def is_found() -> bool:
        return all(home.state(entity) not in (None, "unavailable") for entity in card)

    def is_night() -> bool:
        return home.state(NIGHT) == "on"

    def has_hit() -> bool:
        return home.attribute(FLASH, "last_triggered") is not None

    card = entities_of_card()
    hosting = Hosting(str(data), free_port(), broker=mosquitto.address())
    home.start()
    with hosted(hosting) as table:
        steps.wait(is_found, f"entities of {card}", "found")
        people = GameTable(hosting.port, data, 2, Random(1))
        steps.wait(is_night, "the night", "night")
        steps.wait(lambda: home.attribute(LAMP, "brightness") == LOW, "the low lamp", "lamp_low")
        mosquitto.stop()
        steps.wait(lambda: home.state(NIGHT) == "unavailable", "a broker that is lost", "no_broker")
        mosquitto.start()
        steps.wait(lambda: is_found() and is_night(), "the broker's restart", "broker_restarted")
        people.close()
        table.send_signal(signal.SIGKILL)
        steps.wait(lambda: home.state(NIGHT) == "unavailable", "a table that is lost", "lost")
    home.stop()
    home.start()
    with hosted(msgspec.structs.replace(hosting, speed_up=SPEED_UP)):
        steps.wait(is_night, "the night, after both restarts", "restarted")
        rng = Random(2)
        while not has_hit():
            shoot_or_step(people, rng)
            if people.games > GAMES:
                raise TimeoutError("no shot hit")
        people.to_humans()
        steps.wait(lambda: home.attribute(LAMP, "brightness") == HIGH, "the high lamp", "hit")
        people.close()


def shoot_or_step(people: GameTable, rng: Random) -> None:
    """Shoot if a seat may, else take a random action."""
    snapshot = people.snapshot()
    shots = [action for action in snapshot["legal"] or [] if action["type"] == "shoot"]
    if shots and not snapshot["secret"]:
        people.display.request("submit", actions=[rng.choice(shots)], seat=snapshot["to_move"])
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
        self._port = free_port()
        (folder / "configuration.yaml").write_text(
            CONFIGURATION.format(port=self._port), encoding="utf-8"
        )
        (folder / "automations.yaml").write_text(yaml_of_page()[0], encoding="utf-8")
        entry = ENTRY | {"data": {"broker": "127.0.0.1", "port": broker}}
        self._store("core.config_entries", 5, {"entries": [entry]})
        self._store("auth", 1, ACCOUNTS)

    def start(self) -> None:
        """Start it; keep its output."""
        path = f"{HASS.parent}:{os.environ['PATH']}"
        with (self._folder / "printed").open("ab") as printed:
            self._process = subprocess.Popen(
                [HASS, "-c", self._folder],
                stdout=printed,
                stderr=printed,
                env=os.environ | {"PATH": path},
            )

    def stop(self) -> None:
        """Stop it as its owner does, and wait until it has written everything."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=TIMEOUT)
            self._process = None

    def state(self, entity: str) -> str | None:
        """Return an entity's state, None where there is none yet."""
        state: str | None = self._entity(entity).get("state")
        return state

    def attribute(self, entity: str, name: str) -> Any:
        """Return an entity's attribute, None where there is none yet."""
        return self._entity(entity).get("attributes", {}).get(name)

    def log(self) -> str:
        """Return its output."""
        return (self._folder / "printed").read_text(encoding="utf-8")

    def _entity(self, entity: str) -> dict[str, Any]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._port}/api/states/{entity}",
            headers={"Authorization": f"Bearer {access_token()}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:
                state: dict[str, Any] = json.load(reply)
                return state
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return {}
            raise
        except OSError:
            return {}

    def _store(self, key: str, minor: int, data: object) -> None:
        stored = {"version": 1, "minor_version": minor, "key": key, "data": data}
        (self._folder / ".storage" / key).write_text(json.dumps(stored))


def access_token() -> str:
    """Return the JSON Web Token (HS256) of the owner's token."""
    now = int(time.time())
    claims = {"iss": TOKEN, "iat": now, "exp": now + 3600}
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": "HS256", "typ": "JWT"}, claims)
    ]
    signature = hmac.digest(TOKEN_KEY.encode(), b".".join(parts), hashlib.sha256)
    parts.append(base64.urlsafe_b64encode(signature).rstrip(b"="))
    return b".".join(parts).decode()


class Steps:
    """The seconds that each step took."""

    def __init__(self) -> None:
        self.figures: list[str] = []

    def wait(self, condition: Callable[[], bool], description: str, name: str) -> None:
        """Wait until a condition holds; raise TimeoutError."""
        started = time.monotonic()
        while not condition():
            if time.monotonic() > started + TIMEOUT:
                raise TimeoutError(f"still waiting for {description}")
            time.sleep(0.1)
        self.figures.append(f"{name}_s={time.monotonic() - started:.1f}")


if __name__ == "__main__":
    sys.exit(main())
