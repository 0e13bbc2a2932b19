"""How Numba compiles kernels here: each of them once, and only what Python calls becomes machine code.

By itself Numba turns every function into machine code of its own, together with all that it calls, anew for each
constant in a call. Here a kernel that only kernels call (an *inner* kernel) stays as LLVM wrote it. What Python calls
(an *entry*) is linked with all inner kernels that it needs, each once, and optimized as one program. Both lie in the
cache (:mod:`.kernel_cache`) under names that depend on nothing but their code.

This module needs Numba, and is imported when something is compiled or loaded for the first time.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import llvmlite.binding as llvm
import numba
from numba import types
from numba._dynfunc import make_function
from numba.core import cgutils, compiler, event, serialize, sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import (
    AnnotateTypes,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NoPythonSupportedFeatureValidation,
)
from numba.extending import intrinsic

from . import kernel_cache

# --- machine instructions in place of Python's bodies ----------------------------------------------------------------


@intrinsic
def count_bits(typing: Any, x: Any) -> Any:
    """The instruction for :func:`.kernels.popcount`."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), build


@intrinsic
def lowest_bit(typing: Any, x: Any) -> Any:
    """The instruction for :func:`.kernels.lowest_set_bit`."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], cgutils.true_bit)

    return types.int64(types.int64), build


@intrinsic
def multiply(typing: Any, x: Any, y: Any) -> Any:
    """The instruction for :func:`.kernels.wrapping_times`: it may overflow."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.mul(args[0], args[1])

    return types.int64(types.int64, types.int64), build


@intrinsic
def add(typing: Any, x: Any, y: Any) -> Any:
    """The instruction for :func:`.kernels.wrapping_plus`: it may overflow."""

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.add(args[0], args[1])

    return types.int64(types.int64, types.int64), build


@numba.njit(inline="always")
def view_struct(buffer: Any, dtype: Any) -> Any:
    """The body of :func:`.kernels.struct_at`."""
    return buffer.view(dtype)[0]


@numba.njit(inline="always")
def view_struct_in(buffers: Any, i: int, dtype: Any) -> Any:
    """The body of :func:`.kernels.struct_in`."""
    return buffers.view(dtype)[i, 0]


# --- what a kernel becomes -------------------------------------------------------------------------------------------


class KernelLibrary(JITCodeLibrary):
    """The code of one kernel, and the libraries of the kernels that it calls."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.callees: dict[str, InnerLibrary] = {}

    def add_linking_library(self, library: Any) -> None:
        """Note a kernel that is called; numba's own helpers are linked in as usual."""
        if isinstance(library, InnerLibrary):
            self.callees[library.name] = library
        else:
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        """Once; numba's cheaper round before that is for counted references, of which kernels have none."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


ENVIRONMENT: Final = ".NumbaEnv."
"""How the names of Numba's environments begin; there is one beside each function."""
SHARED: Final = (llvm.Linkage.linkonce_odr, llvm.Linkage.common)
"""Symbols of which one is taken where several modules define it."""


class InnerLibrary(KernelLibrary):
    """The code of a kernel that only kernels call: it is optimized with the entry that it is linked into."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        # Helpers of numba have names that another process may give to other helpers: they stay within this module.
        for symbols in (self._final_module.functions, self._final_module.global_variables):
            for symbol in symbols:
                if not symbol.is_declaration and symbol.linkage in SHARED:
                    symbol.linkage = llvm.Linkage.internal
        self._finalized = True


class EntryLibrary(KernelLibrary):
    """The machine code of a kernel that Python calls, with all kernels that it needs."""

    def finalize(self) -> None:
        """Link every kernel that is needed, once; then optimize and make machine code."""
        libraries: dict[str, InnerLibrary] = {}
        todo = list(self.callees.values())
        while todo:
            library = todo.pop()
            if library.name not in libraries:
                libraries[library.name] = library
                todo += library.callees.values()
        self._linking_libraries += libraries.values()
        super().finalize()

    def _optimize_final_module(self) -> None:
        super()._optimize_final_module()
        missing = [function.name for function in self._final_module.functions if _is_missing(function)]
        if missing:  # the machine code would call an address that is not there
            raise RuntimeError(f"{self.name} was linked without {', '.join(missing)}")


def _is_missing(function: Any) -> bool:
    return bool(function.is_declaration and function.name.startswith("_ZN"))


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):
    """From Numba's form of a kernel to LLVM's, into one of the libraries above."""

    _name = "kernel_lowering"

    def run_pass(self, state: Any) -> bool:
        """Name the kernel by its code, so that every process gives it the same name, and compile it."""
        stem = file_stem(state.func_id.func, state.args, state.targetctx)
        name_by_stem(state, stem)
        inner = state.flags.no_cpython_wrapper
        library = (InnerLibrary if inner else EntryLibrary)(state.targetctx.codegen(), stem)
        library.enable_object_caching()
        state.library = library
        state.flags.no_compile = inner
        super().run_pass(state)
        if inner:
            lowered = state["cr"]
            function = make_placeholder(lowered.fndesc, lowered.env, library)
            state.targetctx.insert_user_function(function, lowered.fndesc, [library])
            state["cr"] = lowered._replace(cfunc=function)
        return True


def name_by_stem(state: Any, stem: str) -> None:
    """Have the symbols of a kernel named like its file, wherever its module lies.

    By itself Numba names them by module, by numbers that it gives to functions and types as it meets them, and by
    options, of which it hands some down from the caller that had the kernel compiled.
    """
    number = int(kernel_cache.text_digest(stem), 16)
    usual = state.targetctx.mangler

    def mangler(name: str, types: Any, *, abi_tags: Any = (), uid: int | None = None) -> str:
        if uid == number:
            kernel = stem.partition("-")[0]
            name, types = f"{ENVIRONMENT if name.startswith(ENVIRONMENT) else ''}kernel.{kernel}", ()
            abi_tags = ()
        return str(usual(name, types, abi_tags=abi_tags, uid=uid))

    state.func_id.unique_id = state.func_ir.func_id.unique_id = number
    state.targetctx.mangler = mangler


def make_placeholder(description: Any, environment: Any, library: InnerLibrary) -> Any:
    """What stands for an inner kernel among Python's functions: it cannot be called."""
    name = description.qualname.split(".")[-1]
    return make_function(description.lookup_module(), name, "an inner kernel", 0, environment, (library,))


class KernelCompiler(compiler.CompilerBase):
    """Numba's steps to compile a function, with the last of them replaced."""

    def define_pipelines(self) -> list[Any]:
        """The one way in which kernels are compiled."""
        usual = compiler.DefaultPassBuilder
        manager = PassManager("kernel")
        manager.passes.extend(usual.define_untyped_pipeline(self.state).passes)
        manager.passes.extend(usual.define_typed_pipeline(self.state).passes)
        manager.add_pass(NoPythonSupportedFeatureValidation, "ensure features that are in use are in a valid form")
        manager.add_pass(IRLegalization, "ensure IR is legal prior to lowering")
        manager.add_pass(AnnotateTypes, "annotate types")
        manager.add_pass(KernelLowering, "kernel lowering")
        manager.add_pass(NoPythonBackend, "nopython mode backend")
        manager.finalize()
        return [manager]


# --- the cache of a kernel -------------------------------------------------------------------------------------------


class Compiled(NamedTuple):
    """What the file of a kernel holds."""

    description: Any
    """Numba's, of its arguments and result."""
    environment: Any
    signature: Any
    code: bytes
    """LLVM's bitcode of an inner kernel, the machine code of an entry."""
    callees: tuple[str, ...]
    """The names of the files of all kernels that an inner kernel calls."""
    symbols: frozenset[str]
    """The names that the machine code of an entry defines."""
    environments: tuple[Any, ...]
    """Those of the kernels within an entry."""


def file_stem(kernel: Any, arguments: Any, target: Any) -> str:
    """The name of a kernel's file: by its code, its arguments, and the machine that it is compiled for."""
    machine = target.codegen().magic_tuple()
    return f"{kernel.__name__}-{kernel.digest}-{kernel_cache.text_digest(str(arguments), str(machine))}"


def read_compiled(stem: str) -> Compiled | None:
    """What lies in the cache under this name; a broken file counts as none."""
    content = kernel_cache.read_code(stem)
    if content is None:
        return None
    try:
        return Compiled(*pickle.loads(content))  # noqa: S301  # only files of this user's own are read
    except Exception:  # whatever a damaged file leads to: it is compiled anew
        return None


_inner_libraries: dict[str, InnerLibrary] = {}
"""Those of this process, by the names of their files."""


def inner_library(stem: str, target: Any) -> InnerLibrary | None:
    """The library of an inner kernel with those of all it calls; None if one of their files is missing."""
    if stem in _inner_libraries:
        return _inner_libraries[stem]
    compiled = read_compiled(stem)
    if compiled is None:
        return None
    library = InnerLibrary(target.codegen(), stem)
    for name in compiled.callees:
        callee = inner_library(name, target)
        if callee is None:
            return None
        library.callees[name] = callee
    library._final_module = llvm.parse_bitcode(compiled.code)
    library._finalized = True
    _inner_libraries[stem] = library
    return library


def entry_library(stem: str, compiled: Compiled, target: Any) -> EntryLibrary:
    """The library of an entry from its machine code."""
    library = EntryLibrary(target.codegen(), stem)
    library.enable_object_caching()
    library._set_compiled_object(compiled.code)
    library._finalize_final_module()
    target.codegen()._engine._defined_symbols.update(compiled.symbols)
    return library


class KernelCache:
    """Where a dispatcher of Numba looks for compiled code before it compiles, and keeps what it has compiled."""

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self.cache_path = str(kernel_cache.cache_folder())

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The kernel for these arguments, or None."""
        target.refresh()
        arguments, _ = sigutils.normalize_signature(signature)
        stem = file_stem(self._kernel, arguments, target)
        compiled = read_compiled(stem)
        if compiled is None:
            return None
        library: Any
        if self._kernel.is_entry:
            library = entry_library(stem, compiled, target)
            function = target.get_executable(library, compiled.description, compiled.environment)
            for environment in compiled.environments:
                library.codegen.set_env(environment.env_name, environment)
        else:
            library = inner_library(stem, target)
            if library is None:
                return None
            function = make_placeholder(compiled.description, compiled.environment, library)
        return compiler.CompileResult(
            typing_context=target.typing_context,
            target_context=target,
            entry_point=function,
            typing_error=None,
            type_annotation="",
            signature=compiled.signature,
            objectmode=False,
            lifted=(),
            fndesc=compiled.description,
            library=library,
            call_helper=None,
            environment=compiled.environment,
            metadata=None,
            reload_init=(),
            referenced_envs=compiled.environments,
        )

    def save_overload(self, _signature: Any, result: Any) -> None:
        """Keep a compiled kernel."""
        library = result.library
        library._ensure_finalized()
        result.fndesc.typemap = result.fndesc.calltypes = None  # large, of no use once it is compiled
        entry = isinstance(library, EntryLibrary)
        compiled = Compiled(
            description=result.fndesc,
            environment=result.environment,
            signature=result.signature,
            code=library._get_compiled_object() if entry else library._final_module.as_bitcode(),
            callees=() if entry else tuple(library.callees),
            symbols=frozenset(function.name for function in library.get_defined_functions()) if entry else frozenset(),
            environments=tuple(result._find_referenced_environments()) if entry else (),
        )
        kernel_cache.write_code(library.name, serialize.dumps(tuple(compiled)))
        if not entry:
            _inner_libraries[library.name] = library

    def flush(self) -> None:
        """Nothing waits to be written."""


def compile_kernel(kernel: Any, *, expand: bool) -> Any:
    """Numba's dispatcher for a kernel that carries its `digest` and whether it is an entry."""
    flags: dict[str, Any] = {} if kernel.is_entry else {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    if expand:
        flags["forceinline"] = True
    dispatcher = numba.njit(pipeline_class=KernelCompiler, nogil=True, error_model="numpy", **flags)(kernel)
    dispatcher._cache = KernelCache(kernel)
    _take_any_number(dispatcher)
    return dispatcher


def _take_any_number(dispatcher: Any) -> None:
    """Let a kernel take every integer as one of 64 bits, or it would be compiled for each size and each constant."""
    usual = dispatcher.get_call_template

    def get_call_template(args: Any, named: Any) -> Any:
        return usual(tuple(map(_widest, args)), {name: _widest(kind) for name, kind in dict(named).items()})

    dispatcher.get_call_template = get_call_template


def _widest(kind: Any) -> Any:
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) else kind


class Watch(event.Listener):
    """Hears from Numba of every function that it compiles; those that are no kernels do not count."""

    def __init__(self, tell: Callable[[str, int, bool], object]) -> None:
        self._tell = tell
        self._depth = 0

    def on_start(self, notice: Any) -> None:
        """A function begins to compile."""
        if _is_kernel(notice):
            self._tell(notice.data["dispatcher"].__name__, self._depth, False)
            self._depth += 1

    def on_end(self, notice: Any) -> None:
        """It is compiled, or was given up."""
        if _is_kernel(notice):
            self._depth -= 1
            self._tell(notice.data["dispatcher"].__name__, self._depth, True)


def _is_kernel(notice: Any) -> bool:
    return hasattr(notice.data["dispatcher"].py_func, "digest")


def watch_compiling(tell: Callable[[str, int, bool], object]) -> None:
    """From now on call `tell(name, depth, done)` when a kernel begins to compile, and when it is done."""
    event.register("numba:compile", Watch(tell))
