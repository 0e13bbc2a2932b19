"""What a seat may know, and nothing more: the body of :class:`hexholm.game.game.SeatView`.

    >>> import hexholm
    >>> view = hexholm.Game(edition="fifth", setup="fixed", seed=7).view("blue")
    >>> view.seat, view.active, view.hand, view.hand_size("red")
    ('blue', 'red', Cards('1 brick 1 lumber 1 ore'), 3)
    >>> view.ranges("red")["lumber"], view.probability_of("red", "1 ore"), view.legal_actions
    ((2, 2), 0.0, <no actions>)

A view is made of the rules in force, the board and one struct (:class:`hexholm.rules.encoding.structs.View`) from
which all that is hidden from the seat was struck out. It knows no game, so nothing that is given a view can look
further. Odds are worked out when asked for (:mod:`.odds`); a view is a value and does not follow the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from hexholm.older_names import with_older_names
from hexholm.rules.boards import Layout
from hexholm.rules.colors import AnySeat, Color, SeatNumber, colors_in, nobody_plays
from hexholm.rules.compilation import mode
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import N_KINDS, covers, guard_of
from hexholm.rules.encoding.phases import OVER, PHASES
from hexholm.rules.encoding.structs import (
    GENERIC_HARBOR,
    GENERIC_HARBOR_BIT,
    HARBOR_KINDS,
    OFFERS,
    RESOURCES,
    SEATS,
    OpenOffers,
    Sight,
    State,
    View,
)
from hexholm.rules.errors import BadInput
from hexholm.rules.initial_state import NO_LIMIT
from hexholm.rules.places import CORNER_NAMES, HALF, HEX_NAMES, SIDE_NAMES
from hexholm.rules.queries import add_card_points, cities_left, roads_left, settlements_left
from hexholm.rules.reasons import Reason
from hexholm.rules.setup.options import Options

from ..action import AnyAction, speaker_and_action
from ..cards import Cards, DevelopmentCards
from ..events.prompts import Prompt, prompt_of
from ..facts import Facts, facts_of, rates_of, seen_offers, seen_state
from ..legal_actions import LegalActions, no_actions
from ..result import Stop, stop_reason
from .cached_property import cached_property
from .odds import DevelopmentOdds, HandOdds, development_odds
from .offer import Offer
from .why_not import HINDERED_KINDS, SeatReferee, kind_verdicts


@with_older_names(
    bank="supply",
    card_chance="development_probability",
    card_count="development_count",
    card_odds="development_odds",
    cards="development",
    chance_of="probability_of",
    hindered="kind_verdicts",
    new_cards="new_development",
    prompt="prompt_text",
    question="current_prompt",
)
class SeatViewBase:
    """What one seat, or the public, may know of a game at one moment; a player not named is the seat that looks.

    It knows no game. :class:`hexholm.game.game.SeatView` adds what makes one (`sample`), and texts and pictures. There
    are two classes because those are made from what stands here, and games hand out views.
    """

    options: Options
    """The rules in force."""
    colors: tuple[Color, ...]
    """The players, by seat."""
    layout: Layout
    """The board."""
    seen: Sight
    """What is seen, as the core keeps it: the beginning of `raw`; not to be written to."""
    compiled: bool | None
    """Whether questions about legality are answered by compiled code; None: as is best (`rules.compilation.mode`)."""

    stopped: Stop | None
    """How the game ended if nobody won: agreed, abandoned or capped."""

    def __init__(
        self,
        options: Options,
        layout: Layout,
        seen: Sight,
        compiled: bool | None = None,
        stopped: Stop | None = None,
    ) -> None:
        colors = options.colors
        self.__dict__.update(
            options=options, colors=colors, layout=layout, seen=seen, compiled=compiled, stopped=stopped
        )

    @cached_property
    def raw(self) -> View:
        """All that the seat may know as the core keeps it, for compiled bots; not to be written to."""
        if not isinstance(self.seen, View):
            raise BadInput("a glance knows no odds: ask `game.view(seat)` for all that a seat may know")
        return self.seen

    @cached_property
    def facts(self) -> Facts:
        """The facts as plain numbers: most of what `raw` holds, but for the odds."""
        return facts_of(self.seen)

    # --- the game --------------------------------------------------------------------------------------------

    @cached_property
    def seat(self) -> Color | None:
        """The color of the seat that looks; None: the public."""
        observer = self.facts.observer
        return self.colors[observer] if observer < SEATS else None

    @property
    def edition(self) -> str:
        """The name of the edition."""
        return self.options.edition

    @property
    def phase(self) -> str:
        """The name of the phase."""
        return PHASES[self.facts.phase].name

    @property
    def turn(self) -> int:
        """The number of the turn; 0 in the set-up."""
        return self.facts.turn_number

    @property
    def active(self) -> Color:
        """Whose turn it is."""
        return self.colors[self.facts.active]

    @property
    def to_act(self) -> tuple[Color, ...]:
        """Who must act, as far as this seat may know; others appear not to have chosen their discards."""
        return () if self.stopped else colors_in(self.facts.to_act, self.colors)

    @property
    def trade_open(self) -> bool:
        """Whether players may trade with each other now; with separate phases, building ends trade (PHASE-05)."""
        return self.facts.trade_open

    @property
    def asked(self) -> bool:
        """Whether this seat must decide something now; never true for the public."""
        return not self.stopped and bool(self.facts.to_act >> self.facts.observer & 1)

    @property
    def dice(self) -> tuple[int, int] | None:
        """What was rolled this turn."""
        return (self.facts.die_a, self.facts.die_b) if self.facts.die_a else None

    @property
    def robber(self) -> str:
        """The hex of the robber."""
        return HEX_NAMES[self.facts.robber]

    @property
    def winner(self) -> Color | None:
        """Who has won."""
        return self._color_of(self.facts.winner)

    @property
    def over(self) -> bool:
        """Whether somebody has won, or the game was stopped."""
        return self.stopped is not None or self.facts.phase == OVER

    @property
    def supply(self) -> Cards:
        """The supply of resource cards."""
        return Cards.of_lanes(self.facts.supply)

    @property
    def deck_size(self) -> int:
        """How many development cards are left."""
        return self.facts.deck_size

    @property
    def longest_road(self) -> Color | None:
        """Who holds the award."""
        return self._color_of(self.facts.longest_road)

    @property
    def largest_army(self) -> Color | None:
        """Who holds the award."""
        return self._color_of(self.facts.largest_army)

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The open offers, by number."""
        facts = self.facts
        return tuple(
            Offer(
                slot + 1,
                self.colors[facts.offer_maker[slot]],
                Cards.of_lanes(facts.offer_give[slot]),
                Cards.of_lanes(facts.offer_want[slot]),
                *(colors_in(row[slot], self.colors) for row in (facts.offer_to, facts.offer_yes, facts.offer_no)),
            )
            for slot in range(OFFERS)
            if facts.offer_give[slot]
        )

    # --- the own cards ---------------------------------------------------------------------------------------

    @property
    def hand(self) -> Cards:
        """The resource cards of this seat; the public has none."""
        return Cards.of_lanes(self.facts.hand[self.facts.observer] if self.seat else 0)

    @property
    def development(self) -> DevelopmentCards:
        """The development cards of this seat, including new ones; the public has none."""
        return DevelopmentCards.of_lanes(self.facts.development[self.facts.observer] if self.seat else 0)

    @property
    def new_development(self) -> DevelopmentCards:
        """The development cards of this seat that were bought this turn and cannot be played yet (DEV-04)."""
        return DevelopmentCards.of_lanes(self.facts.new_cards)

    # --- what everybody can see of a player ------------------------------------------------------------------

    def hand_size(self, who: AnySeat | None = None) -> int:
        """How many resource cards a player holds."""
        return self.facts.hand_size[self._seat(who)]

    def development_count(self, who: AnySeat | None = None) -> int:
        """How many development cards a player holds."""
        return self.facts.card_count[self._seat(who)]

    def played(self, who: AnySeat | None = None) -> DevelopmentCards:
        """The development cards a player has played."""
        return DevelopmentCards.of_lanes(self.facts.played[self._seat(who)])

    def points(self, who: AnySeat | None = None) -> int:
        """A player's points as far as this seat knows: its own hidden ones count; at the end everybody's do."""
        seat, facts = self._seat(who), self.facts
        if seat == facts.observer:
            return facts.own_points
        return add_card_points(facts.points[seat], max(0, facts.revealed[seat]), facts.points_card)

    def public_points(self, who: AnySeat | None = None) -> int:
        """A player's points that everybody can see."""
        return self.facts.points[self._seat(who)]

    def owed(self, who: AnySeat | None = None) -> int:
        """How many cards a player has to discard now; others appear not to have chosen until all have."""
        return self.facts.owed[self._seat(who)]

    def settlements(self, who: AnySeat | None = None) -> tuple[str, ...]:
        """The corners of a player's settlements."""
        return corner_names(self.facts.settlements[self._seat(who)])

    def cities(self, who: AnySeat | None = None) -> tuple[str, ...]:
        """The corners of a player's cities."""
        return corner_names(self.facts.cities[self._seat(who)])

    def roads(self, who: AnySeat | None = None) -> tuple[str, ...]:
        """The sides of a player's roads."""
        seat = self._seat(who)
        return side_names(self.facts.roads_lo[seat] | self.facts.roads_hi[seat] << HALF)

    def road_length(self, who: AnySeat | None = None) -> int:
        """The length of a player's longest road."""
        return self.facts.road_length[self._seat(who)]

    def pieces_left(self, who: AnySeat | None = None) -> dict[str, int | None]:
        """How many roads, settlements and cities a player can still build; None: no limit (ZIP-09)."""
        seat, facts = self._seat(who), self.facts
        return {
            "road": roads_left(facts, seat) if facts.road_limit < NO_LIMIT else None,
            "settlement": settlements_left(facts, seat),
            "city": cities_left(facts, seat),
        }

    def harbors(self, who: AnySeat | None = None) -> tuple[str, ...]:
        """The kinds of harbor that a player may use: resources, and "any" for a general one."""
        usable = self.facts.usable_harbors[self._seat(who)]
        kinds = [kind for kind in range(N_KINDS) if usable & guard_of(kind)]
        return tuple(HARBOR_KINDS[kind] for kind in (*kinds, *[GENERIC_HARBOR] * bool(usable & GENERIC_HARBOR_BIT)))

    def rates(self, who: AnySeat | None = None) -> dict[str, int]:
        """How many cards of each resource a player gives the supply for one card."""
        return dict(zip(RESOURCES, rates_of(self.facts, self._seat(who)), strict=True))

    # --- what may be done ------------------------------------------------------------------------------------

    @cached_property
    def legal_actions(self) -> LegalActions:
        """What this seat may do now, but for offers and counter-offers; nothing for the public."""
        observer = self.facts.observer
        waits = not (self.asked or any(self.facts.offer_give))  # then there is nothing to do or to answer
        if self.seat is None or self.stopped or waits:
            return no_actions(self.colors)
        return LegalActions(self.colors, {observer: self._referee.legal(observer)})

    def why_not(self, action: AnyAction) -> Reason | None:
        """None if this seat may do that, else why not, as far as it may know before it tries.

        It does not say whether a trading partner still holds the cards; that is checked when the trade is carried out.
        """
        if self.seat is None:
            raise BadInput(f"{action}: the public cannot act; ask the view of {' or '.join(self.colors)}")
        by, action = speaker_and_action(action)
        if by not in (None, self.seat):
            raise BadInput(f"{by} {action}: this is the view of {self.seat}, who cannot act for {by}")
        if self.stopped:
            return stop_reason(self.options)
        return self._referee.why_not_for_seat(self.facts.observer, action)

    def fallback(self, code: int) -> int | None:
        """What a seat does if its yes, or its choice of a partner, was refused: no, or withdraw its offer (TRADE-10).

        The partner no longer holds the cards. None if the seat could have known, or if the action is neither.
        """
        decline = act.decline_instead(code)
        return None if decline == act.NOTHING or self.why_not(code) is not None else decline

    @cached_property
    def kind_verdicts(self) -> tuple[int, ...]:
        """By kind of action: 0 where this seat can do something of it now, else the core's verdict; () at the end."""
        if self.seat is None or self.stopped:
            return ()
        return kind_verdicts(self.options, self.facts, self.legal_actions.codes, lambda: self._referee)

    @property
    def hindrances(self) -> dict[str, Reason]:
        """For each kind of action that this seat cannot do at all now, the best reason; empty for the public.

        The kinds are those of :mod:`.why_not`: `view.hindrances["road"]` says why no road can be built anywhere.
        """
        if self.seat is None:
            return {}
        if self.stopped:
            return dict.fromkeys(HINDERED_KINDS, stop_reason(self.options))
        verdicts_by_kind = zip(HINDERED_KINDS, self.kind_verdicts, strict=True)
        return {kind: self._referee.reason(verdict) for kind, verdict in verdicts_by_kind if verdict}

    @property
    def partners(self) -> tuple[Color, ...]:
        """Players to whom this seat may offer a trade: on its turn all, else the active player; none for the public."""
        return () if self.seat is None else colors_in(self.facts.partners, self.colors)

    @cached_property
    def current_prompt(self) -> Prompt:
        """What is asked of this seat now, as data (:meth:`prompt_text` has the words)."""
        if self.stopped:
            return Prompt("stopped", self.seat)
        seat = None if self.seat is None else self.facts.observer
        return prompt_of(self.options, self.seen, seat, self.legal_actions.codes, self.facts)

    @cached_property
    def _referee(self) -> SeatReferee:
        return SeatReferee(self.options, self.layout, self.seen, self.facts, mode.runs_compiled(self.compiled))

    def raw_state(self) -> State:
        """The core's struct of what this seat sees of the state, to be completed."""
        return seen_state(self.seen)

    def raw_open_offers(self) -> OpenOffers:
        """The core's struct of the open offers."""
        return seen_offers(self.seen)

    # --- what is hidden --------------------------------------------------------------------------------------

    @property
    def exact(self) -> bool:
        """Whether the odds are exact; if not, the least likely of too many possibilities were dropped."""
        raw = self.raw
        return bool(raw.worlds) and not raw.capped and not any(raw.card_capped[seat] for seat in range(SEATS))

    @property
    def worlds(self) -> list[tuple[float, dict[str, Cards]]]:
        """Every possible distribution of the resource cards: (probability, hand of each player), likeliest first."""
        worlds = sorted(
            zip(self.hand_odds.weights, self.hand_odds.hands, strict=True),
            key=lambda world: (-world[0], world[1]),
        )
        return [
            (weight, {color: Cards.of_lanes(hands[seat]) for seat, color in enumerate(self.colors)})
            for weight, hands in worlds
        ]

    def ranges(self, who: AnySeat | None = None) -> dict[str, tuple[int, int]]:
        """The minimum and maximum of each resource that a player may hold."""
        return dict(zip(RESOURCES, self.hand_odds.ranges(self._seat(who)), strict=True))

    def odds(self, who: AnySeat | None = None) -> dict[str, dict[int, float]]:
        """For each resource, the probability of every number that a player may hold."""
        return dict(zip(RESOURCES, self.hand_odds.odds(self._seat(who)), strict=True))

    def probability_of(self, who: AnySeat | None, cards: Cards | str | Mapping[str, int]) -> float:
        """How likely it is that a player holds at least these resource cards."""
        return self.hand_odds.probability_of(self._seat(who), Cards(cards).lanes)

    def development_odds(self, who: AnySeat | None = None) -> dict[DevelopmentCards, float]:
        """Every hand of development cards a player may hold, with its probability, likeliest first."""
        weights = sorted(self._development_weights(self._seat(who)).items(), key=lambda hand: (-hand[1], hand[0]))
        total_weight = sum(weight for _, weight in weights)
        return {DevelopmentCards.of_lanes(cards): weight / total_weight for cards, weight in weights}

    def development_probability(self, who: AnySeat | None, cards: DevelopmentCards | str | Mapping[str, int]) -> float:
        """How likely it is that a player holds at least these development cards."""
        lanes, weights = DevelopmentCards(cards).lanes, self._development_weights(self._seat(who))
        return sum(weight for hand, weight in weights.items() if covers(hand, lanes)) / sum(weights.values())

    @cached_property
    def hand_odds(self) -> HandOdds:
        """The worlds of resource hands, with weights."""
        return HandOdds(self.raw)

    @cached_property
    def hidden_odds(self) -> DevelopmentOdds:
        """The hidden development cards, with weights."""
        return development_odds(self.raw, self.options.edition_data)

    def _development_weights(self, seat: SeatNumber) -> dict[int, int]:
        return {self.raw.development[seat]: 1} if seat == self.raw.observer else self.hidden_odds.weights(seat)

    # --- sameness and looks ----------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SeatViewBase):
            return NotImplemented
        own_facts, other_facts = (
            (self.options, self.layout.board, self.stopped),
            (other.options, other.layout.board, other.stopped),
        )
        return (
            self.seen == other.seen and own_facts == other_facts
        )  # where start pieces stood is in the past; the pieces are in `seen`

    def __hash__(self) -> int:
        return hash((self.edition, self.seen.buffer.tobytes()))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a view cannot be changed: {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.options, self.layout, self.seen, self.compiled, self.stopped)

    def prompt_text(self, language: str = "en") -> str:
        """What this seat must or may do now, in one sentence."""
        from ..language.words import Words

        return Words(language).ask(self.current_prompt, self.options)

    # --- names -----------------------------------------------------------------------------------------------

    def _seat(self, who: AnySeat | None) -> SeatNumber:
        if type(who) is int and 0 <= who < len(self.colors):
            return who
        if who is None:
            if self.seat is None:
                raise BadInput(f"say whose: the public has no seat; the players are {', '.join(self.colors)}")
            return self.facts.observer
        if isinstance(who, str) and who in self.colors:
            return self.colors.index(who)
        raise nobody_plays(who, self.colors)

    def _color_of(self, seat: SeatNumber) -> Color | None:
        return self.colors[seat] if seat >= 0 else None


@lru_cache(maxsize=4096)
def corner_names(bits: int) -> tuple[str, ...]:
    return _places(bits, CORNER_NAMES)


@lru_cache(maxsize=4096)
def side_names(bits: int) -> tuple[str, ...]:
    return _places(bits, SIDE_NAMES)


def _places(bits: int, names: list[str]) -> tuple[str, ...]:
    places = []
    while bits:
        lowest = bits & -bits
        places.append(names[lowest.bit_length() - 1])
        bits ^= lowest
    return tuple(places)
