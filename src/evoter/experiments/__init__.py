"""The paper's experiments: each a small declarative file, all run again by one call."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.experiments.declarations import Effort, Experiment, ExperimentError, catalogue
    from evoter.experiments.reproduction import Reproduction, reproduce
    from evoter.experiments.results import Result

__all__ = ["Effort", "Experiment", "ExperimentError", "Reproduction", "Result", "catalogue", "reproduce"]

FOLDER = "evoter-reproduction"
"""Where results go by default."""

__getattr__, __dir__ = lazily(
    __name__,
    {
        "Effort": "declarations",
        "Experiment": "declarations",
        "ExperimentError": "declarations",
        "catalogue": "declarations",
        "Reproduction": "reproduction",
        "reproduce": "reproduction",
        "Result": "results",
    },
)
