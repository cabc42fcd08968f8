/** Send requests of a page with a line for refusals. */

/**
 * Return the `request` of a page {channel, notice}: it returns the table's reply, null without one, and
 * stores a refusal in `notice`, as {code, params}. Without a channel it sends nothing.
 * @param {Record<string, any>} page
 * @returns {(...args: any[]) => Promise<any>}
 */
export const withNotice =
  (page) =>
  async (what, args = {}) => {
    try {
      const reply = await page.channel?.request(what, args);
      page.notice = reply?.ok === false ? reply.message : null;
      return reply;
    } catch (error) {
      if (error.code === undefined) throw error;
      page.notice = { code: error.code, params: {} };
      return null;
    }
  };
