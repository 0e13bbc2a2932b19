// A game in numbers, as the host sums it up (docs/formats/summary.md), and what of it the charts show.

import type { ByColor } from "../net/colors";
import { countCards } from "../game/actions/action";
import { GAINED, LOST, RESOURCES } from "../generated/names";
import type { Speech } from "../game/speech/speech.svelte";
import type { Color, PlayerSummary, ResourceCounts, Summary } from "../generated/protocol";
import type { SeatInfo } from "../net/received";

/** Somebody whom a chart is about. */
export interface ChartPlayer {
  color: Color;
  name: string;
}

/** Everybody by their name; those who have no name of their own are called by their color. */
export function chartPlayers(seats: readonly SeatInfo[], shortName: Speech["shortName"]): ChartPlayer[] {
  return seats.map(({ color }) => ({ color, name: shortName(color) }));
}

/** A part of a bar, the same for all players. */
export interface BarSegment {
  key: string;
  /** By color. */
  values: ByColor<number>;
}

/** Cards by source, most first; sources of which nobody had anything are left out. */
export function segmentsBySource(summary: Summary, which: "gained" | "lost"): BarSegment[] {
  return segments(which === "gained" ? GAINED : LOST, summary, (player, source) => {
    const all: Partial<Record<string, ResourceCounts>> = player[which];
    const kinds = all[source];
    return kinds ? countCards(kinds) : 0;
  }).sort((a, b) => whole(b) - whole(a));
}

/** What the robber kept back, by kind of card. */
export function segmentsBlocked(summary: Summary): BarSegment[] {
  return segments(RESOURCES, summary, (player, kind) => player.blocked[kind]);
}

function segments<Key extends string>(
  keys: readonly Key[],
  summary: Summary,
  count: (player: PlayerSummary, key: Key) => number,
): BarSegment[] {
  const charted = keys.map((key) => ({
    key,
    values: Object.fromEntries(Object.entries(summary.players).map(([color, player]) => [color, count(player, key)])),
  }));
  return charted.filter((segment) => whole(segment) > 0);
}

function whole(segment: BarSegment): number {
  return Object.values(segment.values).reduce((sum, value) => sum + value, 0);
}

/** Players by their points, most first; the winner before others with as many. */
export function rankPlayers(
  colors: readonly Color[],
  points: Readonly<ByColor<number>>,
  winner: Color | null,
): Color[] {
  const value = (color: Color): number => (points[color] ?? 0) + (color === winner ? 0.5 : 0);
  return [...colors].sort((a, b) => value(b) - value(a));
}
