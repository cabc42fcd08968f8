"""Take screenshots of a screen, and check it with axe-core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

HERE = Path(__file__).parent
SHOTS = HERE / "shots"
"""Where a run leaves its pictures; git does not see them."""
AXE = HERE / "node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe-core that compare colours, a third of its work."""
OF_SIZES = (*COLOURS, "target-size")
"""The rules of axe-core whose result depends on a window's size: what lies behind words, and how
far controls are from each other.
"""

# Preloading is for sound that begins by itself, a fifth of the work; no page has any.
# A phone's last buttons stick to its lower edge: only at a page's end do they cover none of it.
_RUN = """([wanted, ofSizes]) => {
  const { outerHTML } = document.documentElement;
  const end = document.querySelector("main > :is(.stack, .foot):last-child");
  if (end) scrollTo({ top: document.scrollingElement.scrollHeight, behavior: "instant" });
  const documents = (globalThis.lookedAt ??= new Set());
  const runOnly = wanted.type === "tag" && documents.has(outerHTML) ? ofSizes : wanted;
  if (wanted.type === "tag") documents.add(outerHTML);
  return axe.run(document, { runOnly, preload: false, resultTypes: ["violations"] });
}"""
_SETTLED = """async () => {
  if (!document.querySelector("main")) return false;
  // A new size of the window reaches the page before its next frame.
  await new Promise((done) => requestAnimationFrame(done));
  await Promise.all(document.getAnimations()
    .filter((moving) => moving.effect.getComputedTiming().endTime < 10000)
    .map((moving) => moving.finished.catch(() => null)));
  return true;
}"""
_SPILLED = """() => {
  // A phone zooms out of a page that is too wide, so that innerWidth grows with it;
  // what was laid out for does not.
  const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.scrollingElement;
  return [Math.max(0, scrollWidth - clientWidth), Math.max(0, scrollHeight - clientHeight)];
}"""


_CUT_OFF = """() => [...document.querySelectorAll("main *")]
  .filter((each) => !each.closest(".vh, #log") && getComputedStyle(each).overflowX === "hidden")
  .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"""
DRESS = """async (light) => {
  localStorage.setItem("light", light);
  dispatchEvent(new StorageEvent("storage", { key: "light", newValue: light }));
  const link = document.getElementById("light");
  if (link && !link.sheet) await new Promise((done) => link.addEventListener("load", done));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


@contextmanager
def sunlit(page: Page) -> Iterator[None]:
    """Show a page in the light look within the block, as if chosen on another page."""
    page.evaluate(DRESS, "1")
    settled(page)
    yield
    page.evaluate(DRESS, "0")
    settled(page)


def cut_off(page: Page) -> list[str]:
    """Return the words of a page that are wider than the box that clips them; a log shows the lines
    that have room.
    """
    words: list[str] = page.evaluate(_CUT_OFF)
    return words


are_saved = False
"""Whether screenshots of what is right are saved, as `pytest --screenshots` asks."""


def save_screenshot(page: Page, name: str, *, is_fault: bool = False, **options: Any) -> None:
    """Save a screenshot of a fault, or of each screen where they are asked for: all of them take a
    tenth of a run.
    """
    if are_saved or is_fault:
        SHOTS.mkdir(exist_ok=True)
        page.screenshot(path=SHOTS / name, **options)


def settled(page: Page) -> None:
    """Wait until the page is drawn and what moves once on it has moved; what moves for ever, or as
    slowly as the moon, is no reason to wait.
    """
    while not page.evaluate(_SETTLED):
        page.wait_for_selector("main", state="attached")


def violations(page: Page, only: Sequence[str] = ()) -> list[str]:
    """Return what axe-core finds against WCAG 2.2 AA and best practice: rule, place, reason.

    `only` are the rules to look at, all where there are none. What the same elements were looked at
    with before, in another size, is not looked at again.
    """
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(_axe())
    kind, values = ("rule", only) if only else ("tag", TAGS)
    rules = {"type": kind, "values": [*values]}
    of_sizes = {"type": "rule", "values": [*OF_SIZES]}
    result: dict[str, Any] = page.evaluate(_RUN, [rules, of_sizes])
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: "
        f"{node['failureSummary'].splitlines()[-1].strip()}"
        for rule in result["violations"]
        for node in rule["nodes"]
    ]


def spilled(page: Page) -> list[int]:
    """Return by how many pixels the page is wider and higher than its window."""
    pixels: list[int] = page.evaluate(_SPILLED)
    return pixels


def _axe() -> str:
    assert AXE.exists(), f"axe-core is missing: run `npm ci` in {HERE}."
    return AXE.read_text(encoding="utf-8")
