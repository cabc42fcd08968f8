import assert from "node:assert/strict";
import test from "node:test";

import { newest, untilLoaded } from "../../../web/core/loading.js";

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
