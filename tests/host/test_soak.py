"""The rounds of `make soak`: all that was promised, and none twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from . import soak as rounds_of_soak
from .soak import Plan, Round, rounds, soak


def amounts(plan: Plan, flag: str) -> list[int]:
    return [int(one.words[one.words.index(flag) + 1]) for one in rounds(plan) if flag in one.words]


def test_a_soak_is_500_kills_on_both_databases_and_a_million_messages() -> None:
    kills = [one for one in rounds(Plan()) if "--kills" in one.words]
    assert sum(amounts(Plan(), "--kills")) == 500
    assert Counter(one.on_server for one in kills) == {True: 5, False: 5}
    assert sum(amounts(Plan(), "--messages")) == 1_000_000
    names = [one.name for one in rounds(Plan())]
    assert len(set(names)) == len(names)
    assert len({one.words for one in rounds(Plan())}) == len(names), "no round is another one again"


def test_what_is_not_a_whole_number_of_rounds_has_a_small_last_one() -> None:
    plan = Plan(kills=60, messages=70_000, examples=0, pairs=0, games=0)
    assert (amounts(plan, "--kills"), amounts(plan, "--messages")) == ([50, 10], [50_000, 20_000])
    assert {one.words[0].rpartition(".")[2] for one in rounds(plan)} == {"kills", "protocol"}


def test_a_soak_goes_on_with_the_round_that_failed_and_then_begins_anew(tmp_path: Path) -> None:
    file, plan, ran, fails = tmp_path / "soak.json", Plan(kills=100, messages=100_000), list[str](), {"messages 2"}
    told: list[str] = []

    def run(one: Round) -> tuple[int, str]:
        ran.append(one.name)
        return int(one.name in fails), "    1,234  acknowledged\n500 messages in 3 s\n  12 s  20 kills, 3 games ended\n"

    names = [one.name for one in rounds(plan)]
    assert soak(plan, file, run, told.append) == 1
    assert ran == names[: names.index("messages 2") + 1]
    fails.clear()
    ran.clear()
    assert soak(plan, file, run, told.append) == 0
    assert ran == names[names.index("messages 2") :]
    assert f"{1234 * len(names):,}  acknowledged" in told[-2]
    assert f"{500 * len(names):,}  fuzzed messages" in told[-1]
    ran.clear()
    assert soak(plan, file, run, told.append) == 0
    assert ran == names


def test_rounds_of_another_program_do_not_count(tmp_path: Path) -> None:
    file, plan, ran = tmp_path / "soak.json", Plan(kills=50, messages=50_000), list[str]()

    def run(one: Round) -> tuple[int, str]:
        ran.append(one.name)
        return int(one.name == "REST"), ""

    assert soak(plan, file, run, lambda _: None) == 1
    kept = rounds_of_soak.read_progress(file, plan, rounds_of_soak.program_digest())
    assert list(kept.done) == ["kills 1, SQLite", "messages 1"]
    assert not rounds_of_soak.read_progress(file, plan, "another program").done
    assert not rounds_of_soak.read_progress(file, Plan(kills=100), kept.program).done
