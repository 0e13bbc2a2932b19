"""REST for ratings: the list of all, and one's own games that counted.

`GET /api/ratings?limit=&skip=`, `GET /api/me/ratings?limit=&before=`.
"""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...storage import PlayerRatings
from ...storage.repositories.player_ratings import LISTED_FROM
from ...wire import api
from .query_parameters import query_number
from .responses import json_response
from .rest_routes import RestRoutes

MOST_LISTED: Final = 100
LAST_LISTED: Final = 10_000
"""So far down the list can be read: what is skipped costs time."""


class Ratings(RestRoutes):
    """The part of REST that tells ratings."""

    def routes(self) -> list[Route]:
        """The list, and one's own history."""
        return [
            Route("/api/ratings", self.guarded(self.leaders)),
            Route("/api/me/ratings", self.guarded(self.history)),
        ]

    async def leaders(self, request: Request) -> Response:
        """The best first, by the names they had in their last rated games."""
        limit = query_number(request, "limit", 50, 1, MOST_LISTED)
        skip = query_number(request, "skip", 0, 0, LAST_LISTED)
        guest_id, _ = self.context.guest_id_of(request)
        rows, total = await PlayerRatings(self.context.storage).leaders(
            self.context.hall.services.now(), limit=limit, skip=skip
        )
        people = tuple(
            api.RatingLine(rank=rank, name=row.name, rating=row.shown, games=row.games, is_you=row.guest_id == guest_id)
            for rank, row in enumerate(rows, skip + 1)
        )
        return json_response(api.RatingList(people=people, total=total, least_games=LISTED_FROM))

    async def history(self, request: Request) -> Response:
        """The rating of the guest who asks, and the games it came from, newest first."""
        limit = query_number(request, "limit", 50, 1, MOST_LISTED)
        before = query_number(request, "before", 10**9 - 1, 1, 10**9 - 1)
        guest_id, is_known = self.context.guest_id_of(request)
        rows = PlayerRatings(self.context.storage)
        own_rating = await rows.rating(guest_id) if is_known else None
        if own_rating is None:
            return json_response(api.MyRatings(rating=None, games=0, history=(), least_games=LISTED_FROM))
        history = tuple(
            api.RatedGameLine(
                table=row.table_id,
                number=row.number,
                time=row.time,
                place=row.rank,
                players=row.players,
                rating=row.shown,
                change=row.change,
            )
            for row in await rows.history(guest_id, limit=limit, before=before)
        )
        answer = api.MyRatings(
            rating=own_rating.shown, games=own_rating.games, history=history, least_games=LISTED_FROM
        )
        return json_response(answer)
