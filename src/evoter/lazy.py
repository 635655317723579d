"""Public names of a package that are loaded when they are first asked for, so that importing the package is quick."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType


def lazily(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return what a package calls `__getattr__` and `__dir__`, for names that live in these modules of it.

    >>> get, names = lazily("evoter", {"infer_schema": "tables"})
    >>> get("infer_schema").__module__
    'evoter.tables.inference'
    >>> get("infer_shema")
    Traceback (most recent call last):
    AttributeError: module 'evoter' has no attribute 'infer_shema'
    """

    def get(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    def names() -> list[str]:
        module = sys.modules[package]
        parts = (name for name, value in vars(module).items() if isinstance(value, ModuleType))
        return sorted({*module.__all__, *parts})

    return get, names
