/**
 * Checks a finished game by itself: from its record alone (`companion export`, one JSON object a line) every seal is
 * opened, every step of the vampire is walked again, and every answer that the table gave is worked out anew.
 * Nothing here comes from the table's own program; it shares only `sha256`.
 */
import { sha256 } from "./sha256.js";

const ZEROS = "0".repeat(64);
const STEPS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
const MIDDLE = /^[B-E][2-5]$/;
const POINTS = 2;

/** The one way to write a value down: ASCII JSON, keys sorted, no spaces (companion/core/codec.py). */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") {
    return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }
  return `{${Object.keys(value).sort().map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** The head after a public event: the hash of the head before and the event. */
export const headAfter = (head, event) => sha256(head + canonical(event));

const at = (cell, [dx, dy]) => String.fromCharCode(cell.charCodeAt(0) + dx) + (Number(cell.slice(1)) + dy);
const isCell = (cell) => /^[A-F][1-6]$/.test(cell);
const distance = (a, b) => Math.abs(a.charCodeAt(0) - b.charCodeAt(0)) + Math.abs(a.slice(1) - b.slice(1));
const same = (a, b) => canonical(a) === canonical(b);

class Wrong extends Error {}

/** Raise what is wrong, as a code of the languages. */
function need(holds, code) {
  if (!holds) throw new Wrong(code);
}

/** The table as the public events make it, with the vampire's place as the opened seals make it. */
class Field {
  constructor({ field, options, start }) {
    const cells = field.tiles.flatMap((row, y) => [...row].map((tile, x) => [at("A1", [x, y]), tile]));
    this.options = options;
    this.walls = new Set(field.walls.flatMap((wall) => [wall, wall.split("-").reverse().join("-")]));
    this.bats = new Set(cells.filter(([, tile]) => tile === "b").map(([cell]) => cell));
    this.pawns = { ...start };
    this.place = null;
    this.hp = null;
    this.most = null;
  }

  copy() {
    const copy = Object.assign(Object.create(Field.prototype), this);
    return Object.assign(copy, { bats: new Set(this.bats), pawns: { ...this.pawns } });
  }

  isOpen(from, to) {
    return isCell(to) && distance(from, to) === 1 && !this.walls.has(`${from}-${to}`);
  }

  /** The cells of a shot's line: the pawn's own, and on until a wall, the border or (an option) another pawn. */
  line(pawn, from, direction) {
    const cells = [from];
    for (let next = at(from, STEPS[direction]); this.isOpen(cells.at(-1), next); next = at(next, STEPS[direction])) {
      cells.push(next);
      if (this.options.pawns_block_shots && Object.entries(this.pawns).some(([other, cell]) => other !== pawn && cell === next)) break;
    }
    return cells;
  }
}

/** Walk a night again; answers its path and what it struck and ate, in order. */
function night(field, actions) {
  const [path, struck, eaten] = [[field.place].filter(Boolean), [], []];
  let points = POINTS;
  for (const { type, to, cell } of actions) {
    if (type === "end") continue;
    need(points > 0, "proof.path");
    if (type === "place") need(path.length === 0 && MIDDLE.test(cell), "proof.path");
    else need((type !== "walk" && to === path.at(-1)) || field.isOpen(path.at(-1), to), "proof.path");
    if (type === "walk") points -= 1;
    if (type === "attack") struck.push(to);
    if (type === "heal") eaten.push(to);
    path.push(cell ?? to);
  }
  return { path, struck, eaten };
}

const EVENTS = {
  // Against a single human a meal gives no heart; with four players the vampire may have five.
  game_set_up: (field, { vampire_hp: hp, start, players }) => Object.assign(field, { hp, most: players === 2 ? 0 : players === 4 ? 5 : 4, pawns: { ...start } }),
  pawn_walked(field, { pawn, from, to }) {
    need(field.pawns[pawn] === from && field.isOpen(from, to), "proof.walk");
    field.pawns[pawn] = to;
  },
  pawn_set: (field, { pawn, to }) => { field.pawns[pawn] = to; },
  token_set: (field, { cell, token, lies }) => { if (token === "bat") field.bats[lies ? "add" : "delete"](cell); },
  radar_called(field, { pawn, cell, distance: told }, count) {
    need(field.pawns[pawn] === cell && distance(cell, field.place) === told, "proof.answer");
    count.radars += 1;
  },
  shot_fired(field, { pawn, cell, direction, hit, vampire_hp: hp }, count) {
    need(field.pawns[pawn] === cell && field.line(pawn, cell, direction).includes(field.place) === hit, "proof.answer");
    field.hp -= hit ? 1 : 0;
    need(field.hp === hp, "proof.answer");
    count.shots += 1;
  },
  pawns_killed(field, { cell, pawns }, count) {
    const there = Object.keys(field.pawns).filter((pawn) => field.pawns[pawn] === cell).sort();
    need(same([...pawns].sort(), there) && take(field.struck, cell), "proof.answer");
    for (const pawn of pawns) delete field.pawns[pawn];
    count.attacks += 1;
  },
  bat_eaten(field, { cell, vampire_hp: hp }, count) {
    need(field.bats.delete(cell) && take(field.eaten, cell), "proof.answer");
    if (field.hp < field.most) field.hp += 1;
    need(field.hp === hp, "proof.answer");
    count.heals += 1;
  },
};

/** Take one cell out of a list; whether it was there. */
function take(cells, cell) {
  const index = cells.indexOf(cell);
  if (index >= 0) cells.splice(index, 1);
  return index >= 0;
}

/** What is known so far, line by line. */
class Proof {
  constructor() {
    this.nights = [];
    this.count = { radars: 0, shots: 0, attacks: 0, heals: 0 };
    this.told = [];
    this.closed = [];
    this.before = [];
    this.field = null;
    this.last = null;
    this.key = null;
  }

  line(value) {
    if (value.new) this.begin(value);
    else if (value.rewound) this.rewind(value.rewound.to);
    else if (value.opened) this.open(value);
    else if (value.table) this.hear(value.table);
    else if (value.actions) this.act(value);
    else if (value.by_hand || value.resigned) this.happen(value);
    else need(false, value.sealed ? "proof.closed" : "proof.unreadable");
    for (const [index, event] of (value.public ?? []).entries()) this.told.push([value.positions[index], event]);
    if (value.table) this.told.push([value.position, value.table]);
    if (value.rewound) this.told.push([value.position, { event: "rewound", ...value.rewound }]);
  }

  begin(value) {
    need(this.field === null, "proof.unreadable");
    // The rules that this page knows. Another game with a secret deal is checked by the program, of the rest nothing is sealed.
    need(value.new.game === "vampireradar", value.new.deal ? "proof.elsewhere" : "proof.nothing");
    Object.assign(this, { field: new Field(value.new), key: value.key, start: value });
    this.told.push([value.position, null]);
    for (const event of value.public) EVENTS[event.event]?.(this.field, event, this.count);
  }

  hear(event) {
    if (event.event === "night_sealed") this.closed.push(event);
  }

  rewind(to) {
    need(to < this.before.length, "proof.unreadable");
    this.field = this.before[to];
    this.before.length = to;
  }

  act(value) {
    this.before.push(this.field.copy());
    this.last = null;
    if (value.seat === "V") {
      const { path, struck, eaten } = night(this.field, value.actions);
      this.last = { ...value, path };
      Object.assign(this.field, { place: path.at(-1), struck, eaten });
    }
    for (const event of value.public) EVENTS[event.event]?.(this.field, event, this.count);
    need(!this.field.struck?.length && !this.field.eaten?.length, "proof.answer");
  }

  happen(value) {
    if (value.by_hand) this.before.push(this.field.copy());
    for (const event of value.public) EVENTS[event.event]?.(this.field, event, this.count);
  }

  open({ opened, seal }) {
    const told = this.closed.shift();
    need(told?.seal === seal && sha256(opened) === seal, "proof.seal");
    const fixed = JSON.parse(opened);
    const prev = this.nights.at(-1);
    need(canonical(fixed) === opened, "proof.seal");
    need(fixed.game === this.key && fixed.prev === (prev?.seal ?? ZEROS) && fixed.number === this.nights.length + 1, "proof.chain");
    need(fixed.seat === told.seat && fixed.number === told.number && !this.nights.some(({ nonce }) => nonce === fixed.nonce), "proof.chain");
    need(this.last && same(fixed.actions, this.last.actions) && same(fixed.path, this.last.path), "proof.path");
    this.nights.push({ number: fixed.number, path: fixed.path, nonce: fixed.nonce, line: opened, seal });
  }

  /** The heads by position, from the one before the game to the last. */
  heads() {
    let head = this.start.head;
    const heads = new Map([[this.start.position, head]]);
    this.told.sort(([a], [b]) => a - b).forEach(([position, event], index) => {
      need(position === this.start.position + index, "proof.gap");
      if (event) head = headAfter(head, event);
      heads.set(position, head);
    });
    return heads;
  }
}

/**
 * Prove a record. `kept`: {heads: {position: hex}, seals: {number: hex}} that somebody wrote down during the game.
 * Answers {nights, count, answers, head, kept, wrong, at}: `answers` in all, `kept` how many of the kept were found,
 * `wrong` a code of the languages or null, `at` the record's line (from 1; 0 for none).
 */
export function prove(record, kept = {}) {
  const proof = new Proof();
  const result = (wrong, line, more = {}) => ({
    nights: proof.nights, count: proof.count, answers: Object.values(proof.count).reduce((a, b) => a + b), kept: 0, head: null, wrong, at: line, ...more,
  });
  let number = 0;
  try {
    for (const text of record.split("\n")) {
      number += 1;
      if (text.trim()) proof.line(JSON.parse(text));
    }
    number = 0;
    need(proof.start, "proof.unreadable");
    need(proof.closed.length === 0, "proof.closed");
    const heads = proof.heads();
    // A head from before this game is of no use here; one from beyond its end says that the end is missing.
    const wanted = Object.entries(kept.heads ?? {}).filter(([position]) => Number(position) >= proof.start.position);
    need(wanted.every(([position]) => heads.has(Number(position))), "proof.gap");
    need(wanted.every(([position, head]) => heads.get(Number(position)) === head), "proof.kept");
    const seals = Object.entries(kept.seals ?? {});
    need(seals.every(([index, seal]) => proof.nights[index - 1]?.seal === seal), "proof.kept");
    return result(null, 0, { head: [...heads.values()].at(-1), kept: wanted.length + seals.length });
  } catch (error) {
    if (error instanceof Wrong) return result(error.message, number);
    if (error instanceof SyntaxError || error instanceof TypeError) return result("proof.unreadable", number);
    throw error;
  }
}

/** What anybody can type to check one night without this page: it prints the seal. */
export const byHand = ({ line }) => `printf '%s' '${line}' | sha256sum`;
