// The keys of the replay: arrows for steps, with Shift (or page up and down) for turns, space to play, home and end.

export interface PlaybackCommands {
  walk(way: 1 | -1): void;
  turn(way: 1 | -1): void;
  go(step: number): void;
  play(): void;
}

const WRITES = "select, textarea, input:not([type=range]), dialog";
const ACTS = "button, a, summary";

/** Do what a key means, unless it means something else where it was pressed. */
export function handleReplayShortcut(event: KeyboardEvent, playback: PlaybackCommands, last: number): void {
  const target = event.target as Element | null;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target?.closest(WRITES)) return;
  if (event.key === " " && target?.closest(ACTS)) return;
  const way = event.key === "ArrowLeft" || event.key === "PageUp" ? -1 : 1;
  switch (event.key) {
    case "ArrowLeft":
    case "ArrowRight":
      if (event.shiftKey) playback.turn(way);
      else playback.walk(way);
      break;
    case "PageUp":
    case "PageDown":
      playback.turn(way);
      break;
    case "Home":
      playback.go(0);
      break;
    case "End":
      playback.go(last);
      break;
    case " ":
      playback.play();
      break;
    default:
      return;
  }
  event.preventDefault();
}
