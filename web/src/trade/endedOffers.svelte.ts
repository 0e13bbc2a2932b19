// Offers that have just ended: their cards stay for a while with what became of them, so that nobody wonders where an
// offer has gone. Numbers are used again, so an offer is known by what it says.

import type { OfferView, View } from "../generated/protocol";
import { endsOffer, type EventOf, type OfferEnd, type TableEvent } from "../game/live/events";
import type { Speech } from "../game/speech/speech.svelte";
import type { TableState } from "../game/live/tableState.svelte";

const STAYS = 6000;
const MOST = 2;

export interface EndedOffer {
  id: number;
  offer: OfferView;
  /** What became of it. */
  event: OfferEnd;
}

export class EndedOffers {
  private all = $state.raw<EndedOffer[]>([]);
  private known: Record<number, OfferView> = {};
  private count = 0;
  private timers: ReturnType<typeof setTimeout>[] = [];

  constructor(private readonly speech: Pick<Speech, "say" | "t">) {}

  get cards(): readonly (EndedOffer & { text: string })[] {
    return this.all.map((ended) => ({ ...ended, text: this.became(ended.event) }));
  }

  /** What became of an offer, beside its card; a number would be of no use, as it is used again. */
  private became(event: OfferEnd): string {
    if (event.event === "traded") return this.speech.say(event);
    const end = event.event === "offer_withdrawn" ? "withdrawn" : event.why;
    return this.speech.t(`offers.ended_${end}`);
  }

  watch(table: TableState): () => void {
    const stop = table.watch((events, before) => this.note(events, before?.view));
    return () => {
      stop();
      for (const timer of this.timers) clearTimeout(timer);
    };
  }

  note(events: readonly TableEvent[], before: View | undefined): void {
    for (const offer of before?.offers ?? []) this.known[offer.number] = offer;
    for (const event of events) {
      if (event.event === "took_back") this.all = []; // they are open again, or were never made
      // one that is made and answered at once was never shown
      if (event.event === "offer_made") this.known[event.number] = made(event);
      if (!endsOffer(event)) continue;
      const offer = this.known[event.number];
      if (!offer) continue;
      this.all = [...this.all, { id: ++this.count, offer, event }].slice(-MOST);
      const timer = setTimeout(() => {
        this.timers = this.timers.filter((other) => other !== timer);
        this.all = this.all.filter((ended) => ended.event !== event);
      }, STAYS);
      this.timers.push(timer);
    }
  }
}

function made({ number, player, give, want, to }: EventOf<"offer_made">): OfferView {
  return { number, by: player, give, take: want, to, yes: [], no: [] };
}
