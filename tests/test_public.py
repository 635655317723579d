"""The public names of the package are exactly these, and each is documented."""

import inspect

import pytest

import evoter
from project import PACKAGE

PUBLIC = [
    "BoundaryDisplay",
    "ComplexityDisplay",
    "Condition",
    "CoverageDisplay",
    "DisparityDisplay",
    "EvolutionDisplay",
    "EvoterClassifier",
    "EvoterPolicy",
    "EvoterPrescriptor",
    "EvoterRegressor",
    "EvoterTimeSeriesClassifier",
    "Feature",
    "Kind",
    "Mode",
    "Operator",
    "ParetoDisplay",
    "RepairDisplay",
    "Rule",
    "RuleError",
    "RuleFileError",
    "RuleSet",
    "RuleSetClassifier",
    "RuleSetRegressor",
    "RuleSetTimeSeriesClassifier",
    "RuleSyntaxError",
    "Schema",
    "SchemaError",
    "SeriesDisplay",
    "Sum",
    "Target",
    "Term",
    "WindowStatistics",
    "__version__",
    "audit",
    "counterfactuals",
    "distil",
    "distil_policy",
    "dumps",
    "edit",
    "estimate",
    "explain",
    "guardrail_price",
    "infer_schema",
    "load",
    "loads",
    "parse",
    "repair",
    "save",
    "shorten",
    "simplify",
    "studio",
    "write_report",
]


def test_the_public_names_are_these() -> None:
    assert sorted(evoter.__all__) == PUBLIC
    assert set(PUBLIC) <= set(dir(evoter))


def test_nothing_else_looks_public() -> None:
    parts = {path.stem for path in PACKAGE.iterdir()} - {"studio"}  # which is a package and a function
    assert {name for name in dir(evoter) if not name.startswith("_")} - parts == {*PUBLIC} - {"__version__"}


@pytest.mark.parametrize("name", [name for name in PUBLIC if name != "__version__"])
def test_public_names_are_documented(name: str) -> None:
    assert inspect.getdoc(getattr(evoter, name))


def test_an_unknown_name_is_an_ordinary_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'evoter' has no attribute 'Rulset'"):
        evoter.Rulset  # noqa: B018
