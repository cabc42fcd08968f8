/** The pieces of the box and their tags, as descriptions: say which piece the one new tag is under. */
import { button, whyNot } from "../../core/controls.js";
import { icon } from "../../core/icons.js";
import { h } from "../../core/dom.js";
import { pawnChip, text } from "../../core/i18n.js";

const KINDS = ["pawn", "token", "tile"];

/**
 * What to do now, and the pieces by kind with their number of tags. `chosen` is the pressed one.
 * @param {Maintenance} maintenance @param {boolean} canControl @param {string | null} chosen
 */
export function pieces({ things, strangers }, canControl, chosen) {
  return h(
    "section#pieces.card",
    h("h2", text("maintenance.pieces")),
    canControl && h("p#task", { role: "status" }, task(strangers)),
    KINDS.map((kind) => {
      const own = things.filter(({ name }) => name.startsWith(`${kind}:`));
      // A spare piece stands for no missing one of another name.
      const known = sum(own, (each) => Math.min(each.known, each.of));
      const thing = own.find(({ name }) => name === chosen);
      return (
        own.length > 0 &&
        h(
          "section",
          { "data-kind": kind },
          h(
            "div.line",
            h("h3", text(`maintenance.${kind}`)),
            h(
              "span.muted",
              text("maintenance.known", { n: known, of: sum(own, (each) => each.of) }),
            ),
          ),
          h(
            "ul.things",
            own.map((each) => h("li", piece(each, canControl, chosen))),
          ),
          canControl &&
            thing &&
            h(
              "div.row",
              button(
                ["maintain", { step: "register", thing: chosen }],
                text("maintenance.register"),
              ),
              thing.known > 0 &&
                button(["maintain", { step: "forget", thing: chosen }], text("maintenance.forget")),
            ),
        )
      );
    }),
  );
}

/** @param {Stranger[]} strangers */
function task(strangers) {
  if (!strangers.length) return text("maintenance.put");
  const [{ uid, cell }] = strangers;
  return strangers.length > 1
    ? text("maintenance.several", {
        cells: [...new Set(strangers.map((each) => each.cell))].join(" "),
      })
    : text("maintenance.choose", { uid: `…${uid.slice(-6)}`, cell });
}

/** @param {Thing} thing @param {boolean} canControl @param {string | null} chosen */
function piece({ name, known, of }, canControl, chosen) {
  const isKnown = known >= of;
  const label = [
    thingName(name),
    of > 1 ? ` ${known}/${of}` : "",
    " ",
    icon(isKnown ? "check" : "more"),
    h("span.vh", text(isKnown ? "maintenance.yes" : "maintenance.no")),
  ];
  return button(["choose", name], label, {
    class: "thing",
    "aria-pressed": String(name === chosen),
    ...whyNot(!canControl && text("host.seat")),
  });
}

/** The name of a piece for people: "pawn:H1a" as shape and letter. @param {string} name */
function thingName(name) {
  const [kind, which] = name.split(":");
  if (kind === "pawn") return pawnChip(which);
  return kind === "tile" ? text("maintenance.tile.name", { tile: which }) : text(`tile.${which}`);
}

/** @param {Thing[]} each @param {(one: Thing) => number} count */
const sum = (each, count) => each.reduce((total, one) => total + count(one), 0);
