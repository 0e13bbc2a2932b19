// What of the almanac is kept by the page: an answer that came once is not asked for again.

const kept = new Map<string, Promise<unknown>>();

/** What `get` brings, asked for once; what did not come is asked for again. */
export function once<T>(key: string, get: () => Promise<T>): Promise<T> {
  let found = kept.get(key);
  if (!found) {
    found = get().catch((no: unknown) => {
      kept.delete(key);
      throw no;
    });
    kept.set(key, found);
  }
  return found as Promise<T>;
}

export interface Piece {
  text: string;
  /** The entry it leads to. */
  to?: string;
}

/** Finds the words of a text that lead to entries, each entry once. `words` are in small letters. */
export function linker(words: Record<string, string>): (text: string) => Piece[] {
  const forms = Object.keys(words).sort((a, b) => b.length - a.length);
  if (!forms.length) return (text) => [{ text }];
  const escaped = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const mention = new RegExp(`(?<![\\p{L}\\p{N}_:-])(?:${escaped.join("|")})(?![\\p{L}\\p{N}_-])`, "giu");
  return (text) => {
    const pieces: Piece[] = [];
    const taken = new Set<string>();
    let at = 0;
    for (const found of text.matchAll(mention)) {
      const to = words[found[0].toLowerCase()];
      if (!to || taken.has(to)) continue;
      taken.add(to);
      if (found.index > at) pieces.push({ text: text.slice(at, found.index) });
      pieces.push({ text: found[0], to });
      at = found.index + found[0].length;
    }
    if (at < text.length) pieces.push({ text: text.slice(at) });
    return pieces;
  };
}
