"""The Pi: its unit, its watchdog, its updates, its backups."""

from __future__ import annotations

from tests.trust.check import Check

M = "-m"
CHECKS = (
    Check(
        "25",
        "the unit is confined (<= 2.0), the wiring fits",
        [M, "pytest", "-q", "tests/test_pi.py"],
    ),
    Check(
        "25", "the kiosk sees only its display, nothing is left", [M, "pytest", "-q", "tests/pi"]
    ),
    Check(
        "17",
        "systemd is told by a loop that has looked",
        [M, "pytest", "-q", "tests/test_watchdog.py"],
    ),
    Check("17", "a table that hangs is back in its turn", [M, "tests.trust.hang"]),
    Check(
        "Pi",
        "a release that is not well is taken back",
        [M, "pytest", "-q", "tests/test_update.py"],
    ),
    Check("Pi", "the same by real bundles, under systemd", [M, "tests.trust.release"]),
    Check("Pi", "a read-only system, its plug pulled", [M, "tests.trust.powercycle"]),
    Check(
        "Pi", "everything in one file, and back", [M, "pytest", "-q", "tests/table/test_backup.py"]
    ),
)
