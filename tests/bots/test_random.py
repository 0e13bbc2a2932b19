"""The random player: legal, honest, uniform over kinds, and never stuck in talk."""

from __future__ import annotations

from collections import Counter

from hexholm.arena import tournament
from hexholm.arena.entrants import entrants
from hexholm.arena.match import TournamentJob
from hexholm.bots.shipped.random_player import Random
from hexholm.game.action import Action
from hexholm.game.events import OfferMade, Traded
from hexholm.game.game import Game, Record
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.setup.options import check_options
from hexholm.testing import check_bot
from tests.helpers.marks import all_editions

from .scenes import NOBODY_HAS_ANYTHING, at_main


@all_editions
def test_whole_games_end_and_every_action_is_legal(edition: str) -> None:
    names = ["random"] * 4
    result = tournament(names, games=1, seed=2, edition=edition, strict=True, cap=3000)
    assert result.capped == 0
    assert result.row("random").faults == {}


def test_it_is_honest_repeatable_and_can_be_made_anew() -> None:
    assert check_bot(Random, editions=["sixth"], games=2, points_to_win=5).ok


def test_every_kind_of_action_is_as_likely_as_any_other() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "1 brick 1 lumber 1 wool 1 grain 1 ore"})
    view = game.view("red")
    kinds = {action.kind for action in view.legal_actions}
    assert kinds == {"end", "road", "buy"}
    actions = [Action.of_code(Random(seed).choose(view), game.colors) for seed in range(2000)]
    kind_counts = Counter(action.kind for action in actions)
    assert set(kind_counts) == kinds | {"offer"}
    assert all(430 <= n <= 570 for n in kind_counts.values()), kind_counts  # 500 ± 3.6 standard deviations
    roads = Counter(action.place for action in actions if action.kind == "road")
    assert len(roads) == len([action for action in view.legal_actions if action.kind == "road"])


def test_it_offers_once_a_turn_one_card_for_another_to_everybody() -> None:
    job = TournamentJob(
        entrants(["random"] * 4), check_options(setup="variable", points_to_win=5), seed=1, keeps_records=True
    )
    record = Record.from_json(job.play(0).record)
    turns = Counter[int]()
    turn = 0
    for seat, code in record.steps:
        turn += seat >= 0 and act.kind_of(code) == act.ROLL
        if act.kind_of(code) == act.OFFER:
            turns[turn] += 1
            assert act.to_of(code) == 15 & ~(1 << seat)
    assert set(turns.values()) == {1}
    assert sum(turns.values()) > 10
    kinds = {act.kind_of(code) for _, code in record.steps}
    assert {act.OFFER, act.ACCEPT, act.REJECT, act.CONFIRM} <= kinds


def test_what_came_to_nothing_is_never_offered_again_in_a_game() -> None:
    job = TournamentJob(
        entrants(["random"] * 4), check_options(setup="variable", points_to_win=5), seed=3, keeps_records=True
    )
    offers, failed = 0, set[tuple[str, object, object]]()
    for event in Game.from_record(Record.from_json(job.play(0).record)).events:
        if isinstance(event, OfferMade):
            assert (event.player, event.give, event.want) not in failed
            failed.add((event.player, event.give, event.want))
            offers += 1
        elif isinstance(event, Traded):
            failed.discard((event.player, event.give, event.take))
    assert offers > 20


def test_it_makes_no_offer_where_none_can_be_made() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "2 brick 2 lumber 1 wool"}, edition="fifth", phases="separate")
    game.play(next(action for action in game.view("red").legal_actions if action.kind == "road"))
    view = game.view("red")
    assert all(act.kind_of(Random(seed).choose(view)) != act.OFFER for seed in range(60))


def test_it_can_be_reminded_that_it_has_offered_already() -> None:
    game = at_main(NOBODY_HAS_ANYTHING | {"red": "1 brick"})
    view = game.view("red")
    seed = next(seed for seed in range(99) if act.kind_of(Random(seed).choose(view)) == act.OFFER)
    fresh = Random(seed)
    fresh.remind(view.turn, [Action.of("offer 1 brick : 1 ore to blue")])
    assert fresh.choose(view) == act.END
    fresh.remind(view.turn, [])  # that was taken back
    assert act.kind_of(fresh.choose(view)) == act.OFFER


def test_seeds_differ_and_the_same_one_does_not() -> None:
    view = Game(seed=3, first=0).view("red")
    assert len({Random(seed).choose(view) for seed in range(40)}) > 10
    assert Random(5).choose(view) == Random(5).choose(view)
