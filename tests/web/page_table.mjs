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
  static open = async () => new Channel();
  static openKept = async () => new Channel();
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
      message: { code },
    }));
  blank = async () => null;
}

function follow(take, link) {
  Object.assign(table, { take, link });
  link("up");
  return { close() {} };
}
export const subscribePublic = follow;
export const subscribeSeat = (channel, take, link) => follow(take, link);
export const backOff = () => 0;
export const remembered = () => ({});
