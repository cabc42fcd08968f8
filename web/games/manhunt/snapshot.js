/** Read Manhunt's public snapshot, by pure functions. */

/** Whether the fugitive plays on paper, in the game that is played or proposed. */
export const isOnPaper = ({ view, lobby }) => (view ?? lobby).options?.path === "paper";

/** Whether there is something sealed to open after the game: on paper only what was sealed before it. */
export const isSealed = (snapshot) => !isOnPaper(snapshot) || Boolean(snapshot.seal);

/** Whether all are asked to go on on paper, or do. */
export const hasPaper = (snapshot) =>
  isOnPaper(snapshot) || snapshot.undo?.asked?.what === "on_paper";
