import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readDiceNote, storeDiceNote } from "./diceNotes";
import { Keymap } from "./keymap.svelte";
import { storeLanguage } from "./language";
import { readLastTable, storeLastTable } from "./lastTable";
import { forgetPerson } from "./personal";
import { readSeatToken, storeSeatToken } from "./seatTokens";
import { keptSettings, saveSettings } from "./settings.svelte";
import { TutorialProgress } from "./tutorialProgress.svelte";

let kept: Map<string, string>;

beforeEach(() => {
  kept = new Map();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  });
});

afterEach(() => vi.unstubAllGlobals());

it("forgets who somebody is, and not how the page is set up", () => {
  storeLanguage("de");
  storeLastTable({ name: "Ann" });
  storeSeatToken("x", "token");
  storeDiceNote("x", { commitment: "c", color: "red", word: "secret" });
  new TutorialProgress().save({ tableId: "x", skipped: [], left: false });
  const settings = keptSettings();
  new Keymap(settings, { current: true }).choose("roll", "w");
  saveSettings(settings, { name: "Ann", theme: "dark" });
  forgetPerson(settings);
  expect([readSeatToken("x"), readDiceNote("x"), readLastTable()]).toEqual([null, null, null]);
  expect([...kept.keys()].sort()).toEqual(["hexholm.keys", "hexholm.language", "hexholm.settings"]);
  expect(keptSettings()).toMatchObject({ name: "", theme: "dark" });
});

it("keeps again what could not be kept once", () => {
  const refuse = vi.fn(() => {
    throw new Error("full");
  });
  const { setItem } = localStorage;
  localStorage.setItem = refuse;
  storeSeatToken("x", "old");
  expect([refuse.mock.calls.length, readSeatToken("x")]).toEqual([1, "old"]);
  localStorage.setItem = setItem;
  storeSeatToken("x", "new");
  expect(readSeatToken("x")).toBe("new");
  kept.clear(); // by the person, say
  expect(readSeatToken("x")).toBeNull();
});

it("leaves what another tab has set", () => {
  const [one, other] = [keptSettings(), keptSettings()];
  saveSettings(one, { theme: "dark" });
  saveSettings(other, { name: "Ann" });
  expect(keptSettings()).toMatchObject({ theme: "dark", name: "Ann" });
});

it("takes what was kept for what it is, and nothing else", () => {
  kept.set("hexholm.settings", JSON.stringify({ theme: "pink", sound: "loud", motion: "off", name: 7, pace: "fast" }));
  expect(keptSettings()).toMatchObject({ theme: "system", sound: false, motion: "off", name: "", pace: "fast" });
  kept.set("hexholm.keys", JSON.stringify({ roll: "w", end: "too long", road: 1, jump: "j" }));
  const keymap = new Keymap(keptSettings(), { current: true });
  expect([keymap.keyOf("roll"), keymap.keyOf("end"), keymap.keyOf("road")]).toEqual(["w", "e", "1"]);
  expect(keymap.commandOf("j")).toBeUndefined();
  kept.set(
    "hexholm.dice",
    JSON.stringify({ x: { commitment: "c", color: "pink", word: 1, promises: { red: 2, blue: "p" } } }),
  );
  expect(readDiceNote("x")).toEqual({ commitment: "c", promises: { blue: "p" } });
  kept.set("hexholm.dice", JSON.stringify({ x: { word: "secret" } }));
  expect(readDiceNote("x")).toBeNull();
  kept.set("hexholm.tutorial", JSON.stringify({ table: "x", skipped: ["roll", 2], left: "yes" }));
  expect(new TutorialProgress().at("x")).toEqual({ tableId: "x", skipped: ["roll"], left: false });
  kept.set("hexholm.lasttable", JSON.stringify({ wish: "none" }));
  expect(readLastTable()).toBeNull();
  for (const text of ["null", "7", "no book"]) {
    kept.set("hexholm.settings", text);
    expect(keptSettings().theme).toBe("system");
  }
});
