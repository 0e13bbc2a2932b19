// The game through one pair of eyes, as the host sends it (`Projection.view`, made by host/wire/projection.py).

import type { Cards, Resource } from "../game/play/action";

export type CardKind = "knight" | "victory-point" | "road-building" | "year-of-plenty" | "monopoly";
export type Bag = Partial<Record<CardKind, number>>;

export interface PlayerView {
  color: string;
  /** What everybody sees; one's own with hidden points. */
  points: number;
  hand: number;
  cards: number;
  played: Bag;
  settlements: string[];
  cities: string[];
  roads: string[];
  road_length: number;
  /** Pieces in hand; null: as many as one wants. */
  left: Record<"road" | "settlement" | "city", number | null>;
  owes?: number;
  /** What can be inferred of the hand: least and most of each kind; where the table shows it. */
  ranges?: Partial<Record<Resource, [number, number]>>;
}

export interface OfferView {
  number: number;
  by: string;
  give: Cards;
  take: Cards;
  to: string[];
  yes: string[];
  no: string[];
}

export interface View {
  phase: string;
  turn: number;
  active: string;
  dice: [number, number] | null;
  robber: string;
  longest_road: string | null;
  largest_army: string | null;
  supply: Cards;
  deck: number;
  players: PlayerView[];
  offers: OfferView[];
  over: boolean;
  winner: string | null;
  /** Of one's own seat: */
  hand?: Cards;
  development?: Bag;
  new?: Bag;
  rates?: Record<Resource, number>;
  /** Whom one may offer a trade. */
  partners?: string[];
}

/** Why a kind of action is not possible: a name and values for the catalogue, and the English sentence. */
export interface Reason {
  rule: string;
  message: string;
  why: string;
  values: Record<string, unknown>;
}
