"""REST for complaints about words: `POST /api/tables/{id}/reports`. Whoever sees a table may report what is there."""

from __future__ import annotations

from functools import cached_property, partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hexholm.game.language.clean_text import clean

from ...storage.rows.reported_words import add_report
from ...storage.values import guest_mark
from ...tables.running.runner import TableRunner
from ...tables.seats import Eyes
from ...wire import api, messages
from ...wire.host_refusals import Declined, HostReason
from ..admission.counted_origin import counted_network
from ..admission.limits import Buckets
from .responses import json_response
from .rest_routes import RestRoutes

WHY_NOT_TAKEN: dict[str, HostReason] = {
    "no_words": "nothing_to_report",
    "own_words": "not_yourself",
    "full": "too_much_at_once",
    "too_many": "reported_too_often",
}


class Reports(RestRoutes):
    """The part of REST with which words are reported."""

    def routes(self) -> list[Route]:
        """One path."""
        path = "/api/tables/{table:str}/reports"
        return [Route(path, self.guarded(self.report, writes=True), methods=["POST"])]

    @cached_property
    def _by_network(self) -> Buckets:
        return Buckets(self.context.settings.limits.reports)

    async def report(self, request: Request) -> Response:
        """Tell the operator of a name, a remark or a title; a second report of the same is not written down again."""
        runner, guest = await self.visible_table(request)
        new_report: api.NewReport = await self.read_body(request, api.NewReport)
        guest_id, is_known = self.context.guest_id_of(request)
        seq, reported = _locate_words(runner, guest.color, new_report)
        if not self._by_network.spend(counted_network(self.context.address(request))):
            raise Declined.because("too_much_at_once")
        result = await self.context.storage.write(
            partial(
                add_report,
                table_id=runner.table.id,
                what=new_report.what,
                seq=seq,
                reported=reported,
                reporter=guest_id if is_known else "",
                why=clean(new_report.why),
                now=self.context.hall.services.now(),
            )
        )
        if result != "taken":
            raise Declined.because(WHY_NOT_TAKEN[result])
        self.context.logger.info(
            "words reported", table=runner.table.id, what=new_report.what, guest=guest_mark(guest_id)
        )
        return json_response(api.ReportTaken(taken=True), 201)


def _locate_words(runner: TableRunner, eyes: Eyes, new_report: api.NewReport) -> tuple[int | None, str | None]:
    """Where the words stand: the number of their entry in the log, or for a name whose it is. Raises Declined."""
    table = runner.table
    if new_report.what == "title":
        return 1, None
    if new_report.what == "name":
        seat = table.find_seat(new_report.seat or "", "no_seat_here")
        return None, seat.guest_id
    stream, number = table.by_eyes[eyes].stream, new_report.number or 0
    if not 0 < number <= len(stream) or not isinstance(stream[number - 1], messages.Chatted):
        raise Declined.because("nothing_to_report")
    return runner.entry_of_message(eyes, number), None
