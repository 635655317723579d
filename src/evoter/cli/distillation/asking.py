"""What a model answers on the rows of a table, asked or read from columns, and the true answers if they are known."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from evoter.cli.distillation.answers import ANSWER, read_probability_columns, split_column_names, with_answers
from evoter.cli.distillation.models import black_box_of, load_model
from evoter.cli.fit.column_roles import CLASSES, NUMBERS, Choices, Plan, plan_columns, read_labels
from evoter.cli.output import Failure
from evoter.cli.tables.files import Source, unknown_column
from evoter.distillation.black_boxes import BlackBox, NumberAnswers, Said, read_answers
from evoter.tables.intake.cells import to_numbers


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """The columns of a table, the answers about its rows, and the model, if it can be asked about others."""

    plan: Plan
    answers: Said
    box: BlackBox | None
    name: str


def ask_about(
    source: Source,
    choices: Choices,
    model: str | None,
    predictions: str | None,
    probabilities: Sequence[str],
    *,
    trusted: bool,
) -> Asked:
    """Plan the columns, and find out what the model answers on every row."""
    if predictions is not None:
        plan = plan_columns(source, replace(choices, target=predictions))
        said = (
            read_answers(np.array(plan.labels), None, "the column")
            if plan.numbers is None
            else NumberAnswers(np.array(plan.numbers))
        )
        return Asked(plan, said, None, f"the column {predictions!r}")
    if probabilities:
        named = split_column_names(probabilities, source)
        shares = read_probability_columns(source, named)
        chosen = replace(choices, target=ANSWER, dropped=(*choices.dropped, *named), task=CLASSES)
        plan = plan_columns(with_answers(source, shares.labels.tolist()), chosen)
        return Asked(plan, shares, None, "the columns of probabilities")
    assert model is not None
    return _ask_model(source, choices, model, load_model(model, trusted=trusted))


def _ask_model(source: Source, choices: Choices, name: str, model: Any) -> Asked:
    # What columns are does not depend on the answers, which need the columns: so two classes in turn at first.
    provisional = with_answers(source, ["a" if row % 2 else "b" for row in range(source.n_rows)])
    plan = plan_columns(provisional, replace(choices, target=ANSWER, task=CLASSES))
    box = black_box_of(model, name, plan.frame.columns, choices.task)
    said = _answers_of(box, plan)
    if not isinstance(said, NumberAnswers):
        answered = with_answers(source, said.labels.tolist())
        return Asked(plan_columns(answered, replace(choices, target=ANSWER, task=CLASSES)), said, box, name)
    numbers = said.values.tolist()
    if len(set(numbers)) < 2:
        raise Failure(f"{name} predicts {numbers[0]:g} for every row", "there is nothing to imitate")
    mark = "," if source.decimal_comma else "."
    answered = with_answers(source, [repr(number).replace(".", mark) for number in numbers])
    plan = plan_columns(answered, replace(choices, target=ANSWER, task=NUMBERS))
    return Asked(replace(plan, numbers=tuple(numbers)), said, box, name)


def _answers_of(box: BlackBox, plan: Plan) -> Said:
    try:
        said: Said = box.answers(plan.frame)[0]
    except Failure:
        raise
    except Exception as error:  # the model is anybody's code
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        hint = "the model is asked with the columns that rules read; --drop, --numeric and --category change them"
        raise Failure(f"{box.name} cannot answer: {reason}", hint) from None
    return said


def true_answers(source: Source, target: str, asked: Asked) -> NDArray[Any]:
    """Return the true classes or numbers of the rows that the model answers on."""
    if target not in source.names:
        raise unknown_column(target, source.names, source.name)
    labels = read_labels(source, target, ())
    what = "class" if asked.plan.numbers is None else "number"
    for row in asked.plan.rows:
        if labels[row] is None:
            raise Failure(f"{target!r} has no {what} in row {row + 1}", "fill it in, or leave out --target")
    present = [labels[row] for row in asked.plan.rows]
    if asked.plan.numbers is not None:
        return _true_numbers(present, target, source)
    return _true_classes(present, target, asked)


def _true_classes(labels: list[str | None], target: str, asked: Asked) -> NDArray[Any]:
    """Return the classes as they are; none of them being an answer means that classes were not named alike."""
    true, answered = set(labels), set(asked.plan.labels)
    if not answered & true:
        known, other = (", ".join(repr(name) for name in sorted(map(str, names))[:5]) for names in (true, answered))
        hint = "name the classes alike; for a column of probabilities: --probabilities COLUMN=CLASS"
        raise Failure(f"{target!r} has the classes {known}, and none of the answers is one of them: {other}", hint)
    return np.array(labels)


def _true_numbers(labels: list[str | None], target: str, source: Source) -> NDArray[Any]:
    numbers = to_numbers(pl.Series(labels, dtype=pl.String), decimal_comma=source.decimal_comma)
    for text, number in zip(labels, numbers.to_list(), strict=True):
        if number is None or not np.isfinite(number):
            hint = "name the column of true numbers, or add --task classes if the answers are classes"
            raise Failure(f"the model predicts numbers, and {target!r} holds {text!r}, which is none", hint)
    return numbers.to_numpy()
