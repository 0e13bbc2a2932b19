"""Why a player does what it does: its choice first, then the best other actions, each with a chance and a reason."""
