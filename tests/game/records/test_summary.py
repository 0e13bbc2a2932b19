"""A game in numbers: every card is accounted for, and what dice could have paid is counted as the rules would."""

from __future__ import annotations

import json
import math
from collections import Counter
from fractions import Fraction
from functools import cache

import pytest

from hexholm.game import events as e
from hexholm.game.cards import DevelopmentCards
from hexholm.game.dealers import ByHand
from hexholm.game.game import Game
from hexholm.game.record_format.steps import BadRecord
from hexholm.game.records.summary import GAINED, LOST, Kinds, Summary, summarize, usual_range
from hexholm.game.records.timeline import Timeline
from hexholm.rules.encoding import action_codes as act
from hexholm.rules.encoding.lanes import ONES
from hexholm.rules.encoding.phases import START_ROLL
from hexholm.rules.encoding.structs import NATURE, RESOURCES
from tests.helpers.marks import all_editions
from tests.helpers.speed import COMPILED

from .sample_records import random_game, simulated_record

TRADED = range(24 if COMPILED else 6)
"""Games with offers (tests/twin/duel.py), of all editions, some with house rules, of 2 to 4 players."""
PLACE = "setup=variable players=red,blue,white turn=red phase=roll turn-number=3"


@cache
def trading_game(number: int) -> Game:
    return random_game(number, 1200 if COMPILED else 250)


@cache
def trading_summary(number: int) -> Summary:
    return summarize(trading_game(number))


def together(table: dict[str, Kinds]) -> Counter[str]:
    """All sources together, by kind."""
    counts: Counter[str] = Counter(dict.fromkeys(RESOURCES, 0))
    for kinds in table.values():
        counts.update(kinds)
    return counts


def accounts_hold(game: Game) -> None:
    """All that was gained less all that was lost is the hand at the end."""
    summary = summarize(game)
    for color, player in summary.players.items():
        assert (tuple(player.gained), tuple(player.lost)) == (GAINED, LOST)
        balance = together(player.gained)
        balance.subtract(together(player.lost))
        assert dict(balance) == player.hand == game.referee.hand(color)
        assert min(n for table in (player.gained, player.lost) for kinds in table.values() for n in kinds.values()) >= 0


def at(words: str = "") -> Game:
    return Game.from_position(f"{PLACE} {words}", dealer=ByHand(), compiled=COMPILED)


def roll(game: Game, total: int) -> None:
    game.play("roll")
    game.deal(f"dice {max(1, total - 6)} {total - max(1, total - 6)}")


# --- every card is accounted for --------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", ["fixed", "variable"])
@all_editions
def test_every_card_is_accounted_for_in_games_of_random_players(edition: str, setup: str) -> None:
    for number in range(4 if COMPILED else 1):
        accounts_hold(simulated_record(11, number, edition=edition, setup=setup).game(compiled=COMPILED))


@pytest.mark.parametrize("number", TRADED)
def test_every_card_is_accounted_for_in_games_with_offers(number: int) -> None:
    accounts_hold(trading_game(number))


def test_every_card_is_accounted_for_wherever_a_game_stops() -> None:
    replay = Timeline(trading_game(3))
    for step in range(0, replay.count, 29 if COMPILED else 50):
        accounts_hold(replay.at(step))


def test_every_source_is_told_apart() -> None:
    summary_counts, event_counts = Counter[str](), Counter[str]()
    for number in TRADED:
        for player in trading_summary(number).players.values():
            for source in {*GAINED, *LOST} - {"spent", "start", "production"}:
                kinds = player.gained if source in GAINED else player.lost
                summary_counts[source] += sum(kinds[source].values())
        for event in trading_game(number).events:
            match event:
                case e.Stole():
                    event_counts["stolen"] += 1
                case e.Discarded(_, cards):
                    event_counts["discarded"] += cards.total
                case e.TookFromSupply(_, cards):
                    event_counts["year-of-plenty"] += cards.total
                case e.Monopolised(_, _, losses):
                    event_counts["monopoly"] += sum(losses.values())
                case e.SupplyTraded(_, _, take, _):
                    event_counts["supply"] += take.total
                case e.Traded(_, _, _, give, take):
                    event_counts["players"] += give.total + take.total
                case _:
                    pass
    assert summary_counts == event_counts
    assert not COMPILED or len(event_counts) == 6


@pytest.mark.parametrize("source", ["stolen", "monopoly", "players"])
def test_what_one_loses_to_another_the_other_gains(source: str) -> None:
    for number in TRADED:
        players = trading_summary(number).players
        gained = together({color: player.gained[source] for color, player in players.items()})
        assert gained == together({color: player.lost[source] for color, player in players.items()})


def test_the_events_of_a_small_game_end_up_in_their_places() -> None:
    game = at(
        "red:settlements=A1n red:roads=A1/ne red:hand=4brick,5lumber,1wool,1grain,1ore red:cards=1monopoly"
        " blue:settlements=C3n blue:hand=2ore,1wool robber=D1"
    )
    roll(game, 12)
    start = {"brick": 4, "lumber": 5, "wool": 1, "grain": 1, "ore": 1}
    produced = summarize(game).players["red"].gained["production"]
    game.play("supply 4 lumber : 1 wool")
    game.play("red offer 1 brick : 1 wool to blue")
    game.play("blue accept #1")
    game.play("monopoly ore")
    game.play("buy")
    game.deal("drawn knight")
    game.play("road A1/nw")
    summary = summarize(game)
    red, blue = summary.players["red"], summary.players["blue"]
    assert red.gained["start"] == start
    assert some(red.gained["supply"]) == {"wool": 1}
    assert some(red.lost["supply"]) == {"lumber": 4}
    assert some(red.gained["players"]) == some(blue.lost["players"]) == {"wool": 1}
    assert some(red.lost["players"]) == some(blue.gained["players"]) == {"brick": 1}
    assert some(red.gained["monopoly"]) == some(blue.lost["monopoly"]) == {"ore": 2}
    assert some(red.lost["spent"]) == {"brick": 1, "lumber": 1, "wool": 1, "grain": 1, "ore": 1}
    assert (red.trades, blue.trades) == ({"blue": 1, "white": 0}, {"red": 1, "white": 0})
    assert (red.supply_trades, red.bought, red.knights) == (1, 1, 0)
    assert (red.built, blue.built) == ({"road": 1, "settlement": 0, "city": 0}, {"road": 0, "settlement": 0, "city": 0})
    assert some(red.played) == {"monopoly": 1}
    assert (red.luck.received, summary.how, summary.winner) == (sum(produced.values()), None, None)


def some(kinds: Kinds) -> Kinds:
    return {kind: n for kind, n in kinds.items() if n}


# --- dice -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", TRADED)
def test_all_rolls_of_turns_are_counted_and_none_for_the_start(number: int) -> None:
    game, dice = trading_game(number), trading_summary(number).dice
    replay = Timeline(game)
    rolled: Counter[tuple[str, int]] = Counter()
    for step, (seat, code) in enumerate(game.steps):
        before = replay.state(step)
        if seat == NATURE and act.kind_of(code) == act.DICE and before.phase != START_ROLL:
            rolled[game.colors[before.active], act.first_die_of(code) + act.second_die_of(code)] += 1
    assert {(color, total): n for color, row in dice.by_player.items() for total, n in enumerate(row, 2) if n} == rolled
    assert [line.total for line in dice.sums] == list(range(2, 13))
    for line in dice.sums:
        assert line.rolled == sum(n for (_, total), n in rolled.items() if total == line.total)
        assert line.usual == (line.low <= line.rolled <= line.high)
    assert dice.rolls == rolled.total()
    assert sum(line.expected for line in dice.sums) == pytest.approx(dice.rolls)
    assert dice.sums[5].expected == pytest.approx(dice.rolls / 6)
    assert dice.balanced == game.options.balanced_dice


@pytest.mark.parametrize("rolls", [0, 1, 2, 17, 60, 133])
@pytest.mark.parametrize("ways", range(1, 7))
def test_the_usual_range_leaves_at_most_one_in_forty_on_either_side(rolls: int, ways: int) -> None:
    chances = [
        math.comb(rolls, n) * Fraction(ways, 36) ** n * Fraction(36 - ways, 36) ** (rolls - n) for n in range(rolls + 1)
    ]
    low, high = usual_range(rolls, ways)
    tail = Fraction(1, 40)
    assert sum(chances[:low]) <= tail
    assert sum(chances[high + 1 :]) <= tail
    assert sum(chances[: low + 1]) > tail
    assert high == 0 or sum(chances[high:]) > tail


def test_the_usual_range_of_very_many_rolls() -> None:
    low, high = usual_range(36_000, 1)
    assert abs(low - (1000 - 61.1)) < 2  # 1.96 standard deviations
    assert abs(high - (1000 + 61.1)) < 2


# --- what dice could have paid ----------------------------------------------------------------------------------------


class Oracle:
    """What the rules themselves pay: rolls are dealt to copies of a game, with a supply that never runs out."""

    def __init__(self, game: Game) -> None:
        self.blocked, self.unpaid = ({color: Counter(RESOURCES) for color in game.colors} for _ in range(2))
        self.expected, self.variance = (dict.fromkeys(game.colors, 0.0) for _ in range(2))
        for kinds in (*self.blocked.values(), *self.unpaid.values()):
            kinds.subtract(RESOURCES)
        replay = Timeline(game)
        for step, (seat, code) in enumerate(game.steps):
            if seat == NATURE and act.kind_of(code) == act.DICE and (before := replay.at(step)).phase == "dice":
                self.roll(before, code)

    def roll(self, game: Game, code: int) -> None:
        desert = next(place for place in range(19) if not game.referee.state.number[place])
        paid, due, free = (self.gains(game, code, **how) for how in ({}, {"bank": 60}, {"bank": 60, "robber": desert}))
        for color in game.colors:
            self.unpaid[color].update(due[color])
            self.unpaid[color].subtract(paid[color])
            self.blocked[color].update(free[color])
            self.blocked[color].subtract(due[color])
        mean, square = (dict.fromkeys(game.colors, Fraction()) for _ in range(2))
        for outcome, odds in game.referee.chance().items():
            for color, gain in self.gains(game, outcome, bank=60).items():
                mean[color] += odds * sum(gain.values())
                square[color] += odds * sum(gain.values()) ** 2
        for color in game.colors:
            self.expected[color] += float(mean[color])
            self.variance[color] += float(square[color] - mean[color] ** 2)

    def gains(self, game: Game, code: int, bank: int | None = None, robber: int | None = None) -> dict[str, Kinds]:
        table = game.referee.copy()
        if bank is not None:
            table.state.supply = bank * ONES
        if robber is not None:
            table.state.robber = robber
        before = [table.hand(seat) for seat in range(len(game.colors))]
        table.step(NATURE, code)
        return {
            color: {kind: n - before[seat][kind] for kind, n in table.hand(seat).items()}
            for seat, color in enumerate(game.colors)
        }


@pytest.mark.parametrize("number", (2, 3, 5, 8, 15) if COMPILED else (2,))
def test_blocked_unpaid_and_expected_production_are_what_the_rules_would_pay(number: int) -> None:
    game = random_game(number, 500 if COMPILED else 120)
    oracle, summary = Oracle(game), summarize(game)
    for color, player in summary.players.items():
        assert player.blocked == oracle.blocked[color]
        assert player.unpaid == oracle.unpaid[color]
        assert player.luck.expected == pytest.approx(oracle.expected[color])
        assert player.luck.spread == pytest.approx(math.sqrt(oracle.variance[color]))
        assert player.luck.received == sum(player.gained["production"].values())
        assert player.luck.difference == player.luck.received - player.luck.expected


def test_what_the_supply_could_not_pay_is_what_the_events_say() -> None:
    all_shortages: Counter[str] = Counter()
    for number in TRADED:
        shortages: Counter[str] = Counter()
        for event in trading_game(number).events:
            if isinstance(event, e.SupplyShort):
                shortages[event.resource] += event.due - event.paid
        unpaid = together({color: player.unpaid for color, player in trading_summary(number).players.items()})
        assert +unpaid == +shortages
        all_shortages += shortages
    assert all_shortages or not COMPILED


@pytest.mark.rule("PROD-07")
def test_the_robber_keeps_back_what_buildings_at_its_hex_would_have_got() -> None:
    game = at("red:settlements=B2n blue:cities=B2s robber=B2")  # hills with a 6
    roll(game, 6)
    game.play("end")
    roll(game, 5)
    players = summarize(game).players
    assert [some(player.blocked) for player in players.values()] == [{"brick": 1}, {"brick": 2}, {}]
    assert not any(sum(player.unpaid.values()) for player in players.values())


@pytest.mark.rule("PROD-08", "PROD-09")
def test_cards_that_the_supply_could_not_pay_are_told_for_those_they_were_due_to() -> None:
    alone = at("red:cities=B2n white:hand=18brick")
    roll(alone, 6)
    assert some(summarize(alone).players["red"].unpaid) == {"brick": 1}
    several = at("red:cities=B2n blue:settlements=B2s white:hand=18brick")
    roll(several, 6)
    assert [some(player.unpaid) for player in summarize(several).players.values()] == [{"brick": 2}, {"brick": 1}, {}]


def test_luck_is_production_against_the_pips_of_the_buildings() -> None:
    game = at("red:settlements=A2n blue:cities=E2s white:cities=B2n robber=B2")  # pasture with a 2, fields with a 6
    roll(game, 6)
    red, blue, white = (player.luck for player in summarize(game).players.values())
    assert (red.received, blue.received, white.received) == (0, 2, 0)
    assert red.expected == pytest.approx(1 / 36)
    assert blue.expected == pytest.approx(2 * 5 / 36)
    assert blue.spread == pytest.approx(2 * math.sqrt(5 / 36 * 31 / 36))
    assert white.expected == pytest.approx(2 * (3 / 36 + 1 / 36))  # mountains with a 10 and pasture; not the robber's


# --- points, awards, turns --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", TRADED)
def test_points_are_told_at_the_end_of_every_turn(number: int) -> None:
    game, summary = trading_game(number), trading_summary(number)
    timeline = Timeline(game)
    assert len(summary.turns) == len(timeline.turns)
    for at_turn, turn in enumerate(summary.turns):
        end = summary.turns[at_turn + 1].step - 1 if at_turn + 1 < len(summary.turns) else timeline.count
        game_then = timeline.at(end)
        assert (game_then.turn, turn.player) == (turn.turn, game_then.active if turn.turn else None)
        assert tuple(points[at_turn] for points in summary.points.values()) == game_then.points
        visible = tuple(game_then.referee.points(seat) for seat in range(len(game.colors)))
        assert tuple(points[at_turn] for points in summary.visible.values()) == visible
        dice = game_then.referee.state.die_a + game_then.referee.state.die_b
        assert (turn.roll or 0) == dice
    assert tuple(player.points for player in summary.players.values()) == game.points
    assert summary.length == game.turn
    assert sum(player.turns for player in summary.players.values()) == game.turn
    assert (summary.steps, summary.decisions) == (len(game.steps), sum(seat != NATURE for seat, _ in game.steps))
    assert (summary.how, summary.winner) == (("won", game.winner) if game.over else (None, None))


@pytest.mark.parametrize("number", TRADED)
def test_awards_are_told_whenever_they_change_hands(number: int) -> None:
    game, summary = trading_game(number), trading_summary(number)
    timeline = Timeline(game)
    changes = []
    for step in range(1, timeline.count + 1):
        before, after = timeline.state(step - 1), timeline.state(step)
        for award, old_holder, new_holder in (
            ("longest-road", before.longest_road, after.longest_road),
            ("largest-army", before.largest_army, after.largest_army),
        ):
            if old_holder != new_holder:
                loser, holder = (game.colors[seat] if seat >= 0 else None for seat in (old_holder, new_holder))
                changes.append((award, after.turn_number, step, holder, loser))
    assert [(event.award, event.turn, event.step, event.player, event.loser) for event in summary.awards] == changes
    assert all((event.size > 0) == (event.player is not None) for event in summary.awards)


@pytest.mark.parametrize("number", TRADED)
def test_pieces_cards_and_trades_are_counted(number: int) -> None:
    game, summary = trading_game(number), trading_summary(number)
    state = game.referee.state
    trades = Counter(frozenset((event.player, event.partner)) for event in game.events if isinstance(event, e.Traded))
    for seat, (color, player) in enumerate(summary.players.items()):
        roads = (state.roads_lo[seat] | state.roads_hi[seat] << 36).bit_count()
        assert player.built["road"] == roads
        assert player.built["city"] == state.cities[seat].bit_count()
        assert player.built["settlement"] - player.built["city"] == state.settlements[seat].bit_count()
        assert list(player.played.values()) == list(DevelopmentCards.of_lanes(state.played[seat]).values())
        drawn = player.bought - (game.phase == "draw" and color == game.active)
        assert drawn == sum(player.played.values()) + sum(game.referee.development(seat).values())
        assert player.unplayed == dict(game.referee.development(seat))
        assert player.knights == player.played["knight"]
        assert player.trades == {other: trades[frozenset((color, other))] for other in game.colors if other != color}


# --- all of it --------------------------------------------------------------------------------------------------------


def test_a_summary_is_plain_data() -> None:
    game = random_game(3, 300)
    game.stop("agreed", "it is late")
    summary = summarize(game)
    data = summary.as_dict()
    assert json.loads(json.dumps(data)) == data
    assert (data["how"], data["winner"], data["edition"]) == ("agreed", None, "summary")
    assert data["dice"]["sums"][0]["total"] == 2
    assert data["players"]["red"]["luck"]["expected"] == round(summary.players["red"].luck.expected, 4)
    assert data["awards"] == [
        {
            "award": event.award,
            "turn": event.turn,
            "step": event.step,
            "player": event.player,
            "loser": event.loser,
            "size": event.size,
        }
        for event in summary.awards
    ]


def test_games_records_and_replays_come_to_the_same() -> None:
    game = trading_game(1)
    assert summarize(game) == summarize(game.record()) == summarize(Timeline(game)) == trading_summary(1)
    assert summarize(game) != trading_summary(2)


def test_a_game_in_which_nothing_has_happened() -> None:
    summary = summarize(Game("fifth", setup="fixed", seed=7, compiled=COMPILED))
    assert (summary.steps, summary.length, summary.dice.rolls) == (0, 1, 0)
    assert summary.players["red"].hand == {"brick": 0, "lumber": 2, "wool": 0, "grain": 1, "ore": 0}
    assert summary.players["red"].gained["start"] == summary.players["red"].hand
    assert summary.players["red"].built == {"road": 2, "settlement": 2, "city": 0}
    assert all((line.low, line.high, line.expected) == (0, 0, 0) for line in summary.dice.sums)


def test_a_game_that_began_with_hidden_cards_can_be_summed_up() -> None:
    late = random_game(1, 300)
    state, open_offers, belief = late.referee.state, late.referee.open_offers, late.referee.belief
    game = Game.at(late.options, late.layout, state, open_offers, belief, compiled=COMPILED)
    record = game.record()
    assert record.start_hidden
    summary = summarize(record)
    assert summary == summarize(game)
    assert summary.players["red"].gained["start"] == summary.players["red"].hand == late.referee.hand("red")


def test_a_seats_copy_is_refused() -> None:
    with pytest.raises(BadRecord, match="this is the copy for red, with hidden outcomes"):
        summarize(trading_game(1).record(trading_game(1).colors[0]))
