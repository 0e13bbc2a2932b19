"""What a game may be created with: exactly what the books offer, house rules by name, and every fault at once."""

from __future__ import annotations

import dataclasses
import itertools
import pickle
from typing import Any

import pytest

from hexholm.rules.setup.editions import EDITIONS, edition
from hexholm.rules.setup.options import BadOptions, check_options
from tests.helpers.edition_table import EDITION_TABLE, editions_with
from tests.helpers.marks import all_editions

WITH_AGES = editions_with(first_player_fixed="oldest")


def faults(**options: Any) -> list[tuple[str, str]]:
    with pytest.raises(BadOptions) as error:
        check_options(**options)
    assert error.value.faults
    return error.value.faults


def only_fault(rule: str, **options: Any) -> str:
    """The message of the one fault, which must be against `rule`."""
    ((fault_rule, message),) = faults(**options)
    assert fault_rule == rule
    return message


@pytest.mark.rule("SETUP-01", "SETUP-01.e1")
@pytest.mark.parametrize("name", EDITIONS)
def test_the_fixed_board_is_the_default(name: str) -> None:
    options = check_options(edition=name)
    assert options.setup == edition(name).default_setup == "fixed"
    assert options.phases == edition(name).phases
    assert options.players == 4
    assert options == check_options(edition=name, setup="beginner")
    assert options.house_rules() == []


def test_the_default_edition_is_the_fifth() -> None:
    assert check_options() == check_options(edition="fifth")
    assert check_options().edition_data is edition("fifth")


@pytest.mark.rule("EDN-01")
def test_options_cannot_be_changed_and_travel_as_plain_data() -> None:
    options = check_options(edition="threed", setup="variable", numbers="random", first=2, points_to_win=12)
    with pytest.raises(dataclasses.FrozenInstanceError):
        options.edition = "zip"  # type: ignore[misc]
    assert check_options(**options.as_dict()) == options
    assert pickle.loads(pickle.dumps(options)) == options  # noqa: S301
    assert len({options, check_options(**options.as_dict())}) == 1


@pytest.mark.rule("EDN-01")
def test_of_thousands_of_unknown_options_few_are_told() -> None:
    with pytest.raises(BadOptions, match="2990 more") as error:
        check_options(**{f"{'x' * 1000}{number}": 1 for number in range(3000)})
    assert len(str(error.value)) < 6_000


def test_an_unknown_edition_or_option_is_refused() -> None:
    assert "zip, sixth, fifth, threed, summary" in only_fault("EDN-01", edition="seventh")
    assert "points_to_win" in only_fault("EDN-02", ponts_to_win=12)


@pytest.mark.rule("COMP-12", "COMP-12.e1", "COMP-12.e2", "COMP-12.e3")
@pytest.mark.parametrize("setup", ["fixed", "variable"])
@all_editions
def test_number_of_players(edition: str, setup: str) -> None:
    for players in (3, 4):
        assert check_options(edition=edition, setup=setup, players=players).players == players
    for bad_count in (0, 1, 5, 6, -3, True, "4", 3.0):
        assert "3 to 4" in only_fault("COMP-12", edition=edition, setup=setup, players=bad_count)
    assert "two_players=True" in only_fault("COMP-12", edition=edition, setup=setup, players=2)
    two = check_options(edition=edition, setup=setup, players=2, two_players=True)
    assert two.players == len(two.colors) == 2
    assert two.house_rules() == ["unofficial: 2 players (the books: 3 to 4)"]
    assert check_options(edition=edition, setup=setup, two_players=True).players == 2
    only_fault("COMP-12", edition=edition, setup=setup, players=1, two_players=True)
    only_fault("COMP-12", edition=edition, setup=setup, players=5, two_players=True)


# --- what the books offer ---------------------------------------------------------------------------------------------

OFFERED = {
    "phases": ("phases_options", {"separate", "combined", "both"}),
    "harbors": (
        "variable_harbors",
        {"printed", "fixed", "harbor_shuffle", "frame_shuffle", "harbor_and_frame_shuffle"},
    ),
    "numbers": ("number_placement", {"printed", "fixed", "spiral", "random"}),
}
"""By option: the key of the table, and every value there is."""


@pytest.mark.rule("EDN-02", "EDN-02.e1", "EDN-02.e2", "MAP-14", "MAP-18")
@all_editions
def test_exactly_the_options_of_the_edition_are_accepted(edition: str) -> None:
    for option, (key, all_values) in OFFERED.items():
        allowed = EDITION_TABLE[edition][key]
        for value in sorted(all_values):
            options = {"edition": edition, "setup": "variable", option: value}
            if value in allowed:
                assert getattr(check_options(**options), option) == value
            else:
                message = only_fault("EDN-02", **options)
                assert all(word in message for word in allowed)


@pytest.mark.rule("EDN-02.e1", "EDN-02.e2")
def test_the_refusals_the_catalogue_names() -> None:
    for name in ("zip", "sixth"):
        assert "combined" in only_fault("EDN-02", edition=name, phases="separate")
    for name in ("sixth", "zip", "summary"):
        only_fault("EDN-02", edition=name, setup="variable", numbers="random")


@pytest.mark.rule("MAP-10", "EDN-02")
@pytest.mark.parametrize("name", [name for name in EDITIONS if name != "zip"])
def test_the_fixed_board_leaves_no_choice(name: str) -> None:
    options = check_options(edition=name, setup="fixed")
    assert (options.harbors, options.numbers) == ("fixed", "fixed")
    for option, value in (("harbors", edition(name).variable_harbors[0]), ("numbers", "spiral")):
        assert "setup='variable'" in only_fault("EDN-02", edition=name, setup="fixed", **{option: value})


@pytest.mark.rule("ZIP-01", "ZIP-01.e1", "ZIP-02")
def test_zip_maps() -> None:
    first = check_options(edition="zip")
    assert (first.map, first.setup) == (1, "fixed")
    assert check_options(edition="zip", map=1) == first
    for number in (2, 17, 50):
        options = check_options(edition="zip", map=number)
        assert (options.map, options.setup) == (number, "variable")
        with pytest.raises(dataclasses.FrozenInstanceError):
            options.map = 3  # type: ignore[misc]
    assert check_options(edition="zip", setup="variable").map is None
    for bad_map in (0, 51, -1, "2", True):
        assert "1 to 50" in only_fault("ZIP-01", edition="zip", setup="variable", map=bad_map)
    only_fault("ZIP-02", edition="zip", setup="fixed", map=2)
    only_fault("ZIP-02", edition="zip", setup="variable", map=1)
    for name in EDITIONS[1:]:
        assert "only edition zip" in only_fault("ZIP-01", edition=name, map=1)


def test_an_unknown_setup_is_refused() -> None:
    assert "fixed (also: beginner) or variable" in only_fault("SETUP-01", setup="random")


# --- colors ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-02", "SETUP-02.e1", "COMP-08")
@pytest.mark.parametrize("name", EDITIONS)
def test_no_color_twice_and_only_the_editions_own(name: str) -> None:
    edition_data = edition(name)
    for colors in itertools.permutations(edition_data.colors):
        assert check_options(edition=name, colors=list(colors)).colors == colors
    a, b, c, _ = edition_data.colors
    assert f"{b} chosen twice" in only_fault("SETUP-02", edition=name, colors=[a, b, b, c])
    assert "no color 'pink'" in only_fault("COMP-08", edition=name, colors=["pink", a, b, c])
    assert "give 4 colors" in only_fault("SETUP-02", edition=name, colors=[a, b, c])
    assert "give 4 colors" in only_fault("SETUP-02", edition=name, colors="rbwo")
    too_many = only_fault("SETUP-02", edition=name, colors=[f"c{number}" for number in range(5_000)])
    assert "give 4 colors" in too_many  # one fault, not five thousand, and not all of them quoted
    assert len(too_many) < 200


@pytest.mark.rule("SETUP-09", "SETUP-09.e1", "SETUP-09.e2", "SETUP-09.e3")
@pytest.mark.parametrize(
    ("name", "removed"), [("sixth", "white"), ("fifth", "red"), ("threed", "red"), ("summary", "red")]
)
def test_three_players_on_the_fixed_board_leave_out_a_color(name: str, removed: str) -> None:
    colors = edition(name).colors
    free = tuple(color for color in colors if color != removed)
    assert check_options(edition=name, players=3).colors == free
    assert check_options(edition=name, players=3, colors=free[::-1]).colors == free[::-1]
    assert check_options(edition=name, two_players=True).colors == free[:2]
    for other_colors in itertools.combinations(free, 2):
        assert removed in only_fault("SETUP-09", edition=name, players=3, colors=[*other_colors, removed])
    assert check_options(edition=name, players=4).colors == colors
    variable = check_options(edition=name, players=3, setup="variable", colors=[removed, *free[:2]])
    assert variable.colors[0] == removed
    assert check_options(edition=name, players=3, setup="variable").colors == colors[:3]


@pytest.mark.rule("SETUP-09")
def test_zip_leaves_out_whichever_color_nobody_took() -> None:
    for colors in itertools.permutations(edition("zip").colors, 3):
        assert check_options(edition="zip", players=3, colors=colors).colors == colors


# --- who begins -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("SETUP-05", "SETUP-05.e1", "SETUP-05.e2")
@all_editions
def test_who_begins_on_the_fixed_board(edition: str) -> None:
    silent = check_options(edition=edition)
    if edition not in WITH_AGES:
        assert (silent.starter(), silent.rollers()) == (None, (0, 1, 2, 3))
        assert "highest roll" in only_fault("SETUP-05", edition=edition, ages=[30, 31, 32, 33])
    else:
        assert (silent.starter(), silent.rollers()) == (0, ())
        oldest = check_options(edition=edition, ages=[30, 31, 70, 33])
        assert (oldest.starter(), oldest.rollers()) == (2, ())
        tied = check_options(edition=edition, ages=[12, 70, 33, 70])
        assert (tied.starter(), tied.rollers()) == (None, (1, 3))
    options = check_options(edition=edition, first="roll", players=3)
    assert (options.starter(), options.rollers()) == (None, (0, 1, 2))
    named_first = check_options(edition=edition, first=3)
    assert (named_first.starter(), named_first.rollers()) == (3, ())


@pytest.mark.rule("SETUP-06")
@all_editions
def test_the_highest_roll_begins_in_the_variable_setup(edition: str) -> None:
    variable_options = check_options(edition=edition, setup="variable", players=3)
    assert (variable_options.starter(), variable_options.rollers()) == (None, (0, 1, 2))
    assert "highest roll" in only_fault("SETUP-06", edition=edition, setup="variable", ages=[1, 2, 3, 4])


@pytest.mark.rule("SETUP-05")
def test_a_wrong_starter_is_refused() -> None:
    for first in (4, -1, "red", 1.0, True):
        assert "0 to 3" in only_fault("SETUP-05", first=first)
    only_fault("SETUP-05", players=3, first=3)
    for ages in ([30, 40], [1, 2, 3, 0], "1234", [1, 2, 3, "4"], 7):
        assert "4 ages" in only_fault("SETUP-05", ages=ages)
    assert "both" in only_fault("SETUP-05", first=1, ages=[1, 2, 3, 4])


# --- house rules ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("EDN-02")
def test_house_rules_are_off_by_default_and_always_listed_when_on() -> None:
    plain = check_options()
    assert (plain.points_to_win, plain.hand_limit, plain.friendly_robber, plain.balanced_dice) == (
        None,
        None,
        False,
        False,
    )
    house = check_options(points_to_win=12, hand_limit=9, friendly_robber=True, balanced_dice=True, two_players=True)
    lines = house.house_rules()
    assert len(lines) == 5
    for words in ("unofficial: 2 players", "12 points", "hand limit of 9 cards", "friendly robber", "balanced dice"):
        assert sum(words in line for line in lines) == 1
    assert check_options(points_to_win=10, hand_limit=7) == plain  # the book's own values are no house rule


@pytest.mark.rule("EDN-02")
def test_house_values_must_make_sense() -> None:
    for points in (2, 21, "ten", 10.5, True):
        assert "3 to 20" in only_fault("WIN-01", points_to_win=points)
    for cards in (1, 21, "seven"):
        assert "2 to 20" in only_fault("SEVEN-02", hand_limit=cards)
    for switch in ("friendly_robber", "balanced_dice"):
        assert "true or false" in only_fault("EDN-02", **{switch: 1})
    only_fault("COMP-12", two_players="yes", players=3)
    assert check_options(points_to_win=3).points_to_win == 3
    assert check_options(hand_limit=20).hand_limit == 20


def test_all_faults_come_at_once_and_survive_a_pickle() -> None:
    all_faults = faults(
        edition="sixth",
        players=3,
        colors=["white", "red", "red"],
        phases="separate",
        numbers="random",
        map=3,
        first=9,
        points_to_win=1,
        nonsense=0,
    )
    assert [rule for rule, _ in all_faults] == [
        "EDN-02",
        "EDN-02",
        "EDN-02",
        "ZIP-01",
        "SETUP-05",
        "SETUP-09",
        "SETUP-02",
        "WIN-01",
    ]
    bad = BadOptions(all_faults)
    assert pickle.loads(pickle.dumps(bad)).faults == all_faults  # noqa: S301
    assert all(f"{message} ({rule})" in str(bad) for rule, message in all_faults)
