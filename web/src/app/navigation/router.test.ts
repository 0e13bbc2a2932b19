import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AlmanacBeside } from "./almanacBeside.svelte";
import { Router } from "./router.svelte";

const address = { origin: "http://host", pathname: "/", search: "", hash: "" };
let almanacBeside: AlmanacBeside;
let router: Router;

function visit(path: string): void {
  address.pathname = path;
  router.follow({ state: null });
}

beforeEach(() => {
  address.pathname = "/";
  vi.stubGlobal("location", address);
  vi.stubGlobal("history", {
    pushState: (_: unknown, __: string, path = address.pathname) => (address.pathname = path.replace(/[?#].*/, "")),
    replaceState: (_: null, __: string, path: string) => (address.pathname = path.replace(/[?#].*/, "")),
  });
  vi.stubGlobal("scrollTo", vi.fn());
  almanacBeside = new AlmanacBeside();
  router = new Router(almanacBeside);
});

afterEach(() => vi.unstubAllGlobals());

it.each([
  ["/", { name: "start" }],
  ["/new", { name: "new" }],
  ["/t/abc", { name: "table", id: "abc" }],
  ["/t/a%20b", { name: "table", id: "a b" }],
  ["/t/%zz", { name: "table", id: "%zz" }],
  ["/replay/abc", { name: "replay", id: "abc" }],
  ["/rules", { name: "rules", path: "/rules" }],
  ["/rules/longest-road", { name: "rules", path: "/rules/longest-road" }],
  ["/rules/a/b", { name: "missing" }],
  ["/t", { name: "missing" }],
  ["/new/abc", { name: "missing" }],
  ["/elsewhere", { name: "missing" }],
])("knows the page of %s", (path, page) => {
  visit(path);
  expect(router.page).toEqual(page);
});

it("keeps the page that is shown where an address means the same", () => {
  router.go("/t/abc");
  const shown = router.page;
  router.go("/t/abc?step=3", true);
  visit("/t/abc/");
  expect(router.page).toBe(shown);
});

it("goes to the top of a new page, and stays where it only replaces the address", () => {
  router.go("/new");
  expect(scrollTo).toHaveBeenCalledTimes(1);
  router.go("/t/abc", true);
  expect(scrollTo).toHaveBeenCalledTimes(1);
});

function click(link: Partial<HTMLAnchorElement>, more: Partial<MouseEvent> = {}): boolean {
  const found = {
    target: "",
    origin: "http://host",
    pathname: "/new",
    search: "",
    hash: "",
    hasAttribute: () => false,
    ...link,
  };
  const preventDefault = vi.fn();
  router.click({ button: 0, target: { closest: () => found }, preventDefault, ...more } as unknown as MouseEvent);
  return preventDefault.mock.calls.length > 0;
}

it("follows links of our own without a reload, and no others", () => {
  expect(click({})).toBe(true);
  expect(router.page).toEqual({ name: "new" });
  expect([
    click({}, { ctrlKey: true }),
    click({}, { button: 1 }),
    click({}, { defaultPrevented: true }),
    click({ target: "_blank" }),
    click({ origin: "http://elsewhere" }),
    click({ pathname: "/openapi.json" }),
    click({ hasAttribute: () => true }),
  ]).toEqual(Array(7).fill(false));
});

it("opens the almanac beside a table, and as a page from elsewhere", () => {
  router.go("/t/abc");
  expect(click({ pathname: "/rules/robber", search: "?edition=zip" })).toBe(true);
  expect([router.page, almanacBeside.path]).toEqual([{ name: "table", id: "abc" }, "/rules/robber?edition=zip"]);
  router.go("/");
  expect(almanacBeside.path).toBeNull();
  click({ pathname: "/rules/robber" });
  expect([router.page.name, almanacBeside.path]).toEqual(["rules", null]);
});
