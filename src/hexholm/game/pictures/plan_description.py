"""What a picture shows, in words: for those who do not see it, and for labels in an edition's vocabulary."""

from __future__ import annotations

from collections.abc import Mapping

from .plan import Plan


def resource_word(kind: str, words: Mapping[str, str]) -> str:
    """A resource as the edition calls it; "any" stays."""
    return str(words.get(kind, kind))


def describe_plan(plan: Plan, words: Mapping[str, str]) -> str:
    """The board and everything on it, in a few sentences."""
    hexes = "; ".join(
        f"{hexagon.name} {hexagon.terrain}" + (f" {hexagon.number}" if hexagon.number else "") for hexagon in plan.hexes
    )
    sentences = [f"Hexes: {hexes}."]
    harbors = "; ".join(f"{h.side} {h.rate} {resource_word(h.resource, words)}" for h in plan.harbors)
    if harbors:
        sentences.append(f"{words.get('harbor', 'trading place').capitalize()}s: {harbors}.")
    if plan.robber:
        sentences.append(f"The robber is on {plan.robber}.")
    for color in dict.fromkeys(piece.color for piece in sorted(plan.pieces, key=lambda piece: piece.seat)):
        parts = []
        for kind, plural in (("settlement", "settlements"), ("city", "cities"), ("road", "roads")):
            places = [piece.place for piece in plan.pieces if piece.color == color and piece.kind == kind]
            if places:
                parts.append(f"{kind if len(places) == 1 else plural} {', '.join(places)}")
        sentences.append(f"{color.capitalize()}: {'; '.join(parts)}.")
    if plan.highlights:
        sentences.append(f"Highlighted: {', '.join(mark.place for mark in plan.highlights)}.")
    return " ".join(sentences)
