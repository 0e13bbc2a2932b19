import stylelint from "stylelint";
import { expect, it } from "vitest";
import { ISLAND } from "../testing/island";
import { containers, windows } from "./layouts.json";
import { durations, easings, raised } from "./motion.json";
import sizes from "./sizes.json";
import tokens from "./tokens.css?raw";

const sources = import.meta.glob<string>(["../**/*.svelte", "./*.css", "../**/*.ts", "!../**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const names = (text: string, pattern: RegExp): Set<string> =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name ?? ""));

const all = Object.values(sources).join("\n");
const defined = names(tokens, /^ +(--[\w-]+):/gm);

it("has every token that is asked for, and none that nobody asks for", () => {
  const own = names(all, /^ +(--[\w-]+):/gm);
  const made = names(all, /style:(--[\w-]+)/g);
  const used = names(all, /var\((--[\w-]+)[,)]/g);
  expect([...used].filter((name) => !own.has(name) && !made.has(name))).toEqual([]);
  const built = names(all, /var\((--[\w-]*?)\$?\{/g); // `var(--source-${key})`, "var(--player-{color})": any of these
  const unused = [...defined].filter((name) => !used.has(name) && ![...built].some((one) => name.startsWith(one)));
  expect(unused).toEqual([]);
});

it("has the motion and the sizes of scripts, and the ratio of the board", () => {
  const value = (name: string): string => new RegExp(`^ +--${name}: ([^;]+);`, "m").exec(tokens)?.[1] ?? "";
  for (const [name, duration] of Object.entries(durations)) expect(value(name)).toBe(`${duration}ms`);
  for (const [name, easing] of Object.entries(easings)) expect(value(name)).toBe(easing);
  for (const [name, size] of Object.entries(sizes)) expect(value(name)).toBe(`${size}px`);
  expect(value("raised")).toBe(String(raised));
  expect(value("board-ratio")).toBe(`${ISLAND.width} / ${ISLAND.height}`);
});

it.each([
  ["font-size: 13px"],
  ["font: 600 var(--text-md) var(--serif)"],
  ["font-family: monospace"],
  ["font-weight: 600"],
  ["font-weight: bold"],
  ["border-radius: 5px"],
  ["z-index: 7"],
  ["gap: 6px"],
  ["padding: 0 3px"],
  ["margin: calc(1px + 2px)"],
  ["width: 300px"],
  ["min-height: calc(100% - 72px)"],
  ["top: 3px"],
  ["flex: 1 0 140px"],
  ["border: 1px solid var(--line)"],
  ["box-shadow: 0 0 0 3px var(--line)"],
  ["--button-height: 40px"],
  ["aspect-ratio: 1140 / 1056"],
  ["line-height: 1.2"],
  ["line-height: var(--space-4)"],
  ["height: 58dvh"],
  ["max-height: calc(100dvh - var(--space-4))"],
  ["max-height: calc(var(--window-high) - var(--space-4))"],
  ["--icon: 1.1rem"],
  ["opacity: 0.5"],
  ["stroke-opacity: 0.5"],
  ["height: auto !important"],
  ["color: #fff"],
  ["color: white"],
  ["background: rgb(0 0 0 / 10%)"],
  ["transition: color 100ms ease"],
])("the linter reports %s", async (declaration) => {
  expect(await reported(`p { ${declaration}; }`)).toHaveLength(1);
});

it.each(["media (width < 700px)", "media (width < 1000px)", "media (--broad)", "container (width < 9rem)"])(
  "the linter reports @%s",
  async (query) => {
    expect(await reported(`@${query} { p { color: var(--ink); } }`)).toHaveLength(1);
  },
);

// eslint-disable-next-line no-restricted-syntax -- the linter must report it
it.each([":global(p)", "p :global(svg)", "[data-testid='hand']"])("the linter reports %s", async (selector) => {
  expect(await reported(`${selector} { color: var(--ink); }`)).toHaveLength(1);
});

it.each(["button", ".go", "div > .go:hover", ".way", "nav button"])(
  "the linter reports the size of %s",
  async (selector) => {
    const markup = `<button onclick={() => go()} class="plain go">x</button><a href="/" class="button way">y</a>\n`;
    expect(await reported(`${selector} { min-height: var(--finger); }`, markup)).toEqual(["hexholm/buttons"]);
    expect(await reported(`${selector} { --button-height: var(--finger); }`, markup)).toEqual([]);
    expect(await reported(`.stay { min-height: var(--finger); }`, markup)).toEqual([]);
  },
);

it("the linter knows the layouts", async () => {
  for (const query of ["media (--narrow)", "container almanac (--narrow-almanac)"])
    expect(await reported(`@${query} { p { gap: var(--space-1); } }`)).toEqual([]);
});

it("no component styles a class that holds for all: it adds one of its own", () => {
  const classes = (text: string): Set<string> => names(text.replace(/\/\*.*?\*\//gs, ""), /\.([a-z][\w-]*)/g);
  const shared = Object.entries(sources).filter(([path]) => path.endsWith(".css"));
  const general = new Set(shared.flatMap(([, text]) => [...classes(text)]));
  const twice = Object.entries(sources).flatMap(([path, text]) =>
    [...classes(/^<style>.*^<\/style>/ms.exec(text)?.[0] ?? "")]
      .filter((name) => general.has(name))
      .map((name) => `${path} .${name}`),
  );
  expect(twice).toEqual([]);
});

it("every layout is asked for", () => {
  const asked = (name: string): boolean => new RegExp(`\\(--${name}\\)|windows\\.${name}\\b`).test(all);
  expect([...Object.keys(windows), ...Object.keys(containers)].filter((name) => !asked(name))).toEqual([]);
});

async function reported(css: string, markup = ""): Promise<string[]> {
  const { results } = await stylelint.lint({
    code: `${markup}<style>\n${css}\n</style>\n`,
    codeFilename: "src/Planted.svelte",
  });
  return results.flatMap(({ warnings }) => warnings.map(({ rule }) => rule));
}
