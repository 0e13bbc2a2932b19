import { beforeEach, expect, it, vi } from "vitest";
import { Keymap } from "../../app/storage/keymap.svelte";
import type { TurnDraft } from "../../game/play/turnDraft.svelte";
import { handleTableShortcut } from "./tableShortcuts";

const keymap = new Keymap({ shortcuts: true }, { current: true });
const app = { keymap, almanacBeside: { show: (path: string) => acted.push(`read ${path}`) } };
let acted: string[];
let legal: string[];
let draft: TurnDraft;
const ways = { toBoard: () => acted.push("to the board"), toDice: () => acted.push("to the dice") };

beforeEach(() => {
  keymap.reset();
  [acted, legal] = [[], ["roll", "buy", "accept #1", "accept #2", "reject #1", "road A1/e"]];
  const fake = {
    table: {
      can: (text: string) => legal.includes(text),
      actionsOf: (kind: string) => legal.filter((one) => one.split(" ")[0] === kind).map((text) => ({ text, kind })),
      actIfReady: (text: string) => acted.push(text),
    },
    trading: false,
    refusalOf: () => null,
    choose: (mode: string) => acted.push(`choose ${mode}`),
    openTrade: () => acted.push("open"),
    closeTrade: () => acted.push("close"),
    cancel: () => acted.push("cancel"),
  };
  draft = fake as unknown as TurnDraft;
});

/** Press keys; which of them were taken. */
function press(...keys: string[]): string[] {
  return keys.filter((key) => {
    const preventDefault = vi.fn();
    handleTableShortcut({ key, target: null, preventDefault } as unknown as KeyboardEvent, app, draft, ways);
    return preventDefault.mock.calls.length > 0;
  });
}

it("does what can be done, and leaves other keys to the page", () => {
  expect(press("r", "e", "1", "2", "4", "Y", "n", "b", "t", "x", "Escape")).toEqual([
    "r",
    "1",
    "4",
    "Y",
    "n",
    "b",
    "t",
    "Escape",
  ]);
  expect(acted).toEqual(["roll", "choose road", "buy", "accept #1", "reject #1", "to the board", "open", "cancel"]);
});

it("leads to the dice where real ones are told, and rolls none", () => {
  draft = Object.assign(draft, { tellsDice: true });
  expect(press("r")).toEqual(["r"]);
  expect(acted).toEqual(["to the dice"]);
});

it("opens the almanac of the edition beside the table, at the rule behind a refusal that is shown", () => {
  const links: object[] = [];
  vi.stubGlobal("document", { querySelectorAll: () => links, activeElement: null });
  press("?");
  links.push({ pathname: "/rules/robber", search: "?edition=fifth", checkVisibility: () => true });
  press("?");
  vi.unstubAllGlobals();
  expect(acted).toEqual(["read /rules?edition=sixth", "read /rules/robber?edition=fifth"]);
});

it("does not act for whoever writes, nor with another key held, nor again while a key is held", () => {
  const writing = { closest: (names: string) => names.includes("input") };
  for (const more of [{ target: writing }, { ctrlKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }]) {
    handleTableShortcut(
      { key: "r", target: null, preventDefault: vi.fn(), ...more } as unknown as KeyboardEvent,
      app,
      draft,
      ways,
    );
  }
  expect(acted).toEqual([]);
});

it("takes other keys, and swaps with whoever had them", () => {
  expect(keymap.choose("roll", "E")).toBe(true);
  expect([keymap.keyOf("roll"), keymap.keyOf("end"), keymap.usual]).toEqual(["e", "r", false]);
  expect(press("r")).toEqual([]);
  expect(press("e")).toEqual(["e"]);
  expect(acted).toEqual(["roll"]);
  keymap.reset();
  expect([keymap.keyOf("roll"), keymap.usual]).toEqual(["r", true]);
});

it("takes no key that is more than a sign", () => {
  for (const key of ["Shift", "F1", " ", "Enter"]) expect(keymap.choose("roll", key)).toBe(false);
  expect(keymap.usual).toBe(true);
});
