import assert from "node:assert/strict";
import { gameWords, sharedWords } from "../catalogues.mjs";
import { test } from "node:test";

import {
  ACTIONS,
  accusing,
  card,
  choices,
  hand,
  pair,
  partnerButtons,
  players,
  sum,
} from "../../../web/games/shisogari/cards.js";
import { along, roundTable } from "../../../web/games/shisogari/round_table.js";
import { openPage } from "../../../web/games/shisogari/phone.js";
import { game } from "../../../web/games/shisogari/index.js";
import { game as empire } from "../../../web/games/vampire_empire/index.js";
import { news } from "../../../web/screens/table/news.js";
import { renderToString } from "../markup.mjs";
import { useWords, winnerWords } from "../../../web/core/i18n.js";

globalThis.document = { documentElement: { lang: "en" } };
useWords("en", {
  ...sharedWords("en"),
  ...gameWords("en", "vampireradar", "vampire_empire", "shisogari"),
});

const VIEW = {
  backs: { P1: "wwb", P2: "bb", P3: "wb" },
  pairs: {
    P1: [],
    P2: [{ colour: "black", item: "garlic" }],
    P3: [{ colour: "white", item: null }],
  },
  step: "turn",
  transfer: null,
  shown: null,
  counted: null,
  needed: 5,
};
const html = (trees) => [trees].flat(Infinity).filter(Boolean).map(renderToString).join("");

test("backs of one colour look alike, wherever they lie", () => {
  assert.equal(renderToString(card("white")), renderToString(card("white")));
  assert.ok(!renderToString(card("white")).includes('class="face'));
  assert.ok(!html(pair({ colour: "white", item: null })).includes('class="face'));
});

test("a hand has its colours in words", () => {
  assert.match(html(players(VIEW, "P1")), /aria-label="2 white, 1 black"/);
});

test("an open hand without a card has words too", () => {
  assert.match(html(hand("", [])), /aria-label="0 cards"/);
  assert.match(html(hand("", ["garlic"])), /aria-label="Garlic"/);
});

test("the winner is called by each game's own sides", () => {
  assert.equal(winnerWords({ winner: "vampire" }, game.winners), "The Vampire’s side wins");
  assert.equal(winnerWords({ winner: "hunters" }, game.winners), "The Hunters win");
  assert.equal(winnerWords({ winner: "draw" }, game.winners), "A draw");
  assert.equal(winnerWords({ winner: "vampire" }, empire.winners), "The vampire player has won");
  assert.equal(winnerWords({ winner: "vampire" }), "The vampire reigns");
});

test("who cannot be taken from is dimmed", () => {
  const legal = [{ type: "take", partner: "P3" }];
  assert.ok(!html(partnerButtons(legal, "P3")).match(/take" data-arg="P3"[^>]*aria-disabled/));
  assert.match(html(partnerButtons(legal, "P2")), /take" data-arg="P2"[^>]*aria-disabled="true"/);
  assert.match(html(partnerButtons(legal, "P3")), /give" data-arg="P3"[^>]*aria-disabled="true"/);
});

test("items of a colour that is not held are dimmed", () => {
  const markup = html(choices({ ...VIEW, step: "name" }, [{ type: "name", item: "dagger" }], {}));
  assert.ok(!/item" data-arg="dagger"[^>]*aria-disabled/.test(markup));
  assert.match(markup, /item" data-arg="garlic"[^>]*aria-disabled="true"/);
});

test("backs that may not be picked are dimmed, all are there", () => {
  const view = {
    ...VIEW,
    step: "pick",
    transfer: { seat: "P1", way: "take", partner: "P3", item: "dagger" },
  };
  const markup = html(choices(view, [{ type: "pick", back: 1 }], {}));
  assert.equal(2, markup.match(/data-action="pick" data-arg="/g).length);
  assert.match(markup, /pick" data-arg="2"[^>]*aria-disabled="true"/);
  assert.deepEqual({ submit: { type: "pick", back: 1 } }, ACTIONS.pick({}, "1"));
});

test("an accusation takes a button, a name and one press more", () => {
  const legal = [
    { type: "accuse", suspect: "P2" },
    { type: "accuse", suspect: "P3" },
  ];
  const ui = {};
  assert.match(html(accusing(VIEW, [], ui)), /aria-disabled="true"/);
  Object.assign(ui, ACTIONS.accuse({ ui }));
  assert.equal(undefined, ACTIONS.name({ ui }).submit);
  Object.assign(ui, ACTIONS.suspect({ ui }, "P2"));
  assert.match(html(accusing(VIEW, legal, ui)), /suspect" data-arg="P2/);
  assert.deepEqual({ type: "accuse", suspect: "P2" }, ACTIONS.name({ ui }).submit);
});

test("an open pair shows what it was", () => {
  assert.match(html(pair({ colour: "white" }, ["dagger", "dagger"], "hunter")), /Real pair/);
  assert.match(
    html(pair({ colour: "white" }, ["white_bloodsucking", "dagger"], "kin")),
    /Bloodsucking/,
  );
  assert.match(html(pair({ colour: "white" }, ["dagger", "white_blank"], "vampire")), /Fake/);
});

test("the determination is a sum against what is needed", () => {
  assert.match(html(sum({ counted: { pairs: 2, hunters: 3, needed: 5 }, needed: 5 })), /5 \/ 5/);
  assert.match(html(sum({ counted: null, needed: 6 })), /6/);
});

test("that a card is being placed is no news", () => {
  const events = [{ event: { event: "night_fell" } }, { event: { event: "card_kept" } }];
  assert.deepEqual(
    ["card_kept"],
    news({ snapshot: { game: "shisogari" }, events }, game).events.map(({ event }) => event.event),
  );
  assert.equal(2, news({ snapshot: { game: "vampireradar" }, events }).events.length);
});

test("what is open on a phone is the same for a Hunter, a Kin and the Vampire, whatever was picked", () => {
  const seats = ["P1", "P2", "P3"].map((seat) => ({ seat, name: null, taken: true }));
  const snapshot = (step, more = {}) => ({
    phase: "play",
    outcome: null,
    to_move: "P1",
    secret: step === "place",
    night: null,
    seats,
    log: [],
    vote: null,
    view: { ...VIEW, step, options: { hands: "phones" }, ...more },
  });
  const transfer = { seat: "P1", way: "take", partner: "P3", item: "dagger", colour: "white" };
  const page = (shown, role, legal, picked = null) =>
    html(
      openPage({
        snapshot: shown,
        seat: "P1",
        secret: {
          own: { role, picked, cards: [], laid: [], boxed: [] },
          legal,
          notes: [],
          submitted: picked === null,
        },
        ui: {},
        notice: null,
        isLost: false,
      }),
    );
  const take = [
    { type: "take", partner: "P3" },
    { type: "give", partner: "P3" },
  ];
  const turn = snapshot("turn");
  assert.equal(
    page(turn, "vampire", take),
    page(turn, "hunter", [...take, { type: "accuse", suspect: "P2" }]),
  );
  const placing = snapshot("place", { transfer });
  const bitten = page(
    placing,
    "hunter",
    [
      { type: "lay", card: "dagger" },
      { type: "lay", card: "crucifix" },
    ],
    "white_bloodsucking",
  );
  assert.equal(bitten, page(placing, "vampire", [{ type: "keep" }], "white_blank"));
  assert.equal(bitten, page(placing, "kin", [], null));
});

test("nobody is named before somebody is chosen", () => {
  const legal = ["P2", "P3"].map((suspect) => ({ type: "accuse", suspect }));
  const page = (suspect) => html(accusing(VIEW, legal, { isAccusing: true, suspect }));
  assert.ok(!page(null).includes("Name Player"));
  assert.ok(!page(null).includes('data-action="name"'));
  assert.match(page("P2"), /data-action="name"[^>]*>Name Player 2\?/);
});

const OPEN = {
  backs: { P1: "wwb", P2: "bb", P3: "wb", P4: "wwbb" },
  pairs: { P1: [], P2: [], P3: [], P4: [] },
  options: { place_seconds: 10 },
  transfer: null,
  accused: null,
  shown: null,
  counted: null,
  outcome: null,
  needed: 5,
  last: "",
};
const TAKING = { seat: "P1", way: "take", partner: "P3", item: null, colour: null };
const table = (more) => html(roundTable({ ...OPEN, step: "turn", ...more }, "P1"));

test("a ribbon lies from the giver to the picker, and its seal shows the named item once it is named", () => {
  assert.ok(!table({}).includes("ribbon"));
  const plain = table({ transfer: TAKING, step: "name" });
  assert.match(plain, /id="ribbon-78-81-22-19"/);
  assert.match(plain, /id="seal-plain"/);
  const named = table({ transfer: { ...TAKING, item: "garlic" }, step: "pick" });
  assert.match(named, /id="seal-garlic"/);
  const giving = table({ transfer: { ...TAKING, way: "give" }, step: "name" });
  assert.match(giving, /id="ribbon-22-19-78-81"/);
  assert.ok(!table({ transfer: TAKING, outcome: { winner: "draw" } }).includes("ribbon"));
  assert.match(table({ accused: { seat: "P2", suspect: "P4" } }), /class="ribbon accusing"/);
});

test("a ribbon goes through the middle of the table, whatever it joins", () => {
  const places = [
    [22, 19],
    [78, 19],
    [81, 50],
  ];
  for (const one of places)
    for (const other of places) {
      if (one === other) continue;
      assert.deepEqual(along([one, other], 0), one);
      assert.deepEqual(along([one, other], 1), other);
      assert.deepEqual(along([one, other], 0.5), [50, 50]);
    }
});

test("the picked card comes over the ribbon as a back, and the candle burns as long as every placing takes", () => {
  const placing = table({
    step: "place",
    transfer: { ...TAKING, item: "garlic", colour: "black" },
    backs: { ...OPEN.backs, P3: "w" },
  });
  const moving = placing.match(/class="travels">.*?<\/svg>/s)[0];
  assert.match(moving, /class="playing black"/);
  assert.ok(!moving.includes('class="face"'));
  assert.match(placing, /--burns="10s"[^>]*class="candle burning"/);
  assert.ok(!table({ transfer: TAKING, step: "name" }).includes("burning"));
});

test("the last cards lie on the table as backs until they are taken", () => {
  const offered = table({ step: "last_card", last: "wbb" });
  const cloth = offered.match(/class="cloth".*?class="players/s)[0];
  assert.equal(1, cloth.match(/class="playing white"/g).length);
  assert.equal(2, cloth.match(/class="playing black"/g).length);
});

test("a lantern stands for each pair or Hunter that is needed, lit for the public ones", () => {
  const lanterns = (view) =>
    html(sum(view))
      .match(/class="lantern [^"]*"/g)
      .map((each) => each.slice(15, -1));
  const pairs = {
    P1: [{ colour: "black", item: "garlic" }],
    P2: [{ colour: "white", item: null }],
  };
  assert.deepEqual(lanterns({ counted: null, needed: 5, pairs }), [
    "pair",
    ...Array(4).fill("dark"),
  ]);
  assert.deepEqual(lanterns({ counted: { pairs: 1, hunters: 2, needed: 5 }, pairs }), [
    "pair",
    "hunter",
    "hunter",
    "dark",
    "dark",
  ]);
  assert.deepEqual(
    lanterns({ counted: { pairs: 4, hunters: 2, needed: 5 }, pairs }).at(-1),
    "hunter more",
  );
});

test("each phone shows at each step what may be done, or who does what", () => {
  const words = gameWords("en", "shisogari");
  const seats = Object.keys(OPEN.backs).map((seat) => ({ seat, name: null, taken: true }));
  for (const step of ["last_card", "turn", "name", "pick", "place"]) {
    const snapshot = {
      game: "shisogari",
      phase: "play",
      outcome: null,
      to_move: "P1",
      secret: step === "place",
      night: null,
      seats,
      log: [],
      vote: null,
      view: { ...OPEN, step, options: { hands: "phones", place_seconds: 5 } },
    };
    const task = (seat) =>
      html(
        openPage({
          snapshot,
          seat,
          secret: { own: null, legal: [], notes: [] },
          ui: {},
          notice: null,
          isLost: false,
        }),
      ).match(/<div id="task".*?<p>.*?<\/p>/s)[0];
    const theirs = words[`cards.${step}.theirs`].replace("{seat}", "Player 1");
    assert.ok(
      task("P1").includes('class="mine"') && task("P1").includes(words[`cards.${step}`]),
      step,
    );
    assert.ok(task("P2").includes('class="waits"') && task("P2").includes(theirs), step);
  }
});
