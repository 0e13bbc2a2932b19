"""The tables of the almanac, made from the edition data: whatever the engine reads, they say.

Each function makes one table; the texts name it by `!name`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hexholm.rules.editions import EDITIONS, FIXED, edition

from .blocks import TableBlock
from .drafts import data
from .vocabulary import Vocabulary

PAIRS: Final = 36
"""The pairs of two dice."""
THROWS: Final = range(2, 13)


def edition_table(name: str, words: Vocabulary) -> TableBlock:
    """The table of that name in the words of an edition."""
    return TABLES[name](words)


def ways_to_roll(total: int) -> int:
    """In how many of the 36 pairs two dice show a total (MAP-07, MAP-08)."""
    return 6 - abs(7 - total)


def _head(words: Vocabulary, *names: str) -> tuple[str, ...]:
    return tuple(words.fill(words.own["table"][name]) for name in names)


def _costs(words: Vocabulary) -> TableBlock:
    book = words.book
    rows = [
        (_piece(words, piece), words.cards(price), str(book.points.get(piece, 0)))
        for piece, price in book.costs.items()
        if piece != "development"
    ]
    card = words.word("Development_card"), words.cards(book.costs["development"]), _hidden_points(words)
    return TableBlock("costs", _head(words, "what", "price", "points"), (*rows, card), ("BUILD-01", "DEV-01"))


def _hidden_points(words: Vocabulary) -> str:
    """A development card may be a point and mostly is not."""
    return f"0{words.own['joints']['or']}{words.book.points['victory_point_card']}"


def _piece(words: Vocabulary, piece: str) -> str:
    return words.fill(words.own["table"][piece])


def _points(words: Vocabulary) -> TableBlock:
    points = words.book.points
    named = {
        "settlement": _piece(words, "settlement"),
        "city": _piece(words, "city"),
        "longest_road": words.word("longest_road"),
        "largest_army": words.word("largest_army"),
        "victory_point_card": words.fill(words.own["table"]["victory_point_card"]),
    }
    rows = tuple((name, str(points[key])) for key, name in named.items())
    return TableBlock("points", _head(words, "what", "points"), rows, ("WIN-04", "COMP-06"))


def _terrain(words: Vocabulary) -> TableBlock:
    book = words.book
    rows = tuple(
        (_capital(words.terms[terrain]), words.resource_of(terrain), str(count))
        for terrain, count in book.terrain_counts.items()
    )
    return TableBlock("terrain", _head(words, "terrain", "resource", "hexes"), rows, ("MAP-05", "COMP-01"))


def _rates(words: Vocabulary) -> TableBlock:
    rates, own = words.book.trade_rates, words.own["table"]
    rows = (
        (f"{rates['supply']}:1", words.fill(own["equal"], {"n": rates["supply"]}), words.fill(own["any_time"])),
        (f"{rates['generic']}:1", words.fill(own["equal"], {"n": rates["generic"]}), words.fill(own["at_generic"])),
        (f"{rates['special']}:1", words.fill(own["of_it"], {"n": rates["special"]}), words.fill(own["at_special"])),
    )
    return TableBlock("rates", _head(words, "rate", "what", "needed"), rows, ("PORT-01", "PORT-02", "PORT-03"))


def _odds(words: Vocabulary) -> TableBlock:
    rows = tuple(
        (words.join(str(total) for total in THROWS if ways_to_roll(total) == n), str(n), f"{round(100 * n / PAIRS)} %")
        for n in range(1, ways_to_roll(7) + 1)
    )
    return TableBlock("odds", _head(words, "total", "ways", "chance"), rows, ("MAP-08",))


def _numbers(words: Vocabulary) -> TableBlock:
    rows = tuple(
        (str(number), "•" * ways_to_roll(number), str(count)) for number, count in words.book.number_counts.items()
    )
    return TableBlock("numbers", _head(words, "number", "dots", "count"), rows, ("COMP-02", "MAP-07"))


def _deck(words: Vocabulary) -> TableBlock:
    rows = [(words.word(kind), str(count)) for kind, count in words.book.dev_deck.items()]
    return TableBlock("deck", _head(words, "kind", "count"), tuple(rows), ("COMP-04",))


def _box(words: Vocabulary) -> TableBlock:
    named = words.own["box"]
    rows = tuple((str(count), words.fill(named[part])) for part, count in words.book.box.items())
    return TableBlock("box", _head(words, "count", "what"), rows, ("COMP-13",))


def _key_numbers(words: Vocabulary) -> TableBlock:
    book, own = words.book, words.own["table"]
    roads = own["unlimited"] if book.road_limit is None else str(book.road_limit)
    found = {
        "win": book.victory_points,
        "start_points": words.values["start_points"],
        "players": f"{book.min_players}-{book.max_players}",
        "discard": words.values["over_limit"],
        "longest": book.longest_road_min,
        "largest": book.largest_army_min,
        "bank": book.bank_per_resource,
        "development": sum(book.dev_deck.values()),
        "limits": f"{book.settlement_limit}, {book.city_limit}, {roads}",
    }
    rows = tuple((words.fill(own[key]), str(value)) for key, value in found.items())
    return TableBlock("key_numbers", _head(words, "key", "value"), rows, ("WIN-01", "SEVEN-02", "LROAD-01", "ARMY-01"))


def _options(words: Vocabulary) -> TableBlock:
    """What the edition leaves to choose; its own choice stands first."""
    named = data(f"{words.language}/compare")
    rows = []
    for key in ("phases_options", "variable_harbors", "number_placement"):
        values = [words.fill(named["value"][value]) for value in getattr(words.book, key)]
        rows.append((words.fill(named["label"][key.removesuffix("_options")]), words.join(values, "or")))
    return TableBlock("options", _head(words, "what", "value"), tuple(rows), ("EDN-02",))


def _this_table(words: Vocabulary) -> TableBlock:
    """What the table beside the page plays by."""
    named, own, chosen = data(f"{words.language}/compare"), words.own["table"], words.chosen
    assert chosen is not None, "only said beside a table"
    rows = [(own["players"], str(chosen.players)), (own["setup"], named["value"][chosen.setup])]
    if chosen.setup != FIXED:
        rows.append((named["label"]["variable_harbors"], named["value"][chosen.harbors]))
        rows.append((named["label"]["number_placement"], named["value"][chosen.numbers]))
    rows += [
        (named["label"]["phases"], named["value"][chosen.phases]),
        (own["win"], str(words.book.victory_points)),
        (named["label"]["hand_limit_on_seven"], str(words.book.hand_limit_on_seven)),
        (own["house_rules"], "{table_house_rules}"),
    ]
    said = tuple((words.fill(label), words.fill(value)) for label, value in rows)
    return TableBlock("this_table", _head(words, "what", "value"), said, ("EDN-02",))


def _words(words: Vocabulary) -> TableBlock:
    """What the edition calls things, and what others call them."""
    named = data(f"{words.language}/compare")["word"]
    every = [Vocabulary(edition(name), words.language) for name in EDITIONS]
    rows = []
    for key, label in named.items():
        mine = words.word(key) if _has(words, key) else "-"
        rest = dict.fromkeys(other.word(key) for other in every if _has(other, key))
        rows.append((words.fill(label), mine, ", ".join(word for word in rest if word != mine) or "-"))
    return TableBlock("words", _head(words, "concept", "word", "elsewhere"), tuple(rows), ())


def _has(words: Vocabulary, key: str) -> bool:
    """Whether an edition has the word; German has words for all, the edition decides."""
    return key in words.book.words or key == "item"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


TABLES: Final[dict[str, Callable[[Vocabulary], TableBlock]]] = {
    "box": _box,
    "costs": _costs,
    "deck": _deck,
    "key_numbers": _key_numbers,
    "numbers": _numbers,
    "odds": _odds,
    "options": _options,
    "points": _points,
    "rates": _rates,
    "terrain": _terrain,
    "this_table": _this_table,
    "words": _words,
}
