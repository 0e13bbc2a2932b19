import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import globals from "globals";
import { dirname, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript-eslint";
import house from "./rooms.json" with { type: "json" };
import svelteConfig from "./svelte.config.js";

const ROOT = fileURLToPath(new URL(".", import.meta.url));
const SOURCES = resolve(ROOT, "src");
const TESTING = resolve(SOURCES, "testing") + sep;
/**
 * The rooms of src/, in lines; a folder of a room may be one of its own. A room imports from those listed before it, and
 * from no other in its own line. What is in testing/ imports from all of them, and only tests import it.
 */
const ROOMS = house.rooms;

/** The room of a file, the innermost one, with its line; undefined: none, such as main.ts, which nobody imports. */
function room(file) {
  const folder = `${relative(SOURCES, dirname(file)).split(sep).join("/")}/`;
  const all = ROOMS.flatMap((names, line) => names.map((name) => ({ name, line })));
  const around = all.filter(({ name }) => folder.startsWith(`${name}/`));
  return around.toSorted((a, b) => b.name.length - a.name.length)[0];
}

const rooms = {
  meta: { type: "problem", schema: [] },
  create(context) {
    const here = room(context.filename);
    const [folder, ...inside] = relative(SOURCES, context.filename).split(sep);
    const homeless = !here && inside.length > 0 && folder !== ".." && !context.filename.startsWith(TESTING);
    function check(source) {
      if (!here || typeof source?.value !== "string" || !source.value.startsWith(".")) return;
      const file = resolve(dirname(context.filename), source.value.replace(/\?.*/, ""));
      if (!file.startsWith(SOURCES)) return;
      const inTest = context.filename.endsWith(".test.ts");
      if (inTest && (file.startsWith(TESTING) || file.startsWith(resolve(SOURCES, folder) + sep))) return;
      const there = room(file);
      if (there?.name === here.name || (there && there.line < here.line)) return;
      context.report({ node: source, message: `${here.name}/ does not import from there: see rooms.json.` });
    }
    return {
      Program: (node) => homeless && context.report({ node, message: `${folder}/ is no room yet: see rooms.json.` }),
      ImportDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source),
    };
  },
};

const BLOCKED = [
  {
    selector: "SvelteAttribute[key.name='style']:not(:has(SvelteMustacheTag))",
    message: 'The content policy blocks a fixed style="..." in markup; style:name="..." works.',
  },
  {
    selector:
      "SvelteElement[name.name='svg'] > SvelteStartTag > SvelteAttribute[key.name=/^(width|height)$/]:has(SvelteLiteral)",
    message: "A drawing beside writing is as large as one of the steps --icon-xs to --icon-hero.",
  },
  {
    selector: "SvelteElement > SvelteStartTag > SvelteAttribute[key.name=/opacity$/]",
    message: "How much shows through is said in the styles, by a token.",
  },
  {
    selector: ":matches(Literal[value=/data-testid/], TemplateElement[value.raw=/data-testid/])",
    message: "Names for tests are for tests; a part that others look for has a data-part.",
  },
];
/** Tests may wait: they do not run in Safari, where a file that waits at its top fails when two others import it at once. */
const WAITING = [
  {
    selector: ":matches(AwaitExpression, ForOfStatement[await=true]):not(:function *)",
    message: "A file that waits at its top breaks in Safari: wait in a function.",
  },
];

export default defineConfig(
  { ignores: [".node/", "node_modules/", "src/generated/"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...ts.configs.stylistic,
  ...svelte.configs.recommended,
  { languageOptions: { globals: globals.browser } },
  { files: ["*.config.*"], languageOptions: { globals: globals.node } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
  },
  {
    files: ["src/**/*.ts", "src/**/*.svelte"],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: ROOT, extraFileExtensions: [".svelte"] },
    },
    rules: {
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "no-restricted-syntax": ["error", ...BLOCKED, ...WAITING],
    },
  },
  { files: ["src/**/*.test.ts"], rules: { "no-restricted-syntax": ["error", ...BLOCKED] } },
  // a file that has grown beyond this is two
  { files: ["src/**/*.ts", "src/**/*.svelte"], ignores: ["**/*.test.ts"], rules: { "max-lines": ["error", 300] } },
  {
    // not where components are: what they export has no type here
    files: ["src/**/*.ts"],
    ignores: ["src/table/screen/attention.svelte.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "error",
      "@typescript-eslint/no-unsafe-assignment": "error",
      "@typescript-eslint/no-unsafe-call": "error",
      "@typescript-eslint/no-unsafe-member-access": "error",
      "@typescript-eslint/no-unsafe-return": "error",
    },
  },
  {
    plugins: { hexholm: { rules: { rooms } } },
    rules: {
      "hexholm/rooms": "error",
      eqeqeq: "error",
      "@typescript-eslint/no-shadow": "error",
      "no-undef": "off", // the compiler knows better
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "svelte/no-at-html-tags": "error",
    },
  },
);
