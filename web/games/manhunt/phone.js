// Both phones import these: the browser fetches them together with this module.
import "./card.js";
import "./names.js";
import "./turn.js";
import "../../core/reference.js";

/** A phone of Manhunt: the fugitive's or a hunter's. @param {SeatPage} context */
export async function openPhone(context) {
  const { open } = await (context.seat === "F"
    ? import("./phone_fugitive.js")
    : import("./phone_hunter.js"));
  return open(context);
}
