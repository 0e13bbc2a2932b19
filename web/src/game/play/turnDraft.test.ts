import { beforeEach, expect, it } from "vitest";
import { parseAction } from "../actions/action";
import type { TableState } from "../live/tableState.svelte";
import type { OfferView, View } from "../../generated/protocol";
import { TurnDraft } from "./turnDraft.svelte";

let legal: string[];
let acted: string[];
let view: Partial<View>;
let refusals: Record<string, unknown>;
let ready: boolean;
let draft: TurnDraft;

beforeEach(() => {
  [legal, acted, refusals, ready] = [[], [], {}, true];
  view = { active: "red", partners: ["blue", "white"], hand: { lumber: 2 }, offers: [], players: [] };
  const table = {
    ownColor: "red",
    asked: true,
    paused: false,
    get view() {
      return view;
    },
    get projection() {
      return { prompt: { ask: "main" }, refusals };
    },
    get actions() {
      return legal.map(parseAction);
    },
    actionsOf: (kind: string) => legal.map(parseAction).filter((action) => action.kind === kind),
    can: (text: string) => legal.includes(text),
    ready: () => ready,
    actIfReady: async (text: string) => ready && acted.push(text) > 0,
  };
  draft = new TurnDraft(table as unknown as TableState);
});

const offer = (more: Partial<OfferView> = {}): OfferView => ({
  number: 1,
  by: "blue",
  give: { ore: 1 },
  take: { lumber: 1 },
  to: ["red"],
  yes: [],
  no: [],
  ...more,
});

it("puts down what can no longer be built", () => {
  legal = ["road A1/e"];
  draft.choose("road");
  draft.dropStale();
  expect(draft.mode).toBe("road");
  legal = [];
  draft.dropStale();
  expect(draft.mode).toBeNull();
});

it("puts the answer to an offer away when that offer ends, and makes no offer to all of it", () => {
  view.offers = [offer()];
  draft.openTrade(1, { lumber: 1 }, { ore: 1 });
  draft.dropStale();
  expect([draft.trading, draft.answers]).toEqual([true, 1]);
  view.offers = [];
  draft.dropStale();
  expect([draft.trading, draft.answers, draft.give]).toEqual([false, null, {}]);
});

it("knows an offer from another one that took its number", () => {
  view.offers = [offer()];
  draft.openTrade(1, { lumber: 1 }, { ore: 1 });
  view.offers = [offer({ give: { ore: 2 } })];
  draft.dropStale();
  expect(draft.trading).toBe(false);
});

it("keeps an offer that is being written within the hand, and puts it away when nobody trades any more", () => {
  draft.openTrade(null, { lumber: 2 }, { ore: 1 });
  view.hand = { lumber: 1 };
  draft.dropStale();
  expect([draft.give, draft.want, draft.to]).toEqual([{ lumber: 1 }, { ore: 1 }, ["blue", "white"]]);
  refusals = { offer: { rule: "", message: "", why: "", values: {} } };
  draft.dropStale();
  expect(draft.trading).toBe(false);
});

it("names as many resources as something legal has", async () => {
  legal = ["year-of-plenty brick lumber", "year-of-plenty lumber lumber"];
  draft.choose("year-of-plenty");
  expect([draft.nameable("brick"), draft.nameable("ore"), draft.namedAction("ore")]).toEqual([
    true,
    false,
    "year-of-plenty ore ore",
  ]);
  expect(await draft.nameResource("lumber")).toBe(false);
  expect([draft.nameable("brick"), draft.nameable("lumber"), acted]).toEqual([true, true, []]);
  expect(await draft.nameResource("brick")).toBe(true);
  expect([acted, draft.mode]).toEqual([["year-of-plenty brick lumber"], null]);
});

it("keeps what was named while another action is on its way", async () => {
  legal = ["year-of-plenty brick lumber"];
  draft.choose("year-of-plenty");
  await draft.nameResource("lumber");
  ready = false;
  expect(await draft.nameResource("brick")).toBe(false);
  expect([acted, draft.mode, draft.plenty]).toEqual([[], "year-of-plenty", ["lumber"]]);
  ready = true;
  expect(await draft.nameResource("brick")).toBe(true);
  expect([acted, draft.mode]).toEqual([["year-of-plenty brick lumber"], null]);
});

it("names one resource, where no more are to be had", async () => {
  legal = ["year-of-plenty ore"];
  draft.choose("year-of-plenty");
  expect(draft.nameable("brick")).toBe(false);
  expect(await draft.nameResource("ore")).toBe(true);
  expect(acted).toEqual(["year-of-plenty ore"]);
});

it("names the resource of a monopoly at once", async () => {
  legal = ["monopoly ore"];
  draft.choose("monopoly");
  expect([draft.nameable("ore"), draft.nameable("wool")]).toEqual([true, false]);
  expect(await draft.nameResource("ore")).toBe(true);
  expect(acted).toEqual(["monopoly ore"]);
});
