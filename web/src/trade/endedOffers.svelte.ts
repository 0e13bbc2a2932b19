// Offers that have just ended: their cards stay for a while with what became of them, so that nobody wonders where an
// offer has gone. Numbers are used again, so an offer is known by what it says.

import type { Cards } from "../game/play/action";
import { t } from "../words/i18n.svelte";
import { say } from "../game/speech.svelte";
import type { GameEvent, TableState } from "../game/table.svelte";
import type { OfferView, View } from "../lib/view";

const STAYS = 6000;
const MOST = 2;
const ENDS = new Set(["offer_closed", "offer_withdrawn", "traded"]);

interface Made {
  number: number;
  player: string;
  give: Cards;
  want: Cards;
  to: string[];
}

export interface Ended {
  id: number;
  offer: OfferView;
  /** What became of it. */
  event: GameEvent;
}

export class Closed {
  private all = $state.raw<Ended[]>([]);
  private known: Record<number, OfferView> = {};
  private count = 0;
  private timers: ReturnType<typeof setTimeout>[] = [];

  get cards(): readonly (Ended & { text: string })[] {
    return this.all.map((one) => ({ ...one, text: became(one.event) }));
  }

  watch(table: TableState): () => void {
    const stop = table.watch((events, before) => this.note(events, before?.view as View | undefined));
    return () => {
      stop();
      for (const timer of this.timers) clearTimeout(timer);
    };
  }

  note(events: readonly GameEvent[], before: View | undefined): void {
    for (const offer of before?.offers ?? []) this.known[offer.number] = offer;
    for (const event of events) {
      if (event.event === "took_back") this.all = []; // they are open again, or were never made
      // one that is made and answered at once was never shown
      if (event.event === "offer_made") this.known[Number(event.number)] = made(event);
      const offer = this.known[Number(event.number)];
      if (!ENDS.has(event.event) || !offer) continue;
      this.all = [...this.all, { id: ++this.count, offer, event }].slice(-MOST);
      const timer = setTimeout(() => {
        this.timers = this.timers.filter((one) => one !== timer);
        this.all = this.all.filter((one) => one.event !== event);
      }, STAYS);
      this.timers.push(timer);
    }
  }
}

/** What became of an offer, beside its card; a number would be of no use, as it is used again. */
function became(event: GameEvent): string {
  if (event.event === "traded") return say(event);
  return t(`offers.ended_${event.event === "offer_withdrawn" ? "withdrawn" : String(event.why)}`);
}

function made(event: GameEvent): OfferView {
  const { number, player, give, want, to } = event as unknown as Made;
  return { number, by: player, give, take: want, to, yes: [], no: [] };
}
