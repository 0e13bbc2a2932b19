// Where the attention goes at a table: what is heard, and where the keys are led.

import { tick, untrack } from "svelte";
import { getApp } from "../../app/appContext";
import type { FocusMove } from "../../app/focusTrail";
import { focusPart, type PartName } from "../../app/pageParts";
import { isStory, withoutSuperseded, type LogLine } from "../../game/live/logLines";
import { lineText, speakerName } from "../../game/speech/logText";
import type { Speech } from "../../game/speech/speech.svelte";
import type { TableScreen } from "./screen.svelte";
import type { ShortcutWays } from "./tableShortcuts";
import { durations } from "../../styles/motion.json";
import type { Sounds } from "../../sounds/sounds";

/** What happens is seen and heard as it happens. */
export function playEffects(screen: TableScreen): void {
  const { settings } = getApp();
  let sounds: Sounds | null = null; // they come when somebody wants them
  $effect(() => {
    if (!settings.sound) return;
    let gone = false;
    void import("../../sounds/sounds").then(
      (loaded) => gone || (sounds = new loaded.Sounds()),
      () => undefined, // then it stays quiet
    );
    return () => {
      gone = true;
      sounds?.close();
      sounds = null;
    };
  });

  $effect(() => {
    const { table } = screen;
    return table.watch((events) => {
      for (const event of events) {
        if (event.event === "rolled") {
          screen.rolling = true;
          setTimeout(() => (screen.rolling = false), durations.slow);
        }
        sounds?.play(event, table.ownColor);
      }
      screen.drawnBoard?.animate(events);
    });
  });

  // Whoever's turn it is now hears it, once.
  let wasAsked = false;
  $effect(() => {
    const { asked } = screen.table;
    if (asked && !wasAsked) sounds?.playTurn();
    wasAsked = asked;
  });
}

/** Whoever does not see the page hears what happens and what is said, from now on. */
export function announceLog(screen: TableScreen, speech: Speech): void {
  function heard(line: LogLine): string[] {
    if (line.kind === "chat") return [`${speakerName(line, speech)}: ${line.text}`];
    return isStory(line) ? [lineText(line, speech)] : [];
  }

  const { announcer } = getApp();
  let known = 0;
  let caughtUp = false;
  $effect(() => {
    const lines = screen.table.log;
    untrack(() => {
      if (caughtUp) announcer.say(...withoutSuperseded(lines.slice(known)).flatMap(heard));
      [known, caughtUp] = [lines.length, screen.table.caughtUp];
    });
  });
}

type Goal = "board" | "hand" | "roll" | "end" | "tell";

/** The parts of the page where a goal is reached. */
const PARTS: Record<Exclude<Goal, "board">, PartName> = {
  hand: "hand",
  tell: "chance-entry",
  roll: "turn",
  end: "turn",
};

/** The keys are led to what is asked, and to what opens. */
export function leadKeys(screen: TableScreen): void {
  const { focusTrail } = getApp();
  // What opens elsewhere on the page takes the focus; when it closes the focus goes back by itself (app/focusTrail.ts).
  const panel = $derived<PartName | null>(
    screen.draft.trading ? "offer-form" : screen.picking ? "resource-picker" : null,
  );
  $effect(() => {
    void screen.draft.answers;
    if (!panel) return;
    void tick().then(() => focusPart(panel));
  });

  const goal = $derived(goalOf(screen));
  $effect(() => {
    const [way, chosen] = [wayTo(goal, screen), screen.draft.building !== null];
    void tick().then(() => focusTrail.lead(panel || screen.sheet ? null : way, chosen)); // nobody is called out of what they opened
    return () => focusTrail.lead(null);
  });
}

/** What the single keys of a table lead to. */
export const waysFor = (screen: TableScreen): ShortcutWays => ({
  toBoard: () => void wayTo("board", screen)?.(),
  toDice: () => void wayTo("tell", screen)?.(),
});

/** Where the keys belong: to the board where a place is asked, to the cards to give back, to the button for the turn. */
function goalOf({ table, draft, inLobby, question, companion }: TableScreen): Goal | null {
  if (question && companion.module) return "tell";
  if (!table.asked || inLobby) return null;
  if (draft.owed) return "hand";
  if (draft.targets.length) return "board";
  return table.can("roll") ? "roll" : table.can("end") ? "end" : null;
}

function wayTo(goal: Goal | null, { drawnBoard }: TableScreen): FocusMove | null {
  if (goal === "board") return drawnBoard ? drawnBoard.focus : null;
  return goal && (() => focusPart(PARTS[goal]));
}
