"""Two games that look the same to a seat: whatever is hidden from it may make no difference to what it gets."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from hexholm.rules.core.encoding import actions as act
from hexholm.rules.core.encoding.structs import RESOURCES, View

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
        one, two = self.games
        if one.phase != two.phase or one.phase == "over":
            raise Parted
        for who in (self.observer, None):
            first, second = one.view(who), two.view(who)
            if first != second:
                told = [name for name in View.fields if bytes_of(first, name) != bytes_of(second, name)]
                raise Leak(f"{' '.join(told)} in the view of {who}, phase {one.phase}")
        if one.legal(self.observer) != two.legal(self.observer):
            raise Leak(f"the legal list of {self.observer}, phase {one.phase}")
        others = [seat for seat in range(one.state.players) if seat != self.observer]
        self.compared += 1
        self.other_hands += any(one.state.hand[seat] != two.state.hand[seat] for seat in others)
        self.other_cards += any(one.state.cards[seat] != two.state.cards[seat] for seat in others)

    def step(self) -> None:
        """One more action in both games, and a comparison."""
        one = self.games[0]
        if one.chance():
            self.nature()
        elif one.phase == "discard":
            self.discards()
        else:
            self.act()
        self.compare()

    def nature(self) -> None:
        """Chance: the same in both if the observer sees it, else different where that can be."""
        one, two = self.games
        open_one, open_two = list(one.chance()), list(two.chance())
        seen = one.phase == "dice" or self.observer in (one.state.active, one.state.victim)
        if one.phase == "dice" and self.pick.random() < (0.25 if self.other_hands else 0.8):
            first = second = one.read("dice 3 4")
        elif seen:
            both = [code for code in open_one if code in open_two]
            if not both:
                raise Parted
            first = second = self.pick.choice(both)
        else:
            first = self.pick.choice(open_one)
            second = self.pick.choice([code for code in open_two if code != first] or open_two)
        one.deal(first)
        two.deal(second)

    def discards(self) -> None:
        """All choose what they can discard in both games; the others in another order."""
        one, two = self.games
        order = one.to_act()
        choices = {}
        for seat in order:
            both = sorted(set(one.legal(seat)) & set(two.legal(seat)))
            if not both:
                raise Parted
            choices[seat] = self.pick.choice(both)
        self.acts.add("discard")
        self.pick.shuffle(order)
        rest = iter(reversed([seat for seat in order if seat != self.observer]))
        for seat in order:
            one.play(seat, choices[seat])
            twin = seat if seat == self.observer else next(rest)
            two.play(twin, choices[twin])
            self.compare()

    def act(self) -> None:
        """Somebody does what can be done in both games and shows nothing that differs."""
        one, two = self.games
        who = self.pick.choice(one.to_act())
        codes = set(one.legal(who)) & set(two.legal(who))
        if one.phase == "main":
            codes |= {one.read(text) for text in self.offers(who)}
        both = [code for code in sorted(codes) if self.same_for_all(who, code)]
        kinds = sorted({code & 31 for code in both})
        if len(kinds) > 1 and act.END in kinds and self.pick.random() < 0.7:
            kinds.remove(act.END)
        if not kinds:
            return  # a seat that is asked can say nothing that would not tell the games apart
        kind = act.BUY if act.BUY in kinds and self.pick.random() < 0.6 else self.pick.choice(kinds)
        code = self.pick.choice([code for code in both if code & 31 == kind])
        self.acts.add(act.KIND_NAMES[kind])
        one.play(who, code)
        two.play(who, code)

    def same_for_all(self, who: int, code: int) -> bool:
        """Whether an action is legal in both games and hands over the same cards (Monopoly)."""
        if any(game.why_not(who, code) is not None for game in self.games):
            return False
        if code & 31 != act.MONOPOLY_CARD:
            return True
        kind = RESOURCES[code >> 5]
        one, two = ([game.hand(seat)[kind] for seat in range(game.state.players)] for game in self.games)
        return one == two

    def offers(self, who: int) -> list[str]:
        """Some offers and counter-offers; whether they are legal is asked later."""
        game = self.games[0]
        give, want = self.pick.sample(RESOURCES, 2)
        others = [color for color in game.colors if color != game.colors[who]]
        to = " ".join(self.pick.sample(others, self.pick.randint(1, len(others))))
        terms = f"1 {give} : 1 {want}"
        return [
            f"offer {terms} to {to}",
            f"offer {terms} to {game.colors[game.state.active]}",
            f"counter #{self.pick.randint(1, 2)} {terms}",
        ]


def bytes_of(view: View, name: str) -> bytes:
    """One field of a view."""
    data: bytes = view.buffer.view(View.dtype)[0][name].tobytes()
    return data


def start(edition: str, players: int, seed: int) -> Pair:
    """Two equal games with cards in all hands, an observer, and a way to pick."""
    pick = random.Random(seed)
    hands = ["2 brick 2 lumber 2 wool 2 grain 2 ore", "1 brick 3 wool 3 grain 3 ore"] * 2
    corners = ("B2n D4n", "C3n B4n", "D2s A1n", "E3n C1n")[:players]
    game = traders(edition, *hands[:players], settlements=by_seat(edition, *corners), players=players, phase="roll")
    twin = traders(edition, *hands[:players], settlements=by_seat(edition, *corners), players=players, phase="roll")
    return Pair((game, twin), pick.randrange(players), pick)


def play(pair: Pair) -> Pair:
    """Play a pair to its end."""
    try:
        pair.compare()
        for _ in range(STEPS):
            pair.step()
    except Parted:
        pass
    return pair
