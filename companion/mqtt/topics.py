"""Build the MQTT messages of a table, Home Assistant's discovery included (docs/club.md)."""

from __future__ import annotations

import json

from companion.core.game import Message
from companion.i18n import Catalog
from companion.mqtt.client import MqttMessage
from companion.mqtt.status import Availability, TableIdentity


class Topics:
    """Topics of one table. `first`: the first part of all topics."""

    def __init__(self, first: str, table: str) -> None:
        self.availability = f"{first}/{table}/availability"
        self.state = f"{first}/{table}/state"
        self.announcements = f"{first}/{table}/announcements"

    def availability_message(self, availability: Availability) -> MqttMessage:
        """Return the message that sets a table's availability."""
        return MqttMessage(self.availability, availability.encode(), retained=True)

    def deletion_message(self) -> MqttMessage:
        """Return the message that deletes the table's retained status."""
        return MqttMessage(self.state, b"", retained=True)


def parse_topic(first: str, topic: str) -> tuple[str, str] | None:
    """Return (table, "availability" | "state") of a topic, None for any other topic."""
    parts = topic.removeprefix(f"{first}/").split("/")
    if (
        not topic.startswith(f"{first}/")
        or len(parts) != 2
        or not parts[0]
        or parts[1] not in ("availability", "state")
    ):
        return None
    return parts[0], parts[1]


def _template(expression: str) -> str:
    """Return Home Assistant's template for a value of the status."""
    # The message that deletes the status holds no JSON.
    return f"{{{{ {expression} if value_json is defined else '' }}}}"


_ENTITIES: dict[str, dict[str, str]] = {
    # Home Assistant rejects a state of more than 255 characters.
    "announcements": {
        "value_template": _template(
            "(value_json.announcements | map(attribute='text') | list | last | default(''))[:255]"
        ),
        "icon": "mdi:bullhorn",
    },
    "mover": {
        "value_template": _template("value_json.mover"),
        "icon": "mdi:account-arrow-right",
    },
    "game": {"value_template": _template("value_json.game"), "icon": "mdi:dice-multiple"},
    "round": {
        "value_template": _template("(value_json.round or value_json.turn or 0)"),
        "icon": "mdi:counter",
    },
    "playing": {
        "platform": "binary_sensor",
        "value_template": _template("('ON' if value_json.phase == 'play' else 'OFF')"),
        "device_class": "running",
    },
    "sample": {
        "platform": "binary_sensor",
        "value_template": _template("('ON' if value_json.sample else 'OFF')"),
        "icon": "mdi:cards-playing-outline",
    },
    "night": {
        "platform": "binary_sensor",
        "value_template": _template("('ON' if value_json.night else 'OFF')"),
        "icon": "mdi:weather-night",
    },
}
"""The entities of Home Assistant by their fact: the fields of each except name and identity."""


def discovery_message(
    prefix: str, topics: Topics, identity: TableIdentity, sentences: Catalog
) -> MqttMessage:
    """Return Home Assistant's discovery message: one device with an entity for each fact."""
    payload = {
        "device": {
            "identifiers": [f"companion_{identity.id}"],
            "name": identity.name,
            "model": "table companion",
        },
        "origin": {"name": "companion"},
        "availability_topic": topics.availability,
        "availability_template": "{{ 'online' if value == 'online' else 'offline' }}",
        "state_topic": topics.state,
        "components": {
            fact: _entity(identity, sentences, fact) | entity for fact, entity in _ENTITIES.items()
        },
    }
    data = json.dumps(payload, ensure_ascii=False).encode()
    return MqttMessage(discovery_topic(prefix, identity.id), data, retained=True)


def discovery_topic(prefix: str, table: str) -> str:
    """Return the topic of a table's discovery message."""
    return f"{prefix}/device/companion_{table}/config"


def _entity(identity: TableIdentity, sentences: Catalog, fact: str) -> dict[str, str]:
    """Return the part of an entity that distinguishes it from those of other tables and facts."""
    return {
        "platform": "sensor",
        "unique_id": f"companion_{identity.id}_{fact}",
        "name": sentences.translate(Message(f"club.{fact}")),
    }
