import assert from "node:assert/strict";
import { register } from "node:module";
import test from "node:test";

import { addCommands, newest, untilLoaded } from "../../../web/core/loading.js";

/** The field of commands fails to load eleven times. */
const HOOK = `const OPENS = "data:text/javascript,export const openCommands = (ui) => { ui.isOpen = true; }";
let loads = 0;
export async function resolve(specifier, context, next) {
  if (specifier !== "./commands/commands.js") return next(specifier, context);
  loads += 1;
  if (loads < 12) throw new TypeError("no network");
  return { url: OPENS, shortCircuit: true };
}`;

const settled = () => new Promise(setImmediate);

test("what fails to load is loaded again after two seconds", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const ends = [() => Promise.reject(new TypeError("no network")), async () => "module"];
  const loaded = untilLoaded(() => ends.shift()());
  await settled();
  context.mock.timers.tick(1999);
  assert.equal(ends.length, 1);
  context.mock.timers.tick(1);

  assert.equal(await loaded, "module");
});

test("a page whose module never comes is loaded again once the table answers", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [asked, answers] = [[], [new TypeError("no network"), { ok: true }]];
  let [loads, reloads] = [0, 0];
  globalThis.location = { reload: () => (reloads += 1) };
  context.mock.method(globalThis, "fetch", async (path) => {
    asked.push([path, loads]);
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  });
  context.after(() => delete globalThis.location);
  const fails = async () => {
    loads += 1;
    throw new TypeError("a stored failure");
  };
  untilLoaded(fails, () => loads < 11);
  for (let second = 0; second < 30; second += 1) {
    await settled();
    context.mock.timers.tick(1000);
  }

  assert.deepEqual(
    [asked, reloads],
    [
      [
        ["/healthz", 5],
        ["/healthz", 10],
      ],
      1,
    ],
  );
});

test("a page that waits for the field of commands is not loaded again", async (context) => {
  register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let reloads = 0;
  globalThis.document = { querySelector: () => "main" };
  globalThis.location = { reload: () => (reloads += 1) };
  const asked = context.mock.method(globalThis, "fetch", async () => ({ ok: true }));
  context.after(() => {
    delete globalThis.document;
    delete globalThis.location;
  });
  const page = { isOpen: false };
  addCommands(page);
  while (!page.isOpen) {
    await settled();
    context.mock.timers.tick(1000);
  }

  assert.deepEqual([asked.mock.callCount(), reloads], [0, 0]);
});

test("an update that loads late does not replace a newer one", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const used = [];
  let isDown = true;
  const take = newest(
    async () => {
      if (isDown) throw new TypeError("no network");
    },
    (update) => used.push(update),
  );
  const late = take("old");
  await settled();
  isDown = false;
  await take("new");
  context.mock.timers.tick(2000);
  await late;

  assert.deepEqual(used, ["new"]);
});
