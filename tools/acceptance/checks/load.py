"""Many screens, many hands, bad lines: the table answers all of them."""

from __future__ import annotations

from tools.acceptance.check import Check

M = "-m"
CHECKS = (
    Check(
        "15", "200 listeners, 20 that do not read, 10 events/s", [M, "tests.server.http.listeners"]
    ),
    Check(
        "16",
        "eight hands, each request 1-5 times",
        [M, "tests.server.rpc.idempotency", "--clients", "8"],
        [M, "tests.server.rpc.idempotency", "--clients", "8", "--rounds", "400"],
    ),
    Check(
        "14", "a photo of 13,000 x 13,000 pixels", [M, "tools.acceptance.open_ports"], says="photo:"
    ),
    Check(
        "F25",
        "all phones return at once",
        [M, "tests.server.http.storm"],
        [M, "tests.server.http.storm", "--kills", "20"],
    ),
    Check(
        "soak",
        "whole evenings from one seed, one thing after another",
        [M, "tools.evenings", "--games", "300"],
        [M, "tools.evenings", "--games", "10000"],
    ),
    Check(
        "monkey",
        "controls pressed at random on every page",
        [M, "tests.browser.monkey", "--seeds", "5", "--presses", "60"],
        [M, "tests.browser.monkey", "--seeds", "500", "--presses", "300", "--keep"],
        says="tables,",
    ),
    Check(
        "pages",
        "pages in every size and language, while they move",
        [M, "pytest", "-q", "--exhaustive", "tests/browser/screens"],
        [M, "pytest", "-q", "--exhaustive", "tests/browser", "tests/engines"],
    ),
    Check(
        "F8",
        "damaged files of eight kinds",
        [M, "tools.acceptance.damaged_files", "--files", "100"],
        [M, "tools.acceptance.damaged_files", "--files", "10000"],
    ),
    Check(
        "F27",
        "games over a network that cuts, holds and repeats",
        [M, "tests.server.http.chaos", "--games", "3"],
        [M, "tests.server.http.chaos", "--games", "60"],
    ),
    Check(
        "F28",
        "recorded boxes sent again",
        [M, "pytest", "-q", "tests/server/rpc/test_replayed_requests.py"],
    ),
    Check("F33", "64 descriptors", [M, "pytest", "-q", "tests/server/http/test_limits.py"]),
    Check(
        "F26",
        "half-open and dripping connections",
        [M, "pytest", "-q", "tests/server/http/test_timeouts.py"],
    ),
    Check(
        "Laptop",
        "the zip for Windows under Wine: pages, start, tests on its Python",
        [M, "tools.windows"],
    ),
    Check(
        "release",
        "the released files: twice the same bytes, each played from its folder",
        [M, "tools.released", "--twice", "python", "windows", "firmware", "boards", "kits"],
        soak=[M, "tools.released", "--twice"],
        says="checks",
    ),
    Check(
        "T15",
        "the documented interface, rightly and wrongly asked",
        [M, "pytest", "-q", "tests/server/test_api.py"],
    ),
)
