import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ReplayAnswer } from "../generated/protocol";
import * as api from "../net/api";
import { Film, REFEREE } from "./playback.svelte";

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
  const known = { players: [{ color: "red", points: step }, { color: "blue", points: 0 }], turn: step };
  if (eyes === "red") return { ...known, hand: { ore: step }, development: { knight: 1 } };
  const red = { hand: { ore: step }, cards: {}, points: step + 1 };
  return eyes === REFEREE ? { ...known, truth: { players: { red, blue: red } } } : known;
}

let film: Film;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(api, "replay").mockImplementation(async () => ANSWER as never);
  vi.spyOn(api, "replayViews").mockImplementation(async (_id, eyes, from, to) => {
    return { views: Array.from({ length: to - from + 1 }, (_, i) => view(eyes, from + i)) } as never;
  });
  film = new Film("x", ["red", "blue"]);
});

afterEach(() => {
  film.close();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Until what was asked for is here. */
const here = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

describe("eyes", () => {
  it("of the referee see every hand and all points", async () => {
    await film.look(REFEREE, 3);
    await here();
    expect([film.seat, film.step, film.view?.players.map(({ points }) => points)]).toEqual([null, 3, [4, 4]]);
    expect(film.held.blue).toMatchObject({ hand: { ore: 3 } });
    expect(film.view).not.toHaveProperty("truth");
  });

  it("of a seat see its own hand, those of the public none; the moment stays", async () => {
    await film.look(REFEREE, 3);
    await film.look("red");
    await here();
    expect([film.seat, film.step, film.held]).toEqual(["red", 3, { red: { hand: { ore: 3 }, cards: { knight: 1 } } }]);
    await film.look("public");
    await here();
    expect(film.held).toEqual({});
  });

  it("are asked for once", async () => {
    await film.look("red", 1);
    await film.look("public");
    await film.look("red");
    expect(api.replay).toHaveBeenCalledTimes(2);
  });

  it("that open too late show nothing: others were asked for since", async () => {
    let late: (answer: ReplayAnswer) => void = () => undefined;
    vi.mocked(api.replay).mockImplementationOnce(() => new Promise((go) => (late = go as typeof late)) as never);
    const first = film.look("red", 5);
    await film.look("public", 2);
    late(ANSWER);
    await first;
    expect([film.eyes, film.step]).toEqual(["public", 2]);
  });
});

describe("steps", () => {
  beforeEach(async () => {
    await film.look(REFEREE, 0);
    await here();
  });

  it("go to where something happened, and say what", () => {
    const told = vi.fn();
    film.onstep = told;
    film.walk(1);
    expect(told).toHaveBeenLastCalledWith([{ event: "rolled", total: 8 }]);
    film.walk(1);
    expect([film.step, told.mock.calls.length]).toEqual([3, 2]);
    film.walk(-1);
    expect([film.step, told.mock.calls.length]).toEqual([1, 2]); // what is undone does not happen
  });

  it("stay within the game", () => {
    film.walk(-1);
    expect(film.step).toBe(0);
    film.go(99);
    expect(film.step).toBe(STEPS);
  });

  it("go from turn to turn", () => {
    film.turn(1);
    expect(film.step).toBe(4);
    film.go(5);
    film.turn(-1);
    expect(film.step).toBe(4);
  });

  it("go on by themselves until the end, and from there anew", async () => {
    film.go(4);
    film.speed = 2;
    film.play();
    await vi.advanceTimersByTimeAsync(500);
    expect([film.step, film.playing]).toEqual([STEPS, false]);
    film.play();
    expect([film.step, film.playing]).toEqual([0, true]);
    film.play(false);
    await vi.advanceTimersByTimeAsync(5000);
    expect(film.step).toBe(0);
  });
});

describe("what does not come", () => {
  const no = (status: number): api.ApiError => new api.ApiError({ code: "lost", message: "", why: "" } as never, status);

  it("is said, until it comes", async () => {
    vi.mocked(api.replay).mockRejectedValueOnce(no(0));
    await film.look("red", 2);
    expect([film.trouble !== "", film.view]).toEqual([true, null]);
    await film.look("red", 2);
    await here();
    expect([film.trouble, film.step]).toEqual(["", 2]);
  });

  it("is asked for again a little later where the host had too much to do", async () => {
    vi.mocked(api.replay).mockRejectedValueOnce(no(429));
    await film.look("red", 2);
    expect(film.trouble).toBe("");
    await vi.advanceTimersByTimeAsync(2000);
    expect(film.view).not.toBeNull();
  });
});
