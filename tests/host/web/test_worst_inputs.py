"""The worst inputs that we know are refused or answered, and the program that measures them runs."""

from __future__ import annotations

import pytest

from bench import worst_inputs

pytestmark = pytest.mark.waits

REFUSED = {
    "board: 9,000 colors": "413",
    "board: 400 colors": "400",
    "board: ": "409",
    "almanac: search of 20,000": "413",
    "JSON: 16,000": "400",
    "JSON: 4,000": "413",
    "new table: options nested": "400",
    "path of": "404",
    "header: a Host": "421",
    "header: 64,000": "431",
    "socket: 1,000": "closed",
    "socket: 400,000": "closed",
    "socket: 43,000": "closed",
    "assistant: arguments": "400",
}
"""By the beginning of the name. The rest is answered."""


def test_every_input_is_refused_or_answered_and_the_server_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worst_inputs, "SILENCE", 0.5)
    monkeypatch.setattr(worst_inputs, "QUIET", 0.01)
    with worst_inputs.open_house(tables=3, moves=30, log_bytes=40_000) as house:
        answers = {name: ask(house) for name, ask in worst_inputs.INPUTS.items()}
        for name, answer in answers.items():
            expected = next((answer for start, answer in REFUSED.items() if name.startswith(start)), None)
            if name != "board: the fairest of many" and expected is not None:
                assert answer.startswith(expected), (name, answer)
            else:
                assert not answer.startswith("5"), (name, answer)
        assert answers["replay"] == answers["summary"] == answers["lobby: 100 tables"] == "200"
        cost = worst_inputs.measure(house, "lobby: 100 tables", 2)
        assert cost.answer == "200"
        assert cost.first > 0
        assert cost.rate == worst_inputs.LIMITS.reading.per_second
        assert worst_inputs.measure(house, "replay", 1).rate == worst_inputs.LIMITS.records.per_second
        assert worst_inputs.request("GET", "/healthz")(house) == "200"
