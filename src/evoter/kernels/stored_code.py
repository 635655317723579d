"""Compiled kernels as data for the cache, and back, without what only compiling needs.

numba would read the intermediate language of every kernel that it loads, for others that might call it, and import all
that it can compile, which takes several times as long as loading the kernels of a search.
"""

import sys
from functools import cache
from typing import Any

from llvmlite import binding
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import compile_result
from numba.core.environment import Environment, lookup_environment
from numba.core.runtime import _nrt_python  # type: ignore[attr-defined]

_Environment = tuple[str, list[Any], str]
"""The module of a function, its constants that are Python objects, and the name of its environment."""


class StoredCode(JITCodeLibrary):
    """The machine code of a kernel that was compiled before."""

    def __init__(self, codegen: Any, name: str, machine_code: bytes, bitcode: bytes, symbols: list[str]) -> None:
        super().__init__(codegen, name)
        self._bitcode = bitcode
        self.enable_object_caching()
        self._set_compiled_object(machine_code)
        self._finalize_final_module()
        codegen._engine._defined_symbols.update(symbols)

    def _get_module_for_linking(self) -> Any:
        """Return the intermediate language, for which only a kernel that calls this one asks."""
        if self._shared_module is None:
            self._shared_module = binding.parse_bitcode(self._bitcode)
        return self._shared_module


def stored(result: Any) -> tuple[Any, ...]:
    """Return a compiled kernel as data."""
    library, *others, environments = result._reduce()
    name, _, (machine_code, bitcode) = library
    module = result.library._get_module_for_linking()
    found = (*module.functions, *module.global_variables)
    symbols = [each.name for each in found if not each.is_declaration]
    others.append([(each.globals["__name__"], each.consts, each.env_name) for each in environments])
    return (name, machine_code, bitcode, symbols), *others


def restored(
    target_context: Any,
    library: tuple[str, bytes, bytes, list[str]],
    description: Any,
    environment: Any,
    signature: Any,
    object_mode: bool,
    lifted: Any,
    annotation: str,
    initialisers: Any,
    environments: list[_Environment],
) -> Any:
    """Return the compiled kernel of such data."""
    _offer_allocation()
    for initialise in initialisers:
        initialise()
    code = StoredCode(target_context.codegen(), *library)
    referenced = [_environment(*each) for each in environments]
    result: Any = compile_result(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=code,
        environment=environment,
        entry_point=target_context.get_executable(code, description, environment),
        fndesc=description,
        type_annotation=annotation,
        signature=signature,
        objectmode=object_mode,
        lifted=lifted,
        reload_init=initialisers,
        referenced_envs=referenced,
    )
    for each in referenced:
        code.codegen.set_env(each.env_name, each)
    return result


def _environment(module: str, constants: list[Any], name: str) -> Any:
    """Return the environment of a function, without importing its module, of which compiled code needs nothing."""
    known = lookup_environment(name)
    if known is not None:
        return known
    imported = sys.modules.get(module)
    made: Any = Environment({"__name__": module} if imported is None else vars(imported))
    made.consts[:] = constants
    made.env_name = name
    Environment._memo[name] = made
    return made


@cache
def _offer_allocation() -> None:
    """Let machine code find the functions that allocate arrays; numba would also compile its own for its compiler."""
    for name, address in _nrt_python.c_helpers.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
