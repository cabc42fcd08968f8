import js from "@eslint/js";
import globals from "globals";

const strict = {
  eqeqeq: "error",
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
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
      // The server takes comments and indentation out of what it sends (companion/server/assets.py).
      "no-inline-comments": "error",
      "no-multi-str": "error",
      "no-restricted-globals": [
        "error",
        { name: "fetch", message: "A request must end: use timedFetch of core/browser.js." },
      ],
      "no-restricted-syntax": [
        "error",
        {
          selector: "TemplateElement[value.raw=/\\n/]",
          message: "A template's own text stands on one line: the server takes out indentation.",
        },
      ],
    },
  },
  {
    files: ["tests/web/**/*.mjs", "tools/*.mjs", "*.config.js"],
    languageOptions: { globals: globals.node },
  },
];
