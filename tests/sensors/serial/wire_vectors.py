"""The frames of firmware/vectors.json, as the tests read them."""

import json
from pathlib import Path
from typing import Any

VECTORS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "firmware" / "vectors.json").read_text(encoding="utf-8")
)["frames"]
NAMES: list[str] = [vector["name"] for vector in VECTORS]
