import { beforeEach, expect, it, vi } from "vitest";
import { PanZoom } from "./panZoom.svelte";
import { BoardInput, type InputOptions } from "./boardInput.svelte";
import { ISLAND } from "../../testing/island";
import type { Target } from "../../game/actions/target";

const target = (place: string): Target => ({ place, action: `settlement ${place}`, piece: "settlement", color: "red" });
const [north, middle] = [target("A1n"), target("B2se")];

let given: InputOptions;
let input: BoardInput;
let picked: string[];
let cancelled: number;
let taken: boolean;

beforeEach(() => {
  [picked, cancelled, taken] = [[], 0, true];
  given = {
    geometry: ISLAND,
    targets: [north, middle],
    confirm: false,
    onpick: ({ action }) => {
      if (taken) picked.push(action);
      return taken;
    },
    oncancel: () => (cancelled += 1),
    reasonAt: async (place) => `not at ${place}`,
  };
  input = new BoardInput(
    () => given,
    new PanZoom(() => ISLAND),
    () => ({ querySelector: () => null }) as unknown as Element,
  );
});

/** A key pressed on the board; whether the board took it. */
function press(key: string, more: Partial<KeyboardEvent> = {}): boolean {
  const preventDefault = vi.fn();
  input.keydown({ key, preventDefault, stopPropagation: vi.fn(), ...more } as unknown as KeyboardEvent);
  return preventDefault.mock.calls.length > 0;
}

/** The keys come to a place. */
function reach(place: string): void {
  const spot = { dataset: { place }, matches: () => true };
  input.focusin({ target: spot } as unknown as FocusEvent);
}

it("picks at once", () => {
  input.choose(north, false);
  expect(picked).toEqual(["settlement A1n"]);
});

it("still shows what is not taken yet, so that one press more does it", () => {
  input.choose(north, true);
  taken = false;
  input.choose(north, true);
  expect([picked, input.pendingTarget]).toEqual([[], north]);
  taken = true;
  input.choose(north, true);
  expect([picked, input.pendingTarget]).toEqual([["settlement A1n"], null]);
});

it("asks once more where it is wanted, and forgets it when something else is chosen", () => {
  input.choose(north, true);
  expect([picked, input.pendingTarget, input.ghost]).toEqual([[], north, north]);
  input.choose(middle, true);
  expect([picked, input.pendingTarget]).toEqual([[], middle]);
  input.choose(middle, true);
  expect([picked, input.pendingTarget]).toEqual([["settlement B2se"], null]);
});

it("no longer waits for what cannot be chosen any more", () => {
  input.choose(north, true);
  given = { ...given, targets: [middle] };
  expect(input.pendingTarget).toBeNull();
});

it("has one tab stop: where the keys were, if that can still be chosen", () => {
  expect(input.stop).toBe("A1n");
  reach("B2se");
  expect(input.stop).toBe("B2se");
  given = { ...given, targets: [north] };
  expect(input.stop).toBe("A1n");
  expect(input.spots).toContain("B2se"); // the keys are still there
});

it("shows the ghost where the keys are, and chooses with Enter or Space, not while a key is held down", () => {
  reach("B2se");
  expect(input.ghost).toBe(middle);
  expect(press("Enter", { repeat: true })).toBe(true);
  expect(picked).toEqual([]);
  press(" ");
  expect(picked).toEqual(["settlement B2se"]);
});

it("asks why where nothing can be chosen", async () => {
  reach("A2s");
  press("Enter");
  await vi.waitFor(() => expect(input.placeReason.text).toBe("not at A2s"));
  expect(picked).toEqual([]);
});

it("lets go of one thing after the other with Escape", () => {
  given = { ...given, confirm: true };
  reach("A1n");
  press("Enter");
  expect(input.pendingTarget).toBe(north);
  press("Escape");
  expect([input.pendingTarget, cancelled]).toEqual([null, 0]);
  press("Escape");
  expect(cancelled).toBe(1);
});

it("leaves all other keys to the page", () => {
  expect([press("r"), press("Tab"), press("ArrowLeft", { altKey: true }), press("+", { ctrlKey: true })]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
