import { svelte } from '@sveltejs/vite-plugin-svelte';
import { parse } from 'smol-toml';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Imports .toml files as data, so that client and host say the same words from the same file. */
function toml(): Plugin {
  return {
    name: 'toml',
    transform: {
      filter: { id: /\.toml$/ },
      handler: (text) => ({ code: `export default ${JSON.stringify(parse(text))};`, map: null, moduleType: 'js' }),
    },
  };
}

/** The host that `npm run dev` asks; start one with `hexholm serve`. */
const host = process.env.HEXHOLM_HOST ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [svelte(), toml()],
  base: '/',
  resolve: {
    alias: {
      '@words': at('../src/hexholm/game/data'),
      '@': at('./src'),
    },
  },
  build: {
    outDir: at('../src/hexholm/host/static'),
    emptyOutDir: true,
    target: 'es2022',
    sourcemap: false,
    // The host's content policy allows no data: addresses but pictures, and no script in the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } }, // a slow machine is no warning
  },
  server: {
    fs: { allow: [at('.'), at('../src/hexholm/game/data')] },
    proxy: {
      '/api': host,
      '/openapi.json': host,
      '/ws': { target: host, ws: true },
    },
  },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    environment: 'node',
    css: { include: /app\.css/ }, // a test reads its colours
  },
});
