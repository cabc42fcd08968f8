/** Names of actions in buttons. */

/**
 * Return the name of an action in a button's name. It has all fields, so that a press means the
 * same action after the list has changed.
 * @param {Action} action
 */
export const actionName = (action) => Object.entries(action).join();

/**
 * Return the action of this name among the legal ones; undefined if it is no longer legal.
 * @param {Action[]} legal @param {string} name
 */
export const actionNamed = (legal, name) => legal.find((action) => actionName(action) === name);
