import js from "@eslint/js";
import globals from "globals";

const strict = {
  eqeqeq: "error",
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
};

// The server takes comments and indentation out of what it sends (companion/server/assets.py).
const ONE_LINE = {
  selector: "TemplateElement[value.raw=/\\n/]",
  message: "A template's own text stands on one line: the server takes out indentation.",
};
const WHY_NOT = {
  selector: "Property[key.value='aria-disabled'][value.type!='Literal']",
  message: "A press is not refused in silence: use whyNot of core/controls.js.",
};
const LOOKBEHIND = {
  selector: "Literal[regex.pattern=/\\(\\?<[!=]/]",
  message: "Safari before 16.4 loads no module with a lookbehind.",
};

export default [
  {
    ignores: [
      "**/*.min.js",
      "web/core/vendor/smol-toml/*.js",
      "**/node_modules",
      ".venv",
      "**/build",
      "dist",
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  { files: ["**/*.{js,mjs}"], rules: strict },
  {
    files: ["web/**/*.js", "companion/sim/static/*.js", "tests/browser/*.js"],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ["web/**/*.js"],
    rules: {
      // The server takes comments out of what it sends.
      "no-inline-comments": "error",
      "no-multi-str": "error",
      "no-restricted-globals": [
        "error",
        { name: "fetch", message: "A request must end: use timedFetch of core/browser.js." },
      ],
      "no-restricted-syntax": ["error", ONE_LINE, LOOKBEHIND, WHY_NOT],
    },
  },
  {
    // A place of a drawn board has its reason from the look.
    files: ["web/games/*/board.js", "web/games/*/drawing/board.js"],
    rules: { "no-restricted-syntax": ["error", ONE_LINE, LOOKBEHIND] },
  },
  {
    files: ["tests/web/**/*.mjs", "tools/*.mjs", "*.config.js"],
    languageOptions: { globals: globals.node },
  },
];
