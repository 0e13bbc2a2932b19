"""The picture of a position: the board with all pieces, and a quiet strip with what all can see of the players."""

from __future__ import annotations

from collections.abc import Iterable

from hexholm.rules.boards import Layout
from hexholm.rules.colors import SeatNumber
from hexholm.rules.encoding.lanes import count, count_cards
from hexholm.rules.encoding.phases import OVER
from hexholm.rules.encoding.structs import KNIGHT, Sight, State
from hexholm.rules.queries import add_card_points, total_points
from hexholm.rules.setup.options import Options

from .plan import plan_of
from .strip import StripLine, position_svg
from .svg import svg_of


def draw_position(
    options: Options,
    layout: Layout,
    state: State,
    *,
    names: bool = False,
    highlight: str | Iterable[str] = (),
    theme: str = "light",
    width: int | None = None,
    strip: bool = True,
) -> str:
    """An SVG document of a state or a view, from public facts alone. `strip=False` leaves the players out.

    `highlight` are names of places, or one text of them: `"C3n C3/ne"`.
    """
    if isinstance(highlight, str):
        highlight = highlight.replace(",", " ").split()
    plan = plan_of(layout, state, options.colors, names=names, highlight=tuple(highlight))
    words = options.edition_data.words
    if not strip:
        return svg_of(plan, theme=theme, width=width, words=words)
    return position_svg(plan, seat_lines(options, state), theme=theme, width=width, words=words)


def seat_lines(options: Options, state: State) -> list[StripLine]:
    """What everybody can see of each player."""
    worth = options.edition_data.points
    return [
        StripLine(
            color=color,
            points=points_in_view(state, seat),
            resource_cards=state.hand_size[seat] if isinstance(state, Sight) else count_cards(state.hand[seat]),
            development_cards=state.card_count[seat]
            if isinstance(state, Sight)
            else count_cards(state.development[seat]),
            knights=count(state.played[seat], KNIGHT),
            longest_road=worth["longest_road"] if state.longest_road == seat else 0,
            largest_army=worth["largest_army"] if state.largest_army == seat else 0,
            turn=state.active == seat and state.phase != OVER,
            won=state.winner == seat and state.phase == OVER,
            dice=(state.die_a, state.die_b) if state.active == seat and state.die_a else None,
        )
        for seat, color in enumerate(options.colors)
    ]


def points_in_view(state: State, seat: SeatNumber) -> int:
    """The points of a seat as far as they are known: with hidden cards one's own, or all when the game is over."""
    if isinstance(state, Sight):
        if seat == state.observer:
            return state.own_points
        return add_card_points(state.points[seat], max(state.revealed[seat], 0), state.points_card)
    return total_points(state, seat) if state.phase == OVER else state.points[seat]
