// Types for `tsc --checkJs`.

export function parse(toml: string): any;
export function stringify(value: any): string;
export class TomlError extends Error {
  line: number;
  column: number;
}
