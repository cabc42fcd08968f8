/** How a page with a line for what was refused asks the table. */

/**
 * Answer the `ask` of a page {channel, notice}: it answers what the table does, null when nothing came, and keeps in
 * `notice` what was refused, as {code, params}. Without a channel nothing is asked.
 * @param {Record<string, any>} page
 * @returns {(...request: any[]) => Promise<any>}
 */
export const withNotice =
  (page) =>
  async (what, args = {}) => {
    try {
      const reply = await page.channel?.ask(what, args);
      page.notice = reply?.ok === false ? reply.message : null;
      return reply;
    } catch (error) {
      if (error.code === undefined) throw error;
      page.notice = { code: error.code, params: {} };
      return null;
    }
  };
