/**
 * What a display speaks of updates: on standard input one JSON line {at, update} for each, on
 * standard output one for each of them, {at, level, words, recordings}. The argument is the
 * language.
 */
import { readFileSync } from "node:fs";
import { loadSounds, soundsOf } from "../../web/games/index.js";
import { plainText, useSeats, useWords, useWordsOf } from "../../web/core/i18n.js";
import { answerTo, LEVELS, newQuestions, readMessages } from "../../web/screens/table/spoken.js";
import { spokenOf } from "../../web/screens/table/voice.js";
import { gameWords, sharedWords } from "./catalogues.mjs";

const language = process.argv[2];
const lines = readFileSync(0, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const { game } = lines[0].update.snapshot;
await loadSounds(game);
useWords(language, sharedWords(language, "host"), { [game]: gameWords(language, game) });
useWordsOf(game);
const sounds = soundsOf(game);
let last = 0;
for (const { at, update } of lines) {
  const { snapshot, events } = update;
  useSeats(snapshot.seats);
  const { questions = [] } = snapshot;
  const asked = newQuestions(questions, last).flatMap((each) => answerTo(each, snapshot, sounds));
  last = questions.at(-1)?.number ?? 0;
  const messages = events.flatMap(({ message }) => message ?? []);
  for (const level of LEVELS) {
    const spoken = [...readMessages(messages, level, sounds), ...(level === "off" ? [] : asked)];
    const words = spoken.map(plainText).join(" ");
    const recordings = spoken.flatMap((each) => spokenOf(each, sounds));
    console.log(JSON.stringify({ at, level, words, recordings }));
  }
}
