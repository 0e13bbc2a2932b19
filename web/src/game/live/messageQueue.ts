// What comes within a frame is taken together: a table of quick bots says more than a screen can show.

import type { Received } from "../../net/received";

/** Milliseconds after which messages are taken in a page that nobody sees, which has no frames. */
const HIDDEN = 100;

export interface QueuedMessage {
  message: Received;
  /** It happened before this page looked. */
  old: boolean;
}

export class MessageQueue {
  private messages: QueuedMessage[] = [];
  private frame = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly deliver: (messages: readonly QueuedMessage[]) => void) {}

  add(message: Received, old: boolean): void {
    if (this.messages.push({ message, old }) > 1) return;
    this.frame = requestAnimationFrame(() => this.flush());
    this.timer = setTimeout(() => this.flush(), HIDDEN);
  }

  /** Have all taken that have come, now. */
  flush(): void {
    const messages = this.messages;
    this.clear();
    this.deliver(messages);
  }

  clear(): void {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    this.messages = [];
  }
}
