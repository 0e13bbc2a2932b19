"""The tables of the almanac, made from the edition data: whatever the engine reads, they say.

Each function makes one table; the texts name it by `!name`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hexholm.rules.boards.number_tokens import SUMS, ways_to_roll
from hexholm.rules.setup.editions import EDITIONS, FIXED, edition

from .blocks import TableBlock
from .drafts import read_almanac_data
from .vocabulary import Vocabulary

PAIRS: Final = 36
"""The pairs of two dice."""


def edition_table(name: str, vocabulary: Vocabulary) -> TableBlock:
    """The table of that name in the words of an edition."""
    return TABLES[name](vocabulary)


def _head(vocabulary: Vocabulary, *names: str) -> tuple[str, ...]:
    return tuple(vocabulary.fill(vocabulary.texts["table"][name]) for name in names)


def _costs(vocabulary: Vocabulary) -> TableBlock:
    edition_data = vocabulary.edition_data
    rows = [
        (_piece(vocabulary, piece), vocabulary.cards(price), str(edition_data.points.get(piece, 0)))
        for piece, price in edition_data.costs.items()
        if piece != "development"
    ]
    card = (
        vocabulary.word("Development_card"),
        vocabulary.cards(edition_data.costs["development"]),
        _hidden_points(vocabulary),
    )
    return TableBlock("costs", _head(vocabulary, "what", "price", "points"), (*rows, card), ("BUILD-01", "DEV-01"))


def _building(vocabulary: Vocabulary) -> TableBlock:
    """What can be built: price, points, where and how many."""
    rules = {name: vocabulary.fill(text) for name, text in vocabulary.texts["building_rules"].items()}
    costs = _costs(vocabulary)
    limit = "roads_unlimited" if vocabulary.edition_data.road_limit is None else "road"
    rows = tuple(
        (*row, rules[key]) for row, key in zip(costs.rows, (limit, "settlement", "city", "development"), strict=True)
    )
    rule_ids = (*costs.rules, "ROAD-02", "SETTLE-03", "SETTLE-04", "SETTLE-05", "CITY-01")
    return TableBlock("building", (*costs.head, *_head(vocabulary, "condition")), rows, rule_ids)


def _hidden_points(vocabulary: Vocabulary) -> str:
    """A development card may be a point and mostly is not."""
    return f"0{vocabulary.texts['joints']['or']}{vocabulary.edition_data.points['victory_point_card']}"


def _piece(vocabulary: Vocabulary, piece: str) -> str:
    return vocabulary.fill(vocabulary.texts["table"][piece])


def _points(vocabulary: Vocabulary) -> TableBlock:
    points = vocabulary.edition_data.points
    labels = {
        "settlement": _piece(vocabulary, "settlement"),
        "city": _piece(vocabulary, "city"),
        "longest_road": vocabulary.word("longest_road"),
        "largest_army": vocabulary.word("largest_army"),
        "victory_point_card": vocabulary.fill(vocabulary.texts["table"]["victory_point_card"]),
    }
    rows = tuple((name, str(points[key])) for key, name in labels.items())
    return TableBlock("points", _head(vocabulary, "what", "points"), rows, ("WIN-04", "COMP-06"))


def _terrain(vocabulary: Vocabulary) -> TableBlock:
    edition_data = vocabulary.edition_data
    rows = tuple(
        (_capital(vocabulary.terms[terrain]), vocabulary.resource_of(terrain), str(count))
        for terrain, count in edition_data.terrain_counts.items()
    )
    return TableBlock("terrain", _head(vocabulary, "terrain", "resource", "hexes"), rows, ("MAP-05", "COMP-01"))


def _rates(vocabulary: Vocabulary) -> TableBlock:
    rates, texts = vocabulary.edition_data.trade_rates, vocabulary.texts["table"]
    rows = (
        (
            f"{rates['supply']}:1",
            vocabulary.fill(texts["equal"], {"n": rates["supply"]}),
            vocabulary.fill(texts["any_time"]),
        ),
        (
            f"{rates['generic']}:1",
            vocabulary.fill(texts["equal"], {"n": rates["generic"]}),
            vocabulary.fill(texts["at_generic"]),
        ),
        (
            f"{rates['special']}:1",
            vocabulary.fill(texts["of_it"], {"n": rates["special"]}),
            vocabulary.fill(texts["at_special"]),
        ),
    )
    return TableBlock("rates", _head(vocabulary, "rate", "what", "needed"), rows, ("PORT-01", "PORT-02", "PORT-03"))


def _odds(vocabulary: Vocabulary) -> TableBlock:
    rows = tuple(
        (
            vocabulary.join(str(total) for total in SUMS if ways_to_roll(total) == n),
            str(n),
            vocabulary.fill(vocabulary.texts["table"]["percent"], {"n": round(100 * n / PAIRS)}),
        )
        for n in range(1, ways_to_roll(7) + 1)
    )
    return TableBlock("odds", _head(vocabulary, "total", "ways", "chance"), rows, ("MAP-08",))


def _numbers(vocabulary: Vocabulary) -> TableBlock:
    rows = tuple(
        (str(number), "•" * ways_to_roll(number), str(count))
        for number, count in vocabulary.edition_data.number_counts.items()
    )
    return TableBlock("numbers", _head(vocabulary, "number", "dots", "count"), rows, ("COMP-02", "MAP-07"))


def _deck(vocabulary: Vocabulary) -> TableBlock:
    rows = [(vocabulary.word(kind), str(count)) for kind, count in vocabulary.edition_data.dev_deck.items()]
    return TableBlock("deck", _head(vocabulary, "kind", "count"), tuple(rows), ("COMP-04",))


def _box(vocabulary: Vocabulary) -> TableBlock:
    labels = vocabulary.texts["box"]
    rows = tuple((str(count), vocabulary.fill(labels[part])) for part, count in vocabulary.edition_data.box.items())
    return TableBlock("box", _head(vocabulary, "count", "what"), rows, ("COMP-13",))


def _key_numbers(vocabulary: Vocabulary) -> TableBlock:
    edition_data, texts = vocabulary.edition_data, vocabulary.texts["table"]
    roads = texts["unlimited"] if edition_data.road_limit is None else str(edition_data.road_limit)
    values = {
        "win": edition_data.victory_points,
        "start_points": vocabulary.values["start_points"],
        "players_least": edition_data.min_players,
        "players_most": edition_data.max_players,
        "discard": vocabulary.values["over_limit"],
        "longest": edition_data.longest_road_min,
        "largest": edition_data.largest_army_min,
        "bank": edition_data.bank_per_resource,
        "development": sum(edition_data.dev_deck.values()),
        "settlements": edition_data.settlement_limit,
        "cities": edition_data.city_limit,
        "roads": roads,
    }
    rows = tuple((vocabulary.fill(texts[key]), str(value)) for key, value in values.items())
    return TableBlock(
        "key_numbers", _head(vocabulary, "key", "value"), rows, ("WIN-01", "SEVEN-02", "LROAD-01", "ARMY-01")
    )


def _options(vocabulary: Vocabulary) -> TableBlock:
    """What the edition leaves to choose; its own choice stands first."""
    texts = read_almanac_data(f"{vocabulary.language}/compare")
    rows = []
    for key in ("phases_options", "variable_harbors", "number_placement"):
        values = [vocabulary.fill(texts["value"][value]) for value in getattr(vocabulary.edition_data, key)]
        rows.append((vocabulary.fill(texts["label"][key.removesuffix("_options")]), vocabulary.join(values, "or")))
    return TableBlock("options", _head(vocabulary, "what", "value"), tuple(rows), ("EDN-02",))


def _this_table(vocabulary: Vocabulary) -> TableBlock:
    """What the table beside the page plays by."""
    comparison, texts, options = (
        read_almanac_data(f"{vocabulary.language}/compare"),
        vocabulary.texts["table"],
        vocabulary.options,
    )
    assert options is not None, "only said beside a table"
    rows = [(texts["players"], str(options.players)), (texts["setup"], comparison["value"][options.setup])]
    if options.setup != FIXED:
        rows.append((comparison["label"]["variable_harbors"], comparison["value"][options.harbors]))
        rows.append((comparison["label"]["number_placement"], comparison["value"][options.numbers]))
    rows += [
        (comparison["label"]["phases"], comparison["value"][options.phases]),
        (texts["win"], str(vocabulary.edition_data.victory_points)),
        (comparison["label"]["hand_limit_on_seven"], str(vocabulary.edition_data.hand_limit_on_seven)),
        (texts["house_rules"], "{table_house_rules}"),
    ]
    filled_rows = tuple((vocabulary.fill(label), vocabulary.fill(value)) for label, value in rows)
    return TableBlock("this_table", _head(vocabulary, "what", "value"), filled_rows, ("EDN-02",))


def _words(vocabulary: Vocabulary) -> TableBlock:
    """What the edition calls things, and what others call them."""
    labels = read_almanac_data(f"{vocabulary.language}/compare")["word"]
    vocabularies = [Vocabulary(edition(name), vocabulary.language) for name in EDITIONS]
    rows = []
    for key, label in labels.items():
        own_word = vocabulary.word(key) if _has_word(vocabulary, key) else "-"
        other_words = dict.fromkeys(each.word(key) for each in vocabularies if _has_word(each, key))
        rows.append(
            (vocabulary.fill(label), own_word, ", ".join(word for word in other_words if word != own_word) or "-")
        )
    return TableBlock("words", _head(vocabulary, "concept", "word", "elsewhere"), tuple(rows), ())


def _has_word(vocabulary: Vocabulary, key: str) -> bool:
    """Whether an edition has the word; German has words for all, the edition decides."""
    return key in vocabulary.edition_data.words or key == "item"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


TABLES: Final[dict[str, Callable[[Vocabulary], TableBlock]]] = {
    "box": _box,
    "building": _building,
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
