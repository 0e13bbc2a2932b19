// The keys of the replay: arrows for steps, with Shift (or page up and down) for turns, space to play, home and end.

export interface Player {
  walk(way: 1 | -1): void;
  turn(way: 1 | -1): void;
  go(step: number): void;
  play(): void;
}

const WRITES = "select, textarea, input:not([type=range]), dialog";
const ACTS = "button, a, summary";

/** Do what a key means, unless it means something else where it was pressed. */
export function pressed(event: KeyboardEvent, player: Player, last: number): void {
  const target = event.target as Element | null;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target?.closest(WRITES)) return;
  if (event.key === " " && target?.closest(ACTS)) return;
  const way = event.key === "ArrowLeft" || event.key === "PageUp" ? -1 : 1;
  switch (event.key) {
    case "ArrowLeft":
    case "ArrowRight":
      if (event.shiftKey) player.turn(way);
      else player.walk(way);
      break;
    case "PageUp":
    case "PageDown":
      player.turn(way);
      break;
    case "Home":
      player.go(0);
      break;
    case "End":
      player.go(last);
      break;
    case " ":
      player.play();
      break;
    default:
      return;
  }
  event.preventDefault();
}
