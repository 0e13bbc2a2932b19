"""Golden playthroughs: one game of each edition as readable text, compared line by line."""
