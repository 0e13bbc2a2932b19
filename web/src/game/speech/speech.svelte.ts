// What a page says of the game: in the language that is spoken, in the edition's words, to whoever sits here. A page
// says what it speaks of (`speakOf`), and its components take their words from there (`getSpeech`).

import { createContext } from "svelte";
import type { Cards, Color, GameEvent, Prompt, Resource } from "../../generated/protocol";
import type { SeatInfo } from "../../net/received";
import { getApp } from "../../app/appContext";
import type { TextKey } from "../../generated/texts";
import { capitalize, type Refusal } from "../../words/catalogue";
import type { I18n } from "../../words/i18n.svelte";
import type { TextValues } from "../../words/pageTexts";
import { namesAt, personName } from "./playerNames";

/** What is spoken of. */
export interface Subject {
  readonly editionName: string;
  /** The color of the one who reads, who is called "you"; null: nobody in particular. */
  readonly reader?: Color | null;
  /** Who sits at the table: people are called by their names, bots by their colors. */
  readonly seats?: readonly SeatInfo[];
}

/** Its functions can be taken out of it: `const { say, shortName } = getSpeech()`. */
export class Speech {
  private readonly names = $derived.by(() =>
    namesAt(this.seats, ["you" as const, ...this.seats.map(({ color }) => color)].map(this.word), (name, color) =>
      this.t("players.named", { name, color: this.word(color) }),
    ),
  );
  /** The rules that refusals stand on, by the words they were said with: whoever shows the words can lead there. */
  private readonly rules: Partial<Record<string, string>> = {};

  constructor(
    private readonly i18n: I18n,
    private readonly subject: Subject,
  ) {}

  get editionName(): string {
    return this.subject.editionName;
  }

  get seats(): readonly SeatInfo[] {
    return this.subject.seats ?? [];
  }

  /** The color of the one who reads; null: nobody in particular. */
  get reader(): Color | null {
    return this.subject.reader ?? null;
  }

  /** A text of the pages, in the edition's words: t("hand.title", { n: 7 }). */
  readonly t = (key: TextKey, values: TextValues = {}): string => this.findText(key, values) ?? key;

  /** A text whose name is put together of words that the host or data brings; null: there is none. */
  readonly findText = (key: string, values: TextValues = {}): string | null =>
    this.i18n.findText(this.editionName, key, values);

  readonly say = (event: GameEvent): string => this.i18n.words.say(event, this.editionName, this.reader, this.names);

  readonly promptText = (prompt: Prompt): string => this.i18n.words.promptText(prompt, this.editionName, this.names);

  /** What the host said no with, or that it could not be reached, as a sentence for people: a reason. */
  readonly refusalText = (refusal: Refusal): string => {
    if (refusal.code === "lost") return this.t("common.unreachable");
    if (refusal.code === "failed" && !refusal.why) return this.t("common.failed"); // not the host's own answer
    const words = this.i18n.words.refusalText(refusal, this.editionName, this.reader, this.names);
    if (refusal.rule) this.rules[words] = refusal.rule;
    return words;
  };

  /** The rule that the words of a refusal stand on; null: none. */
  readonly ruleOf = (words: string): string | null => this.rules[words] ?? null;

  readonly resource = (kind: Resource): string => this.i18n.words.term(kind, this.editionName);

  /** What the edition calls a thing: "stock", "longest-road", "year-of-plenty". */
  readonly term = (name: string): string => this.i18n.words.term(name.replaceAll("-", "_"), this.editionName);

  readonly cards = (some: Cards): string => this.i18n.words.value(some, this.editionName);

  /** A color, or "you", as it stands within a sentence. */
  private readonly word = (color: Color | "you"): string => this.i18n.words.value(color, this.editionName);

  readonly colorName = (color: Color): string => capitalize(this.word(color));

  /** Whoever sits there, where their mark is beside it: a person by name, else the color. */
  readonly shortName = (color: Color): string => this.names[color] ?? this.colorName(color);

  /** Whoever sits there: a person by name and color, else the color alone. */
  readonly fullName = (color: Color): string => {
    const name = personName(this.seats.find((seat) => seat.color === color));
    return name ? this.t("players.named", { name, color: this.colorName(color) }) : this.colorName(color);
  };
}

const [getSpeech, setSpeech] = createContext<Speech>();
/** The words of the page that this component is a part of. */
export { getSpeech };

/** Say what this component and those in it speak of. */
export function speakOf(subject: Subject): Speech {
  return setSpeech(new Speech(getApp().i18n, subject));
}
