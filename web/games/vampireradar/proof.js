/** Verify Vampire Radar: repeat each step of the vampire, check each answer against its place. Pure. */
import { assert, same } from "../../proof/assert.js";
import { SecretPath } from "../../proof/secret_path.js";

/** @type {Record<string, number[]>} */
const STEPS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
export const MIDDLE = /^[B-E][2-5]$/;
export const POINTS = 2;

/** @param {string} cell @param {number[]} step */
const at = (cell, [dx, dy]) =>
  String.fromCharCode(cell.charCodeAt(0) + dx) + (Number(cell.slice(1)) + dy);
/** @param {string} cell */
const isCell = (cell) => /^[A-F][1-6]$/.test(cell);
/** @param {any} a @param {any} b */
const distance = (a, b) =>
  Math.abs(a.charCodeAt(0) - b.charCodeAt(0)) + Math.abs(a.slice(1) - b.slice(1));

/** The field from the public events, and the vampire's place; `struck` and `eaten` are the night's. */
class VampireRadarRules extends SecretPath {
  /** @param {{field: RadarField, options: Record<string, any>, start: Record<string, string>}} start */
  constructor({ field, options, start }) {
    super("V");
    const cells = field.tiles.flatMap((row, y) =>
      [...row].map((tile, x) => [at("A1", [x, y]), tile]),
    );
    this.options = options;
    this.walls = new Set(
      field.walls.flatMap((wall) => [wall, wall.split("-").reverse().join("-")]),
    );
    this.bats = new Set(cells.filter(([, tile]) => tile === "b").map(([cell]) => cell));
    this.pawns = { ...start };
    /** @type {string[] | null} */
    this.struck = null;
    /** @type {string[] | null} */
    this.eaten = null;
    /** @type {number | null} */
    this.hp = null;
    /** @type {number | null} */
    this.most = null;
    this.night = 0;
  }

  copy() {
    const copy = Object.assign(Object.create(VampireRadarRules.prototype), this);
    return Object.assign(copy, {
      bats: new Set(this.bats),
      pawns: { ...this.pawns },
      paper: this.paper && [...this.paper],
    });
  }

  /** @param {any} event @param {Record<string, number>} count */
  hear(event, count) {
    EVENTS[event.event]?.(this, event, count);
  }

  /** @param {any[]} actions */
  walk(actions) {
    const { path, struck, eaten } = night(this, actions);
    Object.assign(this, { place: path.at(-1), struck, eaten });
    return path;
  }

  hasAnswered() {
    return !this.struck?.length && !this.eaten?.length;
  }

  /** @param {string} from @param {string} to */
  isOpen(from, to) {
    return isCell(to) && distance(from, to) === 1 && !this.walls.has(`${from}-${to}`);
  }

  /**
   * The cells of a shot's line: the pawn's own, and on until a wall, the border or (an option) another pawn.
   * @param {string} pawn @param {string} from @param {string} direction
   */
  line(pawn, from, direction) {
    /** @type {any[]} */
    const cells = [from];
    for (
      let next = at(from, STEPS[direction]);
      this.isOpen(cells.at(-1), next);
      next = at(next, STEPS[direction])
    ) {
      cells.push(next);
      if (
        this.options.pawns_block_shots &&
        Object.entries(this.pawns).some(([other, cell]) => other !== pawn && cell === next)
      )
        break;
    }
    return cells;
  }
}

/** Walk a night; return path, attacks and meals. @param {RadarGame} field @param {any[]} actions */
function night(field, actions) {
  /** @type {any[][]} */
  const [path, struck, eaten] = [[field.place].filter(Boolean), [], []];
  let points = POINTS;
  for (const { type, to, cell } of actions) {
    if (type === "end") continue;
    assert(points > 0, "proof.path");
    if (type === "place") assert(path.length === 0 && MIDDLE.test(cell), "proof.path");
    else
      assert(
        (type !== "walk" && to === path.at(-1)) || field.isOpen(path.at(-1), to),
        "proof.path",
      );
    if (type === "walk") points -= 1;
    if (type === "attack") struck.push(to);
    if (type === "heal") eaten.push(to);
    path.push(cell ?? to);
  }
  return { path, struck, eaten };
}

/** @type {Record<string, (field: any, event: any, count: any) => void>} */
const EVENTS = {
  // Against a single human a meal gives no heart; with four players the vampire may have five.
  game_set_up: (field, { vampire_hp: hp, start, players }) =>
    Object.assign(field, {
      hp,
      most: players === 2 ? 0 : players === 4 ? 5 : 4,
      pawns: { ...start },
    }),
  pawn_walked(field, { pawn, from, to }) {
    assert(field.pawns[pawn] === from && field.isOpen(from, to), "proof.walk");
    field.pawns[pawn] = to;
  },
  turn_started(field, { seat }) {
    field.mover = seat;
    field.night += seat === "V" ? 1 : 0;
  },
  switched_to_paper: (field) =>
    Object.assign(field, { paper: [], from: field.mover === "V" ? field.night : field.night + 1 }),
  pawn_set: (field, { pawn, to }) => {
    field.pawns[pawn] = to;
  },
  token_set: (field, { cell, token, lies }) => {
    if (token === "bat") field.bats[lies ? "add" : "delete"](cell);
  },
  radar_called(field, { pawn, cell, distance: answer }, count) {
    assert(field.pawns[pawn] === cell && distance(cell, field.place) === answer, "proof.answer");
    count.radars += 1;
  },
  shot_fired(field, { pawn, cell, direction, hit, vampire_hp: hp }, count) {
    assert(
      field.pawns[pawn] === cell && field.line(pawn, cell, direction).includes(field.place) === hit,
      "proof.answer",
    );
    field.hp -= hit ? 1 : 0;
    assert(field.hp === hp, "proof.answer");
    count.shots += 1;
  },
  pawns_killed(field, { cell, pawns }, count) {
    const there = Object.keys(field.pawns)
      .filter((pawn) => field.pawns[pawn] === cell)
      .sort();
    assert(same([...pawns].sort(), there) && take(field.struck, cell), "proof.answer");
    for (const pawn of pawns) delete field.pawns[pawn];
    count.attacks += 1;
  },
  bat_eaten(field, { cell, vampire_hp: hp }, count) {
    assert(field.bats.delete(cell) && take(field.eaten, cell), "proof.answer");
    if (field.hp < field.most) field.hp += 1;
    assert(field.hp === hp, "proof.answer");
    count.heals += 1;
  },
};

/** Remove a cell; return whether it was there. @param {string[]} cells @param {string} cell */
function take(cells, cell) {
  const index = cells.indexOf(cell);
  if (index >= 0) cells.splice(index, 1);
  return index >= 0;
}

export const proof = { Rules: VampireRadarRules, counts: ["radars", "shots", "attacks", "heals"] };
