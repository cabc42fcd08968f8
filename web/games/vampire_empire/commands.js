/** @type {CommandGame} */
export const commands = {};
