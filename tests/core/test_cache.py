"""The cache of compiled kernels: by what is compiled, where HEXHOLM_CACHE says, never stale, shared and tidy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import FunctionType

import pytest

import hexholm
from hexholm.rules.compilation import kernel_cache, mode
from hexholm.rules.compilation import kernels as compiled

CONSTANT = "FINGERS = 5\n"
KERNEL = """
from .compilation.kernels import entry, kernel
from .probe_constant import FINGERS

@kernel
def fingers_of(hands: int) -> int:
    return hands * FINGERS

@entry
def count_fingers(hands: int) -> int:
    return fingers_of(hands)
"""
RUN = """
from hexholm.rules import probe
from hexholm.rules.compilation.kernels import fast
from hexholm.rules.compilation.kernel_cache import cache_folder
from hexholm.rules.compilation import mode
mode.WORTH_TELLING = 0
print(fast().count_fingers(2), mode.is_warm("count_fingers"), cache_folder())
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package with one more kernel and its constant in another module."""
    package = tmp_path / "src" / "hexholm"
    shutil.copytree(Path(hexholm.__file__).parent, package)
    (package / "rules" / "probe.py").write_text(KERNEL, encoding="utf-8")
    (package / "rules" / "probe_constant.py").write_text(CONSTANT, encoding="utf-8")
    return package


def run(package: Path, cache: Path, program: str = RUN) -> tuple[list[str], str]:
    """What a fresh Python with this package and cache prints, and says on stderr."""
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "HEXHOLM_CACHE": str(cache)}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    process = subprocess.run(
        [sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True
    )
    return process.stdout.split(), process.stderr


def test_a_changed_constant_elsewhere_is_compiled_anew(copy: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    (first, warm, folder), notices = run(copy, cache)
    assert (first, warm) == ("10", "True")
    assert notices == "hexholm: compiling the rules for this machine, once: about 1 s ...\n"
    assert Path(folder).is_relative_to(cache)  # HEXHOLM_CACHE is respected
    (again, _, _), notices = run(copy, cache)
    assert (again, notices) == ("10", "")  # warm: nothing is compiled, nothing said
    # The kernel's own file stays as it is, byte for byte; only a constant elsewhere changes.
    (copy / "rules" / "probe_constant.py").write_text(CONSTANT.replace("5", "6"), encoding="utf-8")
    (changed, _, _), notices = run(copy, cache)
    assert changed == "12"
    assert "compiling" in notices


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@kernel", "# how many fingers there are\n@kernel"),
        ("    return hands *", '    """All of them."""\n    return hands *'),
        ("    return fingers_of", "\n    return fingers_of"),
    ],
    ids=["a comment", "a docstring", "an empty line"],
)
def test_an_edit_that_changes_no_code_compiles_nothing(copy: Path, tmp_path: Path, old: str, new: str) -> None:
    run(copy, tmp_path / "cache")
    (copy / "rules" / "probe.py").write_text(KERNEL.replace(old, new), encoding="utf-8")
    (number, warm, _), notices = run(copy, tmp_path / "cache")
    assert (number, warm, notices) == ("10", "True", "")


def test_a_kernel_that_calls_a_changed_one_is_compiled_anew(copy: Path, tmp_path: Path) -> None:
    run(copy, tmp_path / "cache")
    (copy / "rules" / "probe.py").write_text(KERNEL.replace("hands * F", "hands + F"), encoding="utf-8")
    (number, _, _), notices = run(copy, tmp_path / "cache")
    assert number == "7"
    assert "compiling" in notices


def test_the_same_code_at_another_place_is_found(copy: Path, tmp_path: Path) -> None:
    run(copy, tmp_path / "cache")
    moved = tmp_path / "elsewhere" / "hexholm"
    shutil.copytree(copy, moved)
    for path in moved.rglob("*.py"):
        os.utime(path, (1, 1))
    (number, warm, _), notices = run(moved, tmp_path / "cache")
    assert (number, warm, notices) == ("10", "True", "")


HANDS = """
from .compilation.kernels import kernel

@kernel
def fingers_of(hands: int) -> int:
    return hands * 5
"""
PEOPLE = """
from .compilation.kernels import entry, kernel
from .probe_hands import fingers_of

@kernel
def fingers_of_person(people: int) -> int:
    return fingers_of(2 * people)

@entry
def count_fingers(people: int) -> int:
    return fingers_of_person(people)

@entry
def count_fingers_of_hands(hands: int) -> int:
    return fingers_of(hands)
"""
HANDS_ALONE = """
from hexholm.rules import probe
from hexholm.rules.compilation.kernels import fast
print(fast().count_fingers_of_hands(3))
"""


def test_a_kernel_may_move_to_another_module(copy: Path, tmp_path: Path) -> None:
    (copy / "rules" / "probe_hands.py").write_text(HANDS, encoding="utf-8")
    (copy / "rules" / "probe.py").write_text(PEOPLE, encoding="utf-8")
    (number, _, folder), _ = run(copy, tmp_path / "cache")
    assert number == "20"
    (copy / "rules" / "probe_hands.py").rename(copy / "rules" / "probe_arms.py")
    (copy / "rules" / "probe.py").write_text(PEOPLE.replace("probe_hands", "probe_arms"), encoding="utf-8")
    assert run(copy, tmp_path / "cache", HANDS_ALONE)[0] == ["15"]  # the moved kernel alone
    for path in Path(folder).glob("count_fingers-*"):
        path.unlink()  # so that it is linked anew, with a kernel that was compiled when the other was elsewhere
    (number, _, _), _ = run(copy, tmp_path / "cache")
    assert number == "20"


def test_a_broken_file_is_compiled_anew(copy: Path, tmp_path: Path) -> None:
    (_, _, folder), _ = run(copy, tmp_path / "cache")
    files = sorted(Path(folder).iterdir())
    assert len(files) == 2  # the entry and the kernel within it
    for path in files:
        path.write_bytes(path.read_bytes()[:100])
    (number, _, _), _ = run(copy, tmp_path / "cache")
    assert number == "10"
    assert all(path.stat().st_size > 100 for path in files)


def test_an_entry_is_compiled_though_a_kernel_within_it_is_missing_in_the_cache(copy: Path, tmp_path: Path) -> None:
    (_, _, folder), _ = run(copy, tmp_path / "cache")
    for path in Path(folder).iterdir():
        path.unlink()
    with_caller = KERNEL + "\n\n@kernel\ndef twice(hands: int) -> int:\n    return fingers_of(2 * hands)\n"
    with_caller = with_caller.replace("return fingers_of(hands)", "return twice(hands)")
    (copy / "rules" / "probe.py").write_text(with_caller, encoding="utf-8")
    run(copy, tmp_path / "cache")
    for path in Path(folder).glob("fingers_of-*"):
        path.unlink()
    for path in Path(folder).glob("count_fingers-*"):
        path.unlink()
    (number, _, _), _ = run(copy, tmp_path / "cache")  # `twice` is there, what it calls is not
    assert number == "20"


STRUCTS = """
import numpy as np
from .compilation.kernels import Struct, array_field, entry, kernel, scalar_field, struct_at

class Purse(Struct):
    coins = scalar_field("i4")
    notes = array_field("i8", 3)

class Safe(Struct):
    coins = scalar_field("i8")
    notes = array_field("i8", 3)

@kernel
def sum_notes(owner):
    return owner.notes[0] + owner.notes[1] + owner.notes[2]

@kernel
def worth(owner):
    return owner.coins + 10 * sum_notes(owner)

@entry
def worth_of_purse(buffer):
    return worth(struct_at(buffer, Purse))

@entry
def notes_of_both(purse, safe):
    return sum_notes(struct_at(safe, Safe)) - sum_notes(struct_at(purse, Purse))

@entry
def worth_of_both(purse, safe):
    return worth(struct_at(safe, Safe)) - 2 * worth(struct_at(purse, Purse))
"""
COUNT_PURSE = """
import numpy as np
from hexholm.rules import probe
from hexholm.rules.compilation.kernels import fast
purse, safe = probe.Purse(), probe.Safe()
purse.coins, safe.coins = 7, 5
for i in range(3):
    purse.notes[i], safe.notes[i] = i, 100 * i
"""


def test_what_another_process_has_compiled_is_linked_in(copy: Path, tmp_path: Path) -> None:
    """Numba numbers types in the order in which a process meets them; two processes may compile the same at once."""
    (copy / "rules" / "probe.py").write_text(STRUCTS, encoding="utf-8")
    cache = tmp_path / "cache"
    purse = COUNT_PURSE + "print(fast().worth_of_purse(purse.buffer))"
    both = COUNT_PURSE + "print(fast().worth_of_both(purse.buffer, safe.buffer))"
    assert run(copy, cache, purse)[0] == ["37"]
    for path in cache.rglob("sum_notes-*"):
        path.unlink()
    notes = COUNT_PURSE + "print(fast().notes_of_both(purse.buffer, safe.buffer))"
    assert run(copy, cache, notes)[0] == ["297"]  # `sum_notes` comes from this process, what calls it from the first
    assert run(copy, cache, both)[0] == [str(3005 - 2 * 37)]


def test_two_processes_may_compile_at_once(copy: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(copy.parent), "HEXHOLM_CACHE": str(tmp_path / "cache")}
    processes = [
        subprocess.Popen([sys.executable, "-c", RUN], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    outputs = [process.communicate()[0].split() for process in processes]
    assert [output[:2] for output in outputs] == [[b"10", b"True"]] * 2
    files = list(Path(outputs[0][2].decode()).iterdir())
    assert [path.suffix for path in files] == [".kernel"] * 2  # nothing half-written is left


WAYS = """
from .compilation.kernels import entry, inline, kernel

@kernel
def fingers_of(hands: int) -> int:
    return hands * 5

@inline
def fingers_of_two(people: int) -> int:
    return fingers_of(4 * people)

@kernel
def fingers_of_one(people: int) -> int:
    return fingers_of(2 * people)

@entry
def count_two(people: int) -> int:
    return fingers_of_two(people)

@entry
def count_one(people: int) -> int:
    return fingers_of_one(people)

@entry
def count_all(people: int) -> int:
    return fingers_of_two(people) + fingers_of_one(people)
"""


def test_a_kernel_has_one_name_whichever_caller_had_it_compiled(copy: Path, tmp_path: Path) -> None:
    """Numba hands options down from the caller, and two processes may come upon a kernel by two ways."""
    (copy / "rules" / "probe.py").write_text(WAYS, encoding="utf-8")
    run(copy, tmp_path / "one", RUN.replace("count_fingers", "count_one"))
    run(copy, tmp_path / "two", RUN.replace("count_fingers", "count_two"))
    (one,) = (tmp_path / "one").rglob("fingers_of_one-*.kernel")
    (two,) = (tmp_path / "two").rglob("fingers_of_two-*.kernel")
    shutil.copy(one, two.parent)
    (number, _, _), _ = run(copy, tmp_path / "two", RUN.replace("count_fingers", "count_all"))
    assert number == "60"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners of files are told apart by Unix alone")
@pytest.mark.parametrize("rights", [0o777, 0o770])
def test_code_that_others_could_have_written_is_not_run(copy: Path, tmp_path: Path, rights: int) -> None:
    (_, _, folder), _ = run(copy, tmp_path / "cache")
    Path(folder).chmod(rights)
    (number, warm, _), notices = run(copy, tmp_path / "cache")
    assert (number, warm) == ("10", "False")
    assert f"compiled code in {folder} is not used, since others can write there" in notices
    assert notices.count("is not used") == 1


def test_code_of_another_user_is_not_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1, raising=False)
    assert not kernel_cache.is_trusted(tmp_path)


def test_the_mode_of_the_compiler_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "0")
    folder = kernel_cache.cache_folder()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert kernel_cache.cache_folder() != folder


def test_the_code_of_the_compiler_counts_but_not_its_comments() -> None:
    source = kernel_cache.COMPILER.read_text(encoding="utf-8")
    digest = kernel_cache.code_digest(source)
    assert kernel_cache.code_digest(source + "# the end\n") == digest
    assert kernel_cache.code_digest(source.replace("How Numba compiles", "The way in which Numba compiles")) == digest
    assert kernel_cache.code_digest(source.replace("nogil=True", "nogil=False")) != digest


def test_what_is_not_used_for_long_is_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_cache, "MOST_BYTES", 250)
    days = {"now": 0, "yesterday": 1, "last-week": 7, "long-ago": 31}
    for name, age in days.items():
        path = tmp_path / ("older-version" if name == "long-ago" else "folder") / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(100))
        used = time.time() - age * 86_400
        os.utime(path, (used, used))
    kernel_cache.tidy(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["folder", "now", "yesterday"]


def test_a_kernel_is_warm_as_it_is_now_or_not_at_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from hexholm.rules import simulate  # noqa: F401  # registers the kernel

    monkeypatch.setenv("HEXHOLM_CACHE", str(tmp_path))
    assert not mode.is_warm("simulate_block")
    (digest,) = (compiled.kernel_digest(kernel) for kernel in compiled.kernels_named("simulate_block"))
    kernel_cache.write_code(f"simulate_block-{'0' * 24}-0", b"")
    assert not mode.is_warm("simulate_block")
    kernel_cache.write_code(f"simulate_block-{digest}-0", b"")
    assert mode.is_warm("simulate_block")
    assert not mode.is_warm("no_such_kernel")


CONSTANTS = """
from hexholm.rules.compilation.kernels import entry, kernel

@kernel
def once(n: int) -> int:
    return n + 1

@entry
def sum_of_calls(n: int) -> int:
    return n * (once(1) + once(2)) + once(n)
"""
COUNTED = """
from hexholm.rules import probe
from hexholm.rules.compilation.kernels import fast
print(fast().sum_of_calls(2), len(fast().once.overloads))
"""


def test_a_kernel_is_compiled_once_whatever_constants_it_is_called_with(copy: Path, tmp_path: Path) -> None:
    (copy / "rules" / "probe.py").write_text(CONSTANTS, encoding="utf-8")
    assert run(copy, tmp_path / "cache", COUNTED)[0] == ["13", "1"]


STRANGE = """
from hexholm.rules.compilation.kernels import entry
LIST = [1, 2]

@entry
def first() -> int:
    return LIST[0]
"""


def test_a_constant_counts_also_where_a_docstring_could_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """From Python 3.14 on the code of a function without a docstring begins with a constant that it uses."""

    def digest_with(*constants: object) -> str:
        function = FunctionType((lambda: None).__code__.replace(co_consts=constants), {}, "probe")
        monkeypatch.setitem(compiled._kernels, function, {})
        return compiled.kernel_digest(function)

    assert digest_with(2.5, 1) != digest_with(3.5, 1)
    assert digest_with("What it does.", 1) == digest_with(None, 1) != digest_with(None, 2)


def test_a_kernel_may_use_nothing_that_its_digest_cannot_tell(copy: Path, tmp_path: Path) -> None:
    (copy / "rules" / "probe.py").write_text(STRANGE, encoding="utf-8")
    program = """
from hexholm.rules import probe
from hexholm.rules.compilation.kernels import fast
try:
    fast()
except TypeError as error:
    print(str(error).replace(" ", "_"))
"""
    assert run(copy, tmp_path / "cache", program)[0] == [
        "a_kernel_uses_LIST,_which_is_no_kernel,_table,_struct_or_number:_[1,_2]"
    ]


TOLD = """
from hexholm.rules import probe
from hexholm.rules.compilation.kernels import fast
from hexholm.rules.compilation import mode
mode.WORTH_TELLING = mode.NOTICE_EVERY = 0
mode.compile_notices.announce(["count_one"])
mode.WORTH_TELLING_MORE = 1000
fast().count_all(1), fast().count_one(1)
"""


def test_of_all_functions_more_are_never_compiled_than_were_told_of(copy: Path, tmp_path: Path) -> None:
    """Those of which nothing was told, since they take no time, are among them."""
    (copy / "rules" / "probe.py").write_text(WAYS, encoding="utf-8")
    _, notices = run(copy, tmp_path / "cache", TOLD)
    counts = [(int(done), int(total)) for done, total in re.findall(r"(\d+) of about (\d+) functions", notices)]
    assert counts[-1] == (5, 5)
    assert all(done <= total for done, total in counts)


FIRST_WORD = """
import sys
from hexholm.rules.compilation import mode
def stop(line):
    print("numba" in sys.modules, line.split()[0])
    sys.stdout.flush()
    raise SystemExit
mode.compile_notices._say = stop
{}
"""


@pytest.mark.parametrize(
    "use",
    [
        "from hexholm.rules.batch import Batch; Batch(8)",
        "import hexholm; from hexholm.bots import bot; bot('medium').choose(hexholm.Game(seed=1, first=0).view('red'))",
        "import hexholm; hexholm.Game(seed=1, first=0, compiled=True)",
        "from hexholm.rules import perft, referee; perft.perft(referee.Referee.new(compiled=False).state, 1)",
        "from hexholm.rules import simulate; simulate.Simulation(simulate.check_options(), 1).warm_up()",
    ],
)
def test_whoever_waits_is_told_before_the_compiler_is_loaded(tmp_path: Path, use: str) -> None:
    """Loading it takes seconds of its own, in which nothing would be said."""
    words, _ = run(Path(hexholm.__file__).parent, tmp_path / "cache", FIRST_WORD.format(use))
    assert words == ["False", "compiling"]


OWN_PLAYER = """
import hexholm
from hexholm.bots import bot

game, clerk = hexholm.Game(seed=1, first=0, compiled=True), bot("random")
for _ in range(300):
    if game.over:
        break
    seat = game.to_act[0]
    view = game.view(seat)
    game.play(view.legal_actions[0] if seat == game.colors[0] else clerk.choose(view), seat)
"""


def test_a_player_of_ones_own_against_random_compiles_no_player(tmp_path: Path) -> None:
    run(Path(hexholm.__file__).parent, tmp_path, OWN_PLAYER)
    names = {path.name.partition("-")[0] for path in tmp_path.rglob("*.kernel")}
    assert "do_list" in names
    assert not [name for name in names if name.startswith("bot_")]
