/** The map of V-Wars for a phone: a dot for each city, which a press explains. Pure. */
import { cityName, cityWords, guests, landColours, RING, riotAt, sideIcon } from "./board.js";
import { chart, compass, extent, flame, landMap, standee } from "./drawings.js";
import { button } from "../../core/controls.js";
import { h } from "../../core/dom.js";
import { text, translated } from "../../core/i18n.js";

/**
 * The map, as on the display: `isLit(city)` tells what may be chosen now, `chosen` is explained.
 * @param {VWarsView} view @param {(city: string) => boolean} isLit @param {string | null} chosen
 */
export function cityMap(view, isLit, chosen) {
  const ids = Object.keys(view.regions);
  const { wide, roads } = chart(view.regions);
  const [columns] = extent(wide);
  return h(
    "div#map.regions.city-map",
    { class: ids.length === RING && "ring", "--columns": columns },
    landMap(wide, roads, "wide", (id) => landColours(ids.indexOf(id))),
    ids.map((id) =>
      h(
        "section",
        { "data-region": id, "--wide": wide[id][1] * columns + wide[id][0] },
        h("h2", { translate: "no" }, translated(view.regions[id].name)),
        h(
          "ul",
          Object.keys(view.cities)
            .filter((city) => view.cities[city].region === id)
            .map((city) => h("li", dot(view, city, isLit(city), city === chosen))),
        ),
      ),
    ),
    ids.length === RING && compass(),
  );
}

/** @param {VWarsView} view @param {string} id @param {boolean} isLit @param {boolean} isChosen */
function dot(view, id, isLit, isChosen) {
  const { human, vampire, control, martial } = view.cities[id];
  const riot = riotAt(view, id);
  const words = [...cityWords(view, id), isLit && text("vwars.near")].filter(Boolean).join(", ");
  return button(
    ["city", id],
    [
      h("span.dot", vampire || ""),
      human > 0 && h("i.chip.human", human),
      martial && h("i.chip.law", "M"),
      riot >= 0 && h("i", { class: riot ? "riot soon" : "riot" }, flame()),
      h("span.who", guests(view, id).map(standee)),
    ],
    {
      class: ["city-dot", control === "vampire" && "held", isLit && "lit"],
      "aria-label": `${cityName(id)}: ${words}`,
      "aria-pressed": String(isChosen),
    },
  );
}

/**
 * A city in words: its region, how far it is from `seat`, who holds it, what is there.
 * @param {VWarsView} view @param {string} id @param {string} seat
 */
export function cityCard(view, id, seat) {
  const { region, human, vampire, control } = view.cities[id];
  const from = view.players[seat].city;
  const [, ...more] = cityWords(view, id);
  const facts = [
    translated(view.regions[region].name),
    from && farWords(view, from, id),
    control === "human" && text("vwars.held.human"),
    ...more,
  ];
  return h(
    "section#city.city-card",
    { "aria-live": "polite" },
    h(
      "h2",
      h("span", { translate: "no" }, translated(view.cities[id].name)),
      vampire > 0 && h("span.chip.vampire", sideIcon("vampire"), vampire),
      human > 0 && h("span.chip.human", sideIcon("human"), human),
    ),
    h("p", facts.filter(Boolean).join(" · ")),
  );
}

/**
 * How many moves one city is from another; null on a map of which nobody typed which regions touch.
 * @param {VWarsView} view @param {string} from @param {string} to
 */
function farWords({ regions, cities }, from, to) {
  if (from === to) return text("vwars.far.here");
  if (!chart(regions).roads.length) return null;
  let reached = [cities[from].region];
  for (let n = 1; n <= Object.keys(regions).length; n += 1) {
    reached = [...new Set(reached.flatMap((id) => [id, ...regions[id].adjacent]))];
    if (reached.includes(cities[to].region)) return text("vwars.far", { n });
  }
  return null;
}
