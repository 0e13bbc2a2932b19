// Places in words: what a screen reader says of a corner, a side or a hex, and the whole board as text.
// The words come from the catalogues (`voice`), the facts from the host; nothing here knows a rule.

import type { BoardLine, Color, HarborLine, HexLine, PieceKind, View } from "../../generated/protocol";
import { geometryOf, type Geometry } from "./geometry";
import type { TextKey } from "../../generated/texts";
import type { TextValues } from "../../words/pageTexts";
import { capitalize } from "../../words/catalogue";

/** Who puts it into words: texts of the page by key, an edition's own words ("wool", "harbor", "path"), and so on. */
export interface PlaceWords {
  t(key: TextKey, values?: TextValues): string;
  findText(key: string): string | null;
  term(name: string): string;
  color(color: Color): string;
  list(items: readonly string[]): string;
}

export interface BoardPiece {
  kind: PieceKind;
  color: Color;
}

/** What stands where. */
export function piecesOn(view: View | null): Map<string, BoardPiece> {
  const pieces = new Map<string, BoardPiece>();
  for (const { color, roads, settlements, cities } of view?.players ?? []) {
    for (const place of roads) pieces.set(place, { kind: "road", color });
    for (const place of settlements) pieces.set(place, { kind: "settlement", color });
    for (const place of cities) pieces.set(place, { kind: "city", color });
  }
  return pieces;
}

export interface BoardTextSection {
  title: string;
  texts: string[];
}

export class PlaceText {
  private readonly geometry: Geometry;
  private readonly hexes: Map<string, HexLine>;
  /** By corner. */
  private readonly harbors = new Map<string, HarborLine>();

  constructor(
    private readonly board: BoardLine,
    private readonly voice: PlaceWords,
  ) {
    this.geometry = geometryOf(board);
    this.hexes = new Map(board.hexes.map((hex) => [hex.at, hex]));
    for (const harbor of board.harbors) for (const corner of harbor.corners) this.harbors.set(corner, harbor);
  }

  /** Where it is: "corner of fields 8, mountains 5 and the sea, 3:1 harbor". */
  namePlace(place: string): string {
    const kind = this.geometry.kindOf(place);
    if (kind === "hex") return this.hex(place);
    const { t, term, list } = this.voice;
    const hexes = (kind === "corner" ? this.geometry.corners : this.geometry.sides).get(place)?.hexes ?? [];
    const path = term("path");
    if (hexes.length === 1) {
      // on the rim a hex has several such places: the direction tells them apart
      const way = this.way(place);
      const text = t(`places.${kind}_coast`, { way, hex: this.hex(this.geometry.hexOf(place)), path });
      return this.withHarbor(text, place);
    }
    const names = hexes.map((hex) => this.hex(hex));
    if (kind === "side") return t("places.side", { hexes: list(names), path });
    if (names.length === 2) names.push(t("places.sea"));
    return this.withHarbor(t("places.corner", { hexes: list(names) }), place);
  }

  /**
   * The place and what is there: "corner of …; red settlement"; of a hex what stands around it, and the robber. With
   * `coded` its short name comes first: "B2se: …".
   */
  describePlace(place: string, view: View | null, ownColor: Color | null, coded = false): string {
    const { t, list } = this.voice;
    const there = [...piecesOn(view)].filter(
      ([at]) => at === place || this.geometry.corners.get(at)?.hexes.includes(place),
    );
    const present = there.map(([, piece]) => this.namePiece(piece, ownColor));
    if (view?.robber === place) present.push(t("places.robber"));
    const text = present.length
      ? t("places.with", { place: this.namePlace(place), what: list(present) })
      : this.namePlace(place);
    return coded ? t("places.coded", { code: place, place: text }) : text;
  }

  /** "red settlement", "your city". */
  namePiece({ kind, color }: BoardPiece, ownColor: Color | null): string {
    const { t } = this.voice;
    return color === ownColor ? t(`places.own_${kind}`) : t(`places.${kind}`, { color: this.voice.color(color) });
  }

  /** The whole board, for those who do not see it. */
  describeBoard(view: View | null, ownColor: Color | null): BoardTextSection[] {
    const { t } = this.voice;
    const rows = new Map<string, string[]>();
    for (const place of this.geometry.hexes.keys()) {
      const row = this.geometry.rowOf(place);
      rows.set(row, [...(rows.get(row) ?? []), this.codedHex(place)]);
    }
    const chapters = [
      { title: t("places.hexes"), texts: [...rows.values()].map((row) => row.join(", ")) },
      { title: t("places.harbors"), texts: this.board.harbors.map((harbor) => this.harborAt(harbor)) },
    ];
    if (!view) return chapters;
    chapters.push({ title: t("places.the_robber"), texts: [this.codedHex(view.robber)] });
    const stands = (kind: "settlement" | "city") => (place: string) =>
      t(`places.stands_${kind}`, { place: this.namePlace(place), code: place });
    for (const player of view.players) {
      const texts = [...player.settlements.map(stands("settlement")), ...player.cities.map(stands("city"))];
      if (player.roads.length) texts.push(t("places.roads", { list: player.roads.join(", ") }));
      const title = player.color === ownColor ? t("places.you") : capitalize(this.voice.color(player.color));
      if (texts.length) chapters.push({ title, texts });
    }
    return chapters;
  }

  /** Where a place lies at its hex, as a direction of the compass: "ne" is north-east. */
  private way(place: string): string {
    const name = this.geometry.directionOf(place);
    return this.voice.findText(`places.${name}`) ?? name;
  }

  private hex(place: string): string {
    const { t } = this.voice;
    const hex = this.hexes.get(place);
    if (!hex) return place;
    const terrain = t(`places.${hex.terrain}`);
    return hex.number ? t("places.numbered", { terrain, number: hex.number }) : terrain;
  }

  private codedHex(place: string): string {
    return this.voice.t("places.coded", { code: place, place: this.hex(place) });
  }

  private withHarbor(text: string, corner: string): string {
    const harbor = this.harbors.get(corner);
    return harbor ? `${text}, ${this.harbor(harbor)}` : text;
  }

  private harbor({ kind, rate }: HarborLine): string {
    const { t, term } = this.voice;
    const harbor = term("harbor");
    return kind ? t("places.harbor_kind", { rate, harbor, kind: term(kind) }) : t("places.harbor", { rate, harbor });
  }

  private harborAt(harbor: HarborLine): string {
    const { t } = this.voice;
    const [a, b] = harbor.corners;
    const side =
      [...this.geometry.sides].find(([, { corners }]) => corners.includes(a) && corners.includes(b))?.[0] ?? a;
    const hex = this.hex(this.geometry.hexOf(side));
    return t("places.harbor_at", { harbor: this.harbor(harbor), way: this.way(side), hex, code: side });
  }
}
