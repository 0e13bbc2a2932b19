// Events, prompts and refusals in words: the twin of src/hexholm/rules/language/sentences.py, over the same catalogues. Their head
// (src/hexholm/rules/language/data/en.toml) says how a message is written; tests/game/data/words_cases.json holds both to the
// same sentences. Nothing here knows Svelte, or a rule.

import type { GameEvent, NamedReason, Prompt } from "../generated/protocol";

/** What a message is made with: texts, numbers, cards, several of them, and what is said of each player. */
export type MessageValue = string | number | boolean | null | undefined | MessageValue[] | NestedValues;
interface NestedValues {
  [name: string]: MessageValue;
}
export type MessageValues = Readonly<Record<string, MessageValue>>;
/** What an edition calls things. */
export type Terms = Readonly<Record<string, string>>;
/** Names by color. A language treats a color as a name, so that names can stand in all its sentences. */
export type PlayerNames = Readonly<Record<string, string>>;

interface Form {
  when?: MessageValues;
  subject?: string;
  text: string;
  you?: string;
  each?: Terms;
  you_each?: Terms;
}

/** A language, as in its file. */
export interface Catalogue {
  language: string;
  list: Terms;
  cards: { each: string; none: string };
  nouns: Record<string, { one: string; other: string }>;
  terms: Record<string, Terms>;
  values: Terms;
  as: Record<string, Terms>;
  event: Record<string, Form[]>;
  prompt: Record<string, Form[]>;
  refusal: Terms;
  host?: Terms;
}

/** What the host said no with: a name with values for the catalogue, its own sentence in English, the rule. */
export type Refusal = NamedReason & { code?: string; message?: string; rule?: string | null };

const SLOT = /\{(\w+)(?::(\w+))?\}/g;

/** What the editions call things, by their names. */
export type Vocabulary = Readonly<Record<string, Terms>>;

/** The words of one language. `vocabulary`: what the editions say in English, if that is the language. */
export class Words {
  constructor(
    readonly catalogue: Catalogue,
    private readonly vocabulary: Vocabulary = {},
  ) {}

  /**
   * An event as a sentence for the player of color `to`, who is called "you"; null: for everybody. `names`: those who
   * are called by a name and not by their color.
   */
  say(event: GameEvent, editionName: string, to: string | null = null, names: PlayerNames = {}): string {
    return this.write(this.catalogue.event[event.event], event, editionName, to, names);
  }

  /** A prompt as a sentence. */
  promptText(prompt: Prompt, editionName: string, names: PlayerNames = {}): string {
    return this.write(this.catalogue.prompt[prompt.ask], prompt, editionName, prompt.to, names);
  }

  /** A refusal as a sentence; in the host's English where the catalogue has no words for it. */
  refusalText(refusal: Refusal, editionName: string, to: string | null = null, names: PlayerNames = {}): string {
    const name = refusal.why ?? "";
    const values: MessageValues = refusal.values ?? {};
    const text = this.catalogue.refusal[name];
    if (text !== undefined) return this.write([{ text }], values, editionName, to, names);
    const host = this.catalogue.host?.[name]; // it speaks of seats, not of who sits there
    if (host !== undefined) return this.write([{ text: host }], values, editionName, to, {});
    const { message = "" } = refusal;
    return capitalize(message) + (/[.!?]$/.test(message) ? "" : ".");
  }

  /** What the edition calls a thing: term("longest_road", "sixth"); the name itself if it has no word. */
  term(name: string, editionName: string): string {
    const terms = this.terms(editionName);
    return this.newSentence({ text: "" }, {}, terms).fill(terms[name] ?? name, {});
  }

  /** A value as messages have it: value("red") is a player's name, value({ ore: 2 }) some cards. */
  value(it: MessageValue, editionName: string, to: string | null = null): string {
    return this.newSentence({ text: "" }, {}, this.terms(editionName), to).phrase("", it);
  }

  /** All words of an edition. */
  terms(editionName: string): Terms {
    const { every, [editionName]: own } = this.catalogue.terms;
    return { ...this.vocabulary[editionName], ...every, ...own };
  }

  private newSentence(
    form: Form,
    values: MessageValues,
    terms: Terms,
    to: string | null = null,
    names: PlayerNames = {},
  ): Sentence {
    return new Sentence(this.catalogue, terms, form, values, to, names);
  }

  private write(
    forms: Form[] | undefined,
    values: MessageValues,
    editionName: string,
    to: string | null,
    names: PlayerNames,
  ): string {
    const form = forms?.find(({ when = {} }) => Object.keys(when).every((key) => fits(values[key], when[key])));
    if (!form) return ""; // of a host that is newer than this page
    const mine = to !== null && values[form.subject ?? "player"] === to;
    const sentence = this.newSentence(form, values, this.terms(editionName), to, names);
    const text = sentence.fill((mine && form.you) || form.text, values);
    const named = Object.values(names).some(
      (name) => text.startsWith(name) && !/^[\p{L}\p{N}]/u.test(text.slice(name.length)),
    ); // spelled as its owner spells it
    return named ? text : capitalize(text);
  }
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether a field has the value that a form asks for; false stands for nothing, no and empty, true for the rest. */
function fits(value: MessageValue, wanted: MessageValue): boolean {
  return typeof wanted === "boolean" ? !empty(value) === wanted : value === wanted;
}

function empty(value: MessageValue): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length === 0 : !value;
}

/** One message being said: a form, the values for it, and to whom. */
class Sentence {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly terms: Terms,
    private readonly form: Form,
    private readonly values: MessageValues,
    private readonly to: string | null,
    private readonly names: PlayerNames,
  ) {}

  /** A template with its slots filled. */
  fill(text: string, known: MessageValues = this.values): string {
    return text.replace(SLOT, (_, name: string, how?: string) =>
      name in known ? this.phrase(name, known[name], how) : this.fill(this.terms[name] ?? "", {}),
    );
  }

  /** A value as a part of a sentence. */
  phrase(name: string, value: MessageValue, how?: string): string {
    const { catalogue } = this;
    if (Array.isArray(value)) {
      const [joint, inner] = how !== undefined && how in catalogue.list ? [how, undefined] : [undefined, how];
      return this.row(
        value.map((item) => this.phrase(name, item, inner)),
        joint,
      );
    }
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value);
      const each = this.form.each?.[name];
      if (each !== undefined)
        return this.row(
          entries.map(([who, it]) => this.share(name, each, who, it)),
          how,
        );
      const kinds = entries.filter(([, n]) => n).map(([kind, n]) => this.fill(catalogue.cards.each, { n, kind }));
      return this.row(kinds, how) || catalogue.cards.none;
    }
    if (typeof value === "number" && how !== undefined) {
      const noun = catalogue.nouns[how];
      return this.fill((value === 1 ? noun?.one : noun?.other) ?? "{n}", { n: value });
    }
    const text = String(value);
    if (typeof value === "number" || how === "text") return text;
    const called = text === this.to ? undefined : this.names[text];
    if (called !== undefined) return called; // as it is: it may look like a slot
    const key = text === this.to ? "you" : text;
    const word = catalogue.as[how ?? ""]?.[key] ?? catalogue.values[key];
    return word === undefined ? text : this.fill(word, {});
  }

  /** What a field says of one player. */
  private share(name: string, each: string, who: string, it: MessageValue): string {
    const mine = who === this.to ? this.form.you_each?.[name] : undefined;
    return this.fill(mine ?? each, { who, it });
  }

  /** Parts in a row: `a and b`; `a, b, and c` as the language joins three; or with semicolons throughout. */
  private row(parts: string[], how = "and"): string {
    const last = this.catalogue.list[how === "semicolon" || parts.length < 3 ? how : `last_${how}`] ?? "";
    const between = how === "semicolon" ? last : (this.catalogue.list.comma ?? "");
    return parts.length > 1 ? parts.slice(0, -1).join(between) + last + String(parts.at(-1)) : parts.join("");
  }
}
