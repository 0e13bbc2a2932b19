"""Many games at once, and their data: counts in a moment, records to study.

python examples/08_many_games.py
"""

import tempfile
from pathlib import Path

import hexholm
from hexholm.game.records.export import read_any, write_jsonl
from hexholm.rules.simulate import simulate

options = hexholm.options(edition="sixth")
result = simulate(options, games=20, seed=9)
print(f"{result.games} games of random players, won by seat:", result.wins)

# Game i of a simulation is the same for ever, and can be had whole.
records = [hexholm.simulated(options, 9, number).record() for number in range(3)]
file = Path(tempfile.mkdtemp()) / "games.jsonl"
write_jsonl(records, file)
for number, record in enumerate(read_any(file), start=1):
    assert isinstance(record, hexholm.Record)  # a game that cannot be read would be an error, and not stop the others
    game = record.game()
    print(f"game {number}: {game.winner} won after {game.turn} turns, {len(game.steps)} actions and outcomes")
