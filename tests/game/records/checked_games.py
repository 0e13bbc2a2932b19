"""The games with which the browser's check of dice is tested: `python -m tests.game.records.checked_games` writes them.

Each has its record, and what the browser is given of it: the proof, all draws, and the events as the public and one
seat see them. :mod:`.test_verify_dice` holds the file against the records.
"""

from __future__ import annotations

import contextlib
import json
import random
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from hexholm.game.dice_proof import PROOF_TAG
from hexholm.game.game import Game, Record
from hexholm.game.records.verify_dice import proof_of, recorded_draws
from hexholm.rules.encoding.structs import RESOURCES
from hexholm.rules.reasons import IllegalAction
from hexholm.rules.setup.editions import edition

from .sample_records import dice_proof

CHECKED_GAMES: Final = Path(__file__).parents[3] / "web" / "src" / "testing" / "checkedGames.json"
SEAT: Final = "red"


def what_the_browser_gets(record: Record) -> dict[str, Any]:
    """A proved game as the browser checks it."""
    proof, options = proof_of(record), record.options
    events, box = record.game().events.events, edition(options.edition)
    seen = {
        eyes or "public": [face.as_dict() for event in events if (face := event.seen_by(eyes)) is not None]
        for eyes in (None, SEAT)
    }
    return {
        "table": proof.table,
        "dice": {
            "commitment": proof.commitment,
            "promises": dict(proof.promises),
            "words": dict(proof.words),
            "key": "" if proof.key is None else proof.key.hex(),
        },
        "box": {
            "deck": {kind.replace("_", "-"): n for kind, n in box.dev_deck.items()},
            "price": dict(box.costs["development"]),
            "balanced": bool(options.balanced_dice),
        },
        "draws": [asdict(draw) for draw in recorded_draws(record)],
        "events": seen,
    }


def _play(steps: int, seed: int, **options: Any) -> Record:
    """Random players, who also trade."""
    proof, pick = dice_proof(), random.Random(seed)
    game = Game(dealer=proof.dealer(), seed=seed, **options)
    while game.step_count < steps and not game.over:
        color = pick.choice(game.to_act)
        texts = [*game.view(color).legal_actions.texts]
        give, want = pick.sample(RESOURCES, 2)
        offer = f"offer 1 {give} : 1 {want} to {' '.join(other for other in game.colors if other != color)}"
        if pick.random() < 0.3 and game.why_not(offer, by=color) is None:
            texts = [offer]
        with contextlib.suppress(IllegalAction):  # what a partner lacks is told only when it is tried
            game.play(pick.choice(texts), by=color)
    if not game.over:
        game.stop("capped")
    return replace(game.record(), tags={PROOF_TAG: proof.text()})


def main() -> None:
    """Write the file."""
    records = {
        "plain": _play(330, 4, edition="fifth", setup="variable"),
        "balanced": _play(300, 5, edition="sixth", balanced_dice=True, setup="fixed", first="red"),
    }
    games = {name: {"record": record.text(), **what_the_browser_gets(record)} for name, record in records.items()}
    CHECKED_GAMES.write_text(json.dumps(games, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
