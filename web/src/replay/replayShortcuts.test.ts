import { expect, test } from "vitest";
import { handleReplayShortcut, type PlaybackCommands } from "./replayShortcuts";

/** What a key does, pressed on an element of that name. */
function press(key: string, some: Partial<KeyboardEvent> & { on?: string } = {}): { done: string[]; taken: boolean } {
  const done: string[] = [];
  let taken = false;
  const player: PlaybackCommands = {
    walk: (way) => void done.push(`walk ${way}`),
    turn: (way) => void done.push(`turn ${way}`),
    go: (step) => void done.push(`go ${step}`),
    play: () => void done.push("play"),
  };
  const target = { closest: (wanted: string) => (wanted.split(", ").includes(some.on ?? "body") ? {} : null) };
  handleReplayShortcut(
    { key, target, preventDefault: () => (taken = true), ...some } as unknown as KeyboardEvent,
    player,
    9,
  );
  return { done, taken };
}

test.each([
  ["ArrowRight", false, "walk 1"],
  ["ArrowLeft", false, "walk -1"],
  ["ArrowRight", true, "turn 1"],
  ["ArrowLeft", true, "turn -1"],
  ["PageDown", false, "turn 1"],
  ["PageUp", false, "turn -1"],
  ["Home", false, "go 0"],
  ["End", false, "go 9"],
  [" ", false, "play"],
])("%j with Shift %j does: %s", (key, shiftKey, done) => {
  expect(press(key, { shiftKey })).toEqual({ done: [done], taken: true });
});

test("other keys, and keys with Ctrl, are left to the browser", () => {
  expect(press("a")).toEqual({ done: [], taken: false });
  expect(press("ArrowLeft", { ctrlKey: true }).taken).toBe(false);
});

test("a key that somebody else has used already does nothing", () => {
  expect(press("ArrowLeft", { defaultPrevented: true }).done).toEqual([]);
});

test("a choice keeps its keys, a button its space bar", () => {
  expect(press("End", { on: "select" }).taken).toBe(false);
  expect(press(" ", { on: "button" }).taken).toBe(false);
  expect(press("ArrowLeft", { on: "button" }).done).toEqual(["walk -1"]);
});
