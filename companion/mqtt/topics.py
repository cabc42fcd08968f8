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
    """Where one table speaks. `first` is how all topics of the club begin."""

    def __init__(self, first: str, table: str) -> None:
        self.status = f"{first}/{table}/status"
        self.bulletin = f"{first}/{table}/bulletin"
        self.said = f"{first}/{table}/said"

    def is_now(self, status: Availability) -> MqttMessage:
        """Return the message by which a table is there, or is not."""
        return MqttMessage(self.status, status.encode(), retained=True)

    def forget(self) -> MqttMessage:
        """Return the message after which the broker has no bulletin of this table any more."""
        return MqttMessage(self.bulletin, b"", retained=True)


def parse_topic(first: str, topic: str) -> tuple[str, str] | None:
    """Return (table, "status" | "bulletin") of a topic, None if it is none of the club's."""
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
    prefix: str, topics: Topics, sign: TableIdentity, sentences: Catalog
) -> MqttMessage:
    """Return the message by which Home Assistant finds the table: one device with an entity for
    each fact.
    """

    def entity(fact: str, expression: str, **more: Any) -> dict[str, Any]:
        # Where the bulletin was taken down there is no JSON to look into.
        template = f"{{{{ {expression} if value_json is defined else '' }}}}"
        name, unique = sentences.translate(Message(f"club.{fact}")), f"companion_{sign.id}_{fact}"
        return {
            "platform": "sensor",
            "unique_id": unique,
            "name": name,
            "value_template": template,
        } | more

    # What Home Assistant keeps as a state has 255 signs at most.
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
            "identifiers": [f"companion_{sign.id}"],
            "name": sign.name,
            "model": "table companion",
        },
        "origin": {"name": "companion"},
        "availability_topic": topics.status,
        "availability_template": "{{ 'online' if value == 'online' else 'offline' }}",
        "state_topic": topics.bulletin,
        "components": facts,
    }
    return MqttMessage(
        f"{prefix}/device/companion_{sign.id}/config",
        json.dumps(payload, ensure_ascii=False).encode(),
        True,
    )
