/// <reference types="vitest/config" />
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { parse } from "smol-toml";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { defineConfig, type Plugin } from "vite";
import house from "./rooms.json" with { type: "json" };
import conditions from "./src/styles/layouts.json" with { type: "json" };

const smaller = promisify(brotliCompress);
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Imports .toml files as data, so that client and host say the same words from the same file. */
function toml(): Plugin {
  return {
    name: "toml",
    transform: {
      filter: { id: /\.toml$/ },
      handler: (text) => ({ code: `export default ${JSON.stringify(parse(text))};`, map: null, moduleType: "js" }),
    },
  };
}

/** Writes out the layouts that styles name: @media (--narrow), @container (--narrow-hand). */
const layouts = {
  postcssPlugin: "layouts",
  AtRule: {
    media: (rule: AtRule): void => writeOut(rule, conditions.windows),
    container: (rule: AtRule): void => writeOut(rule, conditions.containers),
  },
};

/** A rule of a style, as PostCSS has it. */
interface AtRule {
  params: string;
  /** An error that says in which file and line. */
  error(message: string): Error;
}

/**
 * A name stands alone: a list such as "(width < 640px), (width < 1000px)" cannot be joined with another condition. Only
 * the name of a container may go before it.
 */
function writeOut(rule: AtRule, named: Readonly<Record<string, string>>): void {
  if (!rule.params.includes("--")) return;
  const [, container = "", name = ""] = /^([a-z]+ )?\(--([\w-]+)\)$/.exec(rule.params) ?? [];
  const condition = named[name];
  if (condition === undefined) throw rule.error(`"${rule.params}" is not one name of src/styles/layouts.json`);
  rule.params = container + condition;
}

// Files of the client: few, because every request costs and long files compress better. With what they stand on:
/** what the first file needs to know what to ask for; */
const FIRST =
  /preload-helper|\/src\/(pages\/pages|app\/(navigation\/pageAddress|storage\/(language|storage))|words\/languages|generated\/names)\.ts$/;
/** what every page needs; */
const BASE =
  /\/src\/(App\.svelte|words\/i18n\..*|styles\/app\.css|net\/(request|rest\/(drawings|me|ruleBook|server|tables))\..*|app\/drawingKit\..*|game\/speech\/(speech|houseNames)\..*)$/;
/** what several pages with a board share of these rooms, but for what no first visit needs. */
const BOARD = new RegExp(
  `/src/(?!(${house.deferred.join("|")})\\.)((${house.shared.join("|")})/|almanac/(terms/|LazyAlmanacPanel))`,
);
// All else comes with the one that needs it.

/** The first file asks for the files of the client; the page itself announces them, so that they come as early as it. */
function announced(): Plugin {
  return {
    name: "announced",
    transformIndexHtml: {
      order: "post",
      handler(_, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((one) => one.type === "chunk");
        const mount = chunks.find((one) => one.facadeModuleId === at("./src/mount.ts"));
        const wanted = chunks.filter((one) => !one.isEntry && (one === mount || mount?.imports.includes(one.fileName)));
        return wanted.flatMap((one) => [
          {
            tag: "link",
            injectTo: "head" as const,
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${one.fileName}` },
          },
          ...[...(one.viteMetadata?.importedCss ?? [])].map((css) => ({
            tag: "link",
            injectTo: "head" as const,
            attrs: { rel: "stylesheet", crossorigin: true, href: `/${css}` },
          })),
        ]);
      },
    },
  };
}

/** Beside every file lies the same in Brotli, which compresses best and takes its time: the host sends either. */
function packed(): Plugin {
  return {
    name: "packed",
    async writeBundle({ dir = "" }, bundle) {
      const files = Object.keys(bundle).map((name) => join(dir, name));
      await Promise.all(files.map(async (file) => writeFile(`${file}.br`, await smaller(await readFile(file)))));
    },
  };
}

/** The host that `npm run dev` asks; start one with `hexholm serve`. */
const host = process.env.HEXHOLM_HOST ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte(), toml(), announced(), packed()],
  base: "/",
  css: { postcss: { plugins: [layouts] } },
  resolve: {
    alias: {
      "@catalogues": at("../src/hexholm/rules/language/data"),
    },
  },
  build: {
    outDir: at("../src/hexholm/host/static"),
    emptyOutDir: true,
    target: "es2022",
    sourcemap: false,
    // The host's content policy allows no data: addresses but pictures, and no script in the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false }, // a slow machine is no warning
      output: {
        codeSplitting: {
          groups: [
            { name: "first", test: FIRST, priority: 2 },
            { name: "base", test: BASE, priority: 1 },
            { name: "board", test: BOARD, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    fs: { allow: [at("."), at("../src/hexholm/rules/language/data")] },
    proxy: {
      "/api": host,
      "/openapi.json": host,
      "/ws": { target: host, ws: true },
    },
  },
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
    css: { include: /src\/styles\// }, // tests read them
  },
});
