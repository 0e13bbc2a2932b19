// The pages, each in a file of its own that comes when it is needed.

export const pages = {
  start: () => import("./pages/Start.svelte"),
  new: () => import("./pages/NewTable.svelte"),
  table: () => import("./pages/Table.svelte"),
  replay: () => import("./pages/Replay.svelte"),
  rules: () => import("./almanac/Page.svelte"),
  missing: () => import("./pages/Missing.svelte"),
};
