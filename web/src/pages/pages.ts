// The pages, each in a file of its own that comes when it is needed.

export const pages = {
  start: () => import("./StartPage.svelte"),
  new: () => import("./NewTablePage.svelte"),
  table: () => import("./TablePage.svelte"),
  replay: () => import("./ReplayPage.svelte"),
  rules: () => import("./RulesPage.svelte"),
  ratings: () => import("./RatingsPage.svelte"),
  me: () => import("./MePage.svelte"),
  missing: () => import("./MissingPage.svelte"),
};
