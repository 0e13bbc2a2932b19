// Short, wooden, quiet sounds, made here and now; off until wanted.

import type { GameEvent } from "../game/table.svelte";

let context: AudioContext | null = null;

/** One knock: a short tone that dies away at once. */
function knock(frequency: number, after = 0, loud = 0.12, length = 0.09): void {
  context ??= new AudioContext();
  if (context.state === "suspended") {
    void context.resume(); // a browser lets no page sound before it was touched; what was meant for then is lost
    return;
  }
  const start = context.currentTime + after;
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(frequency, start);
  tone.frequency.exponentialRampToValueAtTime(frequency * 0.6, start + length);
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  tone.connect(gain).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}

export const sounds = {
  /** What happened, as a sound; most things have none. */
  play(event: GameEvent, seat: string | null): void {
    switch (event.event) {
      case "rolled":
        [0, 0.07, 0.13, 0.2].forEach((after, i) => knock(520 - 40 * i, after, 0.08));
        break;
      case "built":
        knock(event.piece === "road" ? 330 : 260, 0, 0.14, 0.12);
        break;
      case "stole":
        knock(180, 0, 0.12, 0.16);
        break;
      case "traded":
        knock(440);
        knock(550, 0.1);
        break;
      case "offer_made":
        if (event.player !== seat) knock(620, 0, 0.07);
        break;
      case "won":
        [392, 494, 587, 784].forEach((note, i) => knock(note, i * 0.14, 0.12, 0.3));
        break;
    }
  },
  /** It is your turn. */
  turn(): void {
    knock(494, 0, 0.1, 0.14);
    knock(659, 0.12, 0.1, 0.18);
  },
};
