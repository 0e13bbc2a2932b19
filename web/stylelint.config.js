// What components show comes from styles/tokens.css: this reports sizes, spaces, corners, layers and colors of their own,
// and styles that reach into another component.

import { readFileSync } from "node:fs";
import stylelint from "stylelint";

/** At these a layout changes; tokens.css says what they mean. */
const { windows, containers } = JSON.parse(readFileSync(new URL("src/styles/layouts.json", import.meta.url), "utf8"));
const named = (conditions) => Object.keys(conditions).map((name) => `(--${name})`);
/** What a style may ask of the window, of the place it is in, and of those who look. */
const QUERIES = {
  media: [
    ...named(windows),
    "(pointer: coarse)",
    "(prefers-color-scheme: dark)",
    "(prefers-contrast: more)",
    "(forced-colors: active)",
  ],
  container: named(containers),
};
const LAYOUTS = "hexholm/layouts";
const layouts = stylelint.createPlugin(LAYOUTS, () => (root, result) => {
  root.walkAtRules(/^(media|container)$/, (rule) => {
    const query = rule.params.replace(/^[a-z]+ /, ""); // without the name of a container
    if (QUERIES[rule.name].includes(query)) return;
    const message = `${query} is none of the layouts of src/styles/layouts.json (${LAYOUTS})`;
    stylelint.utils.report({ ruleName: LAYOUTS, result, node: rule, message });
  });
});

const SHARES = "hexholm/shares";
const shares = stylelint.createPlugin(SHARES, () => (root, result) => {
  root.walkDecls((node) => {
    if (!/calc\([^;]*--window-high/.test(node.value)) return;
    const message = `a share of the window's height has a token, or is worked out in a layout (${SHARES})`;
    stylelint.utils.report({ ruleName: SHARES, result, node, message });
  });
});

const BUTTONS = "hexholm/buttons";
/** What a button's own knobs are for (styles/forms.css). */
const BUTTON_SIZES = /^(min-width|min-height|padding.*)$/;
const buttons = stylelint.createPlugin(BUTTONS, () => (root, result) => {
  const markup = root.document?.source?.input.css ?? root.source?.input.css ?? "";
  const tags = [...markup.matchAll(/<(?:button\b|a\b[^<]*?class="button\b)[^<]*/g)].map(([tag]) => tag);
  const classes = tags.flatMap((tag) => [
    ...[...tag.matchAll(/class="([^"{]*)/g)].flatMap(([, names]) => names.split(" ")),
    ...[...tag.matchAll(/class:([\w-]+)/g)].map(([, name]) => name),
  ]);
  const aimed = (selector) => {
    const last = selector.split(/[\s>+~]+/).at(-1) ?? "";
    return /^button\b/.test(last) || classes.some((name) => name && last.split(/[.:[]/).includes(name));
  };
  root.walkRules((rule) => {
    if (!rule.selectors.some(aimed)) return;
    rule.each((node) => {
      if (node.type !== "decl" || !BUTTON_SIZES.test(node.prop)) return;
      const message = `a button is sized by --button-width, --button-height and --button-padding (${BUTTONS})`;
      stylelint.utils.report({ ruleName: BUTTONS, result, node, message });
    });
  });
});

/** A token, one with what holds where nobody set it, or a knob that a place sets for what is in it. */
const TOKEN = String.raw`var\(--[\w-]+(, [^()]*(\([^()]*\)[^()]*)*)?\)`;
/** One value: a token, nothing, a share of the writing or of the room, or a sum with tokens. */
const SPACE = String.raw`(0|auto|-?[\d.]+(em|lh|ch|%|vw)|var\(--(space|page|button-padding|cell-padding|icon)-?[\w-]*(, [^()]*(\([^()]*\)[^()]*)*)?\)|calc\((?:(?!\d(px|rem)).)*\)|env\([\w-]+\))`;
const WORDS = ["inherit", "initial", "unset", "revert", "none", "normal"];
/** What has a length, but for spaces and corners, which have scales of their own. */
const LENGTHS =
  "/^((min-|max-)?(width|height)|top|right|bottom|left|inset|flex|flex-basis|grid-template.*|border(-(top|right|bottom|left))?(-width)?|outline.*|text-(decoration|underline).*|box-shadow|scroll-margin.*|contain-intrinsic-.*|translate|transform|stroke-width|--.*)$/";

const only = (...values) => [...WORDS, ...values.map((value) => (value.startsWith("/") ? value : `/^${value}$/`))];

/** @type {import("stylelint").Config} */
export default {
  plugins: [layouts, shares, buttons],
  overrides: [
    { files: ["**/*.svelte"], customSyntax: "postcss-html" },
    {
      // where the values are
      files: ["**/tokens.css"],
      rules: {
        "color-no-hex": null,
        "function-disallowed-list": null,
        "declaration-property-value-disallowed-list": null,
        "unit-disallowed-list": null,
        [SHARES]: null,
      },
    },
    {
      // what shares the window among what is in it
      files: ["**/*Layout.svelte"],
      rules: { [SHARES]: null },
    },
    {
      // where the knobs are
      files: ["**/styles/*.css"],
      rules: { [BUTTONS]: null },
    },
  ],
  reportNeedlessDisables: true,
  reportDescriptionlessDisables: true,
  rules: {
    "block-no-empty": true,
    "color-no-hex": true,
    "color-named": "never",
    "custom-property-no-missing-var-function": true,
    "declaration-block-no-duplicate-properties": true,
    "declaration-block-no-shorthand-property-overrides": true,
    "declaration-no-important": true,
    "declaration-property-value-allowed-list": {
      "aspect-ratio": only("auto", `(auto )?${TOKEN}`),
      font: only(String.raw`var\(--font-\w+\)`),
      "font-family": only(TOKEN),
      "font-weight": only(String.raw`var\(--weight-\w+\)`),
      "font-size": only("0", String.raw`var\(--(text|chart)-\w+\)`),
      "/^(row-|column-)?gap$/": only(`${SPACE}( ${SPACE})?`),
      "line-height": only(String.raw`var\(--leading-\w+\)`),
      "--icon": only(String.raw`var\(--icon-\w+\)`, String.raw`[\d.]+em`),
      "/opacity$/": only("0", "1", String.raw`var\(--(icon-)?opacity(-\w+)?(, 1)?\)`),
      "/^(padding|margin)/": only(`${SPACE}( ${SPACE}){0,3}`),
      "/radius$/": only(String.raw`(0|var\(--radius-\w+\))( (0|var\(--radius-\w+\)))*`),
      "z-index": only(String.raw`var\(--z-\w+\)`),
    },
    "declaration-property-value-disallowed-list": {
      [LENGTHS]: [String.raw`/\dpx/`],
      "/^(transition|animation)/": [String.raw`/[1-9]\d*m?s/`, "/(?<!-)ease|cubic-bezier/"],
    },
    "function-disallowed-list": ["rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch"],
    [LAYOUTS]: true,
    [SHARES]: true,
    [BUTTONS]: true,
    "no-duplicate-selectors": true,
    "no-invalid-double-slash-comments": true,
    "property-no-unknown": true,
    // what tests look for is not what styles hold on to
    "selector-attribute-name-disallowed-list": ["data-testid"],
    // a component is styled from outside by its props and by custom properties; what no component owns is in styles/
    "selector-pseudo-class-disallowed-list": ["global"],
    "selector-pseudo-class-no-unknown": [true, { ignorePseudoClasses: ["global"] }],
    // a share of the window's height has a name
    "unit-disallowed-list": ["vh", "dvh", "lvh", "svh"],
    "unit-no-unknown": true,
  },
};
