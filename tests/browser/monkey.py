"""A monkey test: presses controls of all pages at random and collects faults.

`python -m tests.browser.monkey [--first N] [--seeds N] [--presses N]` plays one table a seed: a
game, its options, who sits where, the size of each page and the language follow from the seed, and
so does what is pressed. Faults are: what the table refused, an exception or an error in the
console, a code instead of words, what `layout.py` finds, and a table at which nothing that can be
pressed leads on. Chance at the table follows from the seed too, so a seed plays nearly the same
again; what the moments of bots and nights change may differ. Exits with 1 if there is a fault, and
names the seeds; with `--keep` it plays those of `monkey_seeds.txt` too and adds them there.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    TimeoutError,
)

from companion.games import GAMES, find_game, manhunt
from tests.browser.conftest import CODES
from tests.browser.layout import FINGER, faults
from tests.browser.page_objects import SLIP
from tests.browser.screenshots import SHOTS, violations
from tests.browser.server import PHONE_HOST, Json, TableServer, until
from tests.helpers.chromium import chromium
from tests.helpers.served import start_process
from tools.bench.served_table import Hosting, serve

Size = tuple[int, int]
KEPT = Path(__file__).with_name("monkey_seeds.txt")
"""The tables at which a fault was found: a line has a seed and how often is pressed."""
ZOOMED = (180, 370)
"""A phone of 360 × 740 whose page is zoomed to 200 %."""
DISPLAYS: tuple[Size, ...] = (
    (1920, 1080), (1366, 768), (1280, 1024), (1180, 820), (1024, 768), (800, 480), (768, 1024),
)  # fmt: skip
PHONES: tuple[Size, ...] = ((360, 740), (390, 844), (740, 360), ZOOMED, (1280, 800))
LANGUAGES = ("en-GB", "en-GB", "ja-JP", "nl-NL")
OPTIONS: dict[str, Sequence[Json]] = {
    "vampireradar": ({}, {}, {"path": "paper"}, {"pawns_each": 1}),
    "nosferatu": ({},),
    "shisogari": ({}, {}, {"hands": "cards"}),
    "vampire_empire": ({}, {}, {"content": "box"}),
    "vwars": ({}, {}, {"content": "box"}),
    "manhunt": ({}, {"content": "ship"}, {"content": "quarter"}, {"path": "paper"}),
}
ROAMED = (
    "host", "help", "overlay", "replay", "board", "tiles", "paper", "map", "map-editor", "join",
    "table",
)  # fmt: skip
OWN_MAP = Path(manhunt.__file__).with_name("maps") / "ship.toml"
"""The map that the map editor opens."""
SPEED_UP = 20.0
"""How many times sooner than in a room bots act and nights are published."""
STREAMS = 40
"""All pages are on one machine, more than a table serves one address."""
TIMEOUT = 30.0
"""Seconds that anything may take before it counts as a fault."""
REST = 90
"""Milliseconds without a change after which a page is looked at."""
STUCK = 150
"""Presses without anything new at a table, after which nothing leads on."""
AGAIN = 0.3
"""How often the same control is pressed twice: some ask whether one is sure."""
SELDOM = re.compile(
    r" (game-|players|surrender|free|draw|give-|bot-|nobody|again|language|light|far|sound|option"
    r"|setting|/|http)"
)
"""What leads away from a game, or changes nothing at the table."""
AXE = 0.05
"""How often axe-core looks too: it takes ten times as long."""
UNTOLD = ("id", "game", "expect")
"""The parts of a request that do not identify its kind."""
SHORTENED = re.compile(r"cut off by (span\.(seat|name)[^:]*|h1): (Maximiliane|\w* Maximiliane)")
"""A name that somebody typed may end in an ellipsis."""
NAMES = ("Ana", "Maximiliane-Josephine von Hohenstein", "吸血鬼", "x")

SET_UP = """
globalThis.monkey = { pending: 0, refused: [], last: null };
{
  const { parse, stringify } = JSON;
  const { monkey } = globalThis;
  JSON.stringify = (value, ...more) => {
    if (value?.do && value.id && value.do !== "blank") monkey.last = { ...value };
    return stringify(value, ...more);
  };
  JSON.parse = (...parameters) => {
    const value = parse(...parameters);
    if (value?.ok === false && value.code) monkey.refused.push([stringify(monkey.last), value]);
    return value;
  };
  const fetched = globalThis.fetch;
  globalThis.fetch = async (where, ...more) => {
    const isStream = /events/.test(String(where));
    monkey.pending += isStream ? 0 : 1;
    try {
      return await fetched(where, ...more);
    } finally {
      monkey.pending -= isStream ? 0 : 1;
    }
  };
  let state = SEED;
  Math.random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
"""
"""Lets a page keep what the table refused it, and count what it waits for."""
HANDS = (
    "(" + Path(__file__).with_suffix(".js").read_text(encoding="utf-8").strip().rstrip(";") + ")"
)
REQUEST = """async ([what, args]) => {
  const { Channel } = await import("/static/core/channel.js");
  return (await Channel.open({ storage: "display-key" })).request(what, args);
}"""


class Table(TableServer):
    """A table whose bots and nights do not let people wait, and whose chance a seed decides."""

    def __init__(self, folder: Path, seed: int, board: str) -> None:
        super().__init__(folder, None)
        self._hosting = Hosting(
            str(self.data), self.port, board, speed_up=SPEED_UP, seed=seed, streams=STREAMS,
            hosts=(PHONE_HOST, f".{PHONE_HOST}"),
        )  # fmt: skip

    def start(self) -> None:
        """Serve; returns when the pages can be had."""
        self._server = start_process(serve, self._hosting, log=self.log_path)
        until(self._answers, f"the server did not come up:\n{self.log}")


class Actor(Struct):
    """One page that somebody presses on: `home` is where it belongs."""

    name: str
    page: Page
    home: str
    size: Size


class Monkey:
    """One table, its pages, and who presses on them."""

    def __init__(self, browser: Browser, folder: Path, seed: int, known_faults: set[str]) -> None:
        self.seed = seed
        self.faults: list[str] = []
        self.pressed = 0
        self._browser = browser
        self._rng = Random(f"monkey {seed}")
        self._trace: deque[str] = deque(maxlen=8)
        self._known_faults = known_faults
        self._tried = Counter[tuple[str, str]]()
        self._position = -2
        self._idle = 0
        board = "sim" if self._rng.random() < 0.25 else "none"
        self.table = Table(folder, seed, board)
        self._contexts: list[BrowserContext] = []
        self.actors: list[Actor] = []

    def go(self, presses: int) -> None:
        """Sit down, and press so often."""
        self.table.open()
        try:
            self._gather()
            while self.pressed < presses:
                self._step()
        except TimeoutError as late:
            self._fault("somebody", f"never came: {str(late).splitlines()[-1]}")
            for actor in self.actors:
                actor.page.screenshot(path=SHOTS / f"monkey-{self.seed}-late-{actor.name}.png")
        finally:
            for context in self._contexts:
                context.close()
            self.table.close()
        if "Traceback" in self.table.log:
            self._fault("the server", self.table.log[self.table.log.index("Traceback") :])

    # ---- who is there

    def _gather(self) -> None:
        """Open a display, propose a game, let phones sit down, and mostly begin."""
        rng = self._rng
        screen = self._context(rng.choice(DISPLAYS), is_phone=False)
        display = self._actor("display", screen, self.table.display_address)
        display.home = self._address("table")
        display.page.locator('[data-action="start"]').wait_for()
        game = rng.choice([game.name for game in GAMES])
        players = rng.choice([*find_game(game).seats])
        options = rng.choice(OPTIONS[game])
        self._note(f"{game} of {players} {options}, {self.table._hosting.board}")
        proposed = {"game": game, "players": players, "options": options}
        assert self._ask("propose", {"change": proposed})["ok"]
        seats = [str(seat) for seat in find_game(game).seat_names(players)]
        people = rng.sample(seats, k=min(len(seats), rng.choice((1, 2, 2, 3))))
        for seat in people:
            self._sit(seat)
        guest = self._context(rng.choice((*PHONES, *DISPLAYS)), is_phone=rng.random() < 0.5)
        self._actor("guest", guest, f"{self.table.phone('/')}help")
        self._actor("keeper", screen, self._address("help"))
        if rng.random() < 0.8:
            bots = find_game(game).bots
            assert bots is not None
            for seat in seats:
                if seat not in people:
                    self._ask("give", {"seat": seat, "level": bots.levels[1]})
            self._ask("start", {})

    def _sit(self, seat: str) -> None:
        context = self._context(self._rng.choice(PHONES), is_phone=True)
        actor = self._actor(seat, context, self.table.invitation["url"])
        page = actor.page
        page.locator(
            f'[data-action="seat"][data-arg="{seat}"], #closed, #full, #code'
        ).first.wait_for()
        if not page.locator(f'[data-action="seat"][data-arg="{seat}"]').count():
            return
        if self._rng.random() < 0.5:
            page.locator("#name").fill(self._rng.choice(NAMES))
        self._look(actor)
        page.locator(f'[data-action="seat"][data-arg="{seat}"]').dispatch_event("click")
        page.wait_for_function(
            "() => location.pathname === '/seat' || document.querySelector('[data-action=sit]')"
        )
        if page.url.endswith("/join"):
            self._look(actor)
            page.locator('[data-action="sit"]').dispatch_event("click")
        page.wait_for_url("**/seat")
        actor.home = self.table.phone("/seat")

    def _context(self, size: Size, is_phone: bool) -> BrowserContext:
        rng = self._rng
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=is_phone,
            is_mobile=is_phone,
            locale=rng.choice(LANGUAGES),
            reduced_motion="reduce" if rng.random() < 0.75 else "no-preference",
        )
        context.set_default_timeout(1000 * TIMEOUT)
        context.add_init_script(CODES)
        context.add_init_script(SET_UP.replace("SEED", str(rng.getrandbits(32))))
        if rng.random() < 0.2:
            context.add_init_script("try { localStorage.setItem('light', '1'); } catch {}")
        self._contexts.append(context)
        return context

    def _actor(self, name: str, context: BrowserContext, address: str) -> Actor:
        page = context.new_page()
        size = page.viewport_size
        assert size
        actor = Actor(name, page, address, (size["width"], size["height"]))
        page.on("pageerror", lambda error: self._fault(name, f"exception: {error}", page))
        page.on("console", lambda output: self._heard(name, page, output))
        page.on("dialog", lambda dialog: dialog.dismiss())
        context.on("page", self._opened)
        self.actors.append(actor)
        page.goto(address)
        return actor

    def _heard(self, name: str, page: Page, output: ConsoleMessage) -> None:
        if output.type == "error":
            self._fault(name, f"console: {output.text} {output.location.get('url')}", page)

    def _opened(self, page: Page) -> None:
        """Close what a press has opened beside the pages that are looked at."""
        if self.pressed:
            page.close()

    def _address(self, page: str) -> str:
        return f"http://127.0.0.1:{self.table.port}/{page}"

    def _ask(self, what: str, args: Json) -> Json:
        reply: Json = self.actors[0].page.evaluate(REQUEST, [what, args])
        self.actors[0].page.evaluate("() => { monkey.refused.length = 0; }")
        return reply

    # ---- pressing

    def _step(self) -> None:
        """Press one control of a page, and check the result."""
        rng = self._rng
        self.pressed += 1
        actor = self._chosen()
        if actor.name in ("guest", "keeper") and rng.random() < 0.3:
            self._open(actor, actor.home.rpartition("/")[0] + "/" + rng.choice(ROAMED))
        elif actor.page.url.partition("#")[0] != actor.home and rng.random() < 0.3:
            if actor.name not in ("guest", "keeper"):
                self._open(actor, actor.home)
        else:
            controls = self._hands(actor.page, what="list") or []
            if controls:
                self._press(
                    actor, rng.choices(controls, [*self._weights(actor, controls)])[0], controls
                )
        self._look(actor)
        if self.pressed % 4 == 0:
            for other in self.actors:
                if other is not actor:
                    self._look(other)
        self._follow()

    def _chosen(self) -> Actor:
        snapshot = self.table.snapshot
        heavy = {snapshot["to_move"]: 6, "display": 4, "guest": 1, "keeper": 1}
        return self._rng.choices(self.actors, [heavy.get(each.name, 2) for each in self.actors])[0]

    def _weights(self, actor: Actor, controls: list[Json]) -> Iterator[float]:
        for control in controls:
            weight = 1 / (1 + 3 * self._tried[actor.name, control["name"]])
            yield weight * (0.05 if SELDOM.search(control["name"]) else 1)

    def _press(self, actor: Actor, control: Json, controls: list[Json]) -> None:
        name = control["name"]
        self._tried[actor.name, name] += 1
        self._note(f"{actor.name} {actor.page.url.rpartition('/')[2]}: {name}")
        where = self._hands(actor.page, what="point", at=controls.index(control), name=name)
        if where is None:
            return
        page = actor.page
        try:
            if control["kind"] in ("text", "search", "textarea"):
                page.mouse.click(where["x"], where["y"])
                page.keyboard.type(self._rng.choice((*NAMES, "A1", "0")))
            elif control["kind"] == "range":
                page.mouse.click(where["x"], where["y"])
            else:
                self._touch(actor, where)
                if self._rng.random() < AGAIN:
                    self._press_again(actor, control)
        except Error as error:
            self._fault(actor.name, f"press: {error}", page)

    def _press_again(self, actor: Actor, control: Json) -> None:
        """Press the same control once more where it still is, not so soon that it is a slip."""
        actor.page.wait_for_timeout(SLIP)
        self._hands(actor.page, what="rest", rest=REST)
        controls = self._hands(actor.page, what="list") or []
        if control not in controls:
            return
        where = self._hands(
            actor.page, what="point", at=controls.index(control), name=control["name"]
        )
        if where:
            self._note(f"{actor.name}: the same again")
            self._touch(actor, where)

    def _touch(self, actor: Actor, where: Json) -> None:
        if actor.page.evaluate("() => navigator.maxTouchPoints > 0"):
            actor.page.touchscreen.tap(where["x"], where["y"])
        else:
            actor.page.mouse.click(where["x"], where["y"])

    def _open(self, actor: Actor, address: str) -> None:
        self._note(f"{actor.name}: opens {address.rpartition('/')[2]}")
        actor.page.goto(address)
        actor.page.locator("body").wait_for()
        if address.endswith("/map-editor") and self._rng.random() < 0.5:
            actor.page.locator("#file").set_input_files(OWN_MAP)

    def _hands(self, page: Page, **what: Any) -> Any:
        """Do something on a page; repeat it if the page changed before."""
        for _ in range(3):
            try:
                return page.evaluate(HANDS, what)
            except Error as left:
                if "context" not in str(left) and "navigat" not in str(left):
                    raise
                page.wait_for_load_state()
        return None

    # ---- looking

    def _look(self, actor: Actor) -> None:
        """Keep what is wrong with a page as it is now; now and then ask axe too."""
        page = actor.page
        self._hands(page, what="rest", rest=REST)
        if page.url == "about:blank":
            return  # It has gone back to where its browser began.
        try:
            defects = faults(page, FINGER // 2 if actor.size == ZOOMED else FINGER)
            if self._rng.random() < AXE:
                defects += [f"axe {each}" for each in violations(page)]
            refused = page.evaluate("() => globalThis.monkey.refused.splice(0)")
        except Error:
            return  # It has been left just now, and is looked at after the next press.
        before = len(self.faults)
        for fault in defects:
            if not SHORTENED.search(fault):
                self._fault(actor.name, f"layout: {fault}", page)
        # Under V-Wars' hold all are offered alike what only some may do.
        if page.locator(".vwars-phone #refusal").count():
            refused = []
        for request, answer in refused:
            do = {key: value for key, value in json.loads(request).items() if key not in UNTOLD}
            self._fault(actor.name, f"refused: {answer['code']} for {do}", page)
        if len(self.faults) > before:
            SHOTS.mkdir(exist_ok=True)
            page.screenshot(path=SHOTS / f"monkey-{self.seed}-{self.pressed}-{actor.name}.png")

    def _follow(self) -> None:
        """Notice when nothing new comes for long."""
        snapshot = self.table.snapshot
        if snapshot["position"] != self._position or snapshot["phase"] != "play":
            self._position, self._idle = snapshot["position"], 0
            self._tried.clear()
            return
        self._idle += 1
        if self._idle == STUCK:
            where = {
                key: snapshot[key] for key in ("game", "to_move", "secret", "revealing", "board")
            }
            self._fault("table", f"stuck: nothing new in {STUCK} presses: {where}")

    def _note(self, what: str) -> None:
        self._trace.append(what)

    def _fault(self, who: str, what: str, page: Page | None = None) -> None:
        where = page.url.partition("#")[0].rpartition("/")[2] if page else ""
        kind = f"{where} {re.sub(r'[0-9]+', '#', what.replace('.light', ''))}"
        if kind in self._known_faults:
            return
        self._known_faults.add(kind)
        size = page.viewport_size if page else None
        at = f"{size['width']}x{size['height']}" if size else ""
        line = f"seed {self.seed}, press {self.pressed}, {who} /{where} {at}: {what}"
        self.faults.append(line)
        print(line, f"    after {' > '.join([*self._trace][-4:])}", sep="\n", flush=True)


def play(browser: Browser, seed: int, presses: int, known_faults: set[str]) -> list[str]:
    """Press `presses` times at the table of a seed; return the faults that are not like one in
    `known_faults`, and add them.
    """
    with TemporaryDirectory(prefix="monkey-") as name:
        monkey = Monkey(browser, Path(name), seed, known_faults)
        monkey.go(presses)
        return monkey.faults


def kept_seeds() -> list[tuple[int, int]]:
    """Return the seeds and presses of the tables that are kept, the newest first."""
    lines = KEPT.read_text(encoding="utf-8").splitlines()
    pairs = [line.split() for line in lines if not line.startswith("#")]
    return [(int(seed), int(presses)) for seed, presses in pairs]


def keep(seed: int, presses: int) -> None:
    """Keep a table before all others."""
    head, *lines = KEPT.read_text(encoding="utf-8").splitlines()
    others = [line for line in lines if line.split()[0] != str(seed)]
    KEPT.write_text("\n".join([head, f"{seed} {presses}", *others, ""]), encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--presses", type=int, default=200)
    parser.add_argument("--keep", action="store_true", help="keep each table with a fault")
    options = parser.parse_args()
    tables = [
        (seed, options.presses) for seed in range(options.first, options.first + options.seeds)
    ]
    if options.keep:
        tables = kept_seeds() + tables
    failed, known_faults = [], set[str]()
    with chromium() as browser:
        for seed, presses in tables:
            if play(browser, seed, presses, known_faults):
                failed.append(seed)
    if options.keep:
        for seed in failed:
            keep(seed, options.presses)
    print(f"{len(tables)} tables, {options.presses} presses each, faults in seeds {failed}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
