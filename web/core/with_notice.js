/** Send requests of a page with a line for refusals. */

/**
 * Return the `request` of a page {channel, notice}: it returns the table's reply or a refusal, and
 * stores a refusal in `notice`, as {code, params}. Without a channel it sends nothing.
 * @param {Record<string, any>} page @returns {(...args: any[]) => Promise<any>}
 */
export const withNotice =
  (page) =>
  async (what, args = {}) => {
    const reply = await page.channel?.ask(what, args);
    page.notice = reply?.ok === false ? reply.message : null;
    return reply;
  };
