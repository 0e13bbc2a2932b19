// For tests: events, views and prompts of which a test names only what it is about.

import type { GameEvent, Prompt, View } from "../generated/protocol";
import type { EventOf } from "../game/live/events";

export function sampleEvent<Kind extends GameEvent["event"]>(
  event: Kind,
  fields: Partial<Omit<EventOf<Kind>, "event">> = {},
): EventOf<Kind> {
  return { event, ...fields } as unknown as EventOf<Kind>;
}

export function sampleView(fields: Partial<View> = {}): View {
  return fields as View;
}

export function samplePrompt(fields: Partial<Prompt> = {}): Prompt {
  return fields as Prompt;
}
