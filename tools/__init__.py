"""Programs that only we run: none of them is in the wheel. `python -m tools.NAME --help` says what each does."""
