"""Build the MQTT messages of a table, Home Assistant's discovery included (docs/club.md)."""

from __future__ import annotations

import json
from typing import Any

from companion.core.game import Message
from companion.i18n import Catalog
from companion.mqtt.client import MqttMessage
from companion.mqtt.identity import TableIdentity
from companion.mqtt.status import Availability


class Topics:
    """Topics of one table. `first`: the first part of all topics."""

    def __init__(self, first: str, table: str) -> None:
        self.status = f"{first}/{table}/status"
        self.bulletin = f"{first}/{table}/bulletin"
        self.said = f"{first}/{table}/said"

    def availability_message(self, status: Availability) -> MqttMessage:
        """Return the message that sets a table's availability."""
        return MqttMessage(self.status, status.encode(), retained=True)

    def deletion_message(self) -> MqttMessage:
        """Return the message that deletes the table's retained status."""
        return MqttMessage(self.bulletin, b"", retained=True)


def parse_topic(first: str, topic: str) -> tuple[str, str] | None:
    """Return (table, "status" | "bulletin") of a topic, None for any other topic."""
    parts = topic.removeprefix(f"{first}/").split("/")
    if (
        not topic.startswith(f"{first}/")
        or len(parts) != 2
        or not parts[0]
        or parts[1] not in ("status", "bulletin")
    ):
        return None
    return parts[0], parts[1]


def discovery_message(
    prefix: str, topics: Topics, identity: TableIdentity, sentences: Catalog
) -> MqttMessage:
    """Return Home Assistant's discovery message: one device with an entity for each fact."""

    def entity(fact: str, expression: str, **more: Any) -> dict[str, Any]:
        # The message that deletes the status holds no JSON.
        template = f"{{{{ {expression} if value_json is defined else '' }}}}"
        name, unique = (
            sentences.translate(Message(f"club.{fact}")),
            f"companion_{identity.id}_{fact}",
        )
        return {
            "platform": "sensor",
            "unique_id": unique,
            "name": name,
            "value_template": template,
        } | more

    # Home Assistant rejects a state of more than 255 characters.
    facts = {
        "said": entity(
            "said",
            "(value_json.said | map(attribute='text') | list | last | default(''))[:255]",
            icon="mdi:bullhorn",
        ),
        "mover": entity("mover", "value_json.mover", icon="mdi:account-arrow-right"),
        "game": entity("game", "value_json.game", icon="mdi:dice-multiple"),
        "round": entity("round", "(value_json.round or value_json.turn or 0)", icon="mdi:counter"),
        "playing": entity(
            "playing",
            "('ON' if value_json.phase == 'play' else 'OFF')",
            platform="binary_sensor",
            device_class="running",
        ),
        "sample": entity(
            "sample",
            "('ON' if value_json.sample else 'OFF')",
            platform="binary_sensor",
            icon="mdi:cards-playing-outline",
        ),
        "night": entity(
            "night",
            "('ON' if value_json.night else 'OFF')",
            platform="binary_sensor",
            icon="mdi:weather-night",
        ),
    }
    payload = {
        "device": {
            "identifiers": [f"companion_{identity.id}"],
            "name": identity.name,
            "model": "table companion",
        },
        "origin": {"name": "companion"},
        "availability_topic": topics.status,
        "availability_template": "{{ 'online' if value == 'online' else 'offline' }}",
        "state_topic": topics.bulletin,
        "components": facts,
    }
    return MqttMessage(
        f"{prefix}/device/companion_{identity.id}/config",
        json.dumps(payload, ensure_ascii=False).encode(),
        True,
    )
