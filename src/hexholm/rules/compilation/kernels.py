"""One source, two speeds: plain Python functions that Numba compiles on first fast use.

A *kernel* is an ordinary function, marked with :func:`kernel`. Called directly it runs interpreted: that is how a game
runs before the compiler is warm, under a debugger and under coverage. :func:`fast` returns the same kernels compiled.

    from hexholm.rules.compilation.kernels import fast, kernel

    @kernel
    def double(x: int) -> int:
        return 2 * x

    double(21)            # interpreted
    fast().double(21)     # compiled

Numba is imported by the first call of :func:`fast`, never before. At that moment every registered kernel is rebuilt
with globals in which its fellow kernels are compiled dispatchers, tables are numpy arrays and the few bit primitives
below are machine instructions. Compiled code lies on disk, named by a digest of all that it was compiled from, so a
changed core never meets a stale cache (:mod:`.compiler` says how kernels are compiled, :mod:`.kernel_cache` where they
lie).

Kernels keep to what a GPU can do too: no recursion, no allocation, no exceptions; integers stay within 63 bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, Final, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from .kernel_cache import text_digest

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


def entry(function: F) -> F:
    """Register a kernel that Python calls in compiled form; only entries get a Python wrapper, which saves time."""
    return _register(function, {"entry": True})


def _register(function: F, options: dict[str, Any]) -> F:
    assert isinstance(function, FunctionType)
    _kernels[function] = options
    return function


def constant_table(values: Any, dtype: str = "i8") -> IntArray:
    """A constant table: plain integers when interpreted, a frozen numpy array when compiled."""
    numbers = np.ascontiguousarray(values, dtype=np.dtype(dtype))
    numbers.setflags(write=False)
    view: Any = memoryview(numbers)  # type: ignore[arg-type]  # numpy arrays do offer the buffer protocol
    _tables[id(view)] = numbers
    _table_views.append(view)
    return cast("IntArray", view)


_table_views: list[memoryview] = []


# --- structs ----------------------------------------------------------------------------------------------------------


class _Field:
    def __init__(self, code: str, *shape: int) -> None:
        self.code, self.shape = code, shape


def scalar_field(code: str = "i1") -> Any:
    """Declare one number of a struct: `phase: int = scalar_field("i1")`."""
    return _Field(code)


def array_field(code: str, *shape: int) -> Any:
    """Declare an array of a struct: `hand: IntArray = array_field("i8", 4)`."""
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
    _parts: dict[str, tuple[int, int, str, tuple[int, ...] | None]]

    def __init_subclass__(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, _Field)}
        cls.fields = {**getattr(cls, "fields", {}), **own}
        cls.dtype = np.dtype([(name, field.code, field.shape) for name, field in cls.fields.items()], align=True)
        cls.size = cls.dtype.itemsize
        assert cls.dtype.fields is not None
        # Numbers are read through one view of the whole buffer for each of their types.
        cls._parts = {f"_{code}": (0, cls.size, form, None) for code, form in _FORMAT.items()}
        for name, field in cls.fields.items():
            start, item_size = int(cls.dtype.fields[name][1]), np.dtype(field.code).itemsize
            if field.shape:
                cls._parts[name] = (start, start + math.prod(field.shape) * item_size, _FORMAT[field.code], field.shape)
                if name in own:
                    delattr(cls, name)  # so that the first access makes the view, in __getattr__
            elif name in own:  # those of a base class lie where they lay
                setattr(cls, name, _scalar_property(f"_{field.code}", start // item_size))

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
        view: Any = memoryview(self.buffer)[start:stop]  # type: ignore[arg-type]  # numpy arrays do offer it
        view = view.cast(form) if shape is None else view.cast(form, shape)
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


def _scalar_property(view_name: str, index: int) -> property:
    def get(self: Any) -> Any:
        return getattr(self, view_name)[index]

    def put(self: Any, value: Any) -> None:
        getattr(self, view_name)[index] = value

    return property(get, put)


# --- the platform layer: two bodies each, everything else is written once --------------------------------------------


def popcount(x: int) -> int:
    """Number of set bits of a non-negative integer."""
    return x.bit_count()


def lowest_set_bit(x: int) -> int:
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


# --- what a kernel is, in a digest -----------------------------------------------------------------------------------

PLATFORM: Final = (popcount, lowest_set_bit, wrapping_times, wrapping_plus, struct_at, struct_in)
_digests: dict[FunctionType, str] = {}


def kernel_digest(function: FunctionType) -> str:
    """A digest of a kernel's code and of all that it uses: constants, tables, structs, other kernels.

    Comments and docstrings do not count, nor where the code lies.
    """
    if function not in _digests:
        code = function.__code__
        parts: list[str | bytes] = [
            function.__name__,
            repr(_kernels[function]),
            code.co_code,
            repr(code.co_varnames),
            repr(code.co_names),
        ]
        parts.append(repr(_constants_of(function)))
        for name, value in _globals_of(function):
            if isinstance(value, ModuleType):
                parts += [
                    _digest_of_value(other, getattr(value, other)) for other in code.co_names if hasattr(value, other)
                ]
            else:
                parts.append(_digest_of_value(name, value))
        _digests[function] = text_digest(*parts)
    return _digests[function]


def _constants_of(function: FunctionType) -> tuple[Any, ...]:
    """The constants that the code uses: without the docstring, or the None where there is none.

    From Python 3.14 on a function without a docstring begins with a constant of its code.
    """
    constants = function.__code__.co_consts
    return constants[1:] if constants[:1] == (function.__doc__,) else constants


def _globals_of(function: FunctionType) -> list[tuple[str, Any]]:
    names = function.__code__.co_names
    return [(name, function.__globals__[name]) for name in names if name in function.__globals__]


def _digest_of_value(name: str, value: Any) -> str:
    if isinstance(value, FunctionType) and value in _kernels:
        return kernel_digest(value)
    if id(value) in _tables:
        numbers = _tables[id(value)]
        return text_digest(str(numbers.dtype), str(numbers.shape), numbers.tobytes())
    if isinstance(value, type) and issubclass(value, Struct):
        return text_digest(repr(value.dtype.descr), str(value.size))
    if value in PLATFORM or isinstance(value, bool | int | float):
        return text_digest(name, repr(value) if isinstance(value, bool | int | float) else "")
    raise TypeError(f"a kernel uses {name}, which is no kernel, table, struct or number: {value!r}")


def kernels_within(function: FunctionType) -> set[FunctionType]:
    """A kernel, and all kernels that it calls, or that those call."""
    reached: set[FunctionType] = set()
    todo = [function]
    while todo:
        caller = todo.pop()
        if caller not in reached:
            reached.add(caller)
            todo += [value for _, value in _globals_of(caller) if isinstance(value, FunctionType) and value in _kernels]
    return reached


def kernels_named(name: str) -> list[FunctionType]:
    """The registered kernels of this name."""
    return [function for function in _kernels if function.__name__ == name]


def is_entry(function: FunctionType) -> bool:
    """Whether Python calls this kernel in compiled form."""
    return bool(_kernels[function].get("entry"))


def all_kernels_digest() -> str:
    """A digest of all kernels registered so far, to tell whether two programs play by the same code."""
    return text_digest(*sorted(map(kernel_digest, _kernels)))


# --- compilation -----------------------------------------------------------------------------------------------------

_dispatchers: dict[FunctionType, Any] = {}
_namespaces: dict[int, dict[str, Any]] = {}
_fast: SimpleNamespace = SimpleNamespace()

CompileListener = Callable[[str, int, bool], None]
"""Told of a kernel that compiles: its name, how many others wait for it, and whether it is done or only begins."""
compile_listeners: Final[list[CompileListener]] = []
"""Told of every kernel that is compiled, not of those that come out of the cache. A kernel compiles those it calls
first, one depth further in."""


def fast() -> Any:
    """All kernels registered so far, compiled on their first call; attribute = kernel name."""
    if len(_dispatchers) != len(_kernels):
        _build()
    return _fast


def _build() -> None:
    """Make dispatchers for the kernels that have none yet."""
    from . import compiler

    if not _dispatchers:
        compiler.watch_compiling(lambda *step: [tell(*step) for tell in compile_listeners])
    for function, options in list(_kernels.items())[len(_dispatchers) :]:
        namespace = _namespaces.setdefault(id(function.__globals__), dict(function.__globals__))
        namespace.update(function.__globals__)
        compilable: Any = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)
        compilable.__qualname__, compilable.__module__ = function.__qualname__, function.__module__
        compilable.digest = kernel_digest(function)
        compilable.is_entry = is_entry(function)
        _dispatchers[function] = compiler.compile_kernel(compilable, expand=bool(options.get("inline")))
        setattr(_fast, function.__name__, _dispatchers[function])
    replacements: dict[int, Any] = {id(function): dispatcher for function, dispatcher in _dispatchers.items()}
    bodies = (
        compiler.count_bits,
        compiler.lowest_bit,
        compiler.multiply,
        compiler.add,
        compiler.view_struct,
        compiler.view_struct_in,
    )
    replacements.update({id(plain): body for plain, body in zip(PLATFORM, bodies, strict=True)})
    replacements.update(_tables)
    for namespace in _namespaces.values():
        for name, value in namespace.items():
            if id(value) in replacements:
                namespace[name] = replacements[id(value)]
            elif isinstance(value, type) and issubclass(value, Struct) and value is not Struct:
                namespace[name] = value.dtype
