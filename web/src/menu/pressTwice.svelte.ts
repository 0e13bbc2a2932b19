// What does much is pressed twice: the first press asks, and another one in between asks anew.

import type { CommandBody } from "../net/connection";

export class PressTwice {
  private asked = $state<string | null>(null);

  constructor(private readonly send: (body: CommandBody) => Promise<boolean>) {}

  /** It was pressed once, and is asked again. */
  isAsked(body: CommandBody): boolean {
    return this.asked === JSON.stringify(body);
  }

  async press(body: CommandBody): Promise<void> {
    const again = this.isAsked(body);
    this.asked = again ? null : JSON.stringify(body);
    if (again) await this.send(body);
  }
}
