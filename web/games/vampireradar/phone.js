// Both phones import these: the browser fetches them together with this module.
import "./snapshot.js";
import "../../core/phone.js";

/** A phone of VampireRadar: the vampire's or a human's. @param {SeatPage} context */
export async function openPhone(context) {
  const { open } = await (context.seat === "V"
    ? import("./phone_vampire.js")
    : import("./phone_human.js"));
  return open(context);
}
