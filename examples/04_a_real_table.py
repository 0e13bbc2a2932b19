"""Real dice and real cards: people at a table roll, the program keeps the game.

The library never asks anybody itself. You give it a function that does; here one that reads from a list.

    python examples/04_a_real_table.py
"""

import hexholm

at_the_table = iter(["dice 4 6", "dice 2 9", "dice 2 6"])


def ask(chance: hexholm.Chance) -> str:
    """Ask for dice or cards; in a program of yours this would be input(chance.question_text)."""
    answer = next(at_the_table)
    print(f"{chance.question_text}\n> {answer}")
    return answer


game = hexholm.Game(edition="fifth", setup="fixed", dealer=hexholm.Physical(ask))
game.play("roll")
print("Red now has", game.view("red").hand)
game.play("end")

try:
    game.play("roll")  # somebody says that a die shows 9
except hexholm.BadInput as error:
    print("That cannot be:", error)
game.deal()  # the roll still stands; ask again
print("Blue now has", game.view("blue").hand)
