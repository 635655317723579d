"""What guardrails cost: the score of a model with them, beside that of one fitted without them."""

from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from evoter.estimators.classification.evolved import EvolvedClassifier
from evoter.estimators.classification.judging import optimised_metric, score_on
from evoter.estimators.guardrails import NO_GUARDRAILS
from evoter.estimators.policy import EvoterPolicy
from evoter.estimators.prescriptor import EvoterPrescriptor
from evoter.problems.classification.frequencies import OBJECTIVES
from evoter.rules.model import RuleSet


@dataclass(frozen=True, slots=True)
class GuardrailPrice:
    """Two scores by the same metric, and the rules that evolve without guardrails.

    `where` says on what both were measured. Both come from searches, so that a difference below what another seed makes
    means nothing, and the price may even be negative.
    """

    metric: str
    guarded: float
    unguarded: float
    where: str
    maximise: bool
    unguarded_ruleset: RuleSet

    @property
    def price(self) -> float:
        """By how much the score is worse with the guardrails; below 0 if it is better."""
        return self.unguarded - self.guarded if self.maximise else self.guarded - self.unguarded

    def __str__(self) -> str:
        scores = f"{self.metric} {self.guarded:.4g} with the guardrails, {self.unguarded:.4g} without"
        return f"{scores} ({self.where}): they cost {f'{self.price:.3g}' if self.price > 0 else 'nothing'}"

    def to_dict(self) -> dict[str, Any]:
        """Return the figures, ready for JSON."""
        return {
            "metric": self.metric,
            "guarded": self.guarded,
            "unguarded": self.unguarded,
            "price": self.price,
            "where": self.where,
        }


def guardrail_price(
    model: Any, *data: Any, test: tuple[Any, Any] | None = None, protected: Any = None
) -> GuardrailPrice:
    """Fit a model without its guardrails, and compare the two.

    Parameters
    ----------
    model : EvoterClassifier, EvoterTimeSeriesClassifier, EvoterPrescriptor or EvoterPolicy
        The model with guardrails. One that is not fitted yet is copied and fitted.
    *data
        What `fit` takes: the same rows that the model was fitted on.
    test : tuple or None, default=None
        For classifiers, unseen rows and their classes to measure both models on; None measures on the training rows.
    protected : columns or None, default=None
        For classifiers, the groups that `fit` takes where constraints or objectives compare some.

    Returns
    -------
    GuardrailPrice
        Both scores: by the metric of a classifier, by the first objective of a prescriptor as predicted on the training
        cases, or by the mean return of a policy in new episodes.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from evoter import EvoterClassifier, guardrail_price
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> model = EvoterClassifier(forbidden_features=["petal width (cm)"], generations=20, random_state=0).fit(X, y)
    >>> price = guardrail_price(model, X, y)
    >>> price.metric, price.where, abs(price.price) < 0.1
    ('accuracy', 'on the 150 training rows', True)
    """
    free = {name: value for name, value in {**NO_GUARDRAILS, "fallback": None}.items() if name in model.get_params()}
    if all(model.get_params()[name] in (value, [], (), None) for name, value in free.items()):
        raise ValueError("the model has no guardrails: give it pinned, forbidden_features, forbidden or monotone")
    if test is not None and not isinstance(model, EvolvedClassifier):
        raise ValueError("only classifiers are measured on test rows: leave test out")
    if protected is not None and not isinstance(model, EvolvedClassifier):
        raise ValueError("only classifiers compare groups: leave protected out")
    groups = {} if protected is None else {"protected": protected}
    guarded = model if hasattr(model, "ruleset_") else clone(model).fit(*data, **groups)
    unguarded = clone(model).set_params(**free).fit(*data, **groups)
    metric, where, maximise = _measured(guarded, data, test)
    with_them, without = (_score(each, metric, data if test is None else test) for each in (guarded, unguarded))
    return GuardrailPrice(metric, with_them, without, where, maximise, unguarded.ruleset_)


def _measured(model: Any, data: tuple[Any, ...], test: tuple[Any, Any] | None) -> tuple[str, str, bool]:
    """Return the metric by which models are compared, on what, and whether more of it is better."""
    if isinstance(model, EvoterPolicy):
        return "mean return", "in 100 new episodes", True
    if isinstance(model, EvoterPrescriptor):
        goal = model.goals_[0]
        return goal.name, "as predicted on the training cases", goal.maximise
    name = optimised_metric(model) or "accuracy"
    rows = f"on the {len(data[1]):,} training rows" if test is None else f"on {len(test[1]):,} unseen rows"
    return name, rows, name not in OBJECTIVES or OBJECTIVES[name].maximise


def _score(model: Any, metric: str, rows: tuple[Any, ...]) -> float:
    if isinstance(model, EvoterPolicy):
        return model.score()
    if isinstance(model, EvoterPrescriptor):
        return float(model.value_[metric])
    scored = score_on(model, rows[0], rows[1])
    return float(model.score(rows[0], rows[1])) if scored is None else scored
