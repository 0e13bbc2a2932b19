// A game in numbers, as the host sums it up (docs/formats/summary.md), and what of it the charts show.

import { RESOURCES, type Resource } from "../game/play/action";
import type { CardKind } from "../lib/view";

export type Kinds = Record<Resource, number>;

export const GAINED = ["start", "production", "stolen", "players", "supply", "year-of-plenty", "monopoly"] as const;
export const LOST = ["spent", "discarded", "stolen", "monopoly", "players", "supply"] as const;

export interface DiceSum {
  total: number;
  rolled: number;
  expected: number;
  /** Fair dice stay between these 95 times in 100. */
  low: number;
  high: number;
}

export interface PlayerSummary {
  name: string;
  points: number;
  visible: number;
  gained: Record<(typeof GAINED)[number], Kinds>;
  lost: Record<(typeof LOST)[number], Kinds>;
  blocked: Kinds;
  /** Development cards still held at the end. */
  unplayed: Record<CardKind, number>;
  luck: { received: number; expected: number; spread: number };
}

export interface Summary {
  how: string | null;
  winner: string | null;
  dice: { rolls: number; sums: DiceSum[]; by_player: Record<string, number[]>; balanced: boolean };
  players: Record<string, PlayerSummary>;
  turns: { turn: number; step: number; player: string | null; roll: number | null }[];
  /** By colour, at the end of each of `turns`. */
  points: Record<string, number[]>;
}

/** Somebody whom a chart is about. */
export interface Person {
  color: string;
  name: string;
}

/** A part of a bar, the same for all players. */
export interface Part {
  key: string;
  /** By colour. */
  values: Record<string, number>;
}

export function total(kinds: Kinds): number {
  return RESOURCES.reduce((sum, kind) => sum + kinds[kind], 0);
}

/** Cards by source, most first; sources of which nobody had anything are left out. */
export function bySource(summary: Summary, which: "gained" | "lost"): Part[] {
  return parts(which === "gained" ? GAINED : LOST, summary, (player, source) => {
    const all: Partial<Record<string, Kinds>> = player[which];
    const kinds = all[source];
    return kinds ? total(kinds) : 0;
  }).sort((a, b) => whole(b) - whole(a));
}

/** What the robber kept back, by kind of card. */
export function blockedByKind(summary: Summary): Part[] {
  return parts(RESOURCES, summary, (player, kind) => player.blocked[kind as Resource]);
}

function parts(
  keys: readonly string[],
  summary: Summary,
  count: (player: PlayerSummary, key: string) => number,
): Part[] {
  const found = keys.map((key) => ({
    key,
    values: Object.fromEntries(Object.entries(summary.players).map(([color, player]) => [color, count(player, key)])),
  }));
  return found.filter((part) => whole(part) > 0);
}

function whole(part: Part): number {
  return Object.values(part.values).reduce((sum, value) => sum + value, 0);
}

/** Players by their points, most first; the winner before others with as many. */
export function ranking(colors: readonly string[], points: Record<string, number>, winner: string | null): string[] {
  const value = (color: string): number => (points[color] ?? 0) + (color === winner ? 0.5 : 0);
  return [...colors].sort((a, b) => value(b) - value(a));
}
