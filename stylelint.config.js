import stylelint from "stylelint";

const LAYERED = "table-companion/layered";
const messages = stylelint.utils.ruleMessages(LAYERED, {
  rejected: (selector) => `Expected "${selector}" to stand in a cascade layer`,
});

/** Refuse a rule outside of all layers: it would win over every layer. */
const layered = (isOn) => (root, result) => {
  if (!isOn) return;
  root.walkRules((node) => {
    for (let above = node.parent; above !== root; above = above.parent)
      if (above.type === "atrule" && ["layer", "keyframes"].includes(above.name)) return;
    stylelint.utils.report({
      ruleName: LAYERED,
      result,
      node,
      message: messages.rejected(node.selector),
    });
  });
};
layered.ruleName = LAYERED;
layered.messages = messages;

export default {
  extends: "stylelint-config-standard",
  plugins: [stylelint.createPlugin(LAYERED, layered)],
  rules: {
    "at-rule-empty-line-before": null,
    "comment-empty-line-before": null,
    "custom-property-empty-line-before": null,
    "rule-empty-line-before": null,
    "custom-property-pattern": null,
    "selector-class-pattern": null,
    "no-descending-specificity": null,
    "media-feature-range-notation": "prefix",
    "declaration-no-important": true,
    "property-no-vendor-prefix": [true, { ignoreProperties: ["user-select"] }],
  },
  overrides: [{ files: "web/**/*.css", rules: { [LAYERED]: true } }],
};
