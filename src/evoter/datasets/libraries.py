"""The libraries that reading data sets needs, loaded when a set is fetched and not before."""

from importlib import import_module
from typing import Any


def load_library(name: str) -> Any:
    """Import a library of the extra `data`, or say how to install it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        raise ImportError(
            f'reading this data set needs {package}, which is not installed: pip install "evoter[data]"', name=package
        ) from error


def load_pandas() -> Any:
    """Import pandas, which holds tables."""
    return load_library("pandas")
