"""The host: the authority behind live games. Browsers, assistants and bots are its guests.

A table takes commands one after another, has the engine judge them, stores what happened and only then tells each seat
what that seat may know. `storage/` is where it is written down. Everything here needs the extra `hexholm[host]`.
"""
