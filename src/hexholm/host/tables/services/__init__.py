"""What all tables of a hall share: storage, bots and a clock, how long things take, how many tables there are.

Begin with `services.py`. Whoever holds tables is given it; commands of a host import `durations.py`.
"""
