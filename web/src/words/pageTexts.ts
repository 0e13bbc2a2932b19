// The texts of the pages: a file for each language (data/en.toml says at its head how they are written), and how a
// text is filled. Framework-free; i18n.svelte.ts knows which language is spoken.

import { capitalize } from "./catalogue";

/** What fills the slots of a text. `n` also chooses between its forms: `one`, `few`, `other` and so on. */
export type TextValues = Readonly<Record<string, string | number>>;
type Counted = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
type Texts = ReadonlyMap<string, string | Counted>;

const SLOT = /\{(\w+)\}/g;

/** The texts of a file by their whole names: "start.play". */
export function flattenTexts(data: object, prefix = ""): Map<string, string | Counted> {
  const texts = new Map<string, string | Counted>();
  for (const [name, value] of Object.entries(data) as [string, unknown][]) {
    if (typeof value === "string") texts.set(prefix + name, value);
    else if (counted(value)) texts.set(prefix + name, value);
    else if (typeof value === "object" && value !== null) {
      for (const [key, text] of flattenTexts(value, `${prefix}${name}.`)) texts.set(key, text);
    }
  }
  return texts;
}

function counted(value: unknown): value is Counted {
  return typeof value === "object" && value !== null && typeof (value as Partial<Counted>).other === "string";
}

/** The texts of one language. */
export class PageTexts {
  private readonly texts: Texts;
  private readonly plural: Intl.PluralRules;
  private readonly numbers: Intl.NumberFormat;

  constructor(
    data: object,
    readonly language: string,
  ) {
    this.texts = flattenTexts(data);
    this.plural = new Intl.PluralRules(language);
    this.numbers = new Intl.NumberFormat(language);
  }

  /** A text with its slots filled: by the values, or else by `term`; null: there is none of that name. */
  text(key: string, values: TextValues, term: (name: string) => string): string | null {
    const text = this.texts.get(key);
    if (text === undefined) return null;
    return this.form(text, values).replace(SLOT, (_, name: string) => {
      const value = values[name];
      if (value !== undefined) return typeof value === "number" ? this.numbers.format(value) : value;
      const low = name.toLowerCase();
      return low === name ? term(name) : capitalize(term(low));
    });
  }

  private form(text: string | Counted, values: TextValues): string {
    if (typeof text === "string") return text;
    const form = typeof values.n === "number" ? this.plural.select(values.n) : "other";
    return text[form] ?? text.other;
  }
}
