// What a screen reader is told, and where it goes on when what had the focus is gone.
import assert from "node:assert/strict";
import test from "node:test";

import { Window } from "happy-dom";

import { announce, byId, h, render } from "../../../web/core/dom.js";

const { document } = Object.assign(globalThis, { document: new Window().document });
document.body.innerHTML = '<div id="screen"></div><div id="say" role="log"></div>';
const lines = () => [...byId("say").children].map(({ textContent }) => textContent);

test("announcements stand in their order, each once, and the last ones stay", () => {
  announce(["Ana walks.", "", "Ana walks.", "Night falls."]);
  announce([]);
  announce(["", ""]);
  assert.deepEqual(lines(), ["Ana walks. Night falls."]);
  for (let number = 1; number <= 9; number += 1) announce([`Round ${number}.`]);
  assert.deepEqual(
    lines(),
    [2, 3, 4, 5, 6, 7, 8, 9].map((number) => `Round ${number}.`),
  );
});

test("the focus stays on a node that is moved, and goes to the heading when its node is gone", () => {
  const draw = (...names) =>
    render(byId("screen"), [
      h(
        "main",
        h("h1", "Turn"),
        names.map((name) => h(`button#${name}`, name)),
      ),
    ]);
  const focused = () => document.activeElement.id || document.activeElement.localName;
  draw("walk", "shoot", "end");
  byId("end").focus();
  draw("end", "walk");
  assert.equal(focused(), "end");
  draw("walk");
  assert.equal(focused(), "h1");
  document.activeElement.blur();
  draw("shoot");
  assert.equal(focused(), "body");
});
