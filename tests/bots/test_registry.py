"""Players by name: shipped ones, those of packages, efforts, and answers of every form."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hexholm.bots import TABLE_BOTS, Bot, bot, bot_kind, bot_kinds, registry
from hexholm.bots.faults import BotFault
from hexholm.bots.protocol import Effort, choice_code, default_code, takes_effort, text_of
from hexholm.game.action import Action
from hexholm.game.game import Game
from hexholm.rules.errors import BadInput
from hexholm.rules.notation import UnreadableAction
from tests.arena.players import ANSWERS

COLORS = ("red", "blue", "white", "orange")


def test_the_shipped_players_have_a_line_each_and_can_be_made() -> None:
    assert list(bot_kinds())[:2] == ["random", "easy"]
    assert set(TABLE_BOTS) <= set(bot_kinds())
    for name, kind in bot_kinds().items():
        assert kind.summary
        assert "\n" not in kind.summary
        assert callable(kind.make(3).choose), name


def test_an_unknown_name_is_told_with_those_there_are() -> None:
    with pytest.raises(BadInput, match="there is no player 'grandma'; there are random, easy"):
        bot("grandma")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package with players of its own, good and bad."""
    (tmp_path / "guests.py").write_text(
        "class Guest:\n"
        '    """Plays what it likes.\n\n    And so on."""\n'
        "    def __init__(self, seed=0, effort=None): self.effort = effort\n"
        "    def choose(self, view): return view.legal_actions[0]\n"
        "number = 3\n"
    )
    (tmp_path / "burning.py").write_text("raise OSError('no network')\n")
    (tmp_path / "leaving.py").write_text("print('bye')\nraise SystemExit\n")
    info = tmp_path / "guests-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guests\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[hexholm.bots]\nguest = guests:Guest\nbroken = burning:Guest\n"
        "leaves = leaving:Guest\nodd = guests:number\neasy = guests:Guest\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    bot_kinds.cache_clear()
    yield
    bot_kinds.cache_clear()
    for name in ("guests", "burning", "leaving"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("package")
def test_packages_bring_players_of_their_own() -> None:
    guest = bot_kind("guest")
    assert (guest.summary, guest.origin, guest.takes_effort) == ("Plays what it likes", "guests", True)
    guest_bot = bot("guest", 5, Effort(steps=7))
    assert guest_bot.effort == Effort(steps=7)  # type: ignore[attr-defined]
    assert bot_kind("easy").origin == "", "what a name means does not change with what is installed"


@pytest.mark.usefixtures("package")
def test_a_package_that_is_broken_is_named_and_harms_no_other() -> None:
    assert "burning:Guest of guests: OSError: no network" in bot_kinds()["broken"].broken
    with pytest.raises(BadInput, match="broken cannot be used: burning:Guest of guests: OSError"):
        bot("broken")
    with pytest.raises(BadInput, match=r"leaves cannot be used: leaving:Guest of guests: SystemExit$"):
        bot("leaves")
    with pytest.raises(BadInput, match="odd cannot be used: guests:number of guests is no class or function"):
        bot("odd")
    assert callable(bot("easy").choose)


@pytest.mark.usefixtures("package")
def test_asking_for_a_shipped_player_loads_no_package() -> None:
    bot("easy")
    assert "burning" not in sys.modules
    assert "guests" not in sys.modules


class Seedless:
    def choose(self, view: object) -> str:
        return str(view)


class Choosy(Seedless):
    def __init__(self, seed: int) -> None:
        print("made")
        if seed == 13:
            raise ValueError("unlucky")
        if seed == 14:
            sys.exit()


class Speechless:
    def __init__(self, seed: int) -> None:
        self.seed = seed


@pytest.mark.parametrize(
    "factory, seed, says",
    [
        (Seedless, 3, r"x.py:X cannot be made: Seedless\(seed=3\) raised TypeError: .*; a player is made with a seed$"),
        (
            Choosy,
            13,
            r"x.py:X cannot be made: Choosy\(seed=13\) raised ValueError: unlucky \(test_registry\.py, line \d+\)$",
        ),
        (Choosy, 14, r"x.py:X cannot be made: Choosy\(seed=14\) raised SystemExit \(test_registry\.py, line \d+\)$"),
        (Speechless, 3, r"x.py:X has no method choose\(view\)$"),
        (lambda _: Speechless(1), 3, r"x.py:X made a Speechless, which cannot play: it has no method choose"),
        (lambda _: None, 3, r"x.py:X made None, which cannot play: it has no method choose"),
    ],
)
def test_what_cannot_be_made_is_told_in_one_line(factory: Any, seed: int, says: str) -> None:
    with pytest.raises(BadInput, match=f"^{says}"):
        registry.make_bot(factory, "x.py:X", seed, None)


def test_what_a_player_prints_when_it_is_made_goes_to_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    registry.make_bot(Choosy, "choosy", 1, None)
    assert capsys.readouterr() == ("", "made\n")


def test_an_effort_is_steps_or_a_time() -> None:
    assert Effort.of("400") == Effort(steps=400)
    assert Effort.of("100ms") == Effort(seconds=0.1)
    assert Effort.of(" 1.5S ") == Effort(seconds=1.5)
    for text in ("400", "100ms", "1.5s", "2s"):
        assert str(Effort.of(text)) == text
    assert Effort(steps=1).repeatable
    assert not Effort(seconds=1).repeatable
    for text in ("", "fast", "1.5", "-3", "0", "0s", "3 h", "1e3"):
        with pytest.raises(BadInput, match="effort"):
            Effort.of(text)
    with pytest.raises(BadInput, match="give one of them"):
        Effort(steps=3, seconds=1.0)


def test_a_player_without_an_effort_says_so() -> None:
    with pytest.raises(BadInput, match="easy has no effort to choose; leave @3 out"):
        bot("easy", 1, Effort(steps=3))

    class Thinker:
        def __init__(self, seed: int | str, *, effort: Effort | None = None) -> None:
            self.effort = effort or Effort(steps=1), seed

        def choose(self, view: object) -> str:
            return str(view)

    assert takes_effort(Thinker)
    assert registry.make_bot(Thinker, "thinker", 1, Effort(steps=3)).effort == (Effort(steps=3), 1)  # type: ignore[attr-defined]


def test_answers_may_be_actions_texts_or_codes() -> None:
    text = "road C3/ne"
    code = choice_code(text, COLORS, 1)
    for answer in (code, Action.of(text), Action.of(text, "blue"), f"blue: {text}", f"  Blue {text} ", "ROAD B3/sw"):
        assert choice_code(answer, COLORS, 1) == code
    assert choice_code("offer 1 ore : 1 wool to all", COLORS, 1) == choice_code(
        "offer 1 ore : 1 wool to red white orange", COLORS, 1
    )
    assert text_of(code, COLORS) == text_of(Action.of(text), COLORS) == "road B3/sw"
    assert text_of("as it is", COLORS) == "as it is"


@pytest.mark.parametrize("answer", ["", "please", None, True, 0, -5, 1 << 63, 3.5, b"roll", ["roll"], "red roll"])
def test_what_is_no_answer_is_refused(answer: object) -> None:
    with pytest.raises(UnreadableAction):
        choice_code(answer, COLORS, 1)


@pytest.mark.parametrize(("answer", "says"), ANSWERS, ids=[type(answer).__name__ for answer, _ in ANSWERS])
def test_what_raises_when_it_is_looked_at_is_refused_with_a_word_on_what_is_right(answer: object, says: str) -> None:
    with pytest.raises(UnreadableAction, match=re.escape(says)):
        choice_code(answer, COLORS, 1)


def test_numbers_of_other_libraries_are_codes() -> None:
    code = choice_code("road C3/ne", COLORS, 1)
    assert choice_code(np.int64(code), COLORS, 1) == choice_code(np.array(code), COLORS, 1) == code


def test_nobody_acts_for_another() -> None:
    with pytest.raises(UnreadableAction, match="blue cannot act for red"):
        choice_code(Action.of("red roll"), COLORS, 1)


def test_the_default_is_a_plain_legal_move() -> None:
    game = Game(edition="fifth", setup="fixed", seed=7)
    assert text_of(default_code(game.view("red")), game.colors) == "roll"
    game.play("roll")
    assert text_of(default_code(game.view("red")), game.colors) == "end"


def test_a_fault_travels_between_processes() -> None:
    import pickle

    fault: BotFault = pickle.loads(pickle.dumps(BotFault("slow", "too late")))  # noqa: S301  # our own
    assert (fault.kind, str(fault)) == ("slow", "too late")


def test_the_shipped_players_are_bots() -> None:
    bots: list[Bot] = [bot(name) for name in bot_kinds()]
    assert bots
