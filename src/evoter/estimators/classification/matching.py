"""Rules that were written elsewhere, matched with a model: features by name and kind, actions with classes."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evoter.estimators.labels import action_names, read_labels
from evoter.kernels.layout import Ints
from evoter.rules.answers.track_record import RecordPart, TrackRecord
from evoter.rules.errors import did_you_mean
from evoter.rules.model import RuleSet
from evoter.rules.modes import Task, check_mode
from evoter.rules.schema import Schema

_TRUTHS = {"true": True, "false": False}


def match_rules(ruleset: RuleSet, schema: Schema) -> RuleSet:
    """Return the rules over the features they read, with the actions of a schema in its order.

    Refuses features that the schema does not have or has with another kind, and other actions.
    """
    check_mode(ruleset.mode, Task.CLASSIFICATION)
    for name in ruleset.features_used:
        if name not in schema:
            hint = did_you_mean(name, schema.names)
            raise ValueError(f"the rules read {name!r}, which is no feature of the training data{hint}")
        own, known = ruleset.schema.feature(name).kind, schema.feature(name).kind
        if own is not known:
            raise ValueError(f"the rules read {name!r} as {own}, and in the training data it is {known}")
    for action in decided_actions(ruleset):
        if action not in schema.actions:
            hint = did_you_mean(action, schema.actions)
            raise ValueError(f"the rules decide {action!r}, which is no class of the training data{hint}")
    return with_actions(ruleset, schema.actions)


def decided_actions(ruleset: RuleSet) -> tuple[str, ...]:
    """Return the actions of the rules and of the default, each once, in the order of the schema."""
    decided = {*(rule.action for rule in ruleset.rules), ruleset.default}
    return tuple(action for action in ruleset.schema.actions if action in decided)


def with_actions(ruleset: RuleSet, actions: Sequence[str]) -> RuleSet:
    """Return rules over the features they read, with other actions that include their own."""
    read = ruleset.restricted()
    schema = Schema(read.schema.features, actions, read.schema.max_lag)
    if not read.records or not set(read.schema.actions) <= set(actions):
        return read.replace(schema=schema)
    return read.replace(
        schema=schema, records=[_reordered(each, read.schema.actions, actions) for each in read.records]
    )


def _reordered(record: TrackRecord, before: Sequence[str], after: Sequence[str]) -> TrackRecord:
    """Return a track record in another order of actions; those that it does not know never occurred."""

    def figures(counted: TrackRecord | RecordPart) -> tuple[tuple[int, ...], tuple[float, ...]]:
        labels = dict(zip(before, counted.labels, strict=True))
        probabilities = dict(zip(before, counted.probabilities, strict=True))
        return tuple(labels.get(name, 0) for name in after), tuple(probabilities.get(name, 0.0) for name in after)

    return TrackRecord(*figures(record), tuple(RecordPart(*figures(part), part.conditions) for part in record.parts))


def joined_schema(own: Schema, known: Schema, readable: Collection[str]) -> Schema:
    """Return a schema of all features whose columns can be read, of which those of the rules are as the rules say."""
    features = [own.feature(each.name) if each.name in own else each for each in known.features]
    kept = [feature for feature in features if feature.name in own or feature.name in readable]
    return own.over(kept)


def class_codes(y: ArrayLike | None, classes: NDArray[Any]) -> Ints:
    """Return the index of each label among known classes."""
    found, codes = read_labels(y)
    unknown = [label for label in found.tolist() if label not in classes.tolist()]
    if unknown:
        raise ValueError(f"y has the class {unknown[0]!r}, which is no class of the training data: {classes.tolist()}")
    return np.searchsorted(classes, found)[codes].astype(np.int64)


def join_classes(classes: NDArray[Any], ruleset: RuleSet) -> tuple[NDArray[Any], list[str]]:
    """Return all classes, those of the labels and those that rules decide, in order, and their actions.

    >>> from evoter.rules.parser import parse
    >>> join_classes(np.array([0, 1]), parse("age > 60 -> 2; Default -> 1"))
    (array([0, 1, 2]), ['0', '1', '2'])
    """
    names, decided = action_names(classes), decided_actions(ruleset)
    if not set(names) & set(decided):
        raise ValueError(
            f"the rules decide {_listed(decided)}, and none of these is a class of y, which has {_listed(names)}: is y "
            "another column, or are its labels coded otherwise?"
        )
    others = [_label(action, classes, names) for action in decided if action not in names]
    if not others:
        return classes, names
    # Each array of text is as wide as its longest element; joining them makes room for both.
    joined = np.unique(np.concatenate([classes, np.array(others, object if classes.dtype == object else None)]))
    return joined, action_names(joined)


def _label(action: str, classes: NDArray[Any], names: Sequence[str]) -> object:
    """Return the label that an action stands for, of the type of the classes."""
    kind = classes.dtype.kind
    label: object = None
    if kind in "UOT":
        label = action
    elif kind == "b":
        label = _TRUTHS.get(action)
    else:
        try:
            label = float(action) if kind == "f" else int(action)
        except ValueError:
            label = None
    if label is None:
        raise ValueError(f"the rules decide {action!r}, which cannot be a class of y, which has {_listed(names)}")
    return label


def _listed(names: Sequence[str]) -> str:
    shown = [repr(name) for name in names[:5]]
    return ", ".join([*shown, "..."] if len(names) > len(shown) else shown)
