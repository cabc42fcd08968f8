"""The vampire's plan for a night: drafted step by step, taken back step by step, and drafted
again.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Screens, StartServer
from tests.browser.page_objects import VampirePhone

HIDDEN = "C3"
NIGHTS = [["C2"], ["C3", "D3"], ["D2"]]
"""Steps of a night that is drafted, taken back to nothing and drafted again, but for the last."""
TWO_STEPS, NO_STEP = ["D3", "D2"], ["D3"]

LATER_PLAN = """() => {
  const [turn] = JSON.parse(sessionStorage["seat-plan"] ?? "[]");
  sessionStorage["seat-plan"] = JSON.stringify([turn, [{ type: "walk", to: "A1" }]]);
}"""
"""Puts a plan into the tab that the table refuses."""


def take_back(vampire: VampirePhone, plans: list[str]) -> None:
    """Undo one step after the other; each time the plan is again what it was before that step."""
    for plan in reversed(plans):
        vampire.press("undo")
        expect(vampire.at("#plan")).to_have_text(plan)
        vampire.hides("#refusal")
    expect(vampire.at('[data-action="undo"]')).to_have_attribute("aria-disabled", "true")


def draft(vampire: VampirePhone, *steps: str) -> list[str]:
    """Draft steps; return the plan as it stood before each."""
    plans = []
    for step in steps:
        plans.append(vampire.at("#plan").inner_text())
        vampire.step(step)
    return plans


@pytest.mark.soak
@pytest.mark.parametrize("nights", [[TWO_STEPS, NO_STEP], NIGHTS], ids=["two", "three"])
def test_the_last_drafted_step_is_taken_back(
    start_server: StartServer, screens: Screens, nights: list[list[str]]
) -> None:
    """Undo of the only step leaves an empty plan without a message: when the vampire hides, and in
    nights of one step and of two. What is drafted after it counts, and nothing of what was taken
    back; who then drafts nothing ends the night where it began.
    """
    server = start_server(None)
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.press("players", "2")
    display.set_up()
    display.press("start")
    vampire.says("#cover", "Night")
    vampire.look()
    take_back(vampire, draft(vampire, "D4"))
    expect(vampire.at("#end-night")).to_have_attribute("aria-disabled", "true")
    take_back(vampire, draft(vampire, HIDDEN))
    vampire.step(HIDDEN)
    vampire.press("end_night")
    display.turn_of("H1")
    vampire.cover()

    for steps in nights:
        display.end_turn("H1", "V")
        vampire.says("#cover", "Night")
        vampire.look()
        take_back(vampire, draft(vampire, *steps))
        take_back(vampire, draft(vampire, *steps))
        kept = [] if steps is nights[-1] else steps
        draft(vampire, *kept)
        vampire.end_night()
        display.turn_of("H1")
        vampire.press("log")
        vampire.says("#notes li:nth-last-child(1)", " → ".join(kept) or "–")
        vampire.press("log")
        vampire.cover()


@pytest.mark.soak
def test_a_reload_keeps_the_plan(start_server: StartServer, screens: Screens) -> None:
    """The planned steps are under the hold again after a reload, and count; another tab of the
    seat does not have them, and neither has the next night.
    """
    server = start_server(None)
    display, vampire = screens.display(server), screens.vampire(server)
    vampire.sit("V")
    display.begin(vampire, HIDDEN)
    display.end_turn("H1", "V")
    vampire.says("#cover", "Night")
    vampire.look()
    unplanned = vampire.at("#plan").inner_text()
    draft(vampire, "D3", "D2")
    planned = vampire.at("#plan").inner_text()

    other = VampirePhone(server, vampire.page.context.new_page())
    other.page.goto(server.phone("/seat"))
    other.look()
    expect(other.at("#plan")).to_have_text(unplanned)
    other.page.close()
    vampire.page.reload()
    vampire.says("#cover", "Night")
    vampire.look()
    expect(vampire.at("#plan")).to_have_text(planned)
    vampire.end_night()
    display.turn_of("H1")
    vampire.press("log")
    vampire.says("#notes li:nth-last-child(1)", "C3 → D3 → D2")
    vampire.cover()

    display.end_turn("H1", "V")
    vampire.page.reload()
    vampire.says("#cover", "Night")
    vampire.look()
    expect(vampire.at("#plan")).to_have_text("You: D2")
    vampire.step("D3")

    vampire.page.evaluate(LATER_PLAN)
    vampire.page.reload()
    vampire.says("#cover", "Night")
    vampire.look()
    vampire.says("#refusal", "The plan is gone")
    vampire.step("D3")
    vampire.hides("#refusal")
