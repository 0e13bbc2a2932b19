// Typed commands: what a player can write, and how. Whether it may be played now is said by the host.

/** The words of a player, each as it is written; what only chance or the referee says is not among them. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  roll: "roll",
  road: "road C3/ne",
  settlement: "settlement C3n",
  city: "city C3n",
  buy: "buy",
  knight: "knight",
  "road-building": "road-building",
  "year-of-plenty": "year-of-plenty ore wool",
  monopoly: "monopoly grain",
  supply: "supply 4 wool : 1 ore",
  offer: "offer 1 wool : 1 ore to blue white",
  counter: "counter #2 1 brick : 1 ore",
  accept: "accept #2",
  reject: "reject #2",
  confirm: "confirm #2 blue",
  withdraw: "withdraw #2",
  discard: "discard 2 wool 1 ore",
  robber: "robber B2",
  steal: "steal blue",
  waive: "waive",
  end: "end",
};

/** How a command that could not be read is written: an example of its word; null: there is no such word. */
export function exampleFor(text: string): string | null {
  const word = text.trim().toLowerCase().split(/\s+/)[0] ?? "";
  return EXAMPLES[word] ?? null;
}
