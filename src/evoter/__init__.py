"""EVOTER: evolution of transparent, explainable rule sets."""

from importlib import import_module

from evoter import moved_modules
from evoter.lazy import lazily

TYPE_CHECKING = False  # as in typing, which takes longer to import than all that is needed here
if TYPE_CHECKING:
    from evoter.analysis.displays.boundary_display import BoundaryDisplay
    from evoter.analysis.displays.complexity_display import ComplexityDisplay
    from evoter.analysis.displays.coverage_display import CoverageDisplay
    from evoter.analysis.displays.evolution_display import EvolutionDisplay
    from evoter.analysis.displays.pareto_display import ParetoDisplay
    from evoter.analysis.displays.series_display import SeriesDisplay
    from evoter.analysis.report.writing import write_report
    from evoter.distillation.distilling import distil
    from evoter.distillation.policies import distil_policy
    from evoter.estimators.classifier import EvoterClassifier
    from evoter.estimators.guardrail_price import guardrail_price
    from evoter.estimators.policy import EvoterPolicy
    from evoter.estimators.prescriptor import EvoterPrescriptor
    from evoter.estimators.regression.given_rules import RuleSetRegressor
    from evoter.estimators.regression.regressor import EvoterRegressor
    from evoter.estimators.ruleset_classifier import RuleSetClassifier
    from evoter.estimators.ruleset_timeseries import RuleSetTimeSeriesClassifier
    from evoter.estimators.series.windows import WindowStatistics
    from evoter.estimators.timeseries import EvoterTimeSeriesClassifier
    from evoter.fairness.audit import audit
    from evoter.fairness.disparity_display import DisparityDisplay
    from evoter.fairness.repair import repair
    from evoter.fairness.repair_display import RepairDisplay
    from evoter.rules.answers.counterfactuals import counterfactuals
    from evoter.rules.editing.editor import edit
    from evoter.rules.errors import RuleError, RuleFileError, RuleSyntaxError, SchemaError
    from evoter.rules.explain import explain
    from evoter.rules.interpreter import estimate
    from evoter.rules.json_codec import dumps, load, loads, save
    from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Sum, Term
    from evoter.rules.parser import parse
    from evoter.rules.schema import Feature, Kind, Schema, Target
    from evoter.rules.shorten import shorten
    from evoter.rules.simplify import simplify
    from evoter.studio.running.notebook import studio
    from evoter.tables import infer_schema

__version__ = "0.1.0"

__all__ = [
    "EvoterClassifier",
    "EvoterRegressor",
    "EvoterPolicy",
    "EvoterTimeSeriesClassifier",
    "EvoterPrescriptor",
    "RuleSetClassifier",
    "RuleSetRegressor",
    "RuleSetTimeSeriesClassifier",
    "WindowStatistics",
    "guardrail_price",
    "EvolutionDisplay",
    "ComplexityDisplay",
    "CoverageDisplay",
    "BoundaryDisplay",
    "ParetoDisplay",
    "SeriesDisplay",
    "DisparityDisplay",
    "RepairDisplay",
    "write_report",
    "audit",
    "repair",
    "distil",
    "distil_policy",
    "studio",
    "Feature",
    "Kind",
    "Schema",
    "Target",
    "infer_schema",
    "Term",
    "Sum",
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
    "edit",
    "explain",
    "estimate",
    "counterfactuals",
    "simplify",
    "shorten",
    "RuleError",
    "RuleFileError",
    "RuleSyntaxError",
    "SchemaError",
    "__version__",
]

moved_modules.install()

# All names are loaded when they are first asked for: a command that starts must get to its signal handlers at once.
_load, __dir__ = lazily(
    __name__,
    {
        "BoundaryDisplay": "analysis.displays.boundary_display",
        "ComplexityDisplay": "analysis.displays.complexity_display",
        "Condition": "rules.model",
        "CoverageDisplay": "analysis.displays.coverage_display",
        "DisparityDisplay": "fairness.disparity_display",
        "EvolutionDisplay": "analysis.displays.evolution_display",
        "EvoterClassifier": "estimators.classifier",
        "EvoterPolicy": "estimators.policy",
        "EvoterPrescriptor": "estimators.prescriptor",
        "EvoterRegressor": "estimators.regression.regressor",
        "EvoterTimeSeriesClassifier": "estimators.timeseries",
        "Feature": "rules.schema",
        "Kind": "rules.schema",
        "Mode": "rules.model",
        "Operator": "rules.model",
        "ParetoDisplay": "analysis.displays.pareto_display",
        "RepairDisplay": "fairness.repair_display",
        "Rule": "rules.model",
        "RuleError": "rules.errors",
        "RuleFileError": "rules.errors",
        "RuleSet": "rules.model",
        "RuleSetClassifier": "estimators.ruleset_classifier",
        "RuleSetRegressor": "estimators.regression.given_rules",
        "RuleSetTimeSeriesClassifier": "estimators.ruleset_timeseries",
        "RuleSyntaxError": "rules.errors",
        "Schema": "rules.schema",
        "SchemaError": "rules.errors",
        "SeriesDisplay": "analysis.displays.series_display",
        "Sum": "rules.model",
        "Target": "rules.schema",
        "Term": "rules.model",
        "WindowStatistics": "estimators.series.windows",
        "audit": "fairness.audit",
        "counterfactuals": "rules.answers.counterfactuals",
        "distil": "distillation.distilling",
        "distil_policy": "distillation.policies",
        "dumps": "rules.json_codec",
        "edit": "rules.editing.editor",
        "estimate": "rules.interpreter",
        "explain": "rules.explain",
        "guardrail_price": "estimators.guardrail_price",
        "infer_schema": "tables",
        "load": "rules.json_codec",
        "loads": "rules.json_codec",
        "parse": "rules.parser",
        "repair": "fairness.repair",
        "save": "rules.json_codec",
        "shorten": "rules.shorten",
        "simplify": "rules.simplify",
        "studio": "studio.running.notebook",
        "write_report": "analysis.report.writing",
    },
)


def __getattr__(name: str) -> object:
    if name == "rules":  # its modules count as imported with the package: evoter.rules.model, for example
        from evoter.rules import explain, json_codec, parser, simplify  # noqa: F401

        return import_module("evoter.rules")
    return _load(name)
