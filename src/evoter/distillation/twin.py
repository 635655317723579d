"""Twins: rule sets that answer as a black box does, with what is known about how well."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.group_statistics import Share
from evoter.distillation.agreement import Explained
from evoter.distillation.black_boxes import NumberAnswers, Said
from evoter.distillation.disagreement import Disagreement, find_regions
from evoter.distillation.neighbourhood import Neighbourhood
from evoter.evolution.fronts.front import Front, make_front
from evoter.evolution.problem import Objective
from evoter.kernels.layout import Floats, Ints
from evoter.rules.model import RuleSet
from evoter.tables import encode

Learner = Any
"""An `EvoterClassifier`, or an `EvoterRegressor` for numbers."""

Agreement = Share | Explained
"""How far two models agree, or a model and labels: a share of rows, or of the variance of numbers."""

LARGE_DIFFERENCE = 0.5
"""Numbers that differ by more than this, in standard deviations of the original's answers, count as disagreement."""

OBJECTIVES = (Objective("fidelity"), Objective("complexity", maximise=False))


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What a twin was learnt from and is tested on: rows with what the black box says of them, and labels if known.

    The first `n_rows` of the `learnt` rows are rows of the table, the others queries. `rows` says where the unseen
    rows are in the table that they come from. `probes` are further queries that nothing is learnt from: regions of
    disagreement are searched on them. For a local twin there are the `case`, a table of one row, and its `place`,
    without the answer of a twin.
    """

    name: str
    soft: bool
    learnt: Any
    n_rows: int
    answers: Said
    unseen: Any
    answers_unseen: Said
    rows: Ints
    labels: NDArray[Any] | None
    probes: Any
    answers_probes: Said
    case: Any = None
    place: Neighbourhood | None = None

    @property
    def n_queries(self) -> int:
        """The number of queries among the learnt rows."""
        return len(self.learnt) - self.n_rows


@dataclass(frozen=True, slots=True, eq=False)
class Twin:
    """A rule set that answers as a black box does; it prints with all that is known about it.

    `model` is a fitted `EvoterClassifier`, which does all that such a classifier can do. `fidelity` is the share of
    unseen rows on which it answers as the original, with Wilson's 95 % interval; `accuracy` and `original_accuracy` are
    the shares on which each of them is right, if labels are known. `probability_gap` is the mean distance of their
    probabilities (half the sum of the absolute differences), if the original gives any. `learnt_fidelity` is about the
    rows and queries that the twin was learnt from.
    Where the original predicts numbers, `model` is a fitted `EvoterRegressor`, all these are shares of explained
    variance (R2), with bootstrap intervals, and `mean_difference` is that of the answers of both, in absolute size.
    `front` has rule sets of other sizes, with their fidelity on the unseen rows and their conditions; `choose` makes
    one of them the twin. `disagreement` says where twin and original differ, and `neighbourhood` where a local twin
    was learnt. `evidence` has all rows, queries and answers.
    """

    name: str
    model: Learner
    n_rows: int
    n_queries: int
    soft: bool
    fidelity: Agreement
    learnt_fidelity: Agreement
    accuracy: Agreement | None
    original_accuracy: Agreement | None
    probability_gap: float | None
    mean_difference: float | None
    disagreement: Disagreement
    front: Front
    neighbourhood: Neighbourhood | None
    _others: Sequence[Learner]
    evidence: Evidence

    @property
    def ruleset(self) -> RuleSet:
        """The rules."""
        ruleset: RuleSet = self.model.ruleset_
        return ruleset

    @property
    def query_share(self) -> float:
        """The share of queries among the rows that the twin was learnt from."""
        return self.n_queries / (self.n_rows + self.n_queries)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the answer of the twin on each row."""
        answers: NDArray[Any] = self.model.predict(X)
        return answers

    def predict_proba(self, X: Any) -> Floats:
        """Return estimates of the probabilities that the original gives."""
        shares: Floats = self.model.predict_proba(X)
        return shares

    def explain(self, X: Any) -> Any:
        """Explain the answer on one row, or on each of several, by the rules of the twin."""
        return self.model.explain(X)

    def choose(self, number: int) -> "Twin":
        """Return the twin that is another candidate of the front, by its number.

        Of several candidates, the one that is best on the unseen rows is partly so by luck.
        """
        wanted = self.front[number].ruleset
        model = next(each for each in self._others if each.ruleset_ == wanted)
        return describe_twin(model, self._others, self.evidence)

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "original": self.name,
            "probabilities": self.soft,
            "rows": self.n_rows,
            "queries": self.n_queries,
            "query_share": self.query_share,
            "fidelity": _described(self.fidelity),
            "learnt_fidelity": _described(self.learnt_fidelity),
            "accuracy": None if self.accuracy is None else _described(self.accuracy),
            "original_accuracy": None if self.original_accuracy is None else _described(self.original_accuracy),
            "probability_gap": self.probability_gap,
            "mean_difference": self.mean_difference,
            "rules": len(self.ruleset.rules),
            "conditions": self.ruleset.n_conditions,
            "front": [{**each.scores, "rules": each.n_rules} for each in self.front],
            "disagreement": self.disagreement.to_dict(),
            "neighbourhood": None if self.neighbourhood is None else self.neighbourhood.to_dict(),
        }

    def to_json(self) -> str:
        """Return everything as a JSON document."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)

    def to_text(self) -> str:
        """Print everything as plain text."""
        from evoter.distillation.twin_text import text_of

        return text_of(self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from evoter.distillation.twin_text import html_of

        return html_of(self)


def _described(agreement: Agreement) -> dict[str, Any]:
    counted = {"agree": agreement.n_hits} if isinstance(agreement, Share) else {}
    interval = [agreement.low, agreement.high]
    return {"share": agreement.value, "interval": interval, "rows": agreement.n_rows, **counted}


def _agreement(answers: NDArray[Any], given: NDArray[Any], numbers: bool) -> Agreement:
    """Return how far answers agree with those that are given."""
    if numbers:
        return Explained.of(np.asarray(given, np.float64), answers)
    return Share.of(int((answers == given).sum()), len(given))


def learnt_score(model: Learner, evidence: Evidence) -> float:
    """Return how far a model agrees with the black box on the rows and queries that it was learnt from."""
    said = evidence.answers
    own = model.predict(evidence.learnt)
    if isinstance(said, NumberAnswers):
        return 1.0 - float(np.mean((own - said.values) ** 2) / said.values.var())
    return float(np.mean(own == said.labels))


def describe_twin(model: Learner, others: Sequence[Learner], evidence: Evidence) -> Twin:
    """Measure a fitted twin on unseen rows; it is one of `others`, which have other sizes."""
    unseen = evidence.answers_unseen
    numbers = isinstance(unseen, NumberAnswers)
    own = model.predict(evidence.unseen)
    labels = evidence.labels
    gap = difference = None
    if isinstance(unseen, NumberAnswers):
        difference = float(np.abs(own - unseen.values).mean())
    elif evidence.soft:
        gap = float(np.abs(model.predict_proba(evidence.unseen) - unseen.probabilities).sum(axis=1).mean() / 2.0)
    return Twin(
        name=evidence.name,
        model=model,
        n_rows=evidence.n_rows,
        n_queries=evidence.n_queries,
        soft=evidence.soft,
        fidelity=_agreement(own, unseen.labels, numbers),
        learnt_fidelity=_agreement(model.predict(evidence.learnt), evidence.answers.labels, numbers),
        accuracy=None if labels is None else _agreement(own, labels, numbers),
        original_accuracy=None if labels is None else _agreement(unseen.labels, labels, numbers),
        probability_gap=gap,
        mean_difference=difference,
        disagreement=_disagreement(model, evidence, own),
        front=_front(model, others, evidence),
        neighbourhood=_located(model, evidence),
        _others=others,
        evidence=evidence,
    )


def _located(model: Learner, evidence: Evidence) -> Neighbourhood | None:
    if evidence.place is None:
        return None
    return replace(evidence.place, twin=model.predict(evidence.case).tolist()[0])


def _disagreement(model: Learner, evidence: Evidence, own: NDArray[Any]) -> Disagreement:
    schema = model.schema_
    lines, unseen = (encode(table, schema) for table in (evidence.probes, evidence.unseen))
    said, there = evidence.answers_unseen, model.predict(evidence.probes)
    confidence = limit = None
    if isinstance(said, NumberAnswers):
        limit = LARGE_DIFFERENCE * float(said.values.std())
        differs = np.abs(own - said.values) > limit
        differs_there = np.abs(there - evidence.answers_probes.labels) > limit
    else:
        differs, differs_there = own != said.labels, there != evidence.answers_probes.labels
        sure = said.probabilities.max(axis=1)
        if evidence.soft and differs.any() and not differs.all():
            confidence = float(sure[differs].mean()), float(sure[~differs].mean())
    return Disagreement(
        tuple(evidence.rows[differs].tolist()),
        tuple(own[differs].tolist()),
        tuple(said.labels[differs].tolist()),
        Share.of(int(differs.sum()), len(differs)),
        tuple(find_regions(schema, lines, differs_there, unseen, differs)),
        confidence,
        limit,
    )


def _front(model: Learner, others: Sequence[Learner], evidence: Evidence) -> Front:
    """Return those that no other beats on the learnt rows, with their fidelity on the unseen ones."""
    numbers = isinstance(evidence.answers, NumberAnswers)
    learnt = [learnt_score(each, evidence) for each in others]
    unseen = {
        id(each.ruleset_): _agreement(each.predict(evidence.unseen), evidence.answers_unseen.labels, numbers).value
        for each in others
    }
    sizes = [each.ruleset_.n_conditions for each in others]
    front = make_front([each.ruleset_ for each in others], np.column_stack([learnt, sizes]), OBJECTIVES)
    candidates = tuple(
        replace(each, scores={**each.scores, "fidelity": unseen[id(each.ruleset)]}) for each in front.candidates
    )
    chosen = next((number for number, each in enumerate(candidates) if each.ruleset == model.ruleset_), None)
    return Front(candidates, OBJECTIVES, chosen)
