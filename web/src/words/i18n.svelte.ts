// The language of the page. Everything here is reactive: a page that says t("start.play") says it anew when the
// language changes.

import {
  folderOfSection,
  loadLaterTexts,
  loadWords,
  type LanguageCode,
  type LanguageFile,
  type LaterFolder,
} from "./languages";
import { PageTexts, type TextValues } from "./pageTexts";
import { Words } from "./catalogue";

interface LoadedLanguage {
  code: LanguageCode;
  book: PageTexts;
  words: Words;
  /** The texts of what is loaded later, as far as somebody has needed them. */
  later: Readonly<Partial<Record<LaterFolder, PageTexts>>>;
}

const loadedLanguage = ({ code, texts, words, vocabulary, later }: LanguageFile): LoadedLanguage => ({
  code,
  book: new PageTexts(texts, code),
  words: new Words(words, vocabulary),
  later: Object.fromEntries(Object.entries(later ?? {}).map(([folder, file]) => [folder, new PageTexts(file, code)])),
});

export class I18n {
  private current: LoadedLanguage;
  /** The languages we can speak by now. */
  private readonly known: Partial<Record<LanguageCode, LoadedLanguage>> = {};
  private wanted: LanguageCode;
  private readonly loading: Partial<Record<string, Promise<object>>> = {};
  private readonly lists: Partial<Record<string, Intl.ListFormat>> = {}; // costly to make

  /** Speaks the language of these words. */
  constructor(first: LanguageFile) {
    this.current = $state.raw(loadedLanguage(first));
    this.wanted = this.language;
    this.known[this.language] = this.current;
  }

  /** It changes only when another one is spoken, not when more of its texts have come. */
  readonly language: LanguageCode = $derived.by(() => this.current.code);

  /** Events, prompts and refusals in this language. */
  get words(): Words {
    return this.current.words;
  }

  /** Speak a language from now on. If its words do not come, the page goes on as it was. */
  async speak(code: LanguageCode): Promise<void> {
    this.wanted = code;
    const file = this.known[code] ? null : await loadWords(code).catch(() => null);
    if (file) this.known[code] = loadedLanguage(file);
    if (this.wanted === code) this.current = this.known[code] ?? this.current;
  }

  /** Have the texts of what is loaded later ready; what says one of them before is silent until they are there. */
  async loadLater(folder: LaterFolder = "later"): Promise<void> {
    const { code, later } = this.current;
    if (later[folder]) return;
    const file = `${folder}/${code}`;
    const texts = await (this.loading[file] ??= loadLaterTexts(code, folder)).catch(() => null);
    this.loading[file] = undefined;
    const known = this.known[code];
    if (!texts || !known || known.later[folder]) return;
    this.known[code] = { ...known, later: { ...known.later, [folder]: new PageTexts(texts, code) } };
    if (this.current.code === code) this.current = this.known[code];
  }

  /** A text of the pages in the words of an edition; null: there is none of that name. */
  findText(editionName: string, key: string, values: TextValues = {}): string | null {
    const { book, later } = this.current;
    const term = (name: string): string => this.words.term(name, editionName);
    const text = book.text(key, values, term);
    const folder = folderOfSection(key.split(".", 1)[0] ?? "");
    if (text !== null || !folder) return text;
    const texts = later[folder];
    if (texts) return texts.text(key, values, term);
    void this.loadLater(folder);
    return "";
  }

  /** A number as this language writes it: 1.234,5. */
  readonly formatNumber = (value: number, options: Intl.NumberFormatOptions = {}): string =>
    new Intl.NumberFormat(this.language, options).format(value);

  /** Several things in a row: "a, b, and c", or "a, b, or c". */
  readonly formatList = (items: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string => {
    const made = (this.lists[`${this.language} ${type}`] ??= new Intl.ListFormat(this.language, { type }));
    return made.format(items);
  };

  /** A moment, in unix seconds: "Nov 15, 2026, 5:50 PM". */
  readonly formatMoment = (time: number): string =>
    new Intl.DateTimeFormat(this.language, { dateStyle: "medium", timeStyle: "short" }).format(time * 1000);
}
