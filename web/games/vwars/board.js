/** V-Wars on any screen: its map, its tracks, its riot and the public choices. Pure. */
import { actionName, actionNamed } from "../../core/action_names.js";
import { actionAttrs, button, CLOSES } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { chart, cityPicture, compass, flame, landMap, standee } from "./drawings.js";
import { seatChip, seatName, text, translated } from "../../core/i18n.js";

/** The secret choices: the card that is given, and actions that only some have. */
const SECRET = ["put", "discard", "reveal", "investigate"];
const QUIET = [
  "picked",
  "riot_cleared",
  "turn_started",
  "card_asked",
  "law_shown",
  "role_taken",
  "game_set_up",
];
/** The strength that wins a riot. */
const WIN = 6;
/** How many notches the victory track has. */
const TRACK = 16;
/** How many regions lie in a ring around a compass, and how many colours regions have. */
export const RING = 8;
/** The colours of lands, in the dark theme and in the light one. */
const LANDS = [
  ["#2c3a52", "#d6dcea"],
  ["#4f3d1c", "#f0dcae"],
  ["#1d4448", "#cde5e2"],
  ["#443a38", "#e2dad4"],
  ["#4a441c", "#ebe4b4"],
  ["#1f4534", "#cfe6d6"],
  ["#50301f", "#f0cfbb"],
  ["#2f4220", "#d9e6c2"],
];
const MOST_REGIONS = 16;
/** The actions of a turn; after one the last riot is over for everybody. */
const DEEDS = [
  "moved",
  "card_asked",
  "assassinated",
  "player_asked",
  "investigated",
  "awakened",
  "turned_public",
  "event_resolved",
];
/** The colours of the land of a region, by its place among all of them. @param {number} at */
export function landColours(at) {
  const [night, day] = LANDS[at % LANDS.length];
  return { "--night-land": night, "--day-land": day };
}

/** The steps of a riot. */
const RIOTING = ["turning", "swing", "rally", "discard"];
/** What an event may change; each opens a list of its own, of one side where that is named. */
const TYPED = ["sympathy", "pick_region", "troops.human", "troops.vampire"];
/** The additions of a law or a role in a riot. */
const STRENGTHS = ["strength.human", "strength.vampire"];
/** The names of those lists. @type {Record<string, string>} */
const LISTS = {
  sympathy: "vwars.sympathy",
  pick_region: "vwars.election",
  troops: "vwars.troops",
  strength: "vwars.law.strength",
};
/** Actions of a turn that open a list of their own, in the order of the rulebook. */
const KINDS = ["move", "deploy", "place", "assassinate", "awaken", "investigate", "reveal"];

/** @param {string} card */
export const cityOf = (card) => card.slice(0, card.lastIndexOf("-"));
/** @param {string} card */
export const sideOf = (card) =>
  card.slice(card.lastIndexOf("-") + 1)[0] === "h" ? "human" : "vampire";
/** @param {string} card */
export const valueOf = (card) => card.slice(card.lastIndexOf("-") + 2);
/** @param {string} id */
export const cityName = (id) => text(`city.${id}`);
/** @param {string} side */
export const sideIcon = (side) => icon(side === "human" ? "circle" : "fang", side);

/** What a player card is, for its attributes. @param {string} name */
const cardAttrs = (name) => ({
  class: `playing-card ${sideOf(name)}`,
  "aria-label": text("vwars.card", {
    side: sideOf(name),
    value: valueOf(name),
    city: cityOf(name),
  }),
});

/** The face of a player card: number, side and city. @param {string} name */
const face = (name) => [
  h("span.worth", sideIcon(sideOf(name)), valueOf(name)),
  cityPicture(),
  h("b", { translate: "no" }, cityName(cityOf(name))),
];

/** A player card. @param {string} name */
export const card = (name) => h("span", { ...cardAttrs(name), role: "img" }, face(name));

/**
 * A player card that can be chosen.
 * @param {ActionName} action @param {string} name @param {boolean} isChosen
 */
export const cardButton = (action, name, isChosen) => {
  const { class: look, ...attrs } = cardAttrs(name);
  return button(action, face(name), {
    ...attrs,
    class: `${look} lit`,
    "aria-pressed": String(isChosen),
  });
};

/** The cities into which the player to move may go. @param {VWarsView} view */
export function reachable({ step, turn, actions_left: left, cities, regions, players }) {
  const { city: stands, vampire } = players[turn] ?? {};
  if (step !== "turn" || !left || !cities[stands]) return [];
  const home = cities[stands].region;
  const near = [home, ...regions[home].adjacent];
  return Object.keys(cities).filter(
    (id) => near.includes(cities[id].region) && id !== stands && !(vampire && cities[id].martial),
  );
}

/**
 * The board: every region with its law and its cities, and the roads between regions that touch. `press(city)` answers the
 * name of what pressing a city does. On a small screen a region is pressed first: `zoom` is the number of the one that
 * then fills the board. `beneath(region)` is what stands below its cities; `why` is why a city does
 * nothing now.
 * @param {VWarsView} view @param {(city: string) => ActionName | null} press @param {any} zoom
 * @param {(region: string) => any} beneath @param {string | null} why
 */
export function map(
  view,
  press = (_city) => null,
  zoom = null,
  beneath = (_region) => null,
  why = null,
) {
  /** @param {string} id */
  const citiesOf = (id) => Object.entries(view.cities).filter(([, city]) => city.region === id);
  /** @param {string} id */
  const canPress = (id) => citiesOf(id).some(([name]) => press(name));
  const ids = Object.keys(view.regions);
  const open = ids.find((id, at) => at === zoom && canPress(id));
  const { wide, tall, roads } = chart(view.regions);
  const near = reachable(view);
  /** @param {string} id */
  const isNear = (id) => citiesOf(id).some(([name]) => near.includes(name));
  /** @param {VWarsPlace} place @param {number} columns */
  const order = ([column, row], columns) => row * columns + column;
  return h(
    "div#map",
    { class: `regions${ids.length === RING ? " ring" : ""}${open ? " zoomed" : ""}` },
    landMap(wide, roads, "wide", (id) => landColours(ids.indexOf(id))),
    landMap(tall, roads, "tall", (id) => landColours(ids.indexOf(id))),
    ids.map((id, at) => {
      const region = view.regions[id];
      return h(
        "section",
        {
          class: ["region", canPress(id) && "can", isNear(id) && "near", id === open && "open"]
            .filter(Boolean)
            .join(" "),
          "data-region": id,
          "data-why-not": canPress(id) ? null : why,
          ...landColours(at),
          "--wide": order(wide[id], 3),
          "--tall": order(tall[id], 2),
        },
        h(
          "h2",
          { translate: "no" },
          translated(region.name),
          region.law
            ? h(
                "small",
                actionAttrs(["texts", "laws"]),
                sideIcon(region.law.side),
                h("span.lawname", " ", translated(region.law.name)),
              )
            : region.elected &&
                h("small", sideIcon(region.elected), " ", text(`vwars.elected.${region.elected}`)),
        ),
        h(
          "ul",
          citiesOf(id).map(([name, city]) =>
            cityLine(view, name, city, press(name), near.includes(name), why),
          ),
        ),
        beneath(id),
        canPress(id) &&
          (id === open
            ? button(["zoom", ""], text("vwars.back"), { class: "zoom", ...CLOSES })
            : button(["zoom", at], "", {
                class: "zoom",
                translate: "no",
                "aria-label": translated(region.name),
              })),
      );
    }),
    ids.length === RING && compass(),
  );
}

/** The map on a wall. Raises `RangeError` at too many regions. @param {VWarsView} view */
export function drawMap(view) {
  if (Object.keys(view.regions).length > MOST_REGIONS) throw new RangeError("regions");
  return h("div.vwars-table", map(view));
}

/** The seats whose players stand in a city. @param {VWarsView} view @param {string} id */
export const guests = ({ players }, id) =>
  Object.keys(players).filter((seat) => players[seat].city === id);

/**
 * The place of a city among the riots: 0 now, 1 soon, -1 in none; a replay leaves out what is null.
 * @param {VWarsView} view @param {string} id
 */
export const riotAt = ({ riot_now: now, riot_soon: soon }, id) =>
  [now, soon].findIndex((card) => Boolean(card) && cityOf(card ?? "") === id);

/** What everybody knows of a city, in words. @param {VWarsView} view @param {string} id */
export function cityWords(view, id) {
  const { human, vampire, control, martial } = view.cities[id];
  const riot = riotAt(view, id);
  return [
    text("vwars.stand", { human, vampire }),
    control === "vampire" && text("vwars.held"),
    martial && text("vwars.under"),
    riot >= 0 && `${text("vwars.riots")}: ${text(riot ? "vwars.soon" : "vwars.now")}`,
    ...guests(view, id).map(seatName),
  ].filter(Boolean);
}

/**
 * @param {VWarsView} view @param {string} id @param {VWarsCity} city
 * @param {ActionName | null} action @param {boolean} isNear @param {string | null} why
 */
function cityLine(view, id, city, action, isNear, why) {
  const here = guests(view, id);
  const riot = riotAt(view, id);
  const past = view.riots?.[id] ?? [];
  const words = [
    ...cityWords(view, id),
    past.length > 0 && text("fact.riots", { n: past.length }),
    isNear && text("vwars.near"),
  ]
    .filter(Boolean)
    .join(", ");
  const content = [
    h(
      "span.name",
      { translate: "no" },
      h("i.spot"),
      riot >= 0 && h("i", { class: riot ? "riot soon" : "riot", "aria-hidden": "true" }, flame()),
      translated(city.name),
      past.map((winner) => h("i", { class: `riot ${winner ?? "nobody"}` }, flame())),
    ),
    h("span.vh", ", ", words),
    h(
      "span.stand",
      { "aria-hidden": "true" },
      here.map(standee),
      city.martial && h("i.chip.law", "M"),
      city.human > 0 && h("span.chip.human", sideIcon("human"), city.human),
      city.vampire > 0 && h("span.chip.vampire", sideIcon("vampire"), city.vampire),
    ),
  ];
  const look = `city${city.control === "vampire" ? " held" : ""}${isNear ? " near" : ""}`;
  return h(
    "li",
    { "data-city": id },
    action
      ? button(action, content, { class: `${look} can` })
      : h("div", { class: look, "data-why-not": why }, content),
  );
}

/**
 * The victory track, a bone with sixteen notches: vampire cities from the one end, sympathy from the other; martial law beside it.
 * @param {VWarsView} view
 */
export function tracks({ controlled, sympathy, martial }) {
  return h(
    "div.tracks",
    h(
      "p#sum.line",
      h("span", text("vwars.vampire"), " ", h("b", controlled)),
      h("span.togo", text("vwars.togo", { n: Math.max(0, TRACK - controlled - sympathy) })),
      h("span", text("vwars.sympathy"), " ", h("b", sympathy)),
    ),
    h(
      "div#track.track",
      { role: "img", "aria-label": text("vwars.track", { controlled, sympathy }) },
      Array.from({ length: TRACK }, (_, at) =>
        at < controlled
          ? h("i.taken", icon("fang"))
          : at >= TRACK - sympathy
            ? h("i.token", icon("heart"))
            : h("i"),
      ),
    ),
    h(
      "p.lamps",
      {
        role: "img",
        "aria-label": `${text("vwars.martial")}: ${text("vwars.martial.n", { n: martial })}`,
      },
      text("vwars.martial"),
      " ",
      Array.from({ length: 6 }, (_, at) => h("i", { class: at < martial ? "lit" : null })),
    ),
  );
}

/** The present and next events and riots. @param {VWarsView} view */
export function coming(view) {
  /** @param {string | null} each */
  const place = (each) => (each ? cityName(cityOf(each)) : text("vwars.none"));
  /** @param {string} key @param {Child} now @param {Child} soon */
  const row = (key, now, soon) =>
    h(
      "p.coming",
      h("b", text(key)),
      h("span", h("small", text("vwars.now")), " ", now),
      h("span.muted", h("small", text("vwars.soon")), " ", soon),
    );
  const isBox = view.options.content === "box";
  return h(
    "div#coming.comings",
    isBox ? {} : actionAttrs(["texts", "events"]),
    !isBox && row("vwars.event", called(view.event), called(view.next_event)),
    row("vwars.riots", place(view.riot_now), place(view.riot_soon)),
    !isBox &&
      h(
        "p.coming",
        h("b", text("vwars.law")),
        ["human", "vampire"].map((side) => h("span", sideIcon(side), " ", called(view.laws[side]))),
      ),
    !isBox && view.event && h("p.muted", translated(view.event.text)),
  );
}

/** The name of an event or a law, which there may be none of. @param {VWarsCard | null} thing */
const called = (thing) => (thing ? translated(thing.name) : text("vwars.none"));

/**
 * Whether the riot is what everybody looks at: till somebody does something in the turn after it.
 * @param {VWarsSnapshot} snapshot
 */
export function isRioting({ view, log, phase }) {
  if (!view.riot || phase !== "play") return false;
  if (RIOTING.includes(view.step)) return true;
  const turn = log.slice(log.findLastIndex(({ event }) => event.event === "turn_started"));
  return view.step === "turn" && !turn.some(({ event }) => DEEDS.includes(event.event));
}

const SIDES = ["human", "vampire"];

/** The last riot: how far each side pulled, its cards, its end. @param {VWarsView} view */
export function riot({ riot: seen, strengths, cities, options }) {
  if (!seen) return null;
  // What people type comes card by card anyway; what is published at once is shown so.
  /** @param {number} at */
  const turn = (at) => (options.content === "box" ? 0 : Math.min(at, LAST_TURN));
  /** @param {string} side */
  const cards = (side) =>
    seen.turned.map(
      ([name, removed], at) =>
        sideOf(name) === side &&
        h(
          "span",
          { class: `turned ${side}${removed ? " spent" : ""}`, "--turn": turn(at) },
          card(name),
          removed > 0 && h("em.chip", "−", removed),
        ),
    );
  return h(
    "section#riot.riot-panel",
    { "aria-label": text("event.riot_began", { city: seen.city }) },
    h("h2", flame(), " ", text("event.riot_began", { city: seen.city })),
    strengths &&
      h(
        "div.tug",
        SIDES.map((side) =>
          strength(side, strengths[side], cities[seen.city][side], seen.winner === side),
        ),
      ),
    h(
      "div.piles",
      SIDES.map((side) => h("div", { class: `pile ${side}` }, cards(side))),
    ),
    seen.result &&
      h(
        "p",
        { class: `ending ${seen.winner ?? "nobody"}`, "--turn": turn(seen.turned.length) },
        text(`event.riot_ended.${seen.result}${seen.winner ? `.${seen.winner}` : ""}`, {
          city: seen.city,
          strength: seen.strength,
        }),
      ),
  );
}

/** The last moment of a riot with a delay of its own: the whole riot takes 1.5 s. */
const LAST_TURN = 6;

/**
 * A side's way to the six with which it wins, and how many of its troops stand there.
 * @param {string} side @param {number} now @param {number} troops @param {boolean} isWinner
 */
function strength(side, now, troops, isWinner) {
  return h(
    "p",
    {
      class: `strength ${side}${isWinner ? " won" : ""}`,
      role: "img",
      "aria-label": text(`vwars.strength.${side}`, { now, troops }),
    },
    h("b", sideIcon(side), " ", `${now}/${WIN}`),
    h(
      "span.pull",
      Array.from({ length: WIN }, (_, at) =>
        h("i", { class: at < now ? (at < troops ? "on troop" : "on") : null }),
      ),
    ),
  );
}

/**
 * The players: where they stand, how many cards they hold, who is a vampire; of a game that is over, if they are known,
 * their cards in `hands`.
 * @param {VWarsView} view @param {string | null} mover
 * @param {Record<string, VWarsHand> | null} hands
 */
export function people(view, mover, hands = null) {
  return h(
    "ol#people.people",
    { "aria-label": text("players") },
    Object.entries(view.players).map(([seat, player]) =>
      h(
        "li",
        {
          "data-seat": seat,
          ...(player.role && actionAttrs(["texts", "roles"])),
          class: [seat === mover && `now ${seat}`, player.vampire && "fanged"],
        },
        seatChip(seat),
        view.factions[seat]
          ? h(
              "b",
              { class: view.factions[seat] === "human" ? "human" : null },
              text(`faction.${view.factions[seat]}`),
            )
          : player.vampire && h("b", icon("fang"), " ", text("vwars.public")),
        hands?.[seat]
          ? h("span.faceup", hands[seat].cards.map(small))
          : player.hand !== null && h("span.muted", text("vwars.cards", { n: player.hand })),
      ),
    ),
  );
}

/** A card that is named by its side and number alone. @param {string} name */
const small = (name) =>
  h(
    "span",
    { class: `chip ${sideOf(name)}`, title: cityName(cityOf(name)) },
    sideIcon(sideOf(name)),
    valueOf(name),
  );

/**
 * The end: who has won, and why.
 * @param {{ winner: string, reason: string }} outcome
 * @param {string} id what the screen calls its heading
 */
export const finale = ({ winner, reason }, id) =>
  h(
    "header",
    { id, class: "banner finale" },
    h("h1", text(`end.winner.${winner}`)),
    h("p", text(`end.reason.${reason}`)),
  );

/** The last events that people read. @param {VWarsSnapshot} snapshot @param {number} most */
export const publicEntries = ({ log }, most) =>
  log.filter(({ message: words, event }) => words && !QUIET.includes(event.event)).slice(-most);

/** The next instruction for the seat to move, in one line. @param {VWarsSnapshot} snapshot */
export function taskWords({ view, to_move: mover }) {
  const { step } = view;
  if (step === "setup")
    return text(`vwars.ask.${view.to_type[0].what}`, { seat: view.to_type[0].seat });
  if (step === "turn")
    return view.actions_left
      ? text("vwars.actions", { n: view.actions_left })
      : text("vwars.actions.none");
  if (step === "soon" || step === "refill") return text(`event.box_asked.${step}`);
  if (step === "swing") return text("event.swing_asked");
  if (step === "answer")
    return text(`event.player_asked.${view.question.what}`, {
      seat: view.question.seat,
      by: view.question.target,
    });
  if (step === "card" || step === "rally") return text(`vwars.theirs.${step}`, { seat: mover });
  if (step === "discard") return text("event.cards_lie", { seat: mover });
  if (step === "event")
    return translated(view.effects[0]?.text || view.event?.text) || text("vwars.task.event");
  return text(step === "turning" ? "vwars.task.turning" : "vwars.task.riot");
}

/** Describe for all others what the seat to move is doing. @param {VWarsSnapshot} snapshot */
export function waitWords(snapshot) {
  const { view, to_move: seat } = snapshot;
  const does = ["setup", "turn", "event", "riot"].includes(view.step) ? view.step : null;
  return does ? text(`vwars.theirs.${does}`, { seat, n: view.actions_left }) : taskWords(snapshot);
}

/**
 * The last message, for a screen on which somebody waits; null at the beginning.
 * @param {VWarsSnapshot} snapshot
 */
export const lastMessage = (snapshot) => publicEntries(snapshot, 1)[0]?.message ?? null;

/* ---- what may be chosen ---- */

/** The kinds of action that name a city. */
export const TARGETS = ["move", "deploy", "pick_city"];

/**
 * The name of what pressing a city does, if it is offered.
 * @param {VWarsAction[]} legal @param {string | null} kind
 * @returns {(id: string) => ActionName | null}
 */
export const cityAction = (legal, kind) => (id) => {
  const action = legal.find(({ type, city }) => type === kind && city === id);
  return action ? pressOf(action) : null;
};

/** @param {VWarsAction} action @returns {ActionName} */
export const pressOf = (action) => ["do", actionName(action)];

/**
 * The kind of action whose cities can be pressed now: the only one that names cities, or the one that was chosen.
 * @param {VWarsAction[]} legal @param {string | null} mode
 */
export const cityKind = (legal, mode) =>
  legal.some(({ type }) => type === "pick_city")
    ? "pick_city"
    : mode === "move" || mode === "deploy"
      ? mode
      : null;

/**
 * Buttons for the public choices; `isMap`: cities are pressed on the map.
 * @param {VWarsView} view @param {VWarsAction[]} legal @param {{mode?: any}} ui
 * @param {boolean} [isMap]
 */
export function choices(view, legal, { mode }, isMap = false) {
  const isOpen = view.options.factions === "cards";
  const those = legal.filter(
    ({ type }) => isOpen || (view.step !== "rally" && !SECRET.includes(type)),
  );
  /** @param {string} kind */
  const ofKind = (kind) =>
    those.filter(({ type, side }) => kind === type || kind === `${type}.${side}`);
  /** @param {string[]} kinds */
  const lists = (kinds) =>
    kinds
      .filter((kind) => ofKind(kind).length > 0)
      .map((kind) => button(["mode", kind], listName(kind)));
  if (view.step === "turning" && !mode)
    return [
      ...listed(view, ofKind("turn"), isMap),
      h(
        "div.offers",
        lists(STRENGTHS),
        ofKind("no_more").map((action) => button(pressOf(action), text("vwars.no_more"))),
      ),
    ];
  const isTyped = view.step === "event" && ofKind("done").length > 0;
  if (isTyped && !mode) {
    return [
      ...listed(
        view,
        those.filter((action) => !TYPED.some((kind) => ofKind(kind).includes(action))),
        isMap,
        lists(TYPED),
      ),
    ];
  }
  if (!isTyped && view.step !== "turn" && view.step !== "turning")
    return listed(view, those, isMap);
  if (mode)
    return [
      h(
        "p",
        mode.split(".")[0] in LISTS
          ? [
              listName(mode),
              view.picked &&
                mode.startsWith("troops") &&
                h("b", { translate: "no" }, " ", cityName(view.picked)),
            ]
          : text(TARGETS.includes(mode) || mode === "place" ? "vwars.where" : "vwars.whom"),
      ),
      ...listed(view, ofKind(mode), isMap),
      button(["mode", ""], text("vwars.back")),
    ];
  const kinds = KINDS.filter((kind) => those.some(({ type }) => type === kind));
  return [
    h(
      "div.even.kinds",
      kinds.map((kind) => {
        return button(
          kind === "assassinate" || kind === "reveal" ? pressOf(ofKind(kind)[0]) : ["mode", kind],
          text(`vwars.${kind}`),
        );
      }),
    ),
    ...ofKind("end").map((action) =>
      button(pressOf(action), text("vwars.end"), {
        class: view.actions_left ? "end" : "end prime",
      }),
    ),
  ];
}

/** The heading of a list of changes: their kind and side. @param {string} kind */
function listName(kind) {
  const [type, side] = kind.split(".");
  return [side && [sideIcon(side), sideWords(side)], text(LISTS[type])];
}

/** A side for those who listen. @param {string} side */
const sideWords = (side) => [h("span.vh", text(`vwars.${side}`)), " "];

/**
 * @param {VWarsView} view @param {VWarsAction[]} actions @param {boolean} isMap
 * @param {Child[]} [more]
 */
function listed(view, actions, isMap, more = []) {
  const buttons = actions.filter(({ type }) => !(isMap && TARGETS.includes(type)));
  return [
    buttons.length < actions.length &&
      h(
        "p",
        view.step === "event" && (view.picked || view.picked_region)
          ? h(
              "b",
              { translate: "no" },
              view.picked ? cityName(view.picked) : text(`region.${view.picked_region}`),
            )
          : text("vwars.which"),
      ),
    buttons.length > 0 &&
      h(
        "div.offers",
        more,
        buttons.map((action) =>
          button(pressOf(action), label(view, action), {
            class: `of-${action.type}${["riot", "done"].includes(action.type) ? " prime" : ""}`,
          }),
        ),
      ),
  ];
}

/** The name of an action on its button. @param {VWarsView} view @param {VWarsAction} action */
export function label(view, action) {
  const { type, city, region, side, change, target } = action;
  const sign = change > 0 ? `+${change}` : `−${-change}`;
  switch (type) {
    case "move":
    case "deploy":
    case "pick_city":
      return cityName(city);
    case "pick_region":
      return view.options.content === "box"
        ? text("vwars.region", { region })
        : text(`region.${region}`);
    case "place":
      return placing(view, action);
    case "awaken":
      return [text("vwars.awaken"), " ", seatChip(target)];
    case "investigate":
      return seatChip(target);
    case "elect":
      return text(`vwars.elect.${side}`);
    case "control":
      return text(`vwars.control.${side}`);
    case "troops":
    case "strength":
      return [sideIcon(side), sideWords(side), sign];
    case "turn":
      return [sideIcon(side), sideWords(side), action.value];
    case "sympathy":
      return sign;
    case "martial":
      return text(action.holds ? "vwars.martial" : "vwars.martial.end");
    case "swing":
      return change === 0 ? "0" : sign;
    case "answer":
      return text(action.yes ? `vwars.yes.${view.question.what}` : "vwars.no");
    case "refilled":
      return text(action.enough ? "vwars.enough" : "vwars.not_enough");
    case "no_more":
      return text(view.step === "soon" ? "vwars.no_riot" : "vwars.no_more");
  }
  return text(`vwars.${type}`);
}

/** @param {VWarsView} view @param {VWarsAction} action */
function placing(view, { to, partner }) {
  const region = view.cities[view.players[view.turn].city].region;
  return text(`vwars.to.${to}${partner ? "" : ".alone"}`, { region, seat: partner ?? "" });
}

/**
 * The presses of this game in the open: `legal` is what the screen offers.
 * @param {VWarsAction[]} legal @returns {GameActions}
 */
export const pressed = (legal) => ({
  do: (_, name) => ({ mode: null, submit: actionNamed(legal, name) }),
  mode: (_, kind) => ({ mode: kind || null }),
});
