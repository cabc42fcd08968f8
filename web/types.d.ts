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
