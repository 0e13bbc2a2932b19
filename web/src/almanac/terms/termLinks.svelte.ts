// The terms of the almanac in what is told of a game: they come with its contents, once for an edition and a language.

import { getApp } from "../../app/appContext";
import { fetchRuleContents, ruleBookKey } from "../../net/rest/ruleBook";
import { type LineSubject, termFinder, type TextPiece } from "./termFinder";

/** A text in pieces, of which some lead to the almanac. Without the almanac none does, and the text is whole. */
export class TermLinks {
  private find = $state.raw<(text: string, about: LineSubject) => TextPiece[]>((text) => [{ text }]);

  /** To be made with a component. */
  constructor(editionName: () => string) {
    const { almanac, i18n } = getApp();
    $effect(() => {
      const book = { editionName: editionName(), language: i18n.language, tableId: null };
      let stale = false;
      almanac.contents
        .once(ruleBookKey(book), () => fetchRuleContents(book))
        .then(
          ({ words }) => stale || (this.find = termFinder(words)),
          () => undefined,
        );
      return () => (stale = true);
    });
  }

  in(text: string, about: LineSubject): TextPiece[] {
    return this.find(text, about);
  }
}
