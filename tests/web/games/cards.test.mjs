import assert from "node:assert/strict";
import { gameWords, sharedWords } from "../catalogues.mjs";
import { test } from "node:test";

import {
  ACTIONS,
  accusing,
  card,
  choices,
  pair,
  partnerButtons,
  players,
  sum,
} from "../../../web/games/shisogari/cards.js";
import { openPage } from "../../../web/games/shisogari/phone.js";
import { TUTORIAL } from "../../../web/games/shisogari/tutorial.js";
import { game } from "../../../web/games/shisogari/index.js";
import { game as empire } from "../../../web/games/vampire_empire/index.js";
import { news } from "../../../web/screens/table/update_queue.js";
import { renderToString } from "../../../web/core/dom.js";
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
  deed: null,
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

test("a hand tells its colours in words", () => {
  assert.match(html(players(VIEW, "P1")), /aria-label="2 white, 1 black"/);
});

test("the winner is called by each game's own sides", () => {
  assert.equal(winnerWords({ winner: "vampire" }, game.winners), "The Vampire’s side wins");
  assert.equal(winnerWords({ winner: "hunters" }, game.winners), "The Hunters win");
  assert.equal(winnerWords({ winner: "draw" }, game.winners), "A draw");
  assert.equal(winnerWords({ winner: "vampire" }, empire.winners), "The vampire player has won");
  assert.equal(winnerWords({ winner: "vampire" }), "The vampire wins");
});

test("who cannot be taken from is dimmed", () => {
  const legal = [{ type: "take", partner: "P3" }];
  assert.ok(!html(partnerButtons(legal, "P3")).match(/take-P3"[^>]*aria-disabled/));
  assert.match(html(partnerButtons(legal, "P2")), /take-P2"[^>]*aria-disabled="true"/);
  assert.match(html(partnerButtons(legal, "P3")), /give-P3"[^>]*aria-disabled="true"/);
});

test("items of a colour that is not held are dimmed", () => {
  const shown = html(choices({ ...VIEW, step: "name" }, [{ type: "name", item: "dagger" }], {}));
  assert.ok(!/item-dagger"[^>]*aria-disabled/.test(shown));
  assert.match(shown, /item-garlic"[^>]*aria-disabled="true"/);
});

test("backs that may not be picked are dimmed, all are there", () => {
  const view = {
    ...VIEW,
    step: "pick",
    deed: { seat: "P1", way: "take", partner: "P3", item: "dagger" },
  };
  const shown = html(choices(view, [{ type: "pick", back: 1 }], {}));
  assert.equal(2, shown.match(/data-action="back-/g).length);
  assert.match(shown, /back-2"[^>]*aria-disabled="true"/);
  assert.deepEqual({ submit: { type: "pick", back: 1 } }, ACTIONS.back({}, "1"));
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
  assert.match(html(accusing(VIEW, legal, ui)), /suspect-P2/);
  assert.deepEqual({ type: "accuse", suspect: "P2" }, ACTIONS.name({ ui }).submit);
});

test("an open pair says what it was", () => {
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

test("a ghost round has a sentence for each moment, and its cards stay twenty", () => {
  const words = gameWords("en", "shisogari");
  TUTORIAL.forEach((moment, step) => {
    assert.ok(words[`ghost.${step}`]);
    const inHands = Object.values(moment.backs).join("").length;
    const laid = 2 * Object.values(moment.pairs).flat().length;
    assert.equal(moment.step === "place" ? 19 : 20, inHands + laid);
  });
  assert.equal(undefined, words[`ghost.${TUTORIAL.length}`]);
});

test("that a card is being placed is no news", () => {
  const events = [{ event: { event: "night_fell" } }, { event: { event: "card_kept" } }];
  assert.deepEqual(
    ["card_kept"],
    news({ picture: { game: "shisogari" }, events }, game).events.map(({ event }) => event.event),
  );
  assert.equal(2, news({ picture: { game: "vampireradar" }, events }).events.length);
});

test("what is open on a phone is the same for a Hunter, a Kin and the Vampire, whatever was picked", () => {
  const seats = ["P1", "P2", "P3"].map((seat) => ({ seat, name: null, taken: true }));
  const picture = (step, more = {}) => ({
    phase: "play",
    outcome: null,
    to_move: "P1",
    secret: step === "place",
    night: null,
    seats,
    undo: { asked: null },
    view: { ...VIEW, step, options: { hands: "phones" }, ...more },
  });
  const deed = { seat: "P1", way: "take", partner: "P3", item: "dagger", colour: "white" };
  const page = (shown, role, legal, picked = null) =>
    html(
      openPage({
        picture: shown,
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
  const turn = picture("turn");
  assert.equal(
    page(turn, "vampire", take),
    page(turn, "hunter", [...take, { type: "accuse", suspect: "P2" }]),
  );
  const placing = picture("place", { deed });
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
