// What a page has and node lacks: `self` and the classic script tweetnacl on it, and a drawer for keys.

globalThis.self = globalThis;
await import("../../web/core/vendor/nacl-fast.min.js");

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
