"""A game you can hold: ask what is legal, play by text, look through a seat's eyes, take back, write down.

    >>> import hexholm
    >>> game = hexholm.Game(edition="fifth", setup="fixed", seed=7)
    >>> game.to_act, game.legal_actions
    (('red',), <1 action: roll>)
    >>> for event in game.play("roll"):
    ...     print(type(event).__name__)
    Rolled
    Produced

A game is the full truth; whatever serves a player gets `game.view("blue")`. What is written down is `game.record()`.

:class:`Game`, :class:`SeatView` and :class:`Record` stand in one module because each leads to the others: a game gives
views and its record, a view samples games, a record plays its game again. Here are only these ways, and those out into
text and pictures; what each of the three is stands below, in :mod:`.game_base`, :mod:`.views.seat_view_base` and
:mod:`.record_format.record_base`, for those that need no more and could not import this module.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

import numpy as np

from hexholm.rules.boards import Layout
from hexholm.rules.colors import AnySeat, Color
from hexholm.rules.compilation import mode
from hexholm.rules.encoding.structs import OpenOffers, State
from hexholm.rules.errors import BadInput
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.referee import Referee
from hexholm.rules.setup.options import Options

from .dealers import Dealer, Seeded
from .game_base import GameBase
from .history import PackedBelief, pack_belief
from .positions.position_words import PUBLIC
from .record_format.record_base import RecordBase, final_hash
from .record_format.steps import BadRecord
from .result import STOPS, Stop
from .views.sample import sample_position
from .views.seat_view_base import SeatViewBase

_STOP_WORD: Final = re.compile(rf"(?<!\S)stopped=({'|'.join(STOPS)})(?!\S)", re.IGNORECASE)
"""The one word of a view's text that is no fact of the core."""


class Game(GameBase):
    """One game with everything in it: the rules in force, the board, the position, its history and its dealer.

    This class has views, positions and records. The rest is in `game_base.py`, inherited:

    - beginning: `with_options`, `at`, `unplayed`, `repeat`, `copy`
    - the game: `options`, `edition`, `layout`, `colors`, `phase`, `turn`, `active`, `first`, `over`, `winner`,
      `result`, `points`
    - legal actions: `to_act`, `legal_actions`, `why_not`, `play`
    - chance: `chance`, `deal`
    - the past: `steps`, `steps_since`, `step_count`, `actions`, `events`, `events_since`, `history`,
      `comment`, `comments`
    - going back, stopping: `undo`, `rewind`, `stop`
    """

    def view(self, seat: AnySeat | None) -> SeatView:
        """What a seat may know, and nothing more; None: the public."""
        return SeatView(self.options, self.layout, self.referee.view(seat), self.referee.compiled, self._stop)

    def glance(self, seat: AnySeat | None) -> SeatView:
        """A view without the odds of hidden cards: much cheaper if you look after every action."""
        return SeatView(self.options, self.layout, self.referee.sight(seat), self.referee.compiled, self._stop)

    @property
    def _stop(self) -> Stop | None:
        return None if self._stop_result is None or self._stop_result.how == "won" else self._stop_result.how

    def position(self) -> str:
        """The position as one line of text (docs/formats/position.md)."""
        from .positions.position import position_text

        return position_text(self.options, self.layout, self.referee.state, self.referee.open_offers)

    @classmethod
    def from_position(cls, text: str, *, dealer: Dealer | None = None, compiled: bool | None = None) -> Self:
        """A game from the text of a position; everybody is assumed to know all cards in it."""
        from .positions.position import read_position

        if not isinstance(text, str):
            raise BadInput(f"{text!r} is not the text of a position")
        position = read_position(text)
        return cls.at(
            position.options, position.layout, position.state, position.open_offers, dealer=dealer, compiled=compiled
        )

    def record(self, seat: Color | None = None) -> Record:
        """The record of the whole game; with a seat, as that seat saw it."""
        record = Record.of(self)
        return record if seat is None else record.seen_by(seat)

    @classmethod
    def from_record(cls, record: Record | str, *, dealer: Dealer | None = None, compiled: bool | None = None) -> Game:
        """The game of a record (or of its text), replayed to its end; you can play on from there."""
        if isinstance(record, str):
            record = Record.read(record)
        if not isinstance(record, Record):
            raise BadInput(f"{record!r} is neither a record nor the text of one")
        return record.game(dealer=dealer, compiled=compiled)

    def svg(self, **how: Any) -> str:
        """An SVG picture of the position; same keywords as :func:`hexholm.game.pictures.draw_position`."""
        from .pictures import draw_position

        return draw_position(self.options, self.layout, self.referee.state, **how)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        from .descriptions import describe_game

        return describe_game(self)

    def __repr__(self) -> str:
        status = "over" if self.over else f"turn {self.turn}, {self.active}: {self.phase}"
        return f"<Game {self.edition}, {len(self.colors)} players, {status}>"


class SeatView(SeatViewBase):
    """What one seat, or the public, may know of a game at one moment.

    `options` are the rules in force, `layout` is the board (`view.layout.pips("C3n")`), `raw` the core's own struct.
    Methods that take a player, by color or seat number, use the seat that looks by default. Two views are equal if they
    have the same rules, the same board and the same knowledge.

    This class turns a view into a game, a text and a picture. The rest is in `views/seat_view_base.py`, inherited:

    - the game: `seat`, `edition`, `phase`, `turn`, `active`, `to_act`, `asked`, `trade_open`, `dice`, `robber`,
      `winner`, `over`, `supply`, `deck_size`, `longest_road`, `largest_army`, `offers`
    - this seat's cards: `hand`, `development`, `new_development`
    - of every player: `hand_size`, `development_count`, `played`, `points`, `public_points`, `owed`, `settlements`,
      `cities`, `roads`, `road_length`, `pieces_left`, `harbors`, `rates`
    - legal actions: `legal_actions`, `why_not`, `fallback`, `hindrances`, `kind_verdicts`,
      `partners`, `current_prompt`, `prompt_text`
    - what is hidden: `exact`, `worlds`, `ranges`, `odds`, `probability_of`, `development_odds`,
      `development_probability`, `hand_odds`, `hidden_odds`
    - as the core has it: `raw`, `facts`, `raw_state`, `raw_open_offers`
    """

    def sample(self, rng: random.Random | int) -> Game:
        """A whole game that looks to this seat like the real one, drawn by the odds; for search and playouts.

        `rng` is a generator or a seed. It decides the hidden cards and all later chance of that game, so the chance
        of the real game is not affected. What this seat knows stays the same. The other seats know what this seat
        knows, and their own cards. Discards that they may have chosen in secret are not yet chosen.
        """
        if not isinstance(rng, random.Random):
            if type(rng) is not int:
                raise BadInput(f"{rng!r}: give a random.Random or a whole number as its seed")
            rng = random.Random(rng)
        state, belief = sample_position(self, rng)
        dealer = Seeded(rng.getrandbits(63))
        game = Game.at(
            self.options, self.layout, state, self.raw_open_offers(), belief, dealer=dealer, compiled=self.compiled
        )
        if self.stopped is not None:
            game.stop(self.stopped)
        return game

    def __str__(self) -> str:
        from .descriptions import describe_view

        return describe_view(self)

    def text(self, *, belief: bool = True) -> str:
        """The view as one line to be read back (docs/formats/view.md); without `belief` short, but without odds."""
        from .positions.position import view_text

        cut_word = f" stopped={self.stopped}" if self.stopped else ""
        return view_text(self.options, self.layout, self.raw if belief else self.seen, belief=belief) + cut_word

    @classmethod
    def from_text(cls, text: str) -> SeatView:
        """The view of a text."""
        from .positions.position import read_view

        if not isinstance(text, str):
            raise BadInput(f"{text!r} is not the text of a view")
        stops: list[Stop] = [word.lower() for word in _STOP_WORD.findall(text)]
        return cls(*read_view(_STOP_WORD.sub(" ", text)), stopped=stops[-1] if stops else None)

    def svg(self, **how: Any) -> str:
        """An SVG picture of what everybody can see; same keywords as :func:`hexholm.game.pictures.draw_position`."""
        from .pictures import draw_position

        return draw_position(self.options, self.layout, self.seen, **how)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        status = "over" if self.over else f"turn {self.turn}, {self.active}: {self.phase}"
        return f"<SeatView of {self.seat or 'the public'}: {self.edition}, {len(self.colors)} players, {status}>"


class Record(RecordBase):
    """A game written down; make one with `Record.of(game)` or `Record.read(text)`. It cannot be changed.

        >>> import hexholm
        >>> game = hexholm.Game(edition="fifth", setup="fixed", seed=7)
        >>> game.play("roll")
        <2 events: Rolled, Produced>
        >>> record = game.record()
        >>> hexholm.Record.read(record.text()) == record, record.game() == game
        (True, True)
        >>> print(record.text().splitlines()[-1])
          1. red: roll =3+3

    A record contains outcomes, never a seed, so it can always be replayed and reveals nothing about the future.
    `record.seen_by("blue")` is the copy for blue, with `?` for what blue may not know. docs/formats/record.md describes
    the text; :mod:`.record_format.text_form` writes it and :mod:`.record_format.reader` reads it. `records/verify.py`
    checks records, `records/export.py` has other formats.

    This class turns a record into a game, a text and data. The rest is in `record_format/record_base.py`, inherited:

    - following a game: `opening_position`, `referee`, `checked_tracker`, `turn_tracker`
    - contents: `colors`, `actions`, `outcomes`, `texts`, `first`, `turns`
    """

    __slots__ = ()

    @classmethod
    def of(cls, game: Game) -> Self:
        """The full record of a game."""
        referee, start = game.referee, game.history.start
        start_text, start_hidden = None, False
        if start is not None:
            from .positions.position import position_text

            state = State(np.frombuffer(start.state, np.uint8).copy())
            open_offers = OpenOffers(np.frombuffer(start.open_offers, np.uint8).copy())
            start_text = position_text(game.options, game.layout, state, open_offers)
            start_hidden = not _is_all_known(game, state, start.belief)
        return cls(
            options=game.options,
            layout=game.layout,
            names=game.names,
            steps=game.steps,
            comments=game.comments,
            result=game.result,
            start=start_text,
            start_hidden=start_hidden,
            final=final_hash(referee),
        )

    def game(self, dealer: Dealer | None = None, compiled: bool | None = None, *, known: bool = False) -> Game:
        """The game, replayed: the same position and past. Pending chance is still pending.

        A game that began with hidden cards (`start_hidden`) cannot be restored exactly, because the record does not say
        what the players had inferred by then. `known=True` replays it anyway and lets everybody know those cards.
        """
        self._must_be_full("played")
        if self.start_hidden and not known:
            raise BadRecord(
                "this game began in a position with something hidden, and a record does not tell what the players knew "
                "of it; record.game(known=True) plays it as if all of it had been known to everybody"
            )
        if self.start is None:
            game = Game.unplayed(self.options, self.layout, dealer=dealer, names=self.names, compiled=compiled)
        else:
            start = self.opening_position()
            game = Game.at(self.options, self.layout, *start, dealer=dealer, names=self.names, compiled=compiled)
        try:
            game.repeat(self.steps, self.comments)
        except IllegalAction:
            self.checked_tracker().replay(self.steps)
            raise
        if self.result is not None and self.result.how != "won" and not game.over:
            game.stop(self.result.how, self.result.note)
        return game

    # --- eyes ------------------------------------------------------------------------------------------------

    def seen_by(self, eyes: Color | None) -> Self:
        """The copy for a color, or for the public ("public" or None), with only what they may know."""
        from .record_format.seat_copy import copy_for

        return copy_for(self, PUBLIC if eyes is None else eyes)

    # --- text and data ---------------------------------------------------------------------------------------

    @classmethod
    def read(cls, text: str, *, check: bool = True) -> Self:
        """One game from its text; raises BadRecord.

        `check`: every action must be legal. Copies are not checked here; that takes a search (`records/verify.py`).
        """
        from .record_format.reader import read_record

        return read_record(cls, text, check=check)

    def text(self) -> str:
        """The canonical text."""
        from .record_format.text_form import record_text

        return record_text(self)

    __str__ = text

    def to_json(self) -> str:
        """The record as one line of JSON."""
        from .record_format.json_form import record_json_text

        return record_json_text(self)

    @classmethod
    def from_json(cls, text: str | Mapping[str, Any], *, check: bool = True) -> Self:
        """A record from its JSON, as text or data; raises BadRecord. `check` as in :meth:`read`."""
        from .record_format.json_form import read_record_json

        return read_record_json(cls, text, check=check)


def _is_all_known(game: Game, state: State, belief: PackedBelief) -> bool:
    """Whether a game that was set up by hand began with all cards known to everybody."""
    fresh = pack_belief(Referee(game.options, game.layout, state, compiled=False).belief)
    return all(np.array_equal(a, b) for a, b in zip(fresh, belief, strict=True))


def _use_once(compiled: bool | None) -> None:
    game = Game(seed=0, compiled=compiled)
    for _ in range(4 * game.options.players):
        game.play(game.legal_actions.texts[0])
    game.copy().view(game.to_act[0])
    game.glance(None)
    game.why_not("offer 1 ore : 1 wool to all")
    game.position()


mode.register("game", _use_once)


def simulated(
    options: Options,
    seed: int,
    number: int = 0,
    *,
    names: Sequence[str] = (),
    board: Layout | None = None,
    compiled: bool | None = None,
) -> Game:
    """Game `number`, from 0, of `simulate` with these options and this seed, played to its end or its cap.

    Boards, dice, cards and choices are those of the fast run.
    """
    from hexholm.rules.simulate import replay_game

    for name, value in (("seed", seed), ("number", number)):
        if type(value) is not int:
            raise BadInput(f"{name} {value!r}: give a whole number")
    replay = replay_game(options, seed, number, compiled=compiled, board=board)
    option_values, layout = replay.referee.options.as_dict(), replay.referee.layout
    dealer = Seeded(seed, number)
    game = Game(board=layout, dealer=dealer, names=names, compiled=replay.referee.compiled, **option_values)
    game.repeat(replay.steps[len(game.steps) :])  # the start roll, if there is one, is dealt already
    if not game.over:
        game.stop("capped")
    return game
