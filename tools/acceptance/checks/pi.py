"""The Pi: its unit, its watchdog, its updates, its backups."""

from __future__ import annotations

from tools.acceptance.check import Check

M = "-m"
CHECKS = (
    Check(
        "25",
        "the unit is confined (<= 2.0), the wiring fits",
        [M, "pytest", "-q", "tests/installer/test_files.py"],
    ),
    Check(
        "25",
        "the kiosk sees only its display, nothing is left",
        [M, "pytest", "-q", "tests/installer"],
    ),
    Check(
        "17",
        "systemd gets its heartbeat from a loop that has checked",
        [M, "pytest", "-q", "tests/test_watchdog.py"],
    ),
    Check("17", "a table that hangs is back in its turn", [M, "tools.acceptance.hang"]),
    Check(
        "Pi",
        "a release that is not well is taken back",
        [M, "pytest", "-q", "tests/installer/test_update.py"],
    ),
    Check("Pi", "the same by real bundles, under systemd", [M, "tools.acceptance.release"]),
    Check("Pi", "a read-only system, its plug pulled", [M, "tools.acceptance.powercycle"]),
    Check(
        "Pi",
        "Debian 13: set-up, tests, package, table, nothing left",
        [M, "tools.acceptance.debian13"],
        soak=[M, "tools.acceptance.debian13", "--all"],
    ),
    Check(
        "Pi",
        "Python 3.11 to 3.14: the quick tests",
        [M, "tools.acceptance.python_versions"],
        only_long=True,
    ),
    Check(
        "Pi",
        "Home Assistant finds the table, and again after restarts",
        [M, "tools.acceptance.home_assistant"],
    ),
    Check(
        "Pi",
        "everything in one file, and back",
        [M, "pytest", "-q", "tests/table/storage/test_backup.py"],
    ),
)
