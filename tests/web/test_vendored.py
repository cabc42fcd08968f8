"""Libraries that browsers get are the published ones."""

from __future__ import annotations

import hashlib
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "web/core/vendor/smol-toml"
DIGEST = "e1fdacb0220c45bf46333fbcac9d68fe9326c2e0f9040c07ce40d8cdb6efb26a"
"""Of all modules of smol-toml 1.9.1, one after the other by name."""


def test_the_toml_library_is_the_published_one() -> None:
    """smol-toml 1.9.1 byte by byte, with its licence beside it."""
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(FOLDER.glob("*.js"))))

    assert DIGEST == digest.hexdigest()
    assert "Redistribution" in (FOLDER / "LICENSE.txt").read_text(encoding="utf-8")
