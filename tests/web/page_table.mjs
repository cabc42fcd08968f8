/** What pages import of core/channel.js, core/stream.js and core/public_stream.js: `table` of page.mjs. */
const { table } = globalThis;

export const toHex = String;
export const fromHex = String;
export class ChannelError extends Error {
  code = "lost";
}

export class Channel {
  tableHex = "00";
  publicKeyHex = "00";
  isKept = true;
  /** Null where the page's address and storage have no key of the table. */
  static open = async () => (table.hasKey ? new Channel() : null);
  static openKept = async () => new Channel();
  static forGuest = () => new Channel();
  withTableKey = () => this;
  request = async (what, args) => {
    if (what === "hello") {
      if (!table.hello) throw new ChannelError("lost");
      return { ok: true, ...table.hello };
    }
    table.sent.push([what, args]);
    return table.answer(what, args);
  };
  ask = (what, args) =>
    this.request(what, args).catch(({ code }) => ({
      ok: false,
      isLost: true,
      code,
      message: { code, params: {} },
    }));
  blank = async () => null;
}

function subscribe(take, link) {
  Object.assign(table, { take, link });
  link("up");
  return { close() {} };
}
export const subscribePublic = subscribe;
export const subscribeSeat = (channel, take, link) => subscribe(take, link);
export const backOff = () => 0;
export const remembered = () => ({});
