// Descriptions become elements, in a document that has just what `render` uses.
import assert from "node:assert/strict";
import test from "node:test";

import { h, render } from "../../../web/core/dom.js";

class Element {
  nodeType = 1;
  childNodes = [];
  #attributes = new Map();
  #parent = null;
  style = {
    properties: new Map(),
    setProperty(name, value) {
      this.properties.set(name, value);
    },
  };

  constructor(localName) {
    this.localName = localName;
    if (localName === "input") Object.assign(this, { value: "", checked: false });
  }

  get attributes() {
    return [...this.#attributes].map(([name, value]) => ({ name, value }));
  }

  get firstChild() {
    return this.childNodes[0] ?? null;
  }

  get nextSibling() {
    const siblings = this.#parent.childNodes;
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  contains = () => false;

  setAttribute(name, value) {
    this.#attributes.set(name, String(value));
  }

  removeAttribute(name) {
    this.#attributes.delete(name);
  }

  remove() {
    this.#parent.childNodes = this.#parent.childNodes.filter((each) => each !== this);
  }

  insertBefore(node, next) {
    if (node.#parent) node.remove();
    node.#parent = this;
    const at = next ? this.childNodes.indexOf(next) : this.childNodes.length;
    this.childNodes.splice(at, 0, node);
  }

  get all() {
    return Object.fromEntries(this.attributes.map(({ name, value }) => [name, value]));
  }
}

globalThis.document = { createElement: (name) => new Element(name), activeElement: null };

test("an attribute that is described no longer is removed, one that stays is kept", () => {
  const page = new Element("div");
  render(page, [h("button", { id: "end", "aria-disabled": "true", class: "prime", hidden: true })]);
  const [button] = page.childNodes;
  assert.deepEqual(button.all, {
    id: "end",
    "aria-disabled": "true",
    class: "prime",
    hidden: "",
  });
  render(page, [h("button", { id: "end", "aria-disabled": null, class: "prime", hidden: false })]);
  assert.deepEqual(button.all, { id: "end", class: "prime" });
  render(page, [h("button", { id: "end" })]);
  assert.deepEqual([page.childNodes, button.all], [[button], { id: "end" }]);
});

test("a node moves with its name, and others are replaced", () => {
  const page = new Element("ol");
  const rows = (...names) => names.map((name) => h("li", { id: name }));
  render(page, rows("a", "b", "c"));
  const [a, b, c] = page.childNodes;
  render(page, rows("c", "d", "a"));

  assert.deepEqual(
    page.childNodes.map(({ all }) => all.id),
    ["c", "d", "a"],
  );
  assert.deepEqual([page.childNodes[0], page.childNodes[2]], [c, a]);
  assert.ok(!page.childNodes.includes(b));
});

test("a selector gives the tag, the name and the classes; attributes are optional", () => {
  const child = h("b", "x");
  assert.deepEqual(h("p#notice.bad.muted", child), {
    tag: "p",
    attrs: { id: "notice", class: "bad muted" },
    children: [child],
  });
  assert.deepEqual(h("p", null, 0, ["a", false]), { tag: "p", attrs: {}, children: ["0", "a"] });
  assert.deepEqual(h("a.button", { class: "prime", href: "/" }).attrs, {
    class: "button prime",
    href: "/",
  });
  assert.deepEqual(h("a.button", { class: null }).attrs, { class: "button" });
});

test("a field has the described value, whatever was typed, unless somebody types in it", () => {
  const page = new Element("div");
  const field = (value) => [h("input", { value }), h("input", { type: "checkbox", checked: true })];
  render(page, field("a"));
  const [input, box] = page.childNodes;
  Object.assign(input, { value: "typed", selectionStart: 5 });
  box.checked = false;
  globalThis.document.activeElement = input;
  render(page, field("a"));
  assert.deepEqual(["typed", true], [input.value, box.checked]);
  globalThis.document.activeElement = null;
  render(page, field("a"));
  assert.deepEqual(["a", {}], [input.value, input.all]);
});

test("a name with two dashes is a custom property of the style", () => {
  const page = new Element("div");
  render(page, [h("p", { "--turn": 2 })]);
  const [{ style, all }] = page.childNodes;
  assert.deepEqual([[["--turn", 2]], {}], [[...style.properties], all]);
  render(page, [h("p")]);
  assert.equal("", style.properties.get("--turn"));
});
