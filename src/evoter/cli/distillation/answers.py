"""Columns of a table that hold the answers of a model: the classes it predicts, or a probability for each class."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from evoter.cli.output import Failure
from evoter.cli.tables.files import Source, unknown_column

if TYPE_CHECKING:
    from evoter.distillation.black_boxes import Answers

ANSWER = "answer of the model"
"""The name of the column of answers where the table has none."""


def split_column_names(columns: Sequence[str], source: Source) -> dict[str, str]:
    """Return the class of each column of probabilities, from `COLUMN` or `COLUMN=CLASS`."""
    read: dict[str, str] = {}
    for text in columns:
        name, _, label = (text, "", text) if text in source.names else (part.strip() for part in text.rpartition("="))
        name = name or label
        if name not in source.names:
            raise unknown_column(name, source.names, source.name)
        if name in read or label in read.values():
            raise Failure(f"--probabilities names {text!r} twice", "name each column and each class once")
        read[name] = label
    if len(read) < 2:
        raise Failure(
            "--probabilities needs a column for each of two or more classes",
            "repeat it: --probabilities p_low=low --probabilities p_high=high",
        )
    return read


def read_probability_columns(source: Source, classes: dict[str, str]) -> "Answers":
    """Return the probabilities that some columns hold, for every row of the table."""
    import numpy as np

    from evoter.distillation.black_boxes import Answers
    from evoter.estimators.labels import read_probabilities
    from evoter.tables.intake.cells import present_text, to_numbers

    columns = []
    for name in classes:
        text = present_text(source.frame[name], source.missing)
        numbers = to_numbers(text, decimal_comma=source.decimal_comma)
        if numbers.null_count():
            row = numbers.is_null().arg_max() or 0
            raise Failure(f"{name!r} is no probability in row {row + 1}", "every row needs a number from 0 to 1")
        columns.append(numbers.to_numpy())
    try:
        return Answers(*read_probabilities(np.column_stack(columns), np.array([*classes.values()])))
    except ValueError as error:
        raise Failure(str(error)) from None


def with_answers(source: Source, labels: Sequence[str]) -> Source:
    """Return a table with a column of answers."""
    import polars as pl

    if ANSWER in source.names:
        raise Failure(f"the table has a column {ANSWER!r} already", "rename it")
    return replace(source, frame=source.frame.with_columns(pl.Series(ANSWER, labels)))
