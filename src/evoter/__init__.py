"""EVOTER: evolution of transparent, explainable rule sets."""

from typing import TYPE_CHECKING

from evoter import moved_modules
from evoter.lazy import lazily
from evoter.rules.errors import RuleError, RuleFileError, RuleSyntaxError, SchemaError
from evoter.rules.explain import explain
from evoter.rules.json_codec import dumps, load, loads, save
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.simplify import simplify

if TYPE_CHECKING:
    from evoter.analysis.displays.boundary_display import BoundaryDisplay
    from evoter.analysis.displays.complexity_display import ComplexityDisplay
    from evoter.analysis.displays.coverage_display import CoverageDisplay
    from evoter.analysis.displays.evolution_display import EvolutionDisplay
    from evoter.analysis.displays.pareto_display import ParetoDisplay
    from evoter.analysis.displays.series_display import SeriesDisplay
    from evoter.analysis.report.writing import write_report
    from evoter.estimators.classifier import EvoterClassifier
    from evoter.estimators.policy import EvoterPolicy
    from evoter.estimators.prescriptor import EvoterPrescriptor
    from evoter.estimators.series.windows import WindowStatistics
    from evoter.estimators.timeseries import EvoterTimeSeriesClassifier
    from evoter.tables import infer_schema

__version__ = "0.1.0"

__all__ = [
    "EvoterClassifier",
    "EvoterPolicy",
    "EvoterTimeSeriesClassifier",
    "EvoterPrescriptor",
    "WindowStatistics",
    "EvolutionDisplay",
    "ComplexityDisplay",
    "CoverageDisplay",
    "BoundaryDisplay",
    "ParetoDisplay",
    "SeriesDisplay",
    "write_report",
    "Feature",
    "Kind",
    "Schema",
    "infer_schema",
    "Term",
    "Condition",
    "Operator",
    "Rule",
    "RuleSet",
    "Mode",
    "parse",
    "load",
    "loads",
    "save",
    "dumps",
    "explain",
    "simplify",
    "RuleError",
    "RuleFileError",
    "RuleSyntaxError",
    "SchemaError",
    "__version__",
]

moved_modules.install()

# What needs more than the standard library is loaded when it is first asked for.
__getattr__, __dir__ = lazily(
    __name__,
    {
        "BoundaryDisplay": "analysis.displays.boundary_display",
        "ComplexityDisplay": "analysis.displays.complexity_display",
        "CoverageDisplay": "analysis.displays.coverage_display",
        "EvolutionDisplay": "analysis.displays.evolution_display",
        "EvoterClassifier": "estimators.classifier",
        "EvoterPolicy": "estimators.policy",
        "EvoterPrescriptor": "estimators.prescriptor",
        "EvoterTimeSeriesClassifier": "estimators.timeseries",
        "ParetoDisplay": "analysis.displays.pareto_display",
        "SeriesDisplay": "analysis.displays.series_display",
        "WindowStatistics": "estimators.series.windows",
        "infer_schema": "tables",
        "write_report": "analysis.report.writing",
    },
)
