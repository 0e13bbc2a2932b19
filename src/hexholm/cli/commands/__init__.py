"""The commands of `hexholm`, one module each, named like the command: `tournament.py` holds `hexholm tournament`."""
