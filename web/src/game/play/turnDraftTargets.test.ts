import { expect, it } from "vitest";
import { parseAction } from "../actions/action";
import type { TableState } from "../live/tableState.svelte";
import { ISLAND } from "../../testing/island";
import { TurnDraft } from "./turnDraft.svelte";

interface Now {
  ask: string;
  legal: string[];
  asked?: boolean;
  ownColor?: string | null;
  view?: object;
}

/** Somebody who is asked this. */
function draftOf({ ask, legal, asked = true, ownColor = "red", view = {} }: Now): TurnDraft {
  const actions = legal.map(parseAction);
  const actionsOf = (kind: string) => actions.filter((action) => action.kind === kind);
  const projection = { prompt: { ask }, refusals: {} };
  return new TurnDraft({
    ownColor,
    asked,
    view,
    projection,
    actions,
    actionsOf,
    geometry: ISLAND,
  } as unknown as TableState);
}

const places = (one: TurnDraft): string[] => one.targets.map(({ place, piece, color }) => `${piece} ${place} ${color}`);

it("are shown at once where a place is asked for", () => {
  expect(places(draftOf({ ask: "settlement", legal: ["settlement A1n", "settlement B2se"] }))).toEqual([
    "settlement A1n red",
    "settlement B2se red",
  ]);
  expect(places(draftOf({ ask: "robber", legal: ["robber C3"] }))).toEqual(["robber C3 red"]);
});

it("say whether a piece is put there for nothing, as the sentence says, or built", () => {
  const puts = (one: TurnDraft): (boolean | undefined)[] => one.targets.map(({ put }) => put);
  expect(puts(draftOf({ ask: "settlement", legal: ["settlement A1n"] }))).toEqual([true]);
  expect(puts(draftOf({ ask: "free_road", legal: ["road A1/e", "waive"] }))).toEqual([true]);
  expect(puts(draftOf({ ask: "robber", legal: ["robber C3"] }))).toEqual([false]);
  const builder = draftOf({ ask: "main", legal: ["road A1/e"] });
  builder.choose("road");
  expect(puts(builder)).toEqual([false]);
});

it("are those of what one has chosen to build, once one has", () => {
  const one = draftOf({ ask: "main", legal: ["road A1/e", "settlement A1n", "city B2se", "end"] });
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
  expect(places(draftOf({ ask: "victim", legal: ["steal blue", "steal white"], view }))).toEqual([
    "victim A1se blue",
    "victim B1se white",
  ]);
});

it("are nobody's who is not asked, or watches", () => {
  const now = { ask: "settlement", legal: ["settlement A1n"] };
  expect([places(draftOf({ ...now, asked: false })), places(draftOf({ ...now, ownColor: null }))]).toEqual([[], []]);
});
