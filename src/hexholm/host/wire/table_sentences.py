"""What changed at a table, and who sits there, in English sentences: for terminals and for assistants.

People's names stand in quotation marks that they cannot close: a name cannot pass for a part of a sentence.
"""

from __future__ import annotations

import json

from hexholm.game.language.clean_text import clean

from . import messages


def quote(text: str) -> str:
    """Other people's words on one line, in quotation marks that they cannot close."""
    return json.dumps(clean(text), ensure_ascii=False)


def change_sentence(message: messages.Changed) -> str:
    """What changed at the table."""
    line = message.table
    match message.what:
        case "began":
            return "The game begins."
        case "paused":
            return "The game is paused." if line.paused else "The game goes on."
        case "waited":
            return "Nobody is there: the game waits." if line.waiting else "Somebody is there again: the game goes on."
        case "ended":
            return "The game was ended without a winner."
        case "over":
            return "The game is over."
        case "took_back":
            return f"{message.by or 'Somebody'} took back the last action with what came out."
        case "mistold":
            return f"{message.by or 'Somebody'} entered something that cannot have come out."
        case "seated" | "left" | "renamed" | "long_gone":
            return f"At the table: {seats_text(line)}."
        case "paced":
            return f"The bots play at this pace now: {line.pace}."
        case what:
            return f"The table changed: {what}."


def speaker_text(message: messages.Chatted) -> str:
    """Who said something: a seat, or one who watches."""
    return message.by or f"{quote(message.spectator)} (watching)"


def seats_text(line: messages.TableLine) -> str:
    """Who sits where."""
    return ", ".join(f"{seat.color} {seat_text(seat)}" for seat in line.seats)


def seat_text(seat: messages.SeatLine) -> str:
    """Who sits on a seat."""
    match seat.kind:
        case "empty":
            return "free"
        case "bot":
            return f"the player {clean(seat.bot_name or '')}"
    name = quote(seat.name) if seat.name else "somebody whose name was removed"
    return name + (", has resigned" if seat.resigned else ", away" if seat.away else "")
