"""Files that are made from the types and tables of the code, for people and other programs to read.

    python -m tools.generated             say which of them are out of date (exit 1 if any)
    python -m tools.generated --write     write those

Pages and the protocol in docs/reference, what the browser client takes from Python in web/src/generated, and the
sentences that both must say alike in tests/game/data. `files.py` lists them; a test fails when one is out of date.
"""
