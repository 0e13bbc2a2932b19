"""Games that count for people's ratings: which tables can have one, who must be there and stay, and what it changes.

All that is different at a rated table is ruled here; others ask. docs/decisions/0012 says why. Bots stand at fixed
values, so that people's ratings mean the same from house to house.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from hexholm.bots.rating_model import Rating, rate_seats

from ..storage import RatedGame, RatedSeat, RatingChange
from ..table_literals import UnratedReason
from ..wire.host_refusals import Declined
from .seats import Seat
from .state import TableState
from .table_settings import TableSettings
from .table_terms import TableTerms

RATED_PEOPLE: Final = 2
"""So many people at least must act themselves in a game that is rated."""
BOT_RATINGS: Final = {"random": -30.1, "easy": 25.0, "medium": 34.8, "hard": 43.8, "expert": 49.1}
"""Where the shipped players stand: so far apart that by the model each wins as often against three of the level below
as it was measured to (bench/results.md, "Players": medium 52.0 % of games, hard 49.6, expert 38.5; easy 99.6 against
random, the lower end). `easy` is where people begin: stand-ins for casual players win 24 to 38 % of games against
three of it."""
BOT_SIGMA: Final = 0.5
"""How sure that is."""
LONGEST_RATED_CLOCK: Final = 86_400.0
"""Seconds for a decision at most: whoever stays and never moves would hold a rated game for ever."""
RATED_REMATCH_CLOCK: Final = 120.0
"""What a rated table gets that follows one from before rated games had a clock."""
SHOWN_PER_POINT: Final = 40
"""Ratings are shown as whole numbers: so many for a point of openskill."""


def shown_rating(rating: Rating) -> int:
    """A rating as people see it: how strong somebody is at least, as good as certainly. Newcomers have 0."""
    return max(0, round(SHOWN_PER_POINT * (rating.mu - 3 * rating.sigma)))


def check_can_be_rated(settings: TableSettings) -> None:
    """Raises Declined for a table that is to be rated and cannot be."""
    if not settings.terms.rated:
        return
    if settings.terms.is_board_real:
        raise Declined.because("rated_needs_host_dice")
    if settings.board is not None:
        raise Declined.because("rated_needs_plain_board")
    if settings.options.house_rules():
        raise Declined.because("rated_needs_book_rules")
    if settings.terms.waits_for_absent:  # or whoever is about to lose stays away, and the game never counts
        raise Declined.because("rated_needs_stand_in")
    if settings.terms.clock is None or settings.terms.clock > LONGEST_RATED_CLOCK:  # or stays, and never moves
        raise Declined.because("rated_needs_clock")
    if settings.options.players - sum(name is not None for name in settings.bots.values()) < RATED_PEOPLE:
        raise Declined.because("rated_needs_people", least=RATED_PEOPLE)


def rated_terms(terms: TableTerms) -> TableTerms:
    """The terms of a rated table for the one that follows it: as older ones had them, they cannot be rated any more."""
    return replace(
        terms,
        absence=None if terms.waits_for_absent else terms.absence,
        clock=RATED_REMATCH_CLOCK if terms.clock is None else terms.clock,
    )


def check_enough_people(table: TableState) -> None:
    """Raises Declined where too few people sit for a game that is to be rated."""
    if table.opening.rated and sum(seat.sitter == "person" for seat in table.seats.values()) < RATED_PEOPLE:
        raise Declined.because("rated_needs_people", least=RATED_PEOPLE)


def check_can_lose_seat(table: TableState, seat: Seat) -> None:
    """Raises Declined where nobody may take a seat away in the running game, as it is rated.

    Else the others could take a game from the one who is winning it; for who is long gone a bot only stands in.
    """
    if table.opening.rated and not (seat.is_away_without_bot and seat.long_gone):
        raise Declined.because("rated_stays")


def why_unrated(table: TableState) -> UnratedReason:
    """Why a rated game that is over changes no rating; before its end nobody is told, as it could tell of cards."""
    if not table.opening.rated or table.status != "over":
        return ""
    if table.game is None or table.game.winner is None:
        return "no_winner"
    if (
        sum(seat.sitter == "person" and seat.color in table.acted_colors for seat in table.seats.values())
        < RATED_PEOPLE
    ):
        return "few_people"
    return "weak_bots" if table.has_weak_bots else ""


def rated_game_of(table: TableState) -> RatedGame | None:
    """What a game that is over means for ratings; None: nothing.

    The rank of a seat counts for the person who sits there, also where a bot has played on for them.
    """
    if (
        not table.opening.rated
        or table.status != "over"
        or why_unrated(table)
        or table.game is None
        or table.game.winner is None
    ):
        return None
    seats = []
    for seat in table.seats.values():
        if seat.sitter == "person":
            seats.append(RatedSeat(guest_id=seat.guest_id, name=seat.name))
        else:
            seats.append(RatedSeat(fixed=BOT_RATINGS.get(seat.bot_name or "", BOT_RATINGS["easy"])))
    ranks = ranks_of(table.game.points, table.colors.index(table.game.winner))
    return RatedGame(table.id, table.time, ranks, tuple(seats))


def ranks_of(points: Sequence[int], winner: int) -> tuple[int, ...]:
    """The ranks of the seats: first the winner, then by points; who has equally many shares a rank."""
    ranks = [(seat == winner, own_points) for seat, own_points in enumerate(points)]
    return tuple(1 + sum(other > own for other in ranks) for own in ranks)


def rate_people(game: RatedGame, before: Sequence[tuple[float, float] | None]) -> list[RatingChange]:
    """The new ratings of all seats, from those the people had; None: it is their first game."""
    ratings = [
        Rating(seat.fixed, BOT_SIGMA) if seat.fixed is not None else Rating() if had is None else Rating(*had)
        for seat, had in zip(game.seats, before, strict=True)
    ]
    after = rate_seats(ratings, game.ranks)
    return [
        RatingChange(new.mu, new.sigma, shown_rating(new), shown_rating(new) - shown_rating(old))
        for old, new in zip(ratings, after, strict=True)
    ]
