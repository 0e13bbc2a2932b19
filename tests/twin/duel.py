"""One game, played by the core and the naive twin at once; after every action everything must agree.

The core is compiled unless HEXHOLM_INTERPRETED is set.

A game is named by one number: it decides edition, options, board, temper of the policy, every action and every outcome.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from hexholm.rules.boards import Layout, beginner_layout, read_board_data
from hexholm.rules.compilation import mode
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import count_cards, pack, unpack
from hexholm.rules.notation import cards_text
from hexholm.rules.places import BOTH_ENDS, HEX_NAMES
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.referee import Referee
from hexholm.rules.setup.editions import EDITIONS, edition
from hexholm.rules.setup.options import HOUSE_RULES, SWITCHES
from tests.helpers.legal_texts import legal_texts
from tests.twin.core_as_dicts import differences, full_state, view_data
from tests.twin.engine.game import Twin

TEMPERS = ("builder", "roader", "cutter", "hoarder", "scholar", "trader", "random", "rusher")


ANY_KIND = (
    *(act.ROLL, act.END, act.SETTLEMENT, act.CITY, act.ROAD, act.BUY, act.KNIGHT_CARD, act.ROAD_BUILDING_CARD),
    *(act.YEAR_OF_PLENTY_CARD, act.MONOPOLY_CARD, act.WAIVE, act.ROBBER, act.STEAL, act.DISCARD, act.SUPPLY, act.OFFER),
)


class Disagreement(AssertionError):
    """Core and twin differ; says which game, which step and where."""


@dataclass
class Result:
    """What happened in a game."""

    number: int
    steps: int = 0
    events: Counter[str] = field(default_factory=Counter)
    over: bool = False


def choose_options(rng: random.Random, temper: str) -> dict[str, Any]:
    """Edition, options and player count of a game."""
    name = rng.choice(EDITIONS)
    data = edition(name)
    roads = temper in ("cutter", "roader")
    players = rng.choice((3, 4, 4) if roads else (2, 3, 3, 4, 4, 4))
    options: dict[str, Any] = {"edition": name, "players": players, "two_players": players == 2}
    options["setup"] = "variable" if roads else rng.choice(("fixed", "variable", "variable"))
    options["phases"] = rng.choice(data.phases_options)
    if options["setup"] == "variable" and name != "zip":
        options["harbors"] = rng.choice(data.variable_harbors)
        options["numbers"] = rng.choice(data.number_placement)
    options["first"] = rng.choice((None, "roll", rng.randrange(players)))
    if roads and rng.random() < 0.8:
        options["points_to_win"] = rng.choice((5, 6, 7, 8, 13))  # so that an award reaches the target on others' turns
    elif rng.random() < 0.3:
        options["points_to_win"] = rng.choice((5, 8, 12, 13))
    if rng.random() < 0.15:
        options["hand_limit"] = rng.choice((4, 9, 12))
    options |= {name: rng.random() < 0.2 for name in SWITCHES if name != "two_players"}
    return options


def road_board(rng: random.Random) -> Layout:
    """A board of our own with brick and lumber in plenty, so that roads grow together, are cut and tied."""
    terrain = ["hills"] * 6 + ["forest"] * 6 + ["pasture"] * 2 + ["fields"] * 3 + ["mountains"] + ["desert"]
    rng.shuffle(terrain)
    numbers = [None if kind == "desert" else rng.choice((5, 6, 8, 9, 10)) for kind in terrain]
    hexes = {name: [kind, number] for name, kind, number in zip(HEX_NAMES, terrain, numbers, strict=True)}
    harbors = beginner_layout().as_dict()["harbors"]
    return read_board_data({"hexes": hexes, "harbors": harbors, "standard": False})


def twin_config(referee: Referee) -> dict[str, Any]:
    """The same game for the twin."""
    options = referee.options
    return {
        "edition": options.edition,
        "players": options.players,
        "colors": list(options.colors),
        "setup": options.setup,
        "phases": options.phases,
        "first": options.first,
        "two_players": options.two_players,
        "board": referee.layout.as_dict(),
        "house": {name: getattr(options, name) for name in HOUSE_RULES if name != "two_players"},
    }


class Duel:
    """Core and twin on one game."""

    def __init__(self, number: int, compiled: bool | None = None, thorough: bool = True) -> None:
        self.rng = rng = random.Random(number)
        self.result = Result(number)
        self.temper = rng.choice(TEMPERS)
        options = choose_options(rng, self.temper)
        layout = road_board(rng) if self.temper in ("roader", "cutter") else None
        self.referee = Referee.new(layout, rng.randrange(1 << 30), mode.may_compile(compiled), **options)
        self.twin = Twin(twin_config(self.referee))
        self.thorough = thorough
        self.history: list[str] = []

    def run(self, most_steps: int = 850) -> Result:
        """Play to the end, or to `most_steps`."""
        self.compare()
        while self.referee.winner is None and self.result.steps < most_steps:
            self.step()
            self.result.steps += 1
        self.result.over = self.referee.winner is not None
        self.result.events.update(self.twin.events)
        return self.result

    def step(self) -> None:
        """One action or outcome."""
        outcome_odds = self.referee.chance()
        if outcome_odds:
            self.deal(outcome_odds)
        else:
            self.probe()
            seat = self.rng.choice(self.referee.to_act())
            if self.rng.random() < 0.05:
                seat = self.rng.randrange(self.referee.state.players)
            self.play(seat, self.choose(seat))
        self.compare()

    def fail(self, difference: str) -> None:
        """Stop with all that is needed to find the fault."""
        options = {k: v for k, v in self.referee.options.as_dict().items() if v}
        raise Disagreement(
            f"game {self.result.number}, step {self.result.steps}, {self.temper}: {difference}\n"
            f"options: {options}\nlast: {self.history[-12:]}"
        )

    # --- chance ----------------------------------------------------------------------------------------------

    def deal(self, outcome_odds: dict[int, Any]) -> None:
        """An outcome; now and then steered towards what the temper wants."""
        texts = {self.referee.action_text(code): odds for code, odds in outcome_odds.items()}
        if texts != self.twin.chance():
            self.fail(f"odds: core {texts}, twin {self.twin.chance()}")
        outcomes = list(texts)
        if self.temper in ("hoarder", "scholar") and outcomes[0].startswith("dice") and self.rng.random() < 0.9:
            outcomes = [o for o in outcomes if sum(map(int, o.split()[1:])) != 7] or outcomes
        text = self.rng.choice(outcomes)
        if self.referee.phase == "start roll" and self.rng.random() < 0.3:
            text = "dice 6 6"
        self.history.append(text)
        self.referee.deal(text)
        self.twin.deal(text)

    # --- actions ---------------------------------------------------------------------------------------------

    def play(self, seat: int, text: str) -> None:
        """An action on both sides; both must accept or refuse it."""
        self.history.append(f"{self.referee.colors[seat]} {text}")
        refusal = self.twin.why_not(seat, text)
        try:
            self.referee.play(seat, text)
        except IllegalAction as error:
            if refusal is None:
                self.fail(f"{text}: core refuses ({error}), twin allows")
            return
        if refusal is not None:
            self.fail(f"{text}: core allows, twin refuses ({refusal})")
        self.twin.act(seat, text)

    def choose(self, seat: int) -> str:
        """What the policy does; a quarter of the time of trading phases goes into offers."""
        rng, referee = self.rng, self.referee
        trading = referee.phase == "main" and not referee.state.trading_closed
        if trading and rng.random() < (0.5 if self.temper == "trader" else 0.1):
            return self.offer(seat)
        legal = [referee.action_text(code) for code in referee.legal(seat)]
        if not legal:
            return self.offer(seat)
        weights = [self.liking(text) for text in legal]
        return rng.choices(legal, weights)[0]

    def liking(self, text: str) -> float:
        """How much the temper likes an action."""
        verb = text.split(maxsplit=1)[0]
        likes: dict[str, dict[str, float]] = {
            "builder": {"settlement": 30, "city": 30, "road": 8, "buy": 4, "supply": 2, "end": 3},
            "roader": {"road": 40, "road-building": 40, "settlement": 3, "city": 1, "supply": 3, "end": 3},
            "cutter": {"settlement": 60, "road": 30, "road-building": 30, "city": 2, "supply": 3, "end": 2},
            "hoarder": {"end": 12, "supply": 0.3, "road": 0.3, "settlement": 6, "city": 3, "buy": 0.2, "roll": 9},
            "scholar": {"buy": 60, "supply": 6, "knight": 3, "end": 2, "settlement": 8, "city": 8, "road": 1},
            "trader": {"accept": 6, "confirm": 9, "reject": 2, "settlement": 9, "city": 9, "end": 2},
            "rusher": {"city": 40, "settlement": 40, "knight": 30, "buy": 20, "road": 5, "supply": 4, "end": 2},
            "random": {},
        }
        weight = likes[self.temper].get(verb, 1.0)
        if self.temper == "cutter" and verb in ("settlement", "road") and self.cuts(verb, text):
            weight *= 20
        return weight

    def cuts(self, verb: str, text: str) -> bool:
        """Whether a settlement would stand on somebody else's road, or a road lead to such a place."""
        state = self.referee.state
        place = act.parameter_of(self.referee.action_code(text))
        opponents_reach = 0
        for opponent in range(state.players):
            if opponent != state.active:
                opponents_reach |= state.reach[opponent]
        if verb == "settlement":
            return bool((opponents_reach >> place) & 1)
        return bool(BOTH_ENDS[place] & opponents_reach & state.sites)

    def offer(self, seat: int) -> str:
        """An offer, counter-offer or answer, often one that is not allowed."""
        rng, referee = self.rng, self.referee
        state, open_offers = referee.state, referee.open_offers
        open_slots = [slot for slot in range(8) if open_offers.give[slot]]
        if open_slots and rng.random() < 0.45:
            slot = rng.choice(open_slots)
            verb = rng.choice(("accept", "accept", "reject", "withdraw", "confirm", "counter"))
            if verb == "confirm":
                return f"confirm #{slot + 1} {rng.choice(referee.colors)}"
            if verb == "counter":
                give, want = self.random_terms(seat)
                return f"counter #{slot + 1} {give} : {want}"
            return f"{verb} #{slot + 1}"
        addressees = [s for s in range(state.players) if s != seat or rng.random() < 0.02]
        if seat == state.active:
            to = rng.sample(addressees, rng.randint(1, len(addressees))) if addressees else [seat]
        else:
            to = [state.active] if rng.random() < 0.9 else [rng.choice(addressees)]
        give, want = self.random_terms(seat)
        return f"offer {give} : {want} to {' '.join(referee.colors[s] for s in sorted(to))}"

    def random_terms(self, seat: int) -> tuple[str, str]:
        """Two sides of an offer: mostly sensible, sometimes forbidden."""
        rng = self.rng
        hand = unpack(self.referee.state.hand[seat])
        give, want = [0] * 5, [0] * 5
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            held = [k for k in range(5) if hand[k] > give[k]] if rng.random() < 0.93 else list(range(5))
            give[rng.choice(held or range(5))] += 1
        for _ in range(rng.choice((1, 1, 2, 20) if rng.random() < 0.05 else (1, 1, 2))):
            want[rng.choice([k for k in range(5) if not give[k] or rng.random() < 0.05] or [0])] += 1
        if rng.random() < 0.02:
            give = [0] * 5
        return cards_text(pack(give)), cards_text(pack(want))

    # --- comparing -------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Legal lists, state and all views."""
        if lines := differences(full_state(self.referee), self.twin.state()):
            self.fail("state: " + "; ".join(lines))
        players = self.referee.state.players
        for seat in range(players):
            core, twin = set(legal_texts(self.referee, seat)), self.twin.legal(seat)
            if core != twin:
                self.fail(f"legal({seat}): only core {sorted(core - twin)[:6]}, only twin {sorted(twin - core)[:6]}")
        for observer in (*range(players), None):
            if lines := differences(view_data(self.referee.view(observer)), self.twin.view(observer)):
                self.fail(f"view({observer}): " + "; ".join(lines))

    def probe(self) -> None:
        """Verdicts on actions out of the blue must agree and change nothing."""
        for _ in range(4 if self.thorough else 1):
            seat = self.rng.randrange(self.referee.state.players)
            text = self.any_action(seat)
            core, twin = self.referee.why_not(seat, text), self.twin.why_not(seat, text)
            if (core is None) != (twin is None):
                self.fail(f"verdict on {self.referee.colors[seat]} {text}: core {core}, twin {twin}")

    def any_action(self, seat: int) -> str:
        """Any action at all."""
        rng, say = self.rng, self.referee.action_text
        kind = rng.choice(ANY_KIND)
        if kind in (act.SETTLEMENT, act.CITY):
            return say(act.simple_action(kind, rng.randrange(54)))
        if kind == act.ROAD:
            return say(act.simple_action(kind, rng.randrange(72)))
        if kind == act.ROBBER:
            return say(act.simple_action(kind, rng.randrange(19)))
        if kind == act.STEAL:
            return say(act.simple_action(kind, rng.randrange(self.referee.state.players)))
        if kind == act.MONOPOLY_CARD:
            return say(act.simple_action(kind, rng.randrange(5)))
        if kind == act.YEAR_OF_PLENTY_CARD:
            first, second = sorted((rng.randrange(5), rng.randrange(5)))
            return say(act.plenty_action(first, second if rng.random() < 0.8 else act.NO_SECOND))
        if kind == act.DISCARD:
            return say(act.discard_action(self.random_cards(seat)))
        if kind == act.SUPPLY:
            want = pack([int(i == rng.randrange(5)) for i in range(5)]) or 1
            if rng.random() < 0.2:
                want += 1 << (8 * rng.randrange(5))
            return say(act.supply_action(rng.randrange(5), rng.choice((2, 3, 4)), want))
        if kind == act.OFFER:
            return self.offer(seat)
        return say(kind)

    def random_cards(self, seat: int) -> int:
        """A random part of a hand, or something that is not."""
        hand = self.referee.state.hand[seat]
        size = self.referee.state.owed[seat] or self.rng.randint(1, 4)
        pool = [kind for kind, n in enumerate(unpack(hand)) for _ in range(n)]
        if count_cards(hand) < size or self.rng.random() < 0.2:
            pool = list(range(5)) * (size + 1)
        counts = [0] * 5
        for kind in self.rng.sample(pool, size):
            counts[kind] += 1
        return pack(counts)
