"""Reports: one self-contained HTML file about a rule set and what it does on some rows."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.column_summary import fingerprint
from evoter.analysis.model_inputs import match_columns, read_rows
from evoter.analysis.report.costs_section import read_costs
from evoter.analysis.report.material import (
    Material,
    Sample,
    SupportsHtml,
    probabilities_of,
    ruleset_of,
    sample_of,
    settings_of,
)
from evoter.analysis.report.number_page import number_page
from evoter.analysis.report.page import page
from evoter.evolution.fronts.front import Front
from evoter.problems import AccuracyComparison
from evoter.rules.files.writing import write_file
from evoter.rules.printing.pieces import TimeStep
from evoter.tables.groups import read_protected

TITLE = "Rules, and what they do"


def write_report(
    path: str | os.PathLike[str],
    model: Any,
    X: Any,
    y: Any = None,
    *,
    unseen: bool | None = None,
    train: tuple[Any, Any] | None = None,
    history: Mapping[str, Any] | None = None,
    front: Front | None = None,
    settings: Mapping[str, object] | None = None,
    title: str = TITLE,
    date: str | None = None,
    data_hash: str | None = None,
    row_names: Sequence[object] | None = None,
    n_examples: int = 8,
    time_step: TimeStep | None = None,
    warnings: Sequence[str] = (),
    stability: Mapping[str, Any] | None = None,
    protected: str | Sequence[str] | Mapping[str, Sequence[Any]] | None = None,
    audit: SupportsHtml | None = None,
    costs: Mapping[tuple[Any, Any], float] | Sequence[Sequence[float]] | NDArray[np.float64] | None = None,
    rows_per_case: float = 1.0,
    language: str = "en",
    labels: Any = None,
) -> Path:
    """Write a report on a rule set or a fitted estimator: one HTML file that opens anywhere, without a network.

    Its first page, which is one sheet of A4 when it is printed, has the verdict, the warnings, the rules and the
    confusion matrix. An appendix has the rules with coverage, precision, lift and support, probabilities of two
    classes, costs and groups where they are given, the use of features, some decisions explained, how the rules were
    found, the data, the settings, and fingerprints of model and data. The same arguments give the same bytes. A report
    on rules with numbers says how far off they are, and has no classes, costs or groups.

    Parameters
    ----------
    path : path
        The file to write, which is replaced all at once.
    model : RuleSet or fitted estimator
        What the report is about. An estimator supplies its history, front and settings.
    X : frame, array or panel
        Rows to measure the rules on, preferably rows that the model has not seen. Columns are found by name.
    y : sequence or None, default=None
        The labels of the rows; without them, the report does not say which decisions are right.
    unseen : bool or None, default=None
        Whether the rows were left out of training, which the report says, because figures on training rows are too
        optimistic. None means yes if `train` is given and differs from the rows, and otherwise that it is unknown.
    train : tuple (X, y) or None, default=None
        The rows that the model was trained on, whose figures are shown for comparison.
    history : mapping or None, default=None
        Columns by generation: "best", and any of "generation", "validation", "n_conditions", "evaluations", "seconds".
        None takes the estimator's.
    front : Front or None, default=None
        The front that the model was chosen from; None takes the estimator's.
    settings : mapping or None, default=None
        What the model was made with; None takes the estimator's parameters that differ from their defaults.
    title : str
        The heading.
    date : str or None, default=None
        A date to print under the heading.
    data_hash : str or None, default=None
        The SHA-256 of the file that the data came from, which is printed with those of the rows and of the model.
    row_names : sequence or None, default=None
        The names of the rows; None takes the index of a pandas frame, or counts from 0.
    n_examples : int, default=8
        Maximum number of rows whose decision is explained. Their values can be read in the report: 0 shows none.
    time_step : tuple or None, default=None
        The duration of one step of a series, such as (30, "min"); lags are then printed as times.
    warnings : sequence of str
        What the reader should know about the data, one sentence each; shown above the rules.
    stability : mapping or None, default=None
        What runs with other seeds have in common, as `evoter fit --repeat` records it.
    protected : str, sequence of str, mapping or None, default=None
        Columns of the rows whose groups are compared: cases, decisions and accuracy of each. A mapping from a name to
        one value for each row serves for columns that are not in the table.
    audit : Audit or None, default=None
        What `evoter.audit` found on the rows, to be shown in a section of its own.
    costs : mapping, matrix or None, default=None
        What decisions cost: a mapping from pairs (label, decision), of which others cost nothing, or a matrix of labels
        (rows) and decisions (columns) in the order of the rule set's actions.
    rows_per_case : float, default=1.0
        How many rows describe one case on average, such as the visits of a patient: what is needed to tell whether
        chance explains that unseen rows have a lower accuracy than those of `train`. If it does not, a warning says so.
    language : str, default="en"
        The language of the rules in plain words, which stand below the rules in the appendix.
    labels : mapping or None, default=None
        What names are called there, as in `RuleSet.to_text`.

    Returns
    -------
    Path
        The file.

    Examples
    --------
    >>> from evoter import parse, write_report
    >>> rules = parse("age > 60 -> old; Default -> young")
    >>> path = write_report("report.html", rules, [{"age": 36}, {"age": 81}], ["young", "old"])  # doctest: +SKIP
    """
    if not Path(path).parent.is_dir():
        raise FileNotFoundError(f"there is no directory {str(Path(path).parent)!r}: create it, or choose another path")
    content = report_page(
        model,
        X,
        y,
        unseen=unseen,
        train=train,
        history=history,
        front=front,
        settings=settings,
        title=title,
        date=date,
        data_hash=data_hash,
        row_names=row_names,
        n_examples=n_examples,
        time_step=time_step,
        warnings=warnings,
        stability=stability,
        protected=protected,
        audit=audit,
        costs=costs,
        rows_per_case=rows_per_case,
        language=language,
        labels=labels,
    )
    write_file(path, content)
    return Path(path)


def report_page(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    unseen: bool | None = None,
    train: tuple[Any, Any] | None = None,
    history: Mapping[str, Any] | None = None,
    front: Front | None = None,
    settings: Mapping[str, object] | None = None,
    title: str = TITLE,
    date: str | None = None,
    data_hash: str | None = None,
    row_names: Sequence[object] | None = None,
    n_examples: int = 8,
    time_step: TimeStep | None = None,
    warnings: Sequence[str] = (),
    stability: Mapping[str, Any] | None = None,
    protected: str | Sequence[str] | Mapping[str, Sequence[Any]] | None = None,
    audit: SupportsHtml | None = None,
    costs: Mapping[tuple[Any, Any], float] | Sequence[Sequence[float]] | NDArray[np.float64] | None = None,
    rows_per_case: float = 1.0,
    language: str = "en",
    labels: Any = None,
) -> str:
    """Return the report that `write_report`, which explains the parameters, would write."""
    if n_examples < 0:
        raise ValueError(f"n_examples must be 0 or more, not {n_examples}")
    ruleset = ruleset_of(model)
    if ruleset.schema.target is not None:
        refused = {"costs": costs, "protected": protected, "audit": audit, "stability": stability, "front": front}
        for name, value in refused.items():
            if value is not None:
                raise ValueError(f"{name} is about classes or several runs: a report on rules with numbers has none")
        found = (
            dict(zip(model.schema_.names, model.feature_importances_.tolist(), strict=True))
            if (hasattr(model, "feature_importances_"))
            else {}
        )
        if unseen is None and train is not None:
            unseen = fingerprint(X, y) != fingerprint(*train)
        return number_page(
            match_columns(model, ruleset, X),
            X,
            y,
            rows_called={True: "unseen rows", False: "training rows", None: "rows given"}[unseen],
            train=train,
            history=getattr(model, "history_", None) if history is None else history,
            importances=found,
            settings=settings_of(model) if settings is None else settings,
            title=title,
            date=date,
            data_hash=data_hash,
            n_examples=n_examples,
            row_names=row_names,
            warnings=warnings,
        )
    rows = read_rows(model, X)
    readable = match_columns(model, ruleset, rows)
    sample = sample_of(readable, rows, y)
    if row_names is not None and len(row_names) != sample.statistics.n_rows:
        raise ValueError(f"there are {sample.statistics.n_rows} rows and {len(row_names)} row_names: give one each")
    trained_on = None if train is None else sample_of(readable, read_rows(model, train[0]), train[1])
    if unseen is None and trained_on is not None:
        unseen = sample.fingerprint != trained_on.fingerprint
    material = Material(
        title=title,
        ruleset=ruleset,
        readable=readable,
        sample=sample,
        unseen=unseen,
        train=trained_on,
        history=getattr(model, "history_", None) if history is None else history,
        front=getattr(model, "front_", None) if front is None else front,
        settings=settings_of(model) if settings is None else settings,
        data_hash=data_hash,
        date=date,
        row_names=row_names,
        n_examples=n_examples,
        time_step=time_step,
        warnings=[*warnings, *(_overfitting(model, trained_on, sample, rows_per_case) if unseen else ())],
        stability=stability,
        probabilities=probabilities_of(model, sample, trained_on),
        weighted_classes=getattr(model, "class_weight", None) is not None,
        costs=None if costs is None else read_costs(costs, ruleset.schema.actions),
        protected=read_protected(protected, X),
        audit=audit,
        guardrails=rails.sentences() if (rails := getattr(model, "guardrails_", None)) else (),
        language=language,
        labels=labels,
    )
    return page(material)


def _overfitting(model: Any, train: Sample | None, unseen: Sample, rows_per_case: float) -> list[str]:
    """Return the sentence about overfitting if there is any."""
    if train is None or train.statistics.confusion is None or unseen.statistics.confusion is None:
        return []
    comparison = AccuracyComparison(
        train.statistics.confusion.n_right,
        train.statistics.n_rows,
        unseen.statistics.confusion.n_right,
        unseen.statistics.n_rows,
        rows_per_case,
        getattr(model, "parsimony_", None),
    )
    return [comparison.sentence] if comparison.overfitted else []
