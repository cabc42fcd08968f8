// Types for `tsc --checkJs`: a classic script that adds itself to the page.

declare global {
  var nacl: any;
}

export {};
