"""The size of models: what is counted, and what cannot be."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from evoter.analysis.displays.complexity_display import complexity_of
from fronts import ruleset

X = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] * 5)
Y = np.array(["no", "yes", "yes", "no"] * 5)


def test_rules_count_their_conditions() -> None:
    assert complexity_of(ruleset(5)) == 5


def test_trees_count_their_decision_nodes_and_forests_those_of_all_trees() -> None:
    tree = DecisionTreeClassifier(random_state=0).fit(X, Y)
    assert complexity_of(tree) == 3, "exclusive or takes one test at the root and one on each side"
    forest = RandomForestClassifier(4, random_state=0).fit(X, Y)
    assert complexity_of(forest) == sum(complexity_of(each) for each in forest.estimators_)
    boosted = GradientBoostingClassifier(n_estimators=3, max_depth=1).fit(X, Y)
    assert complexity_of(boosted) == 3


def test_linear_models_count_parameters_that_are_not_zero() -> None:
    model = LogisticRegression().fit(X[:, :1], X[:, 0])
    assert complexity_of(model) == 2
    model.coef_ = np.zeros_like(model.coef_)
    assert complexity_of(model) == 1


def test_what_is_around_a_model_does_not_count() -> None:
    scaled = make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0)).fit(X, Y)
    searched = GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [2]}, cv=2).fit(X, Y)
    assert complexity_of(scaled) == complexity_of(searched) == 3


@pytest.mark.parametrize(
    "model", [GaussianNB(), DummyClassifier(), DecisionTreeClassifier()], ids=lambda m: type(m).__name__
)
def test_what_cannot_be_counted_is_refused_with_a_remedy(model: object) -> None:
    with pytest.raises(
        ValueError, match=f"the size of {type(model).__name__} is not known: fit it, or pass complexity"
    ):
        complexity_of(model)
