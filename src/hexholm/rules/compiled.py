"""One source, two speeds: plain Python functions that Numba compiles on first fast use.

A *kernel* is an ordinary function, marked with :func:`kernel`. Called directly it runs interpreted: that is how a game
runs before the compiler is warm, under a debugger and under coverage. :func:`fast` returns the same kernels compiled.

    from hexholm.rules.compiled import fast, kernel

    @kernel
    def double(x: int) -> int:
        return 2 * x

    double(21)            # interpreted
    fast().double(21)     # compiled

Numba is imported by the first call of :func:`fast`, never before. At that moment every registered kernel is rebuilt
with globals in which its fellow kernels are compiled dispatchers, tables are numpy arrays and the few bit primitives
below are machine instructions. Compiled code lies on disk in a folder named after a hash of all sources of the rules,
so a changed core never meets a stale cache.

Kernels keep to what a GPU can do too: no recursion, no allocation, no exceptions; integers stay within 63 bits.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, Final, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

F = TypeVar("F", bound=Callable[..., Any])

_kernels: dict[FunctionType, dict[str, Any]] = {}
_tables: dict[int, npt.NDArray[Any]] = {}


class IntArray(Protocol):
    """A fixed array of integers inside a struct or a table: `a[i]`, or `a[i, j]` for two dimensions."""

    def __getitem__(self, at: Any, /) -> int: ...

    def __setitem__(self, at: Any, value: int, /) -> None: ...


class FloatArray(Protocol):
    """A fixed array of 64-bit floats inside a struct."""

    def __getitem__(self, at: Any, /) -> float: ...

    def __setitem__(self, at: Any, value: float, /) -> None: ...


def kernel(function: F) -> F:
    """Register `function` for compilation; it stays an ordinary Python function."""
    return _register(function, {})


def inline(function: F) -> F:
    """Register a kernel that is always expanded in place: small, or on the hottest path."""
    return _register(function, {"inline": True})


def general(function: F) -> F:
    """Register a kernel that is compiled once for whatever constants it is called with: large, and called often.

    By itself Numba compiles a kernel, and all that it calls, anew for each constant in a call.
    """
    return _register(function, {"general": True})


def entry(function: F) -> F:
    """Register a kernel that Python calls in compiled form; only entries get a Python wrapper, which saves time."""
    return _register(function, {"entry": True})


def _register(function: F, options: dict[str, Any]) -> F:
    assert isinstance(function, FunctionType)
    _kernels[function] = options
    return function


def table(values: Any, dtype: str = "i8") -> IntArray:
    """A constant table: plain integers when interpreted, a frozen numpy array when compiled."""
    array = np.ascontiguousarray(values, dtype=np.dtype(dtype))
    array.setflags(write=False)
    view: Any = memoryview(array)  # type: ignore[arg-type]  # numpy arrays do offer the buffer protocol
    _tables[id(view)] = array
    _table_views.append(view)
    return cast("IntArray", view)


_table_views: list[memoryview] = []


# --- structs ----------------------------------------------------------------------------------------------------------


class _Field:
    def __init__(self, code: str, *shape: int) -> None:
        self.code, self.shape = code, shape


def scalar(code: str = "i1") -> Any:
    """Declare one number of a struct: `phase: int = scalar("i1")`."""
    return _Field(code)


def array(code: str, *shape: int) -> Any:
    """Declare an array of a struct: `hand: IntArray = array("i8", 4)`."""
    return _Field(code, *shape)


_FORMAT = {"i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "f8": "d"}


class Struct:
    """Fixed-size fields in a byte buffer: copying a struct is copying its bytes, a batch is an array of structs.

    Subclasses declare fields in order; the numpy dtype `dtype` is what compiled kernels see. An instance is the
    interpreted face of a buffer: plain Python numbers in and out, and a value that does not fit raises.
    """

    dtype: np.dtype[Any]
    size: int
    fields: dict[str, _Field]
    buffer: npt.NDArray[np.uint8]
    _parts: dict[str, tuple[int, int, str, tuple[int, ...]]]

    def __init_subclass__(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, _Field)}
        cls.fields = {**getattr(cls, "fields", {}), **own}
        cls.dtype = np.dtype([(name, field.code, field.shape) for name, field in cls.fields.items()], align=True)
        cls.size = cls.dtype.itemsize
        assert cls.dtype.fields is not None
        cls._parts = {}
        for name, field in cls.fields.items():
            start = int(cls.dtype.fields[name][1])
            stop = start + math.prod(field.shape) * np.dtype(field.code).itemsize
            part = (start, stop, _FORMAT[field.code], field.shape or (1,))
            cls._parts[name if field.shape else "_" + name] = part
        for name, field in own.items():
            if field.shape:
                delattr(cls, name)  # so that the first access makes the view, in __getattr__
            else:
                setattr(cls, name, _scalar_property("_" + name))

    def __init__(self, buffer: npt.NDArray[np.uint8] | None = None) -> None:
        if buffer is None:
            buffer = np.zeros(self.size, np.uint8)
        if buffer.dtype != np.uint8 or buffer.shape != (self.size,) or not buffer.flags.c_contiguous:
            raise ValueError(
                f"a {type(self).__name__} lives in {self.size} contiguous bytes, not {buffer.dtype}{buffer.shape}"
            )
        self.buffer = buffer

    def __getattr__(self, name: str) -> Any:
        if name not in self._parts:
            raise AttributeError(f"a {type(self).__name__} has no field {name!r}")
        start, stop, form, shape = self._parts[name]
        view = memoryview(self.buffer)[start:stop].cast("B").cast(form, shape)  # type: ignore[call-overload,arg-type]
        self.__dict__[name] = view
        return view

    def copy(self) -> Any:
        """An independent struct with the same bytes."""
        return type(self)(self.buffer.copy())

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and bool(np.array_equal(self.buffer, other.buffer))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (type(self), self.buffer.tobytes())


def _unpickle(cls: type[Struct], data: bytes) -> Struct:
    return cls(np.frombuffer(data, np.uint8).copy())


def _scalar_property(slot: str) -> property:
    def get(self: Any) -> Any:
        return getattr(self, slot)[0]

    def put(self: Any, value: Any) -> None:
        getattr(self, slot)[0] = value

    return property(get, put)


# --- the platform layer: two bodies each, everything else is written once --------------------------------------------


def popcount(x: int) -> int:
    """Number of set bits of a non-negative integer."""
    return x.bit_count()


def lowest(x: int) -> int:
    """Index of the lowest set bit of a positive integer."""
    return (x & -x).bit_length() - 1


def wrapping_times(x: int, y: int) -> int:
    """`x * y` modulo 2**64, signed when compiled; a plain product must not overflow there."""
    return x * y & 0xFFFFFFFFFFFFFFFF


def wrapping_plus(x: int, y: int) -> int:
    """`x + y` modulo 2**64."""
    return x + y & 0xFFFFFFFFFFFFFFFF


def struct_at(buffer: Any, cls: Any) -> Any:
    """The struct of class `cls` that lies in a uint8 buffer of its size."""
    return cls(buffer)


def struct_in(buffers: Any, i: int, cls: Any) -> Any:
    """The struct of class `cls` in row `i` of a uint8 array of structs."""
    return cls(buffers[i])


def _compiled_primitives() -> dict[Any, Any]:
    """The compiled bodies of the platform layer."""
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic
    def ctpop(typing: Any, x: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), build

    @intrinsic
    def cttz(typing: Any, x: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], cgutils.true_bit)

        return types.int64(types.int64), build

    @intrinsic
    def mul(typing: Any, x: Any, y: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.mul(args[0], args[1])  # no nsw

        return types.int64(types.int64, types.int64), build

    @intrinsic
    def add(typing: Any, x: Any, y: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.add(args[0], args[1])

        return types.int64(types.int64, types.int64), build

    return {wrapping_times: mul, wrapping_plus: add, popcount: ctpop, lowest: cttz}


# --- compilation -----------------------------------------------------------------------------------------------------


RULES: Final = Path(__file__).parent
"""The folder of the room `rules`: all Python files in it together name the cache."""
KEPT_CACHES: Final = 4


def source_hash() -> str:
    """A short hash of all that decides what compiled kernels do: the sources, and the compiler's version and mode.

    It covers every file of the rules, imported or not, so it is the same in every process.
    """
    parts = [_numba_version(), np.__version__, sys.version, os.environ.get("NUMBA_BOUNDSCHECK", "")]
    return _hash(RULES, sorted(RULES.rglob("*.py")), parts)


def _numba_version() -> str:
    """Told without importing numba if it is not there yet: that takes its time."""
    if "numba" in sys.modules:
        return str(sys.modules["numba"].__version__)
    from importlib import metadata

    return metadata.version("numba")


def _hash(root: Path, files: list[Path], parts: list[str]) -> str:
    digest = hashlib.blake2b(digest_size=10)
    for file in files:
        digest.update(os.path.relpath(file, root).encode() + b"\0" + file.read_bytes() + b"\0")
    for part in parts:
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def cache_folder() -> Path:
    """Where compiled kernels of this version of the sources are kept, under HEXHOLM_CACHE or the user's caches."""
    import platformdirs

    root = os.environ.get("HEXHOLM_CACHE") or platformdirs.user_cache_dir("hexholm")
    return Path(root) / "compiled" / source_hash()


def guest_folder(folder: Path, home: Path) -> Path:
    """Where kernels that live in the folder `home` outside the rules are kept, by a hash of all files in it.

    They may change while the rules stay as they are. Kernels of one folder may call each other and those of the rules.
    """
    return folder / f"guests-{_hash(RULES, sorted(home.glob('*.py')), [])}"


def _open_cache() -> Path:
    """The cache folder, made if need be; of the caches of older sources only the latest few stay."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # another process may be tidying up too
        os.utime(folder)
        others = [path for path in folder.parent.iterdir() if path.is_dir() and path != folder]
        for path in sorted(others, key=lambda path: path.stat().st_mtime, reverse=True)[KEPT_CACHES - 1 :]:
            shutil.rmtree(path, ignore_errors=True)
    return folder


def homes_of(name: str) -> set[Path]:
    """The folders of the registered kernels of this name."""
    return {Path(one.__code__.co_filename).parent for one in _kernels if one.__name__ == name}


_fast: SimpleNamespace | None = None
_fast_count = 0


def fast() -> Any:
    """All kernels registered so far, compiled on their first call; attribute = kernel name."""
    global _fast, _fast_count
    if _fast is None or _fast_count != len(_kernels):
        _fast, _fast_count = _build(), len(_kernels)
    return _fast


def _build() -> SimpleNamespace:
    import numba

    folder = _open_cache()
    elsewhere = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    guests: dict[Path, Path] = {}
    replaced: dict[int, Any] = {id(plain): quick for plain, quick in _compiled_primitives().items()}
    replaced[id(struct_at)], replaced[id(struct_in)] = _compiled_views()
    replaced.update(_tables)
    spaces: dict[int, dict[str, Any]] = {}
    built: dict[FunctionType, Any] = {}
    for function, options in _kernels.items():
        space = spaces.setdefault(id(function.__globals__), dict(function.__globals__))
        plain = FunctionType(function.__code__, space, function.__name__, function.__defaults__)
        plain.__qualname__ = function.__qualname__
        plain.__module__ = function.__module__
        flags: dict[str, Any] = {} if options.get("entry") else {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        if options.get("inline"):
            flags["forceinline"] = True
        source = Path(function.__code__.co_filename)
        kept = source.is_file()  # a kernel typed at a prompt has no source to name its cache
        if kept and not source.is_relative_to(RULES) and source.parent not in guests:
            guests[source.parent] = guest_folder(folder, source.parent)
        numba.config.CACHE_DIR = str(guests.get(source.parent, folder))  # type: ignore[attr-defined]
        built[function] = numba.njit(cache=kept, nogil=True, error_model="numpy", **flags)(plain)
        if options.get("general"):
            _take_any_value(built[function])
        replaced[id(function)] = built[function]
    numba.config.CACHE_DIR = elsewhere  # type: ignore[attr-defined]  # other libraries keep their own
    for space in spaces.values():
        for name, value in space.items():
            if id(value) in replaced:
                space[name] = replaced[id(value)]
            elif isinstance(value, type) and issubclass(value, Struct) and value is not Struct:
                space[name] = value.dtype
    return SimpleNamespace(**{function.__name__: quick for function, quick in built.items()})


def _take_any_value(quick: Any) -> None:
    """Let a compiled kernel see constants in a call as what they are: any numbers."""
    from numba.core import types

    unliteral: Any = types.unliteral
    usual = quick.get_call_template

    def get_call_template(args: Any, named: Any) -> Any:
        return usual(tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in dict(named).items()})

    quick.get_call_template = get_call_template


def _compiled_views() -> tuple[Any, Any]:
    import numba

    @numba.njit(inline="always")
    def view(buffer: Any, dtype: Any) -> Any:
        return buffer.view(dtype)[0]

    @numba.njit(inline="always")
    def view_in(buffers: Any, i: int, dtype: Any) -> Any:
        return buffers.view(dtype)[i, 0]

    return view, view_in


CompileListener = Callable[[str, int, float], None]
"""Told of a kernel that compiles: its name, how many others wait for it, seconds."""


@contextlib.contextmanager
def watch_compiling(tell: CompileListener) -> Iterator[None]:
    """Within this context call `tell(name, depth, seconds)` when a kernel begins to compile (0 seconds) and at its end.

    Kernels that come out of the cache are not told. A kernel compiles those it calls first, one depth further in.
    """
    from numba.core import event

    begun: list[float] = []

    class Watch(event.Listener):
        def on_start(self, what: Any) -> None:
            tell(what.data["dispatcher"].__name__, len(begun), 0.0)
            begun.append(time.perf_counter())

        def on_end(self, what: Any) -> None:
            seconds = time.perf_counter() - begun.pop()
            tell(what.data["dispatcher"].__name__, len(begun), seconds)

    with event.install_listener("numba:compile", Watch()):
        yield
