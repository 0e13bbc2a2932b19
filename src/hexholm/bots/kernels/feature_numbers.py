"""The features of a seat by number: what the judgment looks at. `features.py` fills them."""

from __future__ import annotations

from typing import Final

CONSTANT: Final = 0  # always 1
POINTS_NEEDED: Final = 1  # one of eleven: points still needed, 0 to 10
CARDS_PER_ROLL: Final = 12  # five: cards a roll, by kind
CARDS_PER_ROLL_FLAT: Final = 17  # five: the same, flattened: the first dots count most
INCOME: Final = 22
BLOCKED: Final = 23  # what the robber keeps back
KINDS_MADE: Final = 24
GENERIC: Final = 25
SPECIAL: Final = 26
TIME_TO_PAY: Final = 27  # four: how soon a road, settlement, city, card can be paid, from nothing
TIME_TO_PAY_HOLDING: Final = 31  # four: and with the cards in hand (own)
AFFORDABLE: Final = 35  # four: can be paid and placed (own)
AFFORDABLE_NOW: Final = 39  # four: and it is the moment (own)
HAND: Final = 43
HAND_OVER: Final = 44  # cards above the limit
HAND_KINDS: Final = 45
ROADS: Final = 46
ROAD_LENGTH: Final = 47
LONGEST_ROAD: Final = 48
ROAD_GAP: Final = 49
KNIGHTS: Final = 50
ARMY: Final = 51
ARMY_GAP: Final = 52
CARDS_BY_KIND: Final = 53  # five: development cards in hand, by kind (own)
CARDS_HELD: Final = 58
SETTLEMENTS_LEFT: Final = 59
CITIES_LEFT: Final = 60
SITES: Final = 61  # corners to settle at once
SITE_BEST_NOW: Final = 62  # the best corner with no more road
SITE_BEST_NEAR: Final = 63  # with one more at most
SITE_BEST_FAR: Final = 64  # with two more at most
SITES_NEAR: Final = 65
ROUNDS_TO_TURN: Final = 66  # one of four: rounds of others until the own turn
ROLL_TO_COME: Final = 70  # the roll is still to come
SITE_NEW: Final = 71  # kinds the best near site would add
TO_PLACE: Final = 72  # start settlements still to come
TWO_PLAYERS: Final = 73
THREE_PLAYERS: Final = 74
UPGRADE: Final = 75  # the best settlement to make a city of
NUMBERS_PAYING: Final = 76  # how many different numbers pay
LEAD: Final = 77  # points ahead of the best of the others
FEATURES: Final = 78
