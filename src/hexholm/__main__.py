"""`python -m hexholm` is the command `hexholm`."""

from hexholm.cli import main

if __name__ == "__main__":
    main()
