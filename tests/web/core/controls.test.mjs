// Where the focus goes when a part of the page is closed.
import assert from "node:assert/strict";
import test from "node:test";

import { Window } from "happy-dom";

import { button, CLOSES, handled, onPress } from "../../../web/core/controls.js";
import { h, render } from "../../../web/core/dom.js";

const window = new Window();
const { document } = window;
for (const name of ["document", "Element"]) globalThis[name] = window[name];

test("a part that is closed by its own button while a secret is looked at returns the focus", async () => {
  const ui = { isOpen: false };
  const draw = () =>
    render(document.body, [
      h(
        "main",
        h("h1", "Turn"),
        button(["who", "Ana"], "Ana"),
        ui.isOpen && button(["who", ""], "No", CLOSES),
        button("reveal", "Hide", CLOSES),
      ),
    ]);
  const press = async (name) => {
    const control = document.querySelector(`[data-arg="${name}"]`);
    control.focus();
    control.click();
    await handled;
  };
  onPress(document.body, ({ argument }) => {
    ui.isOpen = argument !== "";
    draw();
  });
  draw();
  await press("Ana");
  await press("");

  assert.equal(document.activeElement.textContent, "Ana");
});
