// What a page has and node lacks: `self`, and a drawer for keys.

globalThis.self = globalThis;

export class Drawer {
  #entries = new Map();

  getItem(name) {
    return this.#entries.get(name) ?? null;
  }

  setItem(name, value) {
    this.#entries.set(name, value);
  }

  removeItem(name) {
    this.#entries.delete(name);
  }
}
