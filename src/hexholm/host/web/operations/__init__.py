"""What an operator sets and sees: settings, the log, figures, the process, compiled rules before the first guest.

Begin with `settings.py`. The server and `hexholm serve` import this.
"""
