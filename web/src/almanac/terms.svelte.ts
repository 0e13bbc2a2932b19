// The terms of the almanac in what is told of a game: they come with its contents, once for an edition and a language.

import { bookKey, ruleContents } from "../net/api";
import { i18n } from "../words/i18n.svelte";
import { type About, linker, once, type Piece } from "./links";

/** A text in pieces, of which some lead to the almanac. Without the almanac none does, and the text is whole. */
export class Terms {
  private find = $state.raw<(text: string, about: About) => Piece[]>((text) => [{ text }]);

  constructor() {
    $effect(() => {
      const book = { edition: i18n.edition, language: i18n.language, table: null };
      let stale = false;
      once(`contents ${bookKey(book)}`, () => ruleContents(book)).then(
        ({ words }) => stale || (this.find = linker(words)),
        () => undefined,
      );
      return () => (stale = true);
    });
  }

  in(text: string, about: About): Piece[] {
    return this.find(text, about);
  }
}
