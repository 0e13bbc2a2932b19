import { expect, it } from "vitest";
import { parseAction } from "./action";
import type { TableState } from "../tableState.svelte";
import { ISLAND } from "../../testing/island";
import { Play } from "./play.svelte";

interface Now {
  ask: string;
  legal: string[];
  asked?: boolean;
  seat?: string | null;
  view?: object;
}

/** Somebody who is asked this. */
function play({ ask, legal, asked = true, seat = "red", view = {} }: Now): Play {
  const actions = legal.map(parseAction);
  const actionsOf = (kind: string) => actions.filter((action) => action.kind === kind);
  const projection = { prompt: { ask }, refusals: {} };
  return new Play({ seat, asked, view, projection, actions, actionsOf, geometry: ISLAND } as unknown as TableState);
}

const places = (one: Play): string[] => one.targets.map(({ place, piece, color }) => `${piece} ${place} ${color}`);

it("are shown at once where a place is asked for", () => {
  expect(places(play({ ask: "settlement", legal: ["settlement A1n", "settlement B2se"] }))).toEqual([
    "settlement A1n red",
    "settlement B2se red",
  ]);
  expect(places(play({ ask: "robber", legal: ["robber C3"] }))).toEqual(["robber C3 red"]);
});

it("say whether a piece is put there for nothing, as the sentence says, or built", () => {
  const puts = (one: Play): (boolean | undefined)[] => one.targets.map(({ put }) => put);
  expect(puts(play({ ask: "settlement", legal: ["settlement A1n"] }))).toEqual([true]);
  expect(puts(play({ ask: "free_road", legal: ["road A1/e", "waive"] }))).toEqual([true]);
  expect(puts(play({ ask: "robber", legal: ["robber C3"] }))).toEqual([false]);
  const builder = play({ ask: "main", legal: ["road A1/e"] });
  builder.choose("road");
  expect(puts(builder)).toEqual([false]);
});

it("are those of what one has chosen to build, once one has", () => {
  const one = play({ ask: "turn", legal: ["road A1/e", "settlement A1n", "city B2se", "end"] });
  expect(places(one)).toEqual([]);
  one.choose("road");
  expect(places(one)).toEqual(["road A1/e red"]);
  one.choose("city");
  expect(places(one)).toEqual(["city B2se red"]);
  one.choose("city"); // once more: not
  expect(places(one)).toEqual([]);
});

it("are the buildings at the robber of those whom one may steal from", () => {
  const players = [
    { color: "blue", settlements: ["D3se", "A1se"], cities: [] },
    { color: "white", settlements: [], cities: ["B1se"] },
  ];
  const view = { robber: "B2", players };
  expect(places(play({ ask: "victim", legal: ["steal blue", "steal white"], view }))).toEqual([
    "victim A1se blue",
    "victim B1se white",
  ]);
});

it("are nobody's who is not asked, or watches", () => {
  const now = { ask: "settlement", legal: ["settlement A1n"] };
  expect([places(play({ ...now, asked: false })), places(play({ ...now, seat: null }))]).toEqual([[], []]);
});
