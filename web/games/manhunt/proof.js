/** Verify Manhunt: repeat each step of the fugitive on the map, check each answer against its place. Pure. */
import { assert, same } from "../../proof/assert.js";
import { SecretPath } from "../../proof/secret_path.js";
import { USUAL } from "./card_defaults.js";

const COMPASS = ["E", "SE", "S", "SW", "W", "NW", "N", "NE"];
const FAR = 99;
/**
 * The ways from each place, for the fugitive or for hunters: {cell: [{to, kind}]}.
 * @param {ManhuntMap} map @param {boolean} isFugitive @returns {Record<string, ManhuntStep[]>}
 */
function waysOf(map, isFugitive) {
  /** @type {Record<string, ManhuntStep[]>} */
  const ways = Object.fromEntries(map.places.map(({ number }) => [String(number), []]));
  for (const { between, from, to, kind = "street", fugitive_only: isHidden = false } of map.ways) {
    if (isHidden && !isFugitive) continue;
    const [a, b] = (between ?? [from, to]).map(String);
    ways[a].push({ to: b, kind });
    if (between) ways[b].push({ to: a, kind });
  }
  return ways;
}

/** The map's state from the public events, and the fugitive's place. */
class ManhuntRules extends SecretPath {
  /** @param {{content: ManhuntMap, start: Record<string, string>}} start */
  constructor({ content, start }) {
    super("F");
    this.map = content;
    /** @type {Record<string, any>} */
    this.rules = { ...USUAL, ...content.rules };
    this.places = Object.fromEntries(content.places.map((place) => [String(place.number), place]));
    this.secret = waysOf(content, true);
    this.open = waysOf(content, false);
    this.start = { ...start };
    this.night = 1;
    /** @type {Record<string, string>} */
    this.pawns = {};
    /** @type {Record<string, number>} */
    this.tickets = {};
    this.unseen = 0;
    /** @type {string[]} */
    this.trail = [];
    this.round = 0;
    /** @type {string[]} */
    this.entered = [];
    /** @type {string[]} */
    this.visited = [];
    /** @type {ManhuntWalk[]} */
    this.turns = [];
    this.isHidden = false;
    /** @type {string | null} */
    this.expectedEvent = null;
    this.begun();
  }

  /** Reset everything to the beginning of a night. */
  begun() {
    const { tickets, unseen_moves: unseen } = this.rules;
    Object.assign(this, {
      pawns: { ...this.start },
      tickets: { ...tickets?.fugitive },
      unseen,
      place: null,
      trail: [],
      round: 0,
      entered: [],
      visited: [],
      turns: [],
      isHidden: false,
      expectedEvent: null,
    });
  }

  copy() {
    const copy = Object.assign(Object.create(ManhuntRules.prototype), this);
    return Object.assign(copy, {
      pawns: { ...this.pawns },
      tickets: { ...this.tickets },
      trail: [...this.trail],
      entered: [...this.entered],
      visited: [...this.visited],
      turns: [...this.turns],
      paper: this.paper && [...this.paper],
    });
  }

  /** @param {any} event @param {Record<string, number>} count */
  hear(event, count) {
    EVENTS[event.event]?.(this, event, count);
  }

  /** Walk a secret turn; return its sealed path. @param {any[]} actions */
  walk(actions) {
    const path = [this.place].filter(Boolean);
    /** @type {Record<string, number>} */
    const spent = {};
    let at = this.place;
    /** @type {{ways: string[], trail: string[]}} */
    let turn = { ways: [], trail: [] };
    this.turns = [];
    for (const { type, to, cell, kind, unseen = false } of actions) {
      if (type === "hide") {
        const isFree = this.starts().includes(cell) && !Object.values(this.pawns).includes(cell);
        assert(at === null && isFree, "proof.path");
        Object.assign(this, { place: cell, trail: [cell] });
        at = cell;
        path.push(cell);
      } else if (type === "step") {
        assert(isStep(this, at, { to, kind }, turn), "proof.path");
        const paid = unseen ? "unseen" : kind;
        spent[paid] = (spent[paid] ?? 0) + 1;
        turn.ways.push(unseen ? "unseen" : this.label(at, to, kind));
        path.push(kind, to);
        turn.trail.push(to);
        at = to;
      } else {
        const isWhole = turn.ways.length > 0 || this.rules.may_stay.includes("fugitive");
        assert(type === "surrender" || (isWhole && ["end", "again"].includes(type)), "proof.path");
        this.turns.push({ ...turn, place: at });
        turn = { ways: [], trail: [] };
      }
    }
    /** @type {Record<string, number>} */
    const left = { ...this.tickets, unseen: this.unseen };
    assert(
      Object.entries(spent).every(([kind, n]) => n <= (left[kind] ?? n)),
      "proof.path",
    );
    const last = actions.at(-1).type;
    this.expectedEvent =
      /** @type {Record<string, string | null>} */
      ({ hide: null, surrender: "game_over" })[last] ??
      (this.turns.length ? "fugitive_moved" : null);
    return path;
  }

  hasAnswered() {
    return this.expectedEvent === null && !this.turns.length;
  }

  /** The next secret turn: its round, 0 for a start; and its night if there are several. */
  get when() {
    const night = this.rules.nights > 1 ? this.night : null;
    return { round: this.isHidden ? this.round : 0, night };
  }

  /** The number of ways that a hunter needs. @param {string} from @param {string} to */
  distance(from, to) {
    const far = { [from]: 0 };
    const ahead = [from];
    for (const here of ahead)
      for (const { to: next } of this.open[here])
        if (!(next in far)) {
          far[next] = far[here] + 1;
          ahead.push(next);
        }
    return far[to] ?? FAR;
  }

  /** @param {string} from @param {string} to @param {string} kind */
  label(from, to, kind) {
    if (this.rules.announce !== "direction") return kind;
    const [a, b] = [this.places[from], this.places[to]];
    const turn = Math.round(Math.atan2(b.y - a.y, b.x - a.x) / (Math.PI / 4));
    return COMPASS[(turn + COMPASS.length) % COMPASS.length];
  }

  starts() {
    const marked = this.map.places.filter(({ starts }) => starts?.includes("fugitive"));
    return (marked.length ? marked : this.map.places).map(({ number }) => String(number));
  }
}

/**
 * Whether one step of a turn is possible.
 * @param {ManhuntGame} game @param {string | null} from @param {ManhuntStep} step
 * @param {ManhuntWalk} walk
 */
function isStep(game, from, { to, kind }, { ways }) {
  return (
    from !== null &&
    ways.length < game.rules.fugitive_moves &&
    game.secret[from].some((way) => way.to === to && way.kind === kind) &&
    !Object.values(game.pawns).includes(to)
  );
}

/** @param {ManhuntGame} game @param {string} name @param {string} cell */
const isEnd = (game, name, cell) =>
  game.rules.ends.includes(name === "hideout" ? "hideout" : "targets") &&
  Boolean(game.places[cell][name]);

/** @type {Record<string, (game: any, event: any, count: any) => void>} */
const EVENTS = {
  turn_started(game, { seat }) {
    game.mover = seat;
    if (seat === "F" && game.isHidden) game.round += 1;
    game.entered = [];
  },
  switched_to_paper: (game) =>
    Object.assign(game, { paper: [], from: game.round + (game.mover === "F" ? 0 : 1) }),
  fugitive_placed: (game) => {
    game.isHidden = true;
  },
  /**
   * @param {ManhuntGame} game @param {{ways?: string[] | null, distance?: number | null}} event
   * @param {Record<string, number>} count
   */
  fugitive_moved(game, { ways = null, distance = null }, count) {
    const { announce, shows } = game.rules;
    const turn = game.turns.shift();
    // Of two turns in one submission the first has been announced in full.
    assert(turn && ["fugitive_moved", null].includes(game.expectedEvent), "proof.answer");
    Object.assign(game, { place: turn.place, trail: [...game.trail, ...turn.trail] });
    const areWaysAnnounced = announce === "kind" || announce === "direction";
    assert(areWaysAnnounced ? same(ways, turn.ways) : ways === null, "proof.answer");
    const near = Object.values(game.pawns).map((cell) => game.distance(cell, game.place));
    const right = announce === "distance" ? Math.min(...near) : null;
    assert(distance === right, "proof.answer");
    for (const way of ways ?? []) if (way in game.tickets) game.tickets[way] -= 1;
    game.unseen -= (ways ?? []).filter((way) => way === "unseen").length;
    game.expectedEvent = isEnd(game, "hideout", game.place)
      ? "hideout_reached"
      : isEnd(game, "target", game.place) && !game.visited.includes(game.place)
        ? "target_reached"
        : shows.includes(game.round)
          ? "fugitive_shown"
          : null;
    count.turns += 1;
  },
  fugitive_shown: (game, event) => placeAnnounced(game, event),
  hideout_reached: (game, event) => placeAnnounced(game, event),
  target_reached(game, event) {
    placeAnnounced(game, event);
    game.visited.push(event.cell);
  },
  /** @param {ManhuntGame} game @param {any} event */
  pawn_walked(game, { pawn, from, to, kind }) {
    const isThere = game.open[from].some((way) => way.to === to && way.kind === kind);
    assert(game.pawns[pawn] === from && isThere, "proof.walk");
    game.pawns[pawn] = to;
    game.entered.push(to);
    const isLimited = kind in (game.rules.tickets?.hunter ?? {});
    if (isLimited && game.rules.paid_to === "fugitive" && kind in game.tickets)
      game.tickets[kind] += 1;
  },
  pawn_set: (game, { pawn, to }) => {
    game.pawns[pawn] = to;
  },
  /**
   * @param {ManhuntGame} game
   * @param {{pawn: string, question: "was_here" | "is_here" | "within" | "which_of", cell: string, yes: boolean, found?: string | null}} event
   * @param {Record<string, number>} count
   */
  question_answered(game, { pawn, question, cell, yes, found = null }, count) {
    assert(game.pawns[pawn] === cell, "proof.answer");
    const near = game.open[cell].map(({ to }) => to).filter((to) => to !== cell);
    const right = {
      was_here: () => game.trail.includes(cell),
      is_here: () => game.place === cell,
      within: () => game.distance(cell, game.place) <= game.rules.within,
      which_of: () => near.includes(game.place),
    }[question]();
    const place = question === "which_of" && right ? game.place : null;
    assert(right === yes && place === found, "proof.answer");
    count.questions += 1;
  },
  arrest_missed(game, { cell }, count) {
    assert(game.place !== cell, "proof.answer");
    count.arrests += 1;
  },
  nothing_found(game, { cells }, count) {
    assert(same(cells, [...new Set(game.entered)]), "proof.answer");
    assert(game.rules.arrest === "enter" && !cells.includes(game.place), "proof.answer");
    count.arrests += 1;
  },
  fugitive_caught(game, { cell }, count) {
    assert(game.place === cell, "proof.answer");
    count.arrests += 1;
  },
  night_started(game, { night }) {
    assert(night === game.night + 1, "proof.answer");
    game.begun();
    game.night = night;
    // A hunter sets out the pawns.
    game.mover = "H1";
  },
  game_over(game) {
    if (game.expectedEvent !== "game_over") return;
    game.expectedEvent = null;
    game.turns.pop();
  },
};

/** @param {ManhuntGame} game @param {any} event */
function placeAnnounced(game, { event, cell }) {
  assert(game.expectedEvent === event && game.place === cell, "proof.answer");
  game.expectedEvent = null;
}

export const proof = { Rules: ManhuntRules, counts: ["turns", "questions", "arrests"] };
