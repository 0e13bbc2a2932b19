// The languages we speak, and their words: those of a language come in one file when it is wanted, and the texts of what
// is loaded later in another.

import { LANGUAGES } from "../generated/names";
import type { Catalogue, Vocabulary } from "./catalogue";

/** What a language says: the texts of the pages, and the catalogue that is shared with the host. */
export interface LanguageFile {
  code: LanguageCode;
  texts: object;
  words: Catalogue;
  /** What the editions call things, where the catalogue has no words of its own for all of it: in English. */
  vocabulary?: Vocabulary;
  /** The texts of what is loaded later, if they are there already. */
  later?: Readonly<Partial<Record<LaterFolder, object>>>;
}

export type LanguageCode = (typeof LANGUAGES)[number];

const FILES = import.meta.glob<Omit<LanguageFile, "code">>("./data/*.ts");
const LATER_FILES = import.meta.glob<object>(["./data/later/*.toml", "./data/setup/*.toml"], { import: "default" });
/** The sections of texts that a first visit of a table does without, by the folder in `data/` where they are. */
export const LATER_SECTIONS = {
  later: [
    "chart",
    "dice",
    "me",
    "ratings",
    "report",
    "tutorial",
    "share",
    "spectator",
    "menu",
    "keys",
    "lobby",
    "command",
    "end",
    "replay",
    "table",
    "rules",
  ],
  setup: ["absence", "audience", "chance", "fair", "new"],
} as const satisfies Record<string, readonly string[]>;
export type LaterFolder = keyof typeof LATER_SECTIONS;

const LATER_FOLDERS = new Map<string, LaterFolder>(
  (Object.keys(LATER_SECTIONS) as LaterFolder[]).flatMap((folder) =>
    LATER_SECTIONS[folder].map((section) => [section, folder] as const),
  ),
);

/** The folder of the texts of a section; undefined: a first visit has them. */
export const folderOfSection = (section: string): LaterFolder | undefined => LATER_FOLDERS.get(section);

export const isLanguage = (code: string): code is LanguageCode => LANGUAGES.some((known) => known === code);

/** What a language calls itself: "Deutsch". */
export function languageName(code: LanguageCode): string {
  return new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
}

/** Throws where the language has no file. */
export async function loadWords(code: LanguageCode): Promise<LanguageFile> {
  const load = FILES[`./data/${code}.ts`];
  if (!load) throw new Error(`there are no words in ${code}`);
  return { code, ...(await load()) };
}

/** The texts of what is loaded later. Throws where the language has no file. */
export async function loadLaterTexts(code: LanguageCode, folder: LaterFolder): Promise<object> {
  const load = LATER_FILES[`./data/${folder}/${code}.toml`];
  if (!load) throw new Error(`there are no later texts in ${code}`);
  return load();
}
