// Types for the checker alone; browsers never load this file.

interface ParentNode {
  /** What a selector finds has the kind that its template gives it. */
  querySelector(selectors: string): any;
}

interface Document {
  getElementById(id: string): any;
}

type FieldEvent = Event & { target: HTMLInputElement };
type KeyEvent = KeyboardEvent & { target: HTMLElement };

/** An element as `h` describes it. */
interface Tree {
  tag: string;
  attrs: Record<string, any>;
  children: (Tree | string)[];
}

type OnLink = ((state: string) => void) | undefined;

/** Opens a connection and returns what closes it; `alive` at each sign of it, `lost` once at its end. */
type Connect = (alive: () => void, lost: () => void) => () => void;
