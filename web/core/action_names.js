/** Names of actions in buttons. */

/**
 * What an action of the rules is called in a button's name: all that it says, so that a list that changes under the finger
 * makes no other action of a press.
 */
export const actionName = (action) => Object.entries(action).join();

/** The action of this name among those offered now; undefined if it is offered no longer. */
export const actionNamed = (legal, name) => legal.find((action) => actionName(action) === name);
