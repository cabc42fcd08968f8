// What a typed line means: words, questions, bare names and acts.
import assert from "node:assert/strict";
import test from "node:test";

import { gameWords, sharedWords } from "../catalogues.mjs";
import {
  meant,
  namesOf,
  nextPress,
  rank,
  understood,
  wordsOf,
} from "../../../web/core/commands/matching.js";

const control = (name, { place = null, isOff = false, aliases = [] } = {}) => ({
  name,
  place,
  isOff,
  names: [name, ...aliases].map(wordsOf),
});
const thing = (key, list) => ({ key, names: namesOf(list) });
const TURN = [
  control("Ana a A1", { aliases: ["a", "Ana a"] }),
  control("Ana b F1", { aliases: ["b", "Ana b"] }),
  control("C4, radar", { place: "C4", aliases: ["C4"] }),
  control("C5", { place: "C5", aliases: ["C5"], isOff: true }),
  ...["west", "north", "south", "east"].map((each) => control(`Aim ${each}`)),
  control("End turn"),
  control("Call radar"),
  control("Undo", { isOff: true }),
  control("Offer a draw"),
];
const KNOWN = {
  controls: TURN,
  questions: [thing("log", "log, history"), thing("fit", "fit, last radar"), thing("now", "now")],
  subjects: [[thing("C4", "C4")], [thing("a", "a, Ana a")]],
  verbs: [thing("walk", "walk, go")],
};
const pressedBy = (line, controls = TURN) =>
  nextPress(wordsOf(line), controls).controls.map(({ name }) => name);

test("words are compared without case, accents, marks and the width of letters", () => {
  assert.deepEqual(["ecole", "a1"], wordsOf("École, A1!"));
  assert.deepEqual(["c4"], wordsOf("Ｃ４"));
  assert.deepEqual(["a", "c4", "歩く"], wordsOf("aをC4へ歩く"));
  assert.deepEqual(["voortvluchtige"], wordsOf("voort\u00advluchtige"));
  assert.notDeepEqual(wordsOf("か"), wordsOf("が"));
});

test("a number's minus is a part of it: −1 is not 1", () => {
  const [less, more] = ["−1", "+1"].map((name) => control(name));
  assert.deepEqual(["−1"], pressedBy("-1", [more, less]));
  assert.deepEqual(
    [["+1"], ["+1"]],
    ["+1", "1"].map((line) => pressedBy(line, [less, more])),
  );
  assert.deepEqual(["n1", "h2"], wordsOf("n1-h2"));
});

test("nobody takes a line away by a name that begins with a verb", () => {
  const people = ["Walk C4", "Press end turn", "C4"].map((name) => ({
    ...thing(name, name),
    isPerson: true,
  }));
  const known = { ...KNOWN, subjects: [...KNOWN.subjects, people] };
  const ofPeople = (line) => understood(wordsOf(line), known).subjects?.map(({ key }) => key);
  assert.deepEqual([undefined, ["C4"]], ["walk c4", "c4"].map(ofPeople));
});

test("a whole name is better than words of it, those than beginnings", () => {
  const name = wordsOf("End the turn");
  assert.deepEqual(
    [0, 1, 1, 2, 3, null, null],
    ["end the turn", "end the", "turn", "end th", "tu", "e", "later"].map((line) =>
      rank(wordsOf(line), name),
    ),
  );
});

test("a short name presses its own control and no other that has the letter in its name", () => {
  assert.deepEqual(["Ana a A1"], pressedBy("a"));
  assert.deepEqual(["C4, radar"], pressedBy("c4"));
  assert.deepEqual(["Aim north"], pressedBy("north"));
  assert.deepEqual(["End turn"], pressedBy("en"));
  assert.deepEqual([], pressedBy("e"));
});

test("an ambiguous beginning means all that begin so", () => {
  assert.deepEqual(["Aim west", "Aim north", "Aim south", "Aim east"], pressedBy("aim"));
  assert.deepEqual([], pressedBy("xyzzy"));
});

test("what must not be pressed is meant only where nothing else is", () => {
  assert.deepEqual(["Undo"], pressedBy("undo"));
  const two = [control("Undo", { isOff: true }), control("Undo all")];
  assert.deepEqual(["Undo all"], pressedBy("und", two));
});

test("the longest name comes first, and the words after it are left", () => {
  const { controls, left } = nextPress(wordsOf("ana b c4"), TURN);
  assert.deepEqual([["Ana b F1"], ["c4"]], [controls.map(({ name }) => name), left]);
});

test("a bare name asks, a verb or a button's name acts, a question asks", () => {
  const kind = (line) => {
    const { question, subjects, words } = understood(wordsOf(line), KNOWN);
    if (question) return [question.key, ...words];
    return subjects ? subjects.map(({ key }) => `about ${key}`) : words;
  };
  assert.deepEqual(["about C4"], kind("c4"));
  assert.deepEqual(["about a"], kind("ANA A"));
  assert.deepEqual(["go", "c4"], kind("go c4"));
  assert.deepEqual(["end", "turn"], kind("End turn"));
  assert.deepEqual(["log", "3"], kind("log 3"));
  assert.deepEqual(["radar"], kind("radar"));
});

test("a bare name asks about all in one list that have it", () => {
  const [one, other] = ["Player 1, Ana", "Player 2, Ana"].map((names) => thing(names, names));
  const subjects = [[thing("C4", "C4")], [one, other], [thing("a seat", "Ana")]];
  assert.deepEqual([one, other], understood(["ana"], { ...KNOWN, subjects }).subjects);
});

test("a part of a question's name is one where no control is meant", () => {
  const controls = TURN.filter(({ name }) => name !== "Call radar" && name !== "C4, radar");
  assert.equal("fit", understood(["radar"], { ...KNOWN, controls }).question?.key);
});

test("each control's own name means exactly it", () => {
  for (const each of TURN.filter(({ isOff }) => !isOff))
    assert.deepEqual([each], meant(wordsOf(each.name), TURN).things);
});

const LANGUAGES = ["en", "nl", "ja"];
/** Whether one of the words of a list is in the words of a button. */
const isSaid = (list, words) => namesOf(list).some((name) => rank(name, wordsOf(words)) !== null);

test("a verb is one of the words on its button, and the log has its heading's", () => {
  for (const language of LANGUAGES) {
    const shared = sharedWords(language, "commands");
    assert.ok(isSaid(shared["commands.question.log"], shared.log), `${language} log`);
    const radar = gameWords(language, "vampireradar");
    for (const verb of ["walk", "shoot", "attack", "heal"])
      assert.ok(
        isSaid(radar[`commands.verb.${verb}`], radar[`act.${verb}`]),
        `${language} ${verb}`,
      );
  }
});
