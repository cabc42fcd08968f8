"""Measure the pages' first load with Lighthouse: the display as a desktop, the others as a phone on
slow 4G.
"""

from __future__ import annotations

import json
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from tests.helpers.join_code import join_fragment
from tests.helpers.ports import free_port
from tools.bench.chromium import ARGUMENTS, CHROMIUM
from tools.bench.figure import Figure, at_least
from tools.bench.processes import command, first_page

LIGHTHOUSE = Path(__file__).parent / "lighthouse/node_modules/.bin/lighthouse"
PAGES = ("table", "join", "host", "help", "seat")
RUNS = 3
"""Number of runs; the median counts, because a busy machine is a slow phone."""
LEAST = {"accessibility": 100, "best-practices": 100, "performance": 95}
SECONDS = 300


def figures() -> Iterator[Figure]:
    """Measure the pages of a table; the seat's last, because a phone with a seat is redirected from
    /join.
    """
    with TemporaryDirectory(prefix="bench-") as name, sync_playwright() as playwright:
        folder, port, debugging = Path(name), free_port(), free_port()
        with command(folder / "data", port, "none") as process:
            first_page(port, process)
            browser = playwright.chromium.launch_persistent_context(
                folder / "phone",
                executable_path=CHROMIUM,
                args=[*ARGUMENTS, f"--remote-debugging-port={debugging}"],
            )
            for name in PAGES:
                if name == "seat":
                    page = browser.new_page()
                    page.goto(f"http://127.0.0.1:{port}/join#{join_fragment(folder / 'data')}")
                    page.click('[data-action="seat"][data-arg="H1"]')
                    page.click('[data-action="sit"]')
                    page.wait_for_url("**/seat")
                    page.close()
                scores = [
                    _score(f"http://127.0.0.1:{port}/{name}", debugging, name == "table")
                    for _ in range(RUNS)
                ]
                for category, least in LEAST.items():
                    score = statistics.median(score_of_run[category] for score_of_run in scores)
                    yield at_least(
                        f"Lighthouse {category} of /{name} (median of {RUNS})",
                        score,
                        least,
                        "points",
                    )
            browser.close()


def _score(address: str, debugging: int, is_display: bool) -> dict[str, float]:
    """Return the points of a page by category."""
    options = [
        f"--only-categories={','.join(LEAST)}",
        f"--port={debugging}",
        "--disable-storage-reset",
    ]
    device = ["--preset=desktop"] if is_display else []
    quiet = ["--quiet", "--output=json", "--no-enable-error-reporting"]
    process = subprocess.run(
        [str(LIGHTHOUSE), address, *options, *device, *quiet],
        capture_output=True,
        check=True,
        timeout=SECONDS,
    )
    report = json.loads(process.stdout)
    assert address == report["finalDisplayedUrl"], f"{address} led to {report['finalDisplayedUrl']}"
    return {name: 100 * category["score"] for name, category in report["categories"].items()}
