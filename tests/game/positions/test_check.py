"""Positions and views that are unsound, or nothing of the kind: all faults are told, and nothing crashes the reader."""

from __future__ import annotations

import pickle
import random

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from hexholm.game.positions.position import BadPosition, read_position, read_view, view_text
from hexholm.game.positions.position_words import POSITION_KEYS
from hexholm.rules.referee import Referee
from tests.helpers.random_play import carry_out, choose

from .position_checks import check, corpus, position_line

# --- soundness -------------------------------------------------------------------------------------------------------

RICH = "red:hand=8ore"
FAULTS = {
    "pink:hand=1ore": "nobody plays 'pink'; the players are red, blue, white, orange (SETUP-02)",
    "turn=pink": "nobody plays that color",
    "turn=nobody": "name a player",
    "turn=red turn=red": "'turn' is there twice",
    "trun=red": "did you mean turn",
    "red:hends=1ore": "did you mean hand",
    "hello": "is no key=value",
    "hexholm-position-2": "is unknown; this is for hexholm-position-1",
    "hexholm-position-1 hexholm-position-1": "twice",
    "edition=seventh": "EDN-01",
    "players=red,blue": "two_players",
    "players=red,red,blue": "SETUP-02",
    "ages=old": "in years",
    "points-to-win=many": "write a number",
    "friendly-robber=maybe": "yes or no",
    "first-by=dice": "named or roll",
    "first-by=named": "say who begins",
    "ages=9,8,7,6 first=blue": "the oldest begins (SETUP-05)",
    "hexes=m10p2f9": "1 rows, not 5",
    "hexes=m10p2f9/g12h6p4h10/g9f11df3m8/f8m3g4p5/h5g6": "row E: 2 hexes, not 3 (MAP-01)",
    "hexes=m10p2x9/g12h6p4h10/g9f11df3m8/f8m3g4p5/h5g6p11": "row A: cannot read 'x9'",
    "hexes=m10p2f9/g12h6p4h10/g9f11f2f3m8/f8m3g4p5/h5g6p11": "0 deserts",
    "harbors=none": "standard = false (COMP-09)",
    "harbors=C3/ne:any standard=no": "inland",
    "spiral=A1": "MAP-15",
    "robber=F1": "is no hex",
    "robber=": "is no hex",
    "red:settlements=C3": "is no corner",
    "red:settlements=C3n,B2se": "twice",
    "red:settlements=C3n blue:cities=B2se": "a corner holds one piece (BUILD-07)",
    "red:settlements=C3n blue:cities=C3ne": "SETTLE-03, SETUP-13",
    "red:settlements=C3n red:roads=C3/ne blue:settlements=C4n blue:roads=C4/nw,C4/w,C3/ne": "ROAD-02",
    "red:settlements=C3n red:roads=E1/w": "lead to no settlement or city of red (ROAD-03)",
    "red:settlements=A1n,A2n,A3n,C1nw,C2n,C3n": "the stock holds 5 (COMP-05)",
    "red:settlements=A1n*,C3n": "one star, or nobody",
    "red:settlements=A1n* red:cities=C3n*": "only one star",
    "red:settlements=A1n*,C3n*": "two stars",
    "red:hand=2gold": "is no such card",
    "red:hand=12ore blue:hand=8ore": "the players hold 20 ore; there are 19 in the game (COMP-03)",
    "red:cards=2monopoly blue:played=1monopoly": "there are 2 in the game (COMP-04)",
    "red:played=1victory-point": "they are not played",
    "red:hand=1ore bank=19brick,19lumber,19wool,19grain,19ore": "COMP-03",
    "deck=1knight": "COMP-04",
    "longest-road=blue": "it belongs to nobody (LROAD-01, LROAD-10)",
    "largest-army=blue blue:played=2knight": "it takes 3 (ARMY-01)",
    "largest-army=blue blue:played=3knight red:played=4knight": "it belongs to red",
    "blue:played=3knight red:played=3knight": "say who was first (ARMY-02)",
    "phase=trade": "the phases are start-roll, settlement",
    "phase=main": "say what was rolled",
    "phase=roll dice=1+2": "have not fallen yet",
    "dice=1+7": "write them like dice=3+4",
    "turn=blue turn-number=3": "turn 3 is white's, not blue's: red began",
    "turn-number=0": "counted from 1",
    "phase=discard dice=3+4": "nobody has to",
    f"phase=discard dice=3+3 {RICH}": "only a seven",
    f"phase=discard dice=3+4 {RICH} red:chosen=4ore": "nobody has to",
    f"phase=discard dice=3+4 blue:hand=9wool {RICH} red:chosen=5ore": "must discard 4 (SEVEN-02)",
    f"phase=discard dice=3+4 blue:hand=9wool {RICH} red:chosen=1wool": "not in red:hand",
    f"dice=3+4 {RICH} red:chosen=1ore": "in phase=discard",
    "phase=robber dice=3+3": "on a seven or by a knight",
    "phase=victim dice=3+4 robber=C3 blue:settlements=C3n": "there is no choice (ROBBER-06)",
    "phase=theft dice=3+4 robber=C3 blue:settlements=C3n victim=white": "blue can be robbed (ROBBER-05)",
    "phase=theft dice=3+4 robber=C3 blue:settlements=C3n victim=blue": "nothing is stolen (ROBBER-07)",
    "phase=theft dice=3+4 robber=C3 blue:settlements=C3n": "victim=nobody",
    "victim=blue": "belongs to phase=theft",
    "phase=free-road red:settlements=C3n free-roads=2": "card-played=yes and road-building",
    "phase=free-road red:settlements=C3n card-played=yes red:played=1road-building": "together they are 2",
    "phase=free-road card-played=yes red:played=1road-building free-roads=2": "can place no road",
    "free-roads=1": "belong to phase=free-road",
    "card-played=yes": "red:played names no card",
    "dice=1+1 red:new=1knight": "not in red:cards",
    "red:cards=1knight red:new=1knight": "after the roll",
    "dice=1+1 blue:cards=1knight blue:new=1knight": "whose turn it is",
    "trading=closed edition=sixth dice=1+1": "PHASE-05",
    "trading=shut": "open or closed",
    "phase=draw dice=1+1": "trading=closed",
    "phase=over": "has 0 of 10 points (WIN-01)",
    "points-to-win=3 red:cities=C3n,A1n": "it is phase=over (WIN-02)",
    "dice-gone=11": "balanced-dice=yes",
    "balanced-dice=yes dice-gone=11 dice=1+2": "lacks 12",
    "balanced-dice=yes dice-gone=11,11": "twice",
    "balanced-dice=yes dice-gone=71": "no pair",
    "balanced-dice=yes dice-gone=" + ",".join(f"{a}{b}" for a in range(1, 5) for b in range(1, 7)): "start again",
    "phase=start-roll": "nobody rolls",
    "phase=start-roll first-by=roll first=red": "nobody knows yet who begins",
    "phase=start-roll first-by=roll to-roll=blue,white": "best-roll is missing",
    "phase=start-roll first-by=roll to-roll=blue,white best-roll=3": "who rolled it",
    "phase=start-roll first-by=roll to-roll=blue,white best-roll=3 best-rollers=white": "before those in to-roll",
    "phase=start-roll first-by=roll to-roll=blue best-rollers=blue": "all of them are in to-roll again",
    "phase=start-roll first-by=roll to-roll=": "names nobody",
    "phase=start-roll first-by=roll turn=blue": "the next of to-roll is red",
    "phase=start-roll ages=30,30,9,9 to-roll=red,white": "only red and blue roll (SETUP-07)",
    "phase=start-roll edition=sixth setup=variable red:settlements=C3n": "SETUP-11",
    "to-roll=red": "belong to phase=start-roll",
    "phase=settlement": "SETUP-08",
    "phase=road setup=variable": "is missing (SETUP-11)",
    "phase=settlement setup=variable turn=blue first=red": "start settlement 1 is red's",
    "phase=settlement setup=variable red:settlements=C3n": "red has 0 roads, but 1",
    "phase=settlement setup=variable turn-number=3": "SETUP-17",
    "phase=settlement setup=variable red:cards=1knight": "SETUP-21",
    "phase=settlement setup=variable red:settlements=C3n* red:roads=C3/ne": "no second settlement stands yet",
    "dice=1+1 offer1=red:1ore:1ore:blue": "the same kind cannot be on both sides (TRADE-06)",
    "dice=1+1 offer1=red:1ore:1wool:red": "TRADE-02",
    "dice=1+1 offer1=blue:1ore:1wool:white": "TRADE-02",
    "dice=1+1 offer1=red:1ore:nothing:blue": "TRADE-05",
    "dice=1+1 offer1=red:1ore:20wool:blue": "COMP-03",
    "dice=1+1 offer1=red:20ore:1wool:blue": "COMP-03",
    "dice=1+1 offer1=red:1ore:1wool:blue+": "carries the offer out",
    "dice=1+1 offer1=red:1ore:1wool:blue-": "so it is not open",
    "dice=1+1 offer1=red:1ore:1wool:blue++": "write + for a yes",
    "dice=1+1 offer1=red:1ore:1wool": "write maker:give:want:to",
    "offer1=red:1ore:1wool:blue": "after the roll (TRADE-01, PHASE-05)",
    "dice=1+1 trading=closed offer1=red:1ore:1wool:blue": "after trading=closed",
    "worlds=1:-/-/-/-": "belongs to a view",
}


@pytest.mark.parametrize("text", FAULTS)
def test_an_unsound_position_is_refused_with_what_would_be_right(text: str) -> None:
    with pytest.raises(BadPosition) as error:
        read_position(text)
    assert any(FAULTS[text] in fault for fault in error.value.faults), error.value.faults
    assert str(error.value) == "; ".join(error.value.faults)
    copy = pickle.loads(pickle.dumps(error.value))  # noqa: S301  # our own
    assert copy.faults == error.value.faults


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(BadPosition) as error:
        read_position("trun=red red:settlements=C3n,C3ne red:hand=20ore phase=man robber=Z9 offer1=red")
    assert len(error.value.faults) == 6


VIEW_FAULTS = {
    "hexholm-view-1": "seen-by is missing",
    "seen-by=green": "nobody plays that color",
    "seen-by=red blue:hand=?2": "bank is missing",
    "seen-by=red blue:hand=?2 bank=19brick,19lumber,19wool,19grain,18ore": "COMP-03",
    "seen-by=red blue:hand=2ore": "like blue:hand=?5 (INFO-01)",
    "seen-by=red blue:cards=2knight": "like blue:cards=?2",
    "seen-by=red red:hand=?2 bank=19brick,19lumber,19wool,19grain,17ore": "own cards are known",
    "seen-by=red deck=?24": "it is ?25 (COMP-04)",
    "seen-by=red deck=25knight": "it is ?25 (COMP-04)",
    "seen-by=red blue:cards=?26": "so many cannot be hidden",
    "seen-by=red turn=blue dice=1+1 blue:cards=?1 blue:new=?2": "more than blue:cards",
    "seen-by=red turn=blue dice=1+1 blue:cards=?1 blue:new=1knight": "blue:new=?1",
    "seen-by=red worlds=1:-/-/1B/-": "does not fit the hands",
    "seen-by=red worlds=1:-/-/-": "like 0.5:",
    "seen-by=red worlds=nan:-/-/-/-": "cannot read",
    "seen-by=red worlds=1:-/-/-/- blue:card-hands=1:1K/-": "not 0 old and 0 new cards",
    "seen-by=red blue:card-hands=1:-/-": "without worlds",
    "seen-by=red worlds-capped=perhaps worlds=1:-/-/-/-": "yes or no",
    "seen-by=red worlds=" + ";".join(["1:-/-/-/-"] * 193): "room for 192",
}


@pytest.mark.parametrize("text", VIEW_FAULTS)
def test_an_unsound_view_is_refused(text: str) -> None:
    with pytest.raises(BadPosition) as error:
        read_view(text)
    assert any(VIEW_FAULTS[text] in fault for fault in error.value.faults), error.value.faults


# --- anything at all -------------------------------------------------------------------------------------------------


def accepted(text: str) -> bool:
    """Reads a text as both; whatever is accepted has a canonical text that stays as it is."""
    fine = False
    try:
        position = read_position(text)
    except BadPosition:
        pass
    else:
        fine = True
        canonical = position_line(position)
        back = read_position(canonical)
        assert back.state == position.state
        assert back.open_offers == position.open_offers
        assert (back.options, back.layout) == (position.options, position.layout)
        assert position_line(back) == canonical
    try:
        view = read_view(text)
    except BadPosition:
        pass
    else:
        assert not fine, "a text is a position or a view"
        fine = True
        canonical = view_text(*view)
        assert read_view(canonical) == view
        assert view_text(*read_view(canonical)) == canonical
    return fine


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from([*POSITION_KEYS, "red:hand", "=", "?", "1", "blue", " "])).map("".join)
)
@settings(max_examples=150)
def test_any_text_is_read_or_refused(text: str) -> None:
    accepted(text)


def changed(text: str, pool: tuple[str, ...], rng: random.Random) -> str:
    """A text with words deleted, doubled, exchanged, or with a changed letter."""
    words = text.split()
    for _ in range(rng.choice((1, 1, 1, 2))):
        at = rng.randrange(len(words))
        word = words[at]
        other = rng.choice(rng.choice(pool).split())
        letter = rng.choice("0123456789abcdeABCEnsw/,:;+-*?= BLKV.é\u0661")
        i = rng.randrange(len(word) or 1)
        match rng.randrange(6):
            case 0:
                words[at] = ""
            case 1:
                words.insert(rng.randrange(len(words)), word)
            case 2:
                words[at] = other
            case 3:
                words[at] = f"{word.partition('=')[0]}={other.partition('=')[2]}"
            case 4:
                words[at] = word[:i] + letter + word[i + 1 :]
            case _:
                words[at] = word[:i] + word[i + rng.randrange(2) :] + letter * rng.randrange(2)
    return " ".join(words)


@given(st.randoms(use_true_random=False))
@settings(max_examples=400)
def test_a_changed_text_is_read_or_refused(rng: random.Random) -> None:
    positions, views = corpus()
    text = rng.choice(positions if rng.random() < 0.6 else views)
    accepted(changed(text, positions + views, rng))


def test_many_changed_positions_are_sound_and_can_be_played_on() -> None:
    rng, fine = random.Random(11), 0
    positions = corpus()[0]
    for _ in range(500):
        try:
            position = read_position(changed(rng.choice(positions), positions, rng))
        except BadPosition:
            continue
        fine += 1
        game = Referee(position.options, position.layout, position.state, compiled=False)
        game.open_offers = position.open_offers
        for _ in range(12):
            if game.winner is not None:
                break
            carry_out(game, *choose(game, rng))
        check(game)
    assert fine > 30
