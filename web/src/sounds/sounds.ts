// Short, wooden, quiet sounds, made here and now; off until wanted.

import type { Color } from "../generated/protocol";
import type { TableEvent } from "../game/live/events";

/** Of one table. */
export class Sounds {
  private audio: AudioContext | null = null;

  /** What happened, as a sound; most things have none. */
  play(event: TableEvent, ownColor: Color | null): void {
    switch (event.event) {
      case "rolled":
        [0, 0.07, 0.13, 0.2].forEach((after, i) => this.knock(520 - 40 * i, after, 0.08));
        break;
      case "built":
        this.knock(event.piece === "road" ? 330 : 260, 0, 0.14, 0.12);
        break;
      case "stole":
        this.knock(180, 0, 0.12, 0.16);
        break;
      case "traded":
        this.knock(440);
        this.knock(550, 0.1);
        break;
      case "offer_made":
        if (event.player !== ownColor) this.knock(620, 0, 0.07);
        break;
      case "won":
        [392, 494, 587, 784].forEach((note, i) => this.knock(note, i * 0.14, 0.12, 0.3));
        break;
      default: // no sound
    }
  }

  /** It is your turn. */
  playTurn(): void {
    this.knock(494, 0, 0.1, 0.14);
    this.knock(659, 0.12, 0.1, 0.18);
  }

  close(): void {
    void this.audio?.close();
  }

  /** A short tone that dies away at once. */
  private knock(frequency: number, after = 0, loud = 0.12, length = 0.09): void {
    const audio = (this.audio ??= new AudioContext());
    if (audio.state === "suspended") {
      void audio.resume(); // a browser lets no page sound before it was touched; what was meant for then is lost
      return;
    }
    const start = audio.currentTime + after;
    const tone = audio.createOscillator();
    const gain = audio.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(frequency, start);
    tone.frequency.exponentialRampToValueAtTime(frequency * 0.6, start + length);
    gain.gain.setValueAtTime(loud, start);
    gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
    tone.connect(gain).connect(audio.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}
