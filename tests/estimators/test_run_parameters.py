"""Parameters that estimators share are declared once, and every parameter is documented and constrained."""

import inspect
from typing import Any

import pytest
from sklearn.base import BaseEstimator, clone

from evoter import EvoterClassifier, EvoterPolicy, EvoterPrescriptor, EvoterTimeSeriesClassifier
from evoter.estimators.policy import CONTROL
from evoter.estimators.run_parameters import (
    CLASSIFIER_PARAMETERS,
    GUARDRAIL_PARAMETERS,
    RUN_PARAMETERS,
    Parameter,
    documented_parameters,
    share_parameters,
)
from evoter.estimators.series.windows import WindowStatistics

SHARED = {
    EvoterClassifier: CLASSIFIER_PARAMETERS | GUARDRAIL_PARAMETERS | RUN_PARAMETERS,
    EvoterTimeSeriesClassifier: CLASSIFIER_PARAMETERS | GUARDRAIL_PARAMETERS | RUN_PARAMETERS,
    EvoterPrescriptor: GUARDRAIL_PARAMETERS | RUN_PARAMETERS,
    EvoterPolicy: GUARDRAIL_PARAMETERS | RUN_PARAMETERS,
    WindowStatistics: dict[str, Parameter](),
}
"""The public estimators, and the shared parameters that they may have."""

OWN_DOCUMENTATION = {
    EvoterPolicy: {
        "preset",
        "patience",
        "max_seconds",
        "target_score",
        "population_size",
        "n_islands",
        "max_rules",
        "max_conditions",
        "parsimony",
        "checkpoint",
        "n_jobs",
        "units",
    },
    EvoterTimeSeriesClassifier: {"units"},
    WindowStatistics: {"n_jobs"},
}
"""Shared parameters that mean something else for an estimator, whose documentation says what."""

OWN_DEFAULTS = {EvoterPolicy: {"patience": None}}
"""Those that have another default there."""


def parameters_of(estimator: type[Any]) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(estimator).parameters)


def documentation_of(estimator: type[Any]) -> str:
    return inspect.getdoc(estimator) or ""


@pytest.mark.parametrize("estimator", SHARED)
def test_every_parameter_is_documented_in_full(estimator: type[Any]) -> None:
    assert sorted(documented_parameters(estimator.__doc__)) == sorted(parameters_of(estimator))
    assert "As for" not in documentation_of(estimator).partition("Attributes\n")[0]


@pytest.mark.parametrize("estimator", SHARED)
def test_every_parameter_is_constrained(estimator: type[Any]) -> None:
    assert sorted(estimator._parameter_constraints) == sorted(parameters_of(estimator))


@pytest.mark.parametrize("estimator", SHARED)
def test_shared_parameters_are_the_same_everywhere(estimator: type[Any]) -> None:
    own = OWN_DOCUMENTATION.get(estimator, set[str]())
    for name, shared in SHARED[estimator].items():
        if name not in parameters_of(estimator):
            continue
        default = OWN_DEFAULTS.get(estimator, dict[str, Any]()).get(name, shared.default)
        assert parameters_of(estimator)[name].default == default
        if name not in own and not (estimator is EvoterPrescriptor and name == "constraints"):
            assert str(shared) in documentation_of(estimator)
            assert [repr(each) for each in estimator._parameter_constraints[name]] == [
                repr(each) for each in shared.constraints
            ]


@pytest.mark.parametrize("estimator", SHARED)
def test_documented_defaults_are_those_of_the_signature(estimator: type[Any]) -> None:
    parameters = parameters_of(estimator)
    for line in documentation_of(estimator).splitlines():
        names, colon, rest = line.strip().partition(" : ")
        if not colon or ", default=" not in rest:
            continue
        for name in names.split(", "):
            default = parameters[name].default
            assert rest.rpartition("default=")[2] in (repr(default), repr(default).replace("'", '"')), name


def test_copies_have_the_same_parameters() -> None:
    model = EvoterClassifier(patience=3, settings={"n_elites": 2})
    assert clone(model).get_params() == model.get_params()


def test_a_class_keeps_what_it_says_itself() -> None:
    seed = Parameter("seed", 0, "int", "The seed.", (int,))
    size = Parameter("size", 1, "int", "The size.", (int,))

    @share_parameters({"seed": seed, "size": size, "other": seed})
    class Model(BaseEstimator):  # type: ignore[misc]
        """A model.

        Parameters
        ----------
        size : str, default="S"
            A size of clothes.

        Attributes
        ----------
        seed_ : int
            The seed.
        """

        _parameter_constraints = {"size": [str]}  # noqa: RUF012

        def __init__(self, size: str = "S", seed: int = 0) -> None: ...

    assert Model._parameter_constraints == {"size": [str], "seed": [int]}
    assert documented_parameters(Model.__doc__) == ("size", "seed")
    assert "A size of clothes.\nseed : int, default=0\n    The seed.\n\nAttributes" in inspect.getdoc(Model)  # type: ignore[operator]


def test_policies_have_their_own_preset() -> None:
    assert EvoterPolicy._base_settings is CONTROL
