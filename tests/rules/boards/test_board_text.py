"""Boards as text: reading and writing boards of one's own, and the picture in characters."""

from __future__ import annotations

import pickle
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexholm.rules import places
from hexholm.rules.boards import (
    BOARD_FORMAT,
    COLOR_LETTERS,
    RED_NUMBERS,
    BadBoard,
    Layout,
    beginner_layout,
    board_modes,
    draw_text,
    layout_for,
    number_dots,
    read_board,
    read_board_data,
    start_pieces,
    zip_map,
)
from hexholm.rules.boards.board_reader import LONGEST_BOARD, MOST_BOARD_FAULTS
from hexholm.rules.encoding.structs import Board
from hexholm.rules.errors import BadInput
from hexholm.rules.places import CORNER_NAMES, HEX_NAMES, SIDE_NAMES
from hexholm.rules.setup.editions import EDITIONS, edition, read_edition
from hexholm.rules.setup.options import check_options

TEXT = beginner_layout().to_toml()


def bad(text: str) -> list[tuple[str, str]]:
    with pytest.raises(BadBoard) as error:
        read_board(text)
    faults = error.value.faults
    assert faults
    assert pickle.loads(pickle.dumps(error.value)).faults == faults  # noqa: S301
    assert all(f"{message} ({rule})" in str(error.value) for rule, message in faults)
    return faults


def test_round_trip_of_the_beginners_board() -> None:
    layout = read_board(TEXT)
    assert layout == beginner_layout()
    assert layout.to_toml() == TEXT
    assert layout.name == "Beginners' board"
    assert hash(layout) == hash(beginner_layout())
    assert read_board_data(layout.as_dict()) == layout
    assert read_board_data(tomllib.loads(TEXT)) == layout
    copy = pickle.loads(pickle.dumps(layout))  # noqa: S301
    assert copy == layout
    assert copy.to_toml() == TEXT
    assert layout != zip_map(1)
    assert layout != "a layout"
    assert repr(layout) == '<Layout "Beginners\' board">'


def test_reading_is_lenient_about_spelling() -> None:
    loose = TEXT.replace('A1 = "mountains 10"', ' "a 1" = ["mountains", 10]').replace('"A1/nw"', '" a1/NW "')
    loose = loose.replace(f'format = "{BOARD_FORMAT}"\n', "").replace('"A1se"', '"b2N"')
    assert loose != TEXT
    assert read_board(loose) == beginner_layout()


@pytest.mark.parametrize(
    ("old", "new", "rule", "words"),
    [
        ('name = "Begin', 'Name = "Begin', "MAP-21", "unknown key 'Name'"),
        (BOARD_FORMAT, "hexholm-board-9", "MAP-21", "hexholm-board-1"),
        ("name = ", "name = 3 # ", "MAP-21", "no text"),
        ("[hexes]", "standard = 'no'\n[hexes]", "COMP-01", "true or false"),
        ("[hexes]", "frame = ['4-3']\n[hexes]", "COMP-10", "each of the pieces"),
        ("[hexes]", "frame = ['3-2', '4-3', '2-1', '1-6', '6-5', '5-4']\n[hexes]", "MAP-14", "A2/nw, A3/ne"),
        ("[hexes]", "spiral = 'A1'\n[hexes]", "MAP-15", "no spiral from A1"),
        ("[hexes]", "spiral = 'B2'\n[hexes]", "MAP-15", "corner hex"),
        ("A1 = ", "F1 = ", "MAP-01", "'F1' is no hex"),
        ("A1 = ", "F1 = ", "MAP-01", "missing: A1;"),
        ("A1 = ", "A2 = 'hills 3' # ", "MAP-21", "no TOML"),
        ("A1 = ", "a2 = 'hills 3' # ", "MAP-01", "A2 is there twice"),
        ("A1 = ", "#", "MAP-01", "missing: A1;"),
        ('"mountains 10"', '"lake 10"', "COMP-01", "unknown terrain 'lake'"),
        ('"mountains 10"', "10", "COMP-01", "write a terrain and a number"),
        ('"mountains 10"', '"mountains 10 10"', "COMP-01", "write a terrain and a number"),
        ('"mountains 10"', '"mountains 7"', "COMP-02", "no number 7"),
        ('"mountains 10"', '"mountains 13"', "COMP-02", "no number 13"),
        ('"mountains 10"', '["mountains", 10.0]', "COMP-02", "no number 10.0"),
        ('"mountains 10"', '["mountains", true]', "COMP-02", "no number True"),
        ('"mountains 10"', '"mountains ten"', "COMP-02", "no number 'ten'"),
        ('"mountains 10"', '"mountains"', "COMP-02", "mountains needs a number"),
        ('"desert"', '"desert 4"', "MAP-17", "the desert has no number"),
        ('"desert"', '"hills 4"', "SETUP-04", "0 deserts"),
        ('"mountains 10"', '"desert"', "SETUP-04", "2 deserts"),
        ('"mountains 10"', '"mountains 9"', "COMP-02", "3 x 9 (not 2)"),
        ('"mountains 10"', '"hills 10"', "COMP-01", "4 x hills (not 3)"),
        ('"A1/nw" = "any"', '"C3/nw" = "any"', "MAP-20", "inland"),
        ('"A1/nw" = "any"', '"C9/nw" = "any"', "MAP-20", "no side"),
        ('"A1/nw" = "any"', '"a1/nw" = "any"\n"A1/nw" = "any"', "MAP-20", "two harbors at A1/nw"),
        ('"A1/nw" = "any"', '"A1/ne" = "any"\n"A1/nw" = "any"', "COMP-09", "share the corner A1n"),
        ('"A1/nw" = "any"', '"A1/nw" = "fish"', "COMP-09", "unknown kind 'fish'"),
        ('"A1/nw" = "any"', "", "COMP-09", "3 x any (not 4)"),
        ('"A1/nw" = "any"', '"A1/nw" = "ore"', "COMP-09", "2 x ore (not 1)"),
        ("red = [", "pink = [", "COMP-08", "no edition has these"),
        ("red = [", "green = [", "COMP-08", "no edition has these"),
        ('    { settlement = "A1se", road = "A2/sw" },\n', "", "MAP-12", "exactly two settlements"),
        ('{ settlement = "A1se", road = "A2/sw" }', "3", "MAP-12", "a piece has settlement, road"),
        ('"A1se"', '"A9se"', "MAP-12", "no corner"),
        ('"A2/sw" }', '"A2/sw", paid = true }', "SETUP-10", "2 settlements are marked"),
        ('"C2/sw", paid = true', '"C2/sw"', "SETUP-10", "0 settlements are marked"),
        ('"C2/sw", paid = true', '"C2/sw", paid = 1', "MAP-12", "neither true nor false"),
        ('road = "A2/sw"', 'road = "E3/e"', "MAP-12", "does not touch"),
        ('settlement = "A3s", road = "A3/sw"', 'settlement = "A2s", road = "A2/sw"', "MAP-12", "road A2/sw is taken"),
        ('settlement = "A3s", road = "A3/sw"', 'settlement = "A1se", road = "A1/e"', "MAP-12", "A1se is taken by red"),
        ('settlement = "A3s", road = "A3/sw"', 'settlement = "A1ne", road = "A1/e"', "SETUP-13", "distance rule"),
    ],
)
@pytest.mark.rule("SETUP-04.e1", "MAP-17", "MAP-12.e1", "MAP-12.e2", "MAP-12.e3", "COMP-02.e2", "MAP-20")
def test_a_fault_is_told_with_its_rule(old: str, new: str, rule: str, words: str) -> None:
    assert old in TEXT
    faults = bad(TEXT.replace(old, new, 1))
    assert any(fault_rule == rule and words in message for fault_rule, message in faults), faults


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [("[hexes]", "[[hexes]]", "MAP-01"), ("[harbors]", "[[harbors]]", "MAP-20"), ("[start]", "[[start]]", "MAP-12")],
)
def test_parts_of_a_wrong_shape(old: str, new: str, rule: str) -> None:
    assert rule in [fault_rule for fault_rule, _ in bad(TEXT.replace(old, new, 1))]


def test_parts_that_are_no_tables_at_all() -> None:
    rules = [rule for rule, _ in bad("hexes = 1\nharbors = 2\nstart = 3")]
    assert rules == ["MAP-01", "MAP-20", "MAP-12"]
    assert [rule for rule, _ in bad("harbors = [1]")] == ["MAP-01", "MAP-20"]


def test_all_faults_are_told_at_once() -> None:
    text = TEXT.replace("mountains 10", "mountains 7").replace('C3 = "desert"', 'C3 = "desert 3"')
    text = text.replace('"A1/nw" = "any"', '"C3/w" = "any"').replace('road = "A2/sw"', 'road = "E3/e"')
    assert [rule for rule, _ in bad(text)] == ["COMP-02", "MAP-17", "MAP-20", "MAP-12"]


def test_one_fault_hides_no_other_that_can_be_seen() -> None:
    """A hex and a harbor that cannot be read: counts, spiral, frame and corners are still checked as far as they go."""
    text = zip_map(2).to_toml()
    assert "spiral = " in text
    lines = text.splitlines()
    hexes = [i for i, line in enumerate(lines) if line[:1] in [*"ABCDE"] and not line.endswith('"desert"')]
    lines[hexes[0]] = 'A1 = "swamp 4"'
    lines[hexes[-1]] = lines[hexes[-1]].rsplit(" ", 1)[0] + ' 12"'
    lines[hexes[-2]] = lines[hexes[-2]].rsplit(" ", 1)[0] + ' 12"'
    at = lines.index("[harbors]")
    lines[at + 1] = lines[at + 1].split(" = ")[0] + ' = "gold"'
    lines.insert(at + 3, '"e1/sw" = "any"\n"e1/w" = "any"\n"c5/e" = "any"\n"c5/ne" = "any"')
    with pytest.raises(BadBoard) as error:
        read_board("\n".join(lines))
    messages = "\n".join(message for _, message in error.value.faults)
    for words in ("'swamp'", "x 12 (not 1)", "'gold'", "share the corner", "x any (not 4)", "are no spiral from"):
        assert words in messages, messages
    assert error.value.partial
    assert pickle.loads(pickle.dumps(error.value)).partial  # noqa: S301


def test_a_known_place_of_an_unknown_kind_still_fits_its_frame() -> None:
    frame = "frame = ['4-3', '3-2', '2-1', '1-6', '6-5', '5-4']\n"
    text = beginner_layout().to_toml().replace("[hexes]", frame + "[hexes]")
    assert read_board(text) == beginner_layout()
    assert [rule for rule, _ in bad(text.replace('"any"', '"gold"', 1))] == ["COMP-09"]


@pytest.mark.parametrize(
    ("text", "partial"),
    [
        (TEXT.replace("mountains 10", "mountains 9"), False),
        (TEXT.replace("mountains 10", "lake 10"), True),
        (TEXT.replace('"A1/nw" = "any"', '"A9/nw" = "any"'), True),
        (TEXT.replace('"A1se"', '"A9se"'), True),
        ("hexes =", True),
    ],
)
def test_a_refusal_says_whether_everything_was_checked(text: str, partial: bool) -> None:
    with pytest.raises(BadBoard) as error:
        read_board(text)
    assert error.value.partial is partial


@pytest.mark.rule("COMP-01.e2")
def test_own_counts_need_the_word_and_every_resource() -> None:
    own = TEXT.replace("mountains 10", "hills 9").replace('"A1/nw" = "any"', '"A1/nw" = "ore"')
    assert [rule for rule, _ in bad(own)] == ["COMP-01", "COMP-02", "COMP-09"]
    assert all("standard = false" in message for _, message in bad(own))
    layout = read_board(own.replace("[hexes]", "standard = false\n[hexes]"))
    assert not layout.standard
    assert layout.as_dict()["hexes"]["A1"] == ["hills", 9]
    assert read_board(layout.to_toml()) == layout
    assert "standard = false" in layout.to_toml()
    no_ore = TEXT.replace("mountains", "hills").replace("[hexes]", "standard = false\n[hexes]")
    ((rule, message),) = bad(no_ore)
    assert rule == "COMP-01"
    assert "nothing gives ore" in message


@pytest.mark.rule("SETUP-04", "SETUP-04.e1")
def test_a_map_without_a_desert_is_invalid_even_with_own_counts() -> None:
    text = zip_map(2).to_toml().replace("[hexes]", "standard = false\n[hexes]").replace('"desert"', '"hills 4"')
    assert "SETUP-04" in [rule for rule, _ in bad(text)]


@given(st.text(max_size=60))
def test_any_name_survives_the_round_trip(name: str) -> None:
    layout = Layout(beginner_layout().board, name=name)
    copy = read_board(layout.to_toml())
    assert copy == layout
    assert copy.name == name


@pytest.mark.parametrize("index", [0, 3])
def test_a_board_knows_its_seed_also_when_it_was_written_down(index: int) -> None:
    layout = layout_for(check_options(edition="sixth", setup="variable"), 41, index)
    copy = read_board(layout.to_toml())
    assert (copy.name, copy.seed) == (layout.name, 41)
    bare = copy.without_seed()
    assert (bare, bare.seed, bare.name) == (layout, None, layout.name.partition(", board seed")[0])
    assert "41" not in bare.to_toml().partition("[hexes]")[0]
    assert "41" not in repr(bare.origin)


@pytest.mark.parametrize("seed", ["041", "9" * 5000, "x"])
def test_a_name_that_nobody_generated_stays_a_name(seed: str) -> None:
    name = f"sixth, harbor_shuffle, random numbers, board seed {seed}"
    layout = read_board(Layout(beginner_layout().board, name=name).to_toml())
    assert (layout.name, layout.seed) == (name, None)


@given(st.text(alphabet=st.sampled_from('[]{}"=.#, \nABE159/nwhexsrbotdi'), max_size=120))
def test_any_text_is_either_read_or_refused(text: str) -> None:
    with pytest.raises(BadBoard):  # none of these letters can spell nineteen hexes
        read_board(text)


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(["format", "name", "standard", "spiral", "frame", "hexes", "harbors", "start"]), json_like)
def test_any_value_in_any_place_is_either_read_or_refused(key: str, value: Any) -> None:
    try:
        layout = read_board_data({**tomllib.loads(TEXT), key: value})
    except BadBoard as error:
        assert error.faults  # noqa: PT017
    else:
        assert layout.board == beginner_layout().board


# --- the picture ------------------------------------------------------------------------------------------------------


def test_the_picture_of_the_beginners_board() -> None:
    expected = (Path(__file__).parent / "data" / "beginner.txt").read_text(encoding="utf-8")
    assert str(beginner_layout()) + "\n" == expected


@pytest.mark.parametrize("number", [1, 2, 3, 50])
def test_a_picture_fits_the_terminal_and_shows_everything(number: int) -> None:
    layout = zip_map(number)
    picture = draw_text(layout, words=edition("zip").words)
    lines = picture.split("\n")
    assert max(map(len, lines)) <= 80
    assert len(lines) == 30
    words = picture.replace("|", " ").split()
    counts = Counter(words)
    for terrain, n in edition("zip").terrain_counts.items():
        assert counts[terrain] == n
    for value, n in edition("zip").number_counts.items():
        assert counts[f"*{value}*" if value in RED_NUMBERS else str(value)] == n
    assert all(counts[word] == 1 for word in ("wool", "ore", "wood", "wheat", "brick"))
    assert counts["any"] == counts["3:1"] == 4
    assert counts["2:1"] == 5
    assert picture.count("#") == 18
    assert picture.count("•") == 58  # dots of the 18 tokens
    assert f"{HEX_NAMES[layout.desert]} ROBBER" in picture
    assert picture.count("ROBBER") == 1


def test_every_label_of_a_picture_can_be_in_another_language() -> None:
    """However long a word is, it stands whole and moves nothing of the board."""
    kinds = ("brick", "lumber", "wool", "grain", "ore", "any")
    words = {kind: f"{kind}xxxxxxxx"[:8] for kind in kinds} | {"hills": "Hügelland", "robber": "Räuber"}
    harbor_kinds = [kind for _, kind in beginner_layout().harbors()]
    plain, labelled = draw_text(beginner_layout()), draw_text(beginner_layout(), words=words)
    assert all(labelled.count(words[kind]) == harbor_kinds.count(kind) for kind in kinds)
    assert "C3 RÄUBER" in labelled
    assert labelled.count("Hügelland") == plain.count("hills") == 3
    for before, after in zip(plain.split("\n"), labelled.split("\n"), strict=True):
        assert [at for at, sign in enumerate(before) if sign in "|+#"] == [
            at for at, sign in enumerate(after) if sign in "|+#"
        ]


def test_pieces_and_robber_in_the_picture() -> None:
    plain = draw_text(beginner_layout())
    text = draw_text(beginner_layout(), {"C3n": "r", "b2SE": "r", "E3se": "B", "A1/w": "b", "D3ne": "x1"}, robber="A1")
    assert "ROBBER" in text.split("\n")[3]
    assert "C3 ROBBER" not in text
    assert text.count("(r)") == 1  # two names of one corner
    assert text.count("[B]") == 1
    assert text.count("x1") == 1
    assert [line[21] for line in text.split("\n")[4:6]] == ["b", "b"]
    assert [line[21] for line in plain.split("\n")[4:6]] == ["|", "|"]


def test_every_corner_and_side_has_cells_of_its_own() -> None:
    plain = draw_text(beginner_layout())
    for side in SIDE_NAMES:
        text = draw_text(beginner_layout(), {side: "X"})
        changed = [(a, b) for a, b in zip(plain, text, strict=True) if a != b]
        assert len(changed) == (2 if side.endswith(("/e", "/w")) else 5)
        assert all(a in "|.-'" and b == "X" for a, b in changed)
    full_text = draw_text(beginner_layout(), dict.fromkeys(SIDE_NAMES, "X") | dict.fromkeys(CORNER_NAMES, "Y"))
    assert full_text.count("[Y]") == 54
    assert not any(cell in full_text for cell in "+|#'")


def test_letters_that_cannot_be_drawn_are_refused() -> None:
    with pytest.raises(ValueError, match="one letter"):
        draw_text(beginner_layout(), {"A1/w": "bb"})
    for bad_value in ("", "four"):
        with pytest.raises(ValueError, match="one to three"):
            draw_text(beginner_layout(), {"A1n": bad_value})
    with pytest.raises(places.UnknownPlace):
        draw_text(beginner_layout(), {"Q7": "r"})


def test_what_cannot_be_is_bad_input() -> None:
    for bad_value in (
        lambda: draw_text(beginner_layout(), {"A1/w": "bb"}),
        lambda: zip_map(51),
        lambda: number_dots(7),
        lambda: edition("seventh"),
        lambda: board_modes(check_options(setup="fixed")),
        lambda: read_board("hexes = 1"),
        lambda: read_edition("own", "", ""),
    ):
        with pytest.raises(BadInput):
            bad_value()


def test_color_adds_only_escapes() -> None:
    pieces = start_pieces(beginner_layout(), ["red", "blue"])
    assert set(pieces.values()) == {"r", "b"}
    assert len(pieces) == 8
    colored = draw_text(beginner_layout(), pieces, in_color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == draw_text(beginner_layout(), pieces)
    assert colored.count("\x1b[0;1;91m*8*") == 2
    assert colored.endswith("\x1b[0m")


def test_each_color_of_each_edition_has_its_own_letter() -> None:
    assert set(COLOR_LETTERS) == {color for name in EDITIONS for color in edition(name).colors}
    assert len(set(COLOR_LETTERS.values())) == len(COLOR_LETTERS)


def test_a_layout_keeps_its_own_copy_of_the_board() -> None:
    board = Board()
    layout = Layout(board)
    board.terrain[0] = 3
    assert layout.board.terrain[0] == 0
    assert layout.board.copy().buffer.flags.writeable


@pytest.mark.rule("MAP-21")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a." * 2000 + "b = 1", "too deep"),
        ('"a".' * 2000 + "b = 1", "too deep"),
        ("x = {a = " + "a." * 9 + "b = 1}", "too deep"),
        ("[" + "a." * 9 + "b]", "too deep"),
        (f'name = {{a = """\'""", {"b." * 1000}b = "\'"}}', "too deep"),
        (f"name = {{a = '''\"''', {'b.' * 1000}b = '\"'}}", "too deep"),
        ('a = """"quoted""""" # "\n' + "b." * 1000 + "b = 1", "too deep"),
        ('a = """\\\\"""" # "\n' + "b." * 1000 + "b = 1", "too deep"),
        ("a = " + "[" * 2000, "too deep"),
        ("a = " + "{b = " * 2000, "too deep"),
        ("# " + "x" * LONGEST_BOARD, "too long"),
    ],
)
def test_what_would_take_the_parser_long_is_not_parsed(
    monkeypatch: pytest.MonkeyPatch, text: str, message: str
) -> None:
    """Its time grows with the square of a key's parts: 16 KB of dots took a second."""
    monkeypatch.setattr(tomllib, "loads", lambda _text: pytest.fail("it was parsed"))
    with pytest.raises(BadBoard, match=message):
        read_board(text)


@pytest.mark.rule("MAP-21")
def test_a_board_of_data_in_data_is_refused() -> None:
    data: dict[str, Any] = {}
    for _ in range(2000):
        data = {"name": [data]}
    with pytest.raises(BadBoard, match="too much lies in each other"):
        read_board_data(data)


@pytest.mark.parametrize(
    "text", ['a = """b', "a = '''b", 'a = "b', '"""\n' + '\\"""\n' * 2000, '"' + '\\"' * 5000, "'\n" * 5000]
)
def test_a_text_in_quotes_without_an_end_is_no_board(text: str) -> None:
    with pytest.raises(BadBoard, match="no TOML"):
        read_board(text)


def test_dots_and_brackets_in_texts_and_comments_do_not_count() -> None:
    text = layout_for(check_options(setup="variable"), 7).to_toml()
    remark = "# " + "." * 50 + "[" * 50 + "\n"
    named = text.replace('name = "', f'name = "{"." * 50}{"[" * 50}', 1)
    assert named != text
    read_board(remark + named)


def test_so_many_faults_are_told_and_no_more() -> None:
    text = "[hexes]\n" + "".join(f'h{number} = "x"\n' for number in range(1000))
    with pytest.raises(BadBoard) as raised:
        read_board(text)
    assert len(raised.value.faults) == MOST_BOARD_FAULTS
