"""Nothing leaks, nobody gets in, and the table can prove it."""

from __future__ import annotations

from tools.acceptance.check import Check
from tools.secrecy.http import MAKERS

M = "-m"
TWINS = "tools.secrecy.http"
CANARIES = "tests.server.canaries"
MOMENTS = [M, "tools.acceptance.night_timing"]
DOORS = [M, "tools.acceptance.open_ports"]
CHECKS = (
    Check(
        "18",
        "every route has an audience, refusals are equal",
        [M, "pytest", "-q", "tests/server/routes/test_audiences.py"],
    ),
    *(
        Check(
            "19",
            f"twin evenings over real sockets: {game}",
            [M, TWINS, "--game", game],
            [M, TWINS, "--game", game, "--pairs", "10000", "--seed", "1000"],
        )
        for game in MAKERS
    ),
    Check("19", "planted leaks are seen", [M, TWINS, "--plant", "all"]),
    Check(
        "19",
        "what a bot program is asked",
        [M, "pytest", "-q", "tests/secrecy/test_programs.py"],
    ),
    Check(
        "20", "canaries in all that leaves the table", [M, CANARIES], [M, CANARIES, "--games", "50"]
    ),
    Check(
        "20",
        "the same with open boxes must find them",
        [M, CANARIES, "--unboxed", "--turns", "9"],
        status=1,
    ),
    Check(
        "T12", "no core dump, nothing inherited", [M, "pytest", "-q", "tests/test_core_dumps.py"]
    ),
    Check(
        "T11",
        "nights of 0 and 2 steps, submitted or not, on the real clock and a slow disk",
        MOMENTS,
        [*MOMENTS, "--nights", "2000"],
    ),
    *(
        Check(
            "T11",
            f"moments that tell must be seen: {plant}",
            [*MOMENTS, "--nights", "160", "--plant", plant],
            status=1,
        )
        for plant in ("steps", "store")
    ),
    Check(
        "T14",
        "eight pages of one browser",
        [M, "pytest", "-q", "tests/browser/phones/test_tabs.py"],
    ),
    Check("21", "foreign names and pages, a debugger's console", DOORS, says="foreign_host"),
    Check("25", "what listens", DOORS, says="listening"),
    Check("25", "what listens with --tls", [*DOORS, "--tls"], says="listening"),
    Check("22", "intruders at the seats", [M, "tests.server.auth.brute_force"]),
    Check(
        "22",
        "claims, late codes, recovery, screens",
        [M, "pytest", "-q", "tests/server/auth/test_access.py"],
    ),
    Check(
        "24",
        "games proved in the browser, changes found",
        [M, "pytest", "-q", "tests/web/test_proof.py"],
    ),
    Check(
        "24",
        "games proved by `companion verify`",
        [M, "pytest", "-q", "tests/table/fairness/test_verify.py"],
    ),
)
