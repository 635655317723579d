"""How kernels become machine code: each is translated once, and optimised only within the kernels that Python calls.

numba makes machine code of every function by itself, and optimises it again inside everything that calls it, directly
or not: two thirds of the time to compile, since nobody calls those functions one by one. Here a kernel that only other
kernels call stays in LLVM's intermediate language until a kernel that Python calls is linked from all it needs.
"""

from collections.abc import Iterable
from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering

from evoter.kernels.collector import collector_pauses

_ENVIRONMENT = "_ZN08NumbaEnv"


class InnerCode(JITCodeLibrary):
    """A kernel that other kernels call, in the intermediate language, and the libraries that it calls in turn."""

    def finalize(self) -> None:
        """Do nothing more: whoever links this kernel optimises it there."""
        self._finalized = True


class EntryCode(JITCodeLibrary):
    """A kernel that Python calls, optimised together with all that it calls."""

    def finalize(self) -> None:
        """Link everything, optimise it, and make machine code."""
        self._linking_libraries = _callers_first(self._linking_libraries)
        super().finalize()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(_ENVIRONMENT) else None
            if environment is not None:
                self.codegen.set_env(variable.name, environment)


def _callers_first(libraries: Iterable[Any]) -> list[Any]:
    """Return libraries and all that they need, each once and after all that need it.

    The linker leaves out what nothing has asked for so far.
    """
    needed: dict[Any, None] = {}

    def visit(library: Any) -> None:
        if library not in needed:
            for callee in library._linking_libraries if isinstance(library, InnerCode) else ():
                visit(callee)
            needed[library] = None

    for library in libraries:
        visit(library)
    return list(reversed(needed))


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):
    """Translates a kernel that has no entry from Python."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        """Translate a kernel, and let others call it."""
        state.library = InnerCode(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        # What numba knows an overload by; as with its own kernels without a wrapper, there is nothing to call.
        description, environment = state.cr.fndesc, state.cr.env
        name = description.qualname.split(".")[-1]
        key = _dynfunc.make_function(description.lookup_module(), name, "", 0, environment, (state.library,))
        state.targetctx.insert_user_function(key, description, [state.library])
        state["cr"] = state.cr._replace(cfunc=key)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(NativeLowering):
    """Translates a kernel that Python calls."""

    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        """Translate a kernel, and make machine code of it and all that it calls."""
        state.library = EntryCode(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return bool(super().run_pass(state))


class _KernelCompiler(CompilerBase):
    lowering: type[NativeLowering]

    def define_pipelines(self) -> list[Any]:
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (self.lowering, text) if each is NativeLowering else (each, text) for each, text in pipeline.passes
        ]
        pipeline._finalized = False
        pipeline.finalize()
        return [pipeline]


class InnerCompiler(_KernelCompiler):
    """Compiles a kernel that other kernels call."""

    lowering = InnerLowering


class EntryCompiler(_KernelCompiler):
    """Compiles a kernel that Python calls, while the garbage collector pauses.

    It would find nothing to free, and take a tenth of the time.
    """

    lowering = EntryLowering

    def compile_extra(self, func: Any) -> Any:
        """Compile a kernel and all that it calls."""
        with collector_pauses():
            return super().compile_extra(func)
