"""A game or a view in words, for terminals and assistants: at most 80 columns wide."""

from __future__ import annotations

import textwrap
from typing import Final

from hexholm.game.language.phrases import TEXT_WIDTH, count_noun
from hexholm.rules.colors import Color
from hexholm.rules.errors import BadInput
from hexholm.rules.language.refusal_sentences import phase_clause
from hexholm.rules.language.sentences import edition_terms
from hexholm.rules.setup.options import Options

from .cards import Cards, DevelopmentCards
from .game_base import GameBase
from .pictures import characters_of
from .result import stop_text
from .views.seat_view_base import SeatViewBase

_NAME_INDENT: Final = 9


# --- the whole table, for the eyes of the referee ---


def describe_game(game: GameBase, *, in_color: bool = False) -> str:
    """The board in characters, then a line for the turn and one for each player; at most 80 columns wide."""
    state, terms = game.referee.state, edition_terms("en", game.options.edition)
    lines = [characters_of(game.layout, state, game.colors, in_color=in_color, words=terms)]
    lines.append(textwrap.fill(_status(game), TEXT_WIDTH, subsequent_indent="  "))
    for seat, player in enumerate(game.colors):
        facts = [
            count_noun(game.points[seat], "point"),
            f"{terms['hand']} {Cards.of_lanes(state.hand[seat]).in_words(terms)}",
        ]
        if state.development[seat]:
            facts.append(f"{terms['item']}s {DevelopmentCards.of_lanes(state.development[seat]).in_words(terms)}")
        if knights := DevelopmentCards.of_lanes(state.played[seat])["knight"]:
            facts.append(f"{count_noun(knights, 'knight')} played")
        if state.longest_road == seat:
            facts.append(terms["longest_road"])
        if state.largest_army == seat:
            facts.append(terms["largest_army"])
        lines.append(
            textwrap.fill("; ".join(facts), TEXT_WIDTH, initial_indent=f"  {player:<7}", subsequent_indent=" " * 9)
        )
    return "\n".join(lines)


def _status(game: GameBase) -> str:
    """Where the game stands, in one line."""
    result = game.result
    if result is not None and result.winner is not None:
        points = result.points[game.colors.index(result.winner)]
        return f"After {count_noun(game.turn, 'turn')} {result.winner} has won with {count_noun(points, 'point')}."
    if result is not None:
        return f"On turn {game.turn} the game was {stop_text(result.how)}."
    turn_text = (
        f"Turn {game.turn}, {game.active}" if game.turn else f"{_setup(game.options).capitalize()}, {game.active}"
    )
    roll_text = f", rolled {state.die_a + state.die_b}" if (state := game.referee.state).die_a else ""
    pending_chance = game.chance
    colors_answering = [player for player in game.to_act if player != game.active and game.phase == "main"]
    offer_text = f"; {', '.join(colors_answering)}: answer an offer" if colors_answering else ""
    question = (
        pending_chance.question_text if pending_chance else phase_clause(game.phase, game.options.edition) + offer_text
    )
    return f"{turn_text}{roll_text}: {question}"


# --- what a seat sees, without the board ---


def describe_view(view: SeatViewBase, *, ranges: bool = True) -> str:
    """Where the game stands, the own cards, what is known of each player, the offers, the supply.

    Without `ranges` nothing is said of what can be inferred of other hands.
    """
    lines = [_headline(view), *view.options.house_rules(), _prompt_line(view)]
    if view.seat is not None:
        lines.append(_own_hand(view))
    lines += [_player_line(view, color, ranges=ranges) for color in view.colors]
    terms = view.options.edition_data.words
    lines += [f"Offer {offer.in_words(terms)}" for offer in view.offers]
    deck = count_noun(view.deck_size, terms["development_card"])
    lines += [f"{terms['stock'].capitalize()}: {view.supply.in_words(terms)}; {deck}", f"Robber: {view.robber}"]
    return "\n".join(_wrapped(line) for line in lines)


def _headline(view: SeatViewBase) -> str:
    eyes = f"seen by {view.seat}" if view.seat else "seen by everybody"
    title = view.options.edition_data.title
    if view.winner is not None:
        return f"{title}, {eyes}: after {view.turn} turns {view.winner} has won"
    turn_text = f"turn {view.turn} of {view.active}" if view.turn else f"{_setup(view.options)}, {view.active}"
    roll_text = f", rolled {view.dice[0]} and {view.dice[1]}" if view.dice else ""
    return f"{title}, {eyes}: {turn_text}{roll_text}"


def _prompt_line(view: SeatViewBase) -> str:
    if view.seat not in view.to_act:
        return view.prompt_text()
    debts = {
        color: f" ({count_noun(view.owed(color), _item(view))})" if view.owed(color) else "" for color in view.to_act
    }
    others = ", ".join(color + debt for color, debt in debts.items() if color != view.seat)
    return f"{view.prompt_text()} Also to act: {others}." if others else view.prompt_text()


def _own_hand(view: SeatViewBase) -> str:
    terms = view.options.edition_data.words
    new_cards = f" (new: {view.new_development.in_words(terms)})" if view.new_development else ""
    development_cards = (
        f"; {terms['development_card']}s: {view.development.in_words(terms)}{new_cards}" if view.development else ""
    )
    return f"Your {terms['hand']}: {view.hand.in_words(terms)}{development_cards}"


def _player_line(view: SeatViewBase, color: Color, *, ranges: bool) -> str:
    terms = view.options.edition_data.words
    hidden = view.points(color) - view.public_points(color)
    facts = [count_noun(view.points(color), "point") + (f" ({hidden} from {_item(view)}s)" if hidden else "")]
    facts.append(count_noun(view.hand_size(color), _item(view)) + (_known_hand(view, color) if ranges else ""))
    if view.development_count(color):
        facts.append(count_noun(view.development_count(color), terms["development_card"]))
    if knights := view.played(color)["knight"]:
        facts.append(f"{count_noun(knights, 'knight')} played")
    facts.append(f"road {view.road_length(color)}")
    facts += [terms["longest_road"]] * (view.longest_road == color)
    facts += [terms["largest_army"]] * (view.largest_army == color)
    mark = "*" if view.active == color and not view.over else " "
    return f"{mark} {color:<{_NAME_INDENT - 2}}{'; '.join(facts)}"


def _known_hand(view: SeatViewBase, color: Color) -> str:
    """What is known of another hand: `(0-2 brick 1 ore)`."""
    if color == view.seat or not view.hand_size(color):
        return ""
    try:
        ranges = view.ranges(color)
    except BadInput:  # a view read from a text that does not say
        return ""
    terms = view.options.edition_data.words
    card_ranges = " ".join(f"{_range(least, most)} {terms[name]}" for name, (least, most) in ranges.items() if most)
    return f" ({card_ranges})" if view.raw.capped == 0 else f" (perhaps {card_ranges})"


def _range(least: int, most: int) -> str:
    return str(most) if least == most else f"{least}-{most}"


def _item(view: SeatViewBase) -> str:
    """What the edition has in hands: cards or tiles."""
    return edition_terms("en", view.options.edition)["item"]


def _setup(options: Options) -> str:
    """What comes before the first turn, as the edition writes it."""
    return edition_terms("en", options.edition)["setup"]


def _wrapped(line: str) -> str:
    return textwrap.fill(
        line, TEXT_WIDTH, subsequent_indent=" " * _NAME_INDENT, drop_whitespace=True, break_on_hyphens=False
    )
