import { describe, expect, it } from "vitest";
import sentences from "../../../tests/game/data/words_cases.json";
import { LANGUAGES } from "../generated/names";
import type { GameEvent, Prompt } from "../generated/protocol";
import vocabulary from "../generated/vocabulary.json";
import { sampleEvent } from "../testing/samples";
import { Words, type Refusal } from "./catalogue";
import { loadWords, type LanguageCode } from "./languages";

interface Case extends Record<LanguageCode, string> {
  event?: GameEvent;
  prompt?: Prompt;
  refusal?: Refusal["why"];
  values?: Refusal["values"];
  edition: string;
  to?: string | null;
}

const cases = sentences as unknown as Case[];
const loaded = LANGUAGES.map(async (code) => {
  const { words, vocabulary: own } = await loadWords(code);
  return [code, new Words(words, own)] as const;
});
const languages = Object.fromEntries(await Promise.all(loaded)) as Record<LanguageCode, Words>;

function said(words: Words, { event, prompt, refusal, values = {}, edition, to = null }: Case): string {
  if (event) return words.say(event, edition, to);
  if (prompt) return words.promptText(prompt, edition);
  return words.refusalText({ why: refusal, values } as Refusal, edition, to);
}

describe.each(LANGUAGES)("in %s", (language) => {
  it("says what Python says, in all cases", () => {
    expect(cases.length).toBeGreaterThan(300);
    for (const one of cases) expect(said(languages[language], one), JSON.stringify(one)).toBe(one[language]);
  });
});

it.each(LANGUAGES)("calls all things of all editions by a name in %s", (language) => {
  for (const [edition, terms] of Object.entries(vocabulary))
    expect(Object.keys(languages[language].terms(edition))).toEqual(expect.arrayContaining(Object.keys(terms)));
});

describe("what the catalogue does not know", () => {
  const { en, de } = languages;

  it("is refused in the host's own words", () => {
    const brandNew = { why: "brand_new", message: "the moon is not full" } as unknown as Refusal;
    expect(en.refusalText(brandNew, "fifth")).toBe("The moon is not full.");
    expect(de.refusalText({ message: "really?" }, "fifth")).toBe("Really?");
  });

  it("is passed over in silence when it is an event", () => {
    expect(en.say({ event: "eclipse" } as unknown as GameEvent, "fifth")).toBe("");
  });
});

describe("terms and values", () => {
  const { en, de } = languages;

  it("are the edition's own", () => {
    expect(["fifth", "sixth"].map((edition) => en.term("grain", edition))).toEqual(["grain", "wheat"]);
    expect(["fifth", "zip"].map((edition) => de.term("development_card", edition))).toEqual([
      "Entwicklungskarte",
      "Entwicklungsplättchen",
    ]);
  });

  it("name players and cards", () => {
    expect(de.value("red", "fifth")).toBe("Rot");
    expect(de.value("red", "fifth", "red")).toBe("du");
    expect(en.value({ grain: 2, ore: 0, wool: 1 }, "sixth")).toBe("2 wheat and 1 wool");
  });
});

describe("names of players", () => {
  const { en, de } = languages;
  const names = { red: "Ann", blue: "ben {item}" };

  it("stand for their colors in events, prompts and refusals", () => {
    const stole = sampleEvent("stole", { player: "red", victim: "blue", card: null });
    expect(en.say(stole, "fifth", null, names)).toBe("Ann steals a card from ben {item}.");
    expect(de.say(stole, "fifth", null, names)).toBe("Ann stiehlt ben {item} eine Karte.");
    expect(de.promptText({ ask: "wait", to: "white", players: ["red", "blue"] }, "fifth", names)).toBe(
      "Warten auf Ann und ben {item}.",
    );
    const no: Refusal = { why: "not_your_supply_trade", values: { seat: "red" } };
    expect(en.refusalText(no, "fifth", "blue", names)).toBe("Only Ann, whose turn it is, may trade with the supply.");
  });

  it("begin a sentence as they are spelled", () => {
    expect(en.say({ event: "turn_ended", player: "blue" }, "fifth", null, names)).toBe("ben {item} ends the turn.");
    expect(en.say({ event: "turn_ended", player: "white" }, "fifth", null, names)).toBe("White ends the turn.");
    expect(en.say({ event: "turn_ended", player: "white" }, "fifth", null, { red: "w" })).toBe("White ends the turn.");
  });

  it("are not for whoever reads, who is called you", () => {
    const gains = sampleEvent("produced", { gains: { red: { ore: 1 }, blue: { wool: 2 } } });
    expect(en.say(gains, "fifth", "red", names)).toBe("You get 1 ore; ben {item} gets 2 wool.");
  });

  it("are not told where the host speaks of seats", () => {
    const no: Refusal = { why: "seats_free", values: { seats: ["red"] } };
    expect(de.refusalText(no, "fifth", null, names)).toBe("Noch frei: Rot. Setz einen Bot dorthin oder warte.");
  });
});
