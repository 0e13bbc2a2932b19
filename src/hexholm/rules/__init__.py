"""What the game is: editions, boards, the compiled core, notation."""
