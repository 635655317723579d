"""The paper's experiments: each a small declarative file, all run again by one call."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evoter.experiments.declarations import Effort, Experiment, ExperimentError, catalogue
    from evoter.experiments.reproduction import Reproduction, reproduce
    from evoter.experiments.results import Result

__all__ = ["Effort", "Experiment", "ExperimentError", "Reproduction", "Result", "catalogue", "reproduce"]

FOLDER = "evoter-reproduction"
"""Where results go by default."""

_LAZY = {
    "Effort": "declarations",
    "Experiment": "declarations",
    "ExperimentError": "declarations",
    "catalogue": "declarations",
    "Reproduction": "reproduction",
    "reproduce": "reproduction",
    "Result": "results",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
