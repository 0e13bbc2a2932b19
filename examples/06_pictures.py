"""Pictures: SVG for the web and notebooks, PNG for everything else, characters for terminals.

python examples/06_pictures.py [folder]
"""

import random
import sys
import tempfile
from pathlib import Path

import hexholm
from hexholm.game.pictures import png_of

folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
game = hexholm.Game(edition="fifth", seed=12)
pick = random.Random(12)
for _ in range(300):
    game.play(pick.choice(game.legal_actions))

(folder / "game.svg").write_text(game.svg(), encoding="utf-8")
(folder / "names.svg").write_text(game.svg(names=True, highlight=["C3n", "C3/ne"]), encoding="utf-8")
(folder / "dusk.png").write_bytes(png_of(game.svg(theme="dark"), width=900))
print("Written:", *sorted(map(str, folder.iterdir())), sep="\n  ")
print(game)  # in characters, 80 columns
