/** What a good player would do now, where the table has hints on: the action, and why in one sentence. */
import { fetchComputed } from "../../core/computed.js";
import { message, rich } from "../../core/i18n.js";

/**
 * Fetch the suggestion for a snapshot: {position, action, reason}, both null without one; null
 * while the table is out of reach or has moved on.
 * @param {{position: number}} snapshot
 */
export async function fetchSuggestion({ position }) {
  const reply = await fetchComputed("/suggestion.json");
  return reply?.position === position
    ? { position, action: null, reason: null, ...reply.suggestion }
    : null;
}

/**
 * The words of a suggestion: its action and its reason. `params`: the action's parameters in
 * words.
 * @param {{action: any, reason: Message}} parts @param {any} [params]
 */
export const suggestionWords = ({ action, reason }, params = action) => [
  rich(`suggest.do.${action.type}`, params),
  " ",
  message(reason),
];
