"""Distillation: a rule set is learnt from what a black box says about rows and queries, and compared with it."""

import warnings
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import train_test_split
from sklearn.utils.validation import column_or_1d

from evoter.distillation.black_boxes import BlackBox, NumberAnswers, Said, read_answers, read_black_box
from evoter.distillation.neighbourhood import (
    CASE_WEIGHT,
    Neighbourhood,
    nearest_rows,
    number_ranges,
    proximities,
)
from evoter.distillation.queries import Surroundings, draw_queries
from evoter.distillation.tables import join_rows, read_case, take_rows
from evoter.distillation.twin import Evidence, Learner, Twin, describe_twin, learnt_score
from evoter.estimators.classifier import EvoterClassifier
from evoter.estimators.inputs import read_table
from evoter.estimators.regression.regressor import EvoterRegressor
from evoter.estimators.search import parsimony_is_free
from evoter.evolution.progress import part_of_whole
from evoter.kernels.layout import Floats, Ints
from evoter.rules.schema import Schema
from evoter.tables import encode, infer_schema

QUERY_SHARE: Final = 0.75
"""The share of queries among what a twin is learnt from, where the black box can be asked."""

MAX_LEARNT: Final = 20_000
"""The number of rows and queries from which there are no further queries, unless their share is given."""

TEST_SIZE: Final = 0.25

N_PROBES: Final = 3_000
"""The number of further queries on which regions of disagreement are searched."""

N_TRIED: Final = 200
"""The number of rows about which a black box is asked first, to learn whether it answers with classes or numbers."""

PRICE: Final = 4.0
"""What a condition must gain, as a multiple of the usual: queries come in clusters around rows, so that they prove less
than as many rows would. The front also has what is found at the usual price."""

PRICES: Final = (0.25, 4.0, 16.0)
"""For the front, rules are also searched at these multiples of the price of a condition."""

LEAST_PRICE: Final = 1e-4


def distil(
    black_box: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    X_test: Any = None,
    y_test: ArrayLike | None = None,
    test_size: float | None = None,
    classes: ArrayLike | None = None,
    query_share: float | None = None,
    softness: float | None = None,
    local: Any = None,
    n_neighbours: int | None = None,
    front: bool = True,
    random_state: int | None = None,
    **parameters: Any,
) -> Twin:
    """Learn a rule set that answers as a black box does, and say how well and where not.

    The black box is asked about rows of `X` and about queries: rows that are not in the table but could be (see
    `evoter.distillation.queries`). Its probabilities count, not only the class that it finds most probable.

    Parameters
    ----------
    black_box : fitted model, function, sequence of these, or array
        What is to be imitated: anything with `predict_proba` or `predict`, classifier or regressor; a function that
        takes rows as `X` has them and returns classes, probabilities with a column for each class, or numbers; several
        of these, whose probabilities or numbers are averaged, such as some `EvoterClassifier` with different seeds; or
        the answers themselves, one for each row of `X`, where the model cannot be asked.
    X : frame or array
        Rows without which nothing is known about the data; labels are not needed.
    y : array or None, default=None
        Labels, to tell the accuracy of both on the unseen rows. Nothing is learnt from them.
    X_test, y_test : frame or array, default=None
        Unseen rows, best some that the black box was not trained on either. None holds out `test_size` of `X`.
    test_size : float or None, default=None
        The share of `X` that is held out to measure fidelity; None is a quarter.
    classes : array or None, default=None
        The classes of the columns of a function or array of probabilities; two classes if it has the probability of
        the second alone.
    query_share : float or None, default=None
        The share of queries among what the twin is learnt from, 0 for none. None is 0.75, or less where rows and
        queries would be more than 20,000. Fidelity is never measured on queries.
    softness : float or None, default=None
        The share of the probabilities in what rules are evaluated by; the rest is the most probable class alone. None
        is 1, or 0 where the black box gives no probabilities.
    local : int, row or None, default=None
        A case, by its position in `X` or by its values: the twin is then learnt in its neighbourhood, near rows
        counting more, and tested on other rows of the neighbourhood.
    n_neighbours : int or None, default=None
        The number of rows of that neighbourhood. None is a tenth of all and at least 100, and more where the black box
        gives the same answer to nearly all of them.
    front : bool, default=True
        Whether to search for smaller rule sets as well, in three further runs.
    random_state : int or None, default=None
        The seed of the split, of the queries and of the search.
    **parameters
        Any parameters of `EvoterClassifier`, or of `EvoterRegressor` for a black box that predicts numbers, such as
        `max_rules` or `generations`. `max_seconds` is for each run.

    Returns
    -------
    Twin
        A fitted `EvoterClassifier` or `EvoterRegressor` with its fidelity on unseen rows, accuracies, front and
        disagreements.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from evoter import distil
    >>> iris = load_iris(as_frame=True)
    >>> forest = RandomForestClassifier(random_state=0).fit(iris.data, iris.target_names[iris.target])
    >>> twin = distil(forest, iris.data, front=False, random_state=0)
    >>> twin.fidelity.value > 0.9, round(twin.query_share, 2)
    (True, 0.75)
    """
    _check_parameters(parameters, test_size, X_test, query_share, softness, local, n_neighbours)
    table = read_table(EvoterClassifier(), X, reset=True)
    box, said = _box_of(black_box, len(table), classes)
    tried = said if box is None else box.answers(take_rows(table, np.arange(min(len(table), N_TRIED))))[0]
    learner = EvoterRegressor if isinstance(tried, NumberAnswers) else EvoterClassifier
    model: Learner = learner(random_state=random_state, **parameters)
    read_table(model, table, reset=True)
    if said is not None:
        _refuse_without_box(query_share, X_test, local)
    rng = np.random.default_rng(random_state)
    if local is not None:
        assert box is not None
        evidence, weights = _local_evidence(box, table, y, local, n_neighbours, test_size, query_share, rng, model)
        return learn_twin(model, evidence, weights, softness=softness, front=front)
    held_out = None if X_test is None else read_table(model, X_test, reset=False)
    evidence = _evidence(box, said, table, y, held_out, y_test, test_size, query_share, rng, model)
    return learn_twin(model, evidence, softness=softness, front=front)


def distil_around(
    box: BlackBox, table: Any, case: int, labels: Any, *, query_share: float | None, model: Learner
) -> Twin:
    """Learn a local twin around a row of a table; see `distil`. The model has the parameters, and is not fitted."""
    rng = np.random.default_rng(model.random_state)
    evidence, weights = _local_evidence(box, table, labels, case, None, None, query_share, rng, model)
    return learn_twin(model, evidence, weights, front=False)


def learn_twin(
    model: Learner,
    evidence: Evidence,
    weights: Floats | None = None,
    *,
    softness: float | None = None,
    front: bool = True,
) -> Twin:
    """Learn a twin from what a black box has said; see `distil`. The model has the parameters, and is not fitted."""
    _require_border(evidence)
    if softness is not None and softness > 0.0 and not evidence.soft:
        raise ValueError(f"softness={softness:g} has no effect, since {evidence.name} gives no probabilities")
    models = _learn(model, evidence, weights, 1.0 if softness is None else softness, front)
    return describe_twin(_best_at_price(models, evidence), models, evidence)


def _check_parameters(
    parameters: dict[str, Any],
    test_size: float | None,
    X_test: Any,
    query_share: float | None,
    softness: float | None,
    local: Any,
    n_neighbours: int | None,
) -> None:
    for name in ("objectives", "select"):
        if parameters.get(name) is not None:
            raise ValueError(f"{name} is not a parameter of distil, whose front is of fidelity and size: leave it out")
    for name, value, most in (("query_share", query_share, 0.99), ("softness", softness, 1.0)):
        if value is not None and not 0.0 <= value <= most:
            raise ValueError(f"{name} must be from 0 to {most:g}, got {value!r}")
    if test_size is not None and not 0.0 < test_size < 1.0:
        raise ValueError(f"test_size must be a share between 0 and 1, got {test_size!r}")
    if X_test is not None and test_size is not None:
        raise ValueError("test_size has no effect beside X_test: leave one of them out")
    if X_test is not None and local is not None:
        raise ValueError("a local twin is tested on other rows of its neighbourhood: leave out X_test")
    if n_neighbours is not None and local is None:
        raise ValueError("n_neighbours has no effect without local: leave it out, or name a case with local")


def _box_of(black_box: Any, n_rows: int, classes: ArrayLike | None) -> tuple[BlackBox | None, Said | None]:
    """Return a black box that can be asked, or else the answers that it gave."""
    is_array = hasattr(black_box, "__array__") and not callable(black_box)
    is_list = isinstance(black_box, Sequence) and not any(callable(e) or hasattr(e, "predict") for e in black_box)
    if not (is_array or is_list) or isinstance(black_box, str):
        return read_black_box(black_box, classes), None
    said = np.asarray(black_box)
    if len(said) != n_rows:
        raise ValueError(f"the black box is an array of {len(said):,} answers, but X has {n_rows:,} rows")
    return None, read_answers(said, None if classes is None else column_or_1d(classes), "the array of answers")


def _refuse_without_box(query_share: float | None, X_test: Any, local: Any) -> None:
    for name, given in (
        ("query_share", bool(query_share)),
        ("X_test", X_test is not None),
        ("local", local is not None),
    ):
        if given:
            raise ValueError(f"{name} needs a black box that can be asked, not an array of its answers: leave it out")


def _evidence(
    box: BlackBox | None,
    said: Said | None,
    table: Any,
    y: ArrayLike | None,
    held_out: Any,
    y_test: ArrayLike | None,
    test_size: float | None,
    query_share: float | None,
    rng: np.random.Generator,
    model: Learner,
) -> Evidence:
    """Divide the rows, draw queries, and ask the black box about all of them."""
    labels = _labels(y, len(table), "y")
    if held_out is not None:
        if y is not None:
            raise ValueError("y has no effect beside X_test, whose labels are y_test: leave y out")
        train, unseen, labels = table, held_out, _labels(y_test, len(held_out), "y_test")
        tested = np.arange(len(held_out))
    else:
        if y_test is not None:
            raise ValueError("y_test has no effect without X_test: leave it out")
        known = said if said is not None else box.answers(table)[0] if box is not None else None
        assert known is not None
        kept, tested = split_rows(known.codes, TEST_SIZE if test_size is None else test_size, rng)
        train, unseen = take_rows(table, kept), take_rows(table, tested)
        labels = None if labels is None else labels[tested]
        if box is None:
            return recorded_evidence("recorded answers", train, known[kept], unseen, known[tested], tested, labels)
    assert box is not None
    return asked_evidence(box, train, unseen, tested, labels, query_share, rng, model)


def recorded_evidence(
    name: str,
    train: Any,
    answers: Said,
    unseen: Any,
    answers_unseen: Said,
    rows: Ints,
    labels: NDArray[Any] | None,
) -> Evidence:
    """Return the evidence where answers are known and the black box cannot be asked for more.

    `rows` and `labels` are those of the unseen rows.
    """
    shares = np.ones(1) if isinstance(answers, NumberAnswers) else answers.probabilities
    soft = bool(((shares > 0.0) & (shares < 1.0)).any())
    return Evidence(name, soft, train, len(train), answers, unseen, answers_unseen, rows, labels, train, answers)


def asked_evidence(
    box: BlackBox,
    train: Any,
    unseen: Any,
    rows: Ints,
    labels: NDArray[Any] | None,
    query_share: float | None,
    rng: np.random.Generator,
    model: Learner,
) -> Evidence:
    """Draw queries, and ask a black box about them and about all rows; `rows` and `labels` are of the unseen ones."""
    surroundings = _surroundings(train, model)[1]
    learnt = join_rows(train, draw_queries(surroundings, _n_queries(len(train), query_share), rng).rows(train))
    probes = _probes(surroundings, train, rng)
    answers, answers_unseen, answers_probes = box.answers(learnt, unseen, probes)
    return Evidence(
        box.name, box.soft, learnt, len(train), answers, unseen, answers_unseen, rows, labels, probes, answers_probes
    )


def _local_evidence(
    box: BlackBox,
    table: Any,
    y: ArrayLike | None,
    local: Any,
    n_neighbours: int | None,
    test_size: float | None,
    query_share: float | None,
    rng: np.random.Generator,
    model: Learner,
) -> tuple[Evidence, Floats]:
    """Do the same in the neighbourhood of a case; near rows and queries get larger weights, and the case the largest.

    The case is the first of the learnt rows.
    """
    labels = _labels(y, len(table), "y")
    case = read_case(local, table)
    whole = join_rows(case, table)
    said = box.answers(whole)[0]
    schema, surroundings = _surroundings(whole, model)
    near, widened = nearest_rows(surroundings, 0, said.codes, n_neighbours)
    kept, tested = (near[rows] for rows in split_rows(said.codes[near], test_size or TEST_SIZE, rng))
    train = np.concatenate([[0], kept])
    queries = draw_queries(surroundings, _n_queries(len(train), query_share), rng, among=train)
    learnt = join_rows(take_rows(whole, train), queries.rows(whole))
    probes = _probes(surroundings, whole, rng, train)
    answers, answers_unseen, answers_probes = box.answers(learnt, take_rows(whole, tested), probes)
    distances = np.concatenate(
        [surroundings.distances(np.array([0]), train)[0], surroundings.distances_from(0, queries)]
    )
    weights = proximities(distances)
    weights[0] += CASE_WEIGHT * weights.sum()
    lines = encode(take_rows(whole, near), schema)
    place = Neighbourhood(
        n_rows=len(near),
        n_of=len(table),
        ranges=number_ranges(schema, lines),
        original=said.labels.tolist()[0],
        twin=None,
        confidence=None if isinstance(said, NumberAnswers) else float(said.probabilities[0].max()),
        widened=widened,
    )
    evidence = Evidence(
        name=box.name,
        soft=box.soft,
        learnt=learnt,
        n_rows=len(train),
        answers=answers,
        unseen=take_rows(whole, tested),
        answers_unseen=answers_unseen,
        rows=tested - 1,
        labels=None if labels is None else labels[tested - 1],
        probes=probes,
        answers_probes=answers_probes,
        case=case,
        place=place,
    )
    return evidence, weights


def split_rows(codes: Ints, test_size: float, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return the rows to learn from and those to hold out, in their order, of each class in the same shares."""
    rows = np.arange(len(codes))
    n_test = round(test_size * len(codes))
    if not 0 < n_test < len(codes):
        raise ValueError(f"{len(codes)} rows are too few to hold out {test_size:.0%} of them: pass more, or X_test")
    counts = np.bincount(codes)
    several = counts[counts > 0].min() > 1 and min(n_test, len(codes) - n_test) >= (counts > 0).sum()
    kept, tested = train_test_split(
        rows, test_size=n_test, stratify=codes if several else None, random_state=int(rng.integers(2**31 - 1))
    )
    return np.sort(kept), np.sort(tested)


def _surroundings(table: Any, model: Learner) -> tuple[Schema, Surroundings]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit warns about columns
        schema = infer_schema(table, actions=["any"], categorical=model.categorical)
    return schema, Surroundings(encode(table, schema), schema)


def _n_queries(n_rows: int, share: float | None) -> int:
    """Return the number of queries that make up a share of rows and queries together."""
    if share is not None:
        return round(n_rows * share / (1.0 - share))
    return max(0, min(round(n_rows * QUERY_SHARE / (1.0 - QUERY_SHARE)), MAX_LEARNT - n_rows))


def _probes(surroundings: Surroundings, table: Any, rng: np.random.Generator, among: Ints | None = None) -> Any:
    """Return further queries, or the rows themselves where none can be made."""
    drawn = draw_queries(surroundings, N_PROBES, rng, among)
    return drawn.rows(table) if len(drawn) else table


def _labels(y: ArrayLike | None, n_rows: int, name: str) -> NDArray[Any] | None:
    if y is None:
        return None
    labels: NDArray[Any] = column_or_1d(y)
    if len(labels) != n_rows:
        raise ValueError(f"{name} has {len(labels):,} labels for {n_rows:,} rows")
    return labels


def _require_border(evidence: Evidence) -> None:
    if len(np.unique(evidence.answers.labels)) < 2:
        where = "in the neighbourhood of the case" if evidence.place is not None else "for all rows and queries"
        remedy = "raise n_neighbours" if evidence.place is not None else "there is nothing to imitate"
        raise ValueError(f"{evidence.name} answers {evidence.answers.labels[0]!r} {where}: {remedy}")


def _learn(model: Learner, evidence: Evidence, weights: Floats | None, softness: float, front: bool) -> list[Learner]:
    """Fit the model and, for a front, others at higher prices of a condition; Ctrl-C keeps those that are there."""
    said = evidence.answers
    prices: list[float | None] = [model.parsimony]
    models: list[Learner] = []
    n_runs = 1 + len(PRICES) * front
    while prices and len(models) < n_runs:
        each: Learner = type(model)(**{**model.get_params(deep=False), "parsimony": prices.pop(0)})
        with part_of_whole(len(models), n_runs):
            if isinstance(said, NumberAnswers):
                each.fit(evidence.learnt, said.values, weights)
            else:
                price = PRICE if evidence.n_queries and parsimony_is_free(each) else 1.0
                shares = said.probabilities
                each.fit_probabilities(evidence.learnt, shares, said.classes, weights, softness=softness, price=price)
        if not models:
            prices = [max(each.parsimony_, LEAST_PRICE) * multiple for multiple in PRICES]
        if all(each.ruleset_ != other.ruleset_ for other in models):
            models.append(each)
        else:
            n_runs -= 1
        if each.stop_reason_ == "interrupted":
            break
    return models


def _best_at_price(models: Sequence[Learner], evidence: Evidence) -> Learner:
    """Return the best twin on the learnt rows at the price of a condition of the first."""
    price = models[0].parsimony_
    return max(models, key=lambda each: learnt_score(each, evidence) - price * each.ruleset_.n_conditions)
