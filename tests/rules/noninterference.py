"""Two games that look the same to a seat: whatever is hidden from it may make no difference to what it gets."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.structs import RESOURCES, View

from .scenes import Scene, by_seat, traders

STEPS = 60  # actions of a pair of games, at most


class Leak(AssertionError):
    """A view tells more than the seat may know."""


class Parted(Exception):
    """Something public has come out differently (a win, say): from here on the observer may know."""


@dataclass
class Pair:
    """Two games that look the same to `observer`."""

    games: tuple[Scene, Scene]
    observer: int
    pick: random.Random
    compared: int = 0
    other_hands: int = 0
    other_cards: int = 0
    acts: set[str] = field(default_factory=set)

    def compare(self) -> None:
        """Look at everything the observer and the public get."""
        game, twin = self.games
        if game.phase != twin.phase or game.phase == "over":
            raise Parted
        for observer in (self.observer, None):
            view, twin_view = game.view(observer), twin.view(observer)
            if view != twin_view:
                fields = [name for name in View.fields if bytes_of(view, name) != bytes_of(twin_view, name)]
                raise Leak(f"{' '.join(fields)} in the view of {observer}, phase {game.phase}")
        if game.legal(self.observer) != twin.legal(self.observer):
            raise Leak(f"the legal list of {self.observer}, phase {game.phase}")
        other_seats = [seat for seat in range(game.state.players) if seat != self.observer]
        self.compared += 1
        self.other_hands += any(game.state.hand[seat] != twin.state.hand[seat] for seat in other_seats)
        self.other_cards += any(game.state.development[seat] != twin.state.development[seat] for seat in other_seats)

    def step(self) -> None:
        """One more action in both games, and a comparison."""
        game = self.games[0]
        if game.chance():
            self.nature()
        elif game.phase == "discard":
            self.discards()
        else:
            self.act()
        self.compare()

    def nature(self) -> None:
        """Chance: the same in both if the observer sees it, else different where that can be."""
        game, twin = self.games
        outcomes, twin_outcomes = list(game.chance()), list(twin.chance())
        observed = game.phase == "dice" or self.observer in (game.state.active, game.state.victim)
        if game.phase == "dice" and self.pick.random() < (0.25 if self.other_hands else 0.8):
            outcome = twin_outcome = game.action_code("dice 3 4")
        elif observed:
            common = [code for code in outcomes if code in twin_outcomes]
            if not common:
                raise Parted
            outcome = twin_outcome = self.pick.choice(common)
        else:
            outcome = self.pick.choice(outcomes)
            twin_outcome = self.pick.choice([code for code in twin_outcomes if code != outcome] or twin_outcomes)
        game.deal(outcome)
        twin.deal(twin_outcome)

    def discards(self) -> None:
        """All choose what they can discard in both games; the others in another order."""
        game, twin = self.games
        order = game.to_act()
        choices = {}
        for seat in order:
            common = sorted(set(game.legal(seat)) & set(twin.legal(seat)))
            if not common:
                raise Parted
            choices[seat] = self.pick.choice(common)
        self.acts.add("discard")
        self.pick.shuffle(order)
        other_order = iter(reversed([seat for seat in order if seat != self.observer]))
        for seat in order:
            game.play(seat, choices[seat])
            twin_seat = seat if seat == self.observer else next(other_order)
            twin.play(twin_seat, choices[twin_seat])
            self.compare()

    def act(self) -> None:
        """Somebody does what can be done in both games and shows nothing that differs."""
        game, twin = self.games
        seat = self.pick.choice(game.to_act())
        codes = set(game.legal(seat)) & set(twin.legal(seat))
        if game.phase == "main":
            codes |= {game.action_code(text) for text in self.offers(seat)}
        common = [code for code in sorted(codes) if self.same_for_all(seat, code)]
        kinds = sorted({act.kind_of(code) for code in common})
        if len(kinds) > 1 and act.END in kinds and self.pick.random() < 0.7:
            kinds.remove(act.END)
        if not kinds:
            return  # a seat that is asked can say nothing that would not tell the games apart
        kind = act.BUY if act.BUY in kinds and self.pick.random() < 0.6 else self.pick.choice(kinds)
        code = self.pick.choice([code for code in common if act.kind_of(code) == kind])
        self.acts.add(act.KIND_NAMES[kind])
        game.play(seat, code)
        twin.play(seat, code)

    def same_for_all(self, seat: int, code: int) -> bool:
        """Whether an action is legal in both games and hands over the same cards (Monopoly)."""
        if any(game.why_not(seat, code) is not None for game in self.games):
            return False
        if act.kind_of(code) != act.MONOPOLY_CARD:
            return True
        kind = RESOURCES[act.parameter_of(code)]
        counts, twin_counts = ([game.hand(each)[kind] for each in range(game.state.players)] for game in self.games)
        return counts == twin_counts

    def offers(self, seat: int) -> list[str]:
        """Some offers and counter-offers; whether they are legal is asked later."""
        game = self.games[0]
        give, want = self.pick.sample(RESOURCES, 2)
        other_colors = [color for color in game.colors if color != game.colors[seat]]
        to = " ".join(self.pick.sample(other_colors, self.pick.randint(1, len(other_colors))))
        terms = f"1 {give} : 1 {want}"
        return [
            f"offer {terms} to {to}",
            f"offer {terms} to {game.colors[game.state.active]}",
            f"counter #{self.pick.randint(1, 2)} {terms}",
        ]


def bytes_of(view: View, name: str) -> bytes:
    """One field of a view."""
    field_bytes: bytes = view.buffer.view(View.dtype)[0][name].tobytes()
    return field_bytes


def new_pair(edition: str, players: int, seed: int) -> Pair:
    """Two equal games with cards in all hands, an observer, and a way to pick."""
    pick = random.Random(seed)
    hands = ["2 brick 2 lumber 2 wool 2 grain 2 ore", "1 brick 3 wool 3 grain 3 ore"] * 2
    corners = ("B2n D4n", "C3n B4n", "D2s A1n", "E3n C1n")[:players]
    game = traders(edition, *hands[:players], settlements=by_seat(edition, *corners), players=players, phase="roll")
    twin = traders(edition, *hands[:players], settlements=by_seat(edition, *corners), players=players, phase="roll")
    return Pair((game, twin), pick.randrange(players), pick)


def play_pair(pair: Pair) -> Pair:
    """Play a pair to its end."""
    try:
        pair.compare()
        for _ in range(STEPS):
            pair.step()
    except Parted:
        pass
    return pair
