import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReplayAnswer } from "../generated/protocol";
import { ApiError } from "../net/request";
import * as api from "../net/rest/finishedGames";
import { speechOf } from "../testing/english";
import { Playback, REFEREE_EYES } from "./playback.svelte";

const STEPS = 6;
const ANSWER = {
  steps: STEPS,
  turns: [
    { turn: 1, step: 0, player: "red" },
    { turn: 2, step: 4, player: "blue" },
  ],
  // nothing is seen of step 2
  events: [[], [{ event: "rolled", total: 8 }], [], [{ event: "built" }], [{ event: "turn_began" }], [], []],
} as unknown as ReplayAnswer;

/** The game after a step, as these eyes see it. */
function view(eyes: string, step: number): unknown {
  const known = {
    players: [
      { color: "red", points: step },
      { color: "blue", points: 0 },
    ],
    turn: step,
  };
  if (eyes === "red") return { ...known, hand: { ore: step }, development: { knight: 1 } };
  const red = { hand: { ore: step }, cards: {}, points: step + 1 };
  return eyes === REFEREE_EYES ? { ...known, truth: { players: { red, blue: red } } } : known;
}

let playback: Playback;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(api, "fetchReplay").mockImplementation(async () => ANSWER as never);
  vi.spyOn(api, "fetchReplayViews").mockImplementation(async (_id, eyes, from, to) => {
    return { views: Array.from({ length: to - from + 1 }, (_, i) => view(eyes, from + i)) } as never;
  });
  playback = new Playback("x", ["red", "blue"], speechOf({ editionName: "sixth" }));
});

afterEach(() => {
  playback.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Until what was asked for is here. */
const here = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe("eyes", () => {
  it("of the referee see every hand and all points", async () => {
    await playback.lookThrough(REFEREE_EYES, 3);
    await here();
    expect([playback.ownColor, playback.step, playback.view?.players.map(({ points }) => points)]).toEqual([
      null,
      3,
      [4, 4],
    ]);
    expect(playback.held.blue).toMatchObject({ hand: { ore: 3 } });
    expect(playback.view).not.toHaveProperty("truth");
  });

  it("of a seat see its own hand, those of the public none; the moment stays", async () => {
    await playback.lookThrough(REFEREE_EYES, 3);
    await playback.lookThrough("red");
    await here();
    expect([playback.ownColor, playback.step, playback.held]).toEqual([
      "red",
      3,
      { red: { hand: { ore: 3 }, cards: { knight: 1 } } },
    ]);
    await playback.lookThrough("public");
    await here();
    expect(playback.held).toEqual({});
  });

  it("are asked for once", async () => {
    await playback.lookThrough("red", 1);
    await playback.lookThrough("public");
    await playback.lookThrough("red");
    expect(api.fetchReplay).toHaveBeenCalledTimes(2);
  });

  it("that open too late show nothing: others were asked for since", async () => {
    let late: (answer: ReplayAnswer) => void = () => undefined;
    vi.mocked(api.fetchReplay).mockImplementationOnce(() => new Promise((go) => (late = go as typeof late)) as never);
    const first = playback.lookThrough("red", 5);
    await playback.lookThrough("public", 2);
    late(ANSWER);
    await first;
    expect([playback.eyes, playback.step]).toEqual(["public", 2]);
  });
});

describe("steps", () => {
  beforeEach(async () => {
    await playback.lookThrough(REFEREE_EYES, 0);
    await here();
  });

  it("go to where something happened, and say what", () => {
    const told = vi.fn();
    playback.onstep = told;
    playback.walk(1);
    expect(told).toHaveBeenLastCalledWith([{ event: "rolled", total: 8 }]);
    playback.walk(1);
    expect([playback.step, told.mock.calls.length]).toEqual([3, 2]);
    playback.walk(-1);
    expect([playback.step, told.mock.calls.length]).toEqual([1, 2]); // what is undone does not happen
  });

  it("stay within the game", () => {
    playback.walk(-1);
    expect(playback.step).toBe(0);
    playback.go(99);
    expect(playback.step).toBe(STEPS);
  });

  it("go from turn to turn", () => {
    playback.turn(1);
    expect(playback.step).toBe(4);
    playback.go(5);
    playback.turn(-1);
    expect(playback.step).toBe(4);
  });

  it("go on by themselves until the end, and from there anew", async () => {
    playback.go(4);
    playback.speed = 2;
    playback.play();
    await vi.advanceTimersByTimeAsync(500);
    expect([playback.step, playback.playing]).toEqual([STEPS, false]);
    playback.play();
    expect([playback.step, playback.playing]).toEqual([0, true]);
    playback.play(false);
    await vi.advanceTimersByTimeAsync(5000);
    expect(playback.step).toBe(0);
  });
});

describe("what does not come", () => {
  const no = (status: number): ApiError => new ApiError({ code: "lost", message: "", why: "" } as never, status);

  it("is said, until it comes", async () => {
    vi.mocked(api.fetchReplay).mockRejectedValueOnce(no(0));
    await playback.lookThrough("red", 2);
    expect([playback.error !== "", playback.view]).toEqual([true, null]);
    await playback.lookThrough("red", 2);
    await here();
    expect([playback.error, playback.step]).toEqual(["", 2]);
  });

  it("is asked for again a little later where the host had too much to do", async () => {
    vi.mocked(api.fetchReplay).mockRejectedValueOnce(no(429));
    await playback.lookThrough("red", 2);
    expect(playback.error).toBe("");
    await vi.advanceTimersByTimeAsync(2000);
    expect(playback.view).not.toBeNull();
  });
});
