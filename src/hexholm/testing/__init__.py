"""Check your own player: `check_bot(MyBot)` plays it in every edition and reports what is wrong with it.

    >>> from hexholm.testing import check_bot
    >>> from hexholm.bots import Easy
    >>> print(check_bot(Easy, editions=["fifth"], games=1, points_to_win=4))      # doctest: +ELLIPSIS
    Easy: all is well
      legal        ... decisions in 1 game, all legal
      repeatable   the same seed played the same games
      alone        what other seats do elsewhere does not change its mind
      honest       ... times it was shown another world that looks the same: the same choice
      harmless     it left its views as they were
      anew         made anew for every question, as hosts do, it plays on
      variants     two players, house rules: all legal
      explains     ... times it said why: its choice first, chances from 0 to 1
      speed        median ... ms, 99 of 100 within ... ms, longest ... ms

In your own test, call `check_bot(MyBot)`. If it finds an error, it raises :class:`BadBot`, an AssertionError, with this
report.

`bot_check.py` makes the checks, with what `watched_bot.py` sees of a player in its games; `report.py` has what they
found. Only the command line imports this room.
"""

from __future__ import annotations

from .bot_check import ANSWER_LIMIT, check_apart, check_bot
from .report import BadBot, Report

__all__ = ["ANSWER_LIMIT", "BadBot", "Report", "check_apart", "check_bot"]
