// Events, prompts and refusals in words: the twin of src/hexholm/game/language/words.py, over the same catalogues. Their head
// (src/hexholm/game/language/data/en.toml) says how a message is written; tests/game/data/words_cases.json holds both to the
// same sentences. Nothing here knows Svelte, or a rule.

export type Values = Readonly<Record<string, unknown>>;
/** What an edition calls things. */
export type Terms = Readonly<Record<string, string>>;
/** Names by colour. A language treats a colour as a name, so that names can stand in all its sentences. */
export type Names = Readonly<Record<string, string>>;

interface Form {
  when?: Values;
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

/** Why something was refused: a name with values for the catalogue, and the English sentence of the host. */
export interface Why {
  why?: string | undefined;
  values?: Values | undefined;
  message: string;
}

const SLOT = /\{(\w+)(?::(\w+))?\}/g;

/** The words of one language. `vocabulary`: what the editions say in English, over which the language lays its own. */
export class Words {
  constructor(
    readonly catalogue: Catalogue,
    private readonly vocabulary: Readonly<Record<string, Terms>>,
  ) {}

  /**
   * An event as a sentence for the player of colour `to`, who is called "you"; null: for everybody. `names`: those who
   * are called by a name and not by their colour.
   */
  say(event: Values, edition: string, to: string | null = null, names: Names = {}): string {
    return this.sentence(this.catalogue.event[String(event.event)], event, edition, to, names);
  }

  /** A prompt as a sentence. */
  ask(prompt: Values, edition: string, names: Names = {}): string {
    const to = typeof prompt.to === "string" ? prompt.to : null;
    return this.sentence(this.catalogue.prompt[String(prompt.ask)], prompt, edition, to, names);
  }

  /** A refusal as a sentence; in the host's English where the catalogue has no words for it. */
  refuse(refused: Why, edition: string, to: string | null = null, names: Names = {}): string {
    const name = refused.why ?? "";
    const values = refused.values ?? {};
    const text = this.catalogue.refusal[name];
    if (text !== undefined) return this.sentence([{ text }], values, edition, to, names);
    const host = this.catalogue.host?.[name]; // it speaks of seats, not of who sits there
    if (host !== undefined) return this.sentence([{ text: host }], values, edition, to, {});
    return capital(refused.message) + (/[.!?]$/.test(refused.message) ? "" : ".");
  }

  /** What the edition calls a thing: term("longest_road", "sixth"); the name itself if it has no word. */
  term(name: string, edition: string): string {
    const terms = this.terms(edition);
    return this.speech({ text: "" }, {}, terms).fill(terms[name] ?? name, {});
  }

  /** A value as messages have it: value("red") is a player's name, value({ ore: 2 }) some cards. */
  value(it: unknown, edition: string, to: string | null = null): string {
    return this.speech({ text: "" }, {}, this.terms(edition), to).phrase("", it);
  }

  /** All words of an edition. */
  terms(edition: string): Terms {
    const { every, [edition]: own } = this.catalogue.terms;
    return { ...this.vocabulary[edition], ...every, ...own };
  }

  private speech(form: Form, values: Values, terms: Terms, to: string | null = null, names: Names = {}): Speech {
    return new Speech(this.catalogue, terms, form, values, to, names);
  }

  private sentence(
    forms: Form[] | undefined,
    values: Values,
    edition: string,
    to: string | null,
    names: Names,
  ): string {
    const form = forms?.find(({ when = {} }) => Object.keys(when).every((key) => fits(values[key], when[key])));
    if (!form) return ""; // of a host that is newer than this page
    const mine = to !== null && values[form.subject ?? "player"] === to;
    const speech = this.speech(form, values, this.terms(edition), to, names);
    const text = speech.fill((mine && form.you) || form.text, values);
    const named = Object.values(names).some((name) => text.startsWith(name) && !/^[\p{L}\p{N}]/u.test(text.slice(name.length))); // spelled as its owner spells it
    return named ? text : capital(text);
  }
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether a field has the value that a form asks for; false stands for nothing, no and empty, true for the rest. */
function fits(value: unknown, wanted: unknown): boolean {
  return typeof wanted === "boolean" ? !empty(value) === wanted : value === wanted;
}

function empty(value: unknown): boolean {
  return typeof value === "object" && value !== null ? Object.keys(value).length === 0 : !value;
}

/** One message being said: a form, the values for it, and to whom. */
class Speech {
  constructor(
    private readonly words: Catalogue,
    private readonly terms: Terms,
    private readonly form: Form,
    private readonly values: Values,
    private readonly to: string | null,
    private readonly names: Names,
  ) {}

  /** A template with its slots filled. */
  fill(text: string, known: Values = this.values): string {
    return text.replace(SLOT, (_, name: string, how?: string) =>
      name in known ? this.phrase(name, known[name], how) : this.fill(this.terms[name] ?? "", {}),
    );
  }

  /** A value as a part of a sentence. */
  phrase(name: string, value: unknown, how?: string): string {
    const { words } = this;
    if (Array.isArray(value)) {
      const [joint, inner] = how !== undefined && how in words.list ? [how, undefined] : [undefined, how];
      return this.row(value.map((item) => this.phrase(name, item, inner)), joint);
    }
    if (typeof value === "object" && value !== null) {
      const entries = Object.entries(value) as [string, unknown][];
      const each = this.form.each?.[name];
      if (each !== undefined) return this.row(entries.map(([who, it]) => this.share(name, each, who, it)), how);
      const kinds = entries.filter(([, n]) => n).map(([kind, n]) => this.fill(words.cards.each, { n, kind }));
      return this.row(kinds, how) || words.cards.none;
    }
    if (typeof value === "number" && how !== undefined) {
      const noun = words.nouns[how];
      return this.fill((value === 1 ? noun?.one : noun?.other) ?? "{n}", { n: value });
    }
    const text = String(value);
    if (typeof value === "number" || how === "text") return text;
    const called = text === this.to ? undefined : this.names[text];
    if (called !== undefined) return called; // as it is: it may look like a slot
    const key = text === this.to ? "you" : text;
    const word = words.as[how ?? ""]?.[key] ?? words.values[key];
    return word === undefined ? text : this.fill(word, {});
  }

  /** What a field says of one player. */
  private share(name: string, each: string, who: string, it: unknown): string {
    const mine = who === this.to ? this.form.you_each?.[name] : undefined;
    return this.fill(mine ?? each, { who, it });
  }

  /** Parts in a row: `a, b and c`, or with semicolons throughout. */
  private row(parts: string[], how = "and"): string {
    const last = this.words.list[how] ?? "";
    const between = how === "semicolon" ? last : (this.words.list.comma ?? "");
    return parts.length > 1 ? parts.slice(0, -1).join(between) + last + String(parts.at(-1)) : parts.join("");
  }
}
