// Words that lead to the almanac: where they are in a line that is told.

export interface TextPiece {
  text: string;
  /** The entry it leads to. */
  to?: string;
}

/** What a line of the log is told of, where that is known, and the names in it, which lead nowhere. */
export interface LineSubject {
  event?: string | undefined;
  names?: readonly string[];
}

/**
 * Finds the words of a line that lead to entries, each word once. `words` are in small letters: "turn" leads anywhere,
 * "log:turn" in a log, "rolled:rolls 7" in its lines of that event (the twin of src/hexholm/almanac/entry_writer.py).
 */
export function termFinder(words: Record<string, string>): (text: string, about?: LineSubject) => TextPiece[] {
  const scoped = new Map<string, Finder>();
  return (text, { event = "log", names = [] } = {}) => {
    let find = scoped.get(event);
    if (!find) scoped.set(event, (find = finder(wordsOf(words, event))));
    return find(text, names);
  };
}

type Finder = (text: string, names: readonly string[]) => TextPiece[];

/** The words that lead anywhere in the lines of an event; what is more particular goes before the rest. */
function wordsOf(words: Record<string, string>, event: string): Map<string, string> {
  const all = Object.entries(words);
  const forms = new Map(all.filter(([form]) => !/^[a-z_]+:/.test(form)));
  for (const scope of ["log:", `${event}:`]) {
    for (const [form, to] of all) if (form.startsWith(scope)) forms.set(form.slice(scope.length), to);
  }
  return forms;
}

function finder(words: Map<string, string>): Finder {
  const mention = anyOf([...words.keys()], "giu");
  return (text, names) => {
    const pieces: TextPiece[] = [];
    const linked = new Set<string>();
    let at = 0;
    const named = text.replace(anyOf(names, "gu"), (name) => "\0".repeat(name.length)); // a name is no word of the game
    for (const match of named.matchAll(mention)) {
      const word = match[0].toLowerCase();
      const to = words.get(word);
      if (!to || linked.has(word)) continue;
      linked.add(word);
      if (match.index > at) pieces.push({ text: text.slice(at, match.index) });
      pieces.push({ text: match[0], to });
      at = match.index + match[0].length;
    }
    if (at < text.length) pieces.push({ text: text.slice(at) });
    return pieces;
  };
}

/** Any of these as whole words, the longest first; of none of them nothing is found. */
function anyOf(words: readonly string[], flags: string): RegExp {
  const longest = [...words].sort((a, b) => b.length - a.length);
  const escaped = longest.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}_:-])(?:${escaped.join("|") || "(?!)"})(?![\\p{L}\\p{N}_-])`, flags);
}
