/** The role that the table gives this browser: a seat, the display, or a guest. */
import { isSeat } from "./i18n.js";
import { subscribePublic } from "./public_stream.js";

/**
 * Set `role` and `may` of a page {role, canControl}, and follow the public stream. `canControl`: whether the page
 * has the controls that guests do not have. The table is asked for the role again after each lost
 * link, and then `draw` is called.
 * @param {Record<string, any>} page @param {(what: string) => Promise<any>} request
 * @param {{onUpdate?: (update: Update) => unknown, draw: () => unknown}} calls
 */
export async function followWithRole(page, request, { onUpdate = () => {}, draw }) {
  let isKnown = false;
  const learn = async () => {
    const hello = await request("hello");
    if (!hello || hello.isLost) return;
    isKnown = true;
    page.role = hello.role;
    page.canControl = isSeat(hello.role) || hello.role === "display";
  };
  await learn();
  subscribePublic(onUpdate, async (link) => {
    if (link === "lost") isKnown = false;
    if (link !== "up" || isKnown) return;
    await learn();
    draw();
  });
}
