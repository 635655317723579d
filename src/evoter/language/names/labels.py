"""Labels: what people call features, values, actions and units, given as a mapping or read from a file."""

import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evoter.rules.errors import RuleError, SchemaError, did_you_mean
from evoter.rules.schema import Schema, check_name

MAX_SIZE = 10_000_000
"""A larger file of labels is taken for an accident."""

SECTIONS = ("features", "actions", "values", "units", "decision", "target", "plurals", "singulars", "shared")


@dataclass(frozen=True, slots=True)
class Labels:
    """What people call the names in a rule set.

    Parameters
    ----------
    features : mapping
        A label for each feature by its name, in the nominative, with or without an article.
    actions : mapping
        A label for each action.
    values : mapping of mappings
        For each feature, a label for each category. For a feature that is yes or no, or 0 or 1, whole statements may
        be given instead: ``{"pregnant": {"true": "the patient is pregnant", "false": "the patient is not pregnant"}}``.
    units : mapping
        A label for each unit.
    decision : str
        What a decision is called, with its article: "the diagnosis"; of a number, what stands for "the predicted ...".
    target : str
        What numbers predict, where actions are numbers: "annual cost".
    plurals, singulars : collections of str
        Features whose labels are plurals ("the platelets are ..."), and those that only look like it.
    shared : bool
        Whether the labels are a glossary for several rule sets, in which other names may occur.

    Examples
    --------
    >>> from evoter import parse
    >>> rules = parse("sbp > 140 -> 1; Default -> 0")
    >>> labels = Labels(features={"sbp": "systolic blood pressure"}, actions={"1": "high risk", "0": "low risk"})
    >>> print(rules.to_text("plain", labels=labels))
    1. If the systolic blood pressure is above 140, the decision is high risk.
    2. In all other cases, the decision is low risk.
    """

    features: Mapping[str, str] = field(default_factory=dict)
    actions: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)
    decision: str = ""
    target: str = ""
    plurals: frozenset[str] = frozenset()
    singulars: frozenset[str] = frozenset()
    shared: bool = False

    def __post_init__(self) -> None:
        for name in ("plurals", "singulars"):
            given = getattr(self, name)
            if isinstance(given, str) or not all(isinstance(each, str) for each in given):
                raise SchemaError(f"labels: {name} must be a list of features, not {given!r}")
            object.__setattr__(self, name, frozenset(given))
        for section in (self.features, self.actions, self.units, *self.values.values()):
            if not isinstance(section, Mapping):
                raise SchemaError(f"labels: a section must map names to labels, not {section!r}")
            for name, label in section.items():
                check_name(f"the label of {name!r}", label)
        for what, name in (("the decision", self.decision), ("the target", self.target)):
            if name:
                check_name(f"labels: the name of {what}", name)

    def check(self, schema: Schema) -> None:
        """Refuse labels of names that the schema does not have, unless the labels are shared."""
        if self.shared:
            return
        self._check_target(schema)
        predicted = set() if schema.target is None else {schema.target.name}
        for name in (*self.features, *self.values, *((self.plurals | self.singulars) - predicted)):
            if name not in schema:
                raise SchemaError(f"labels: unknown feature {name!r}{did_you_mean(name, schema.names)}")
        for name in self.actions:
            if name not in schema.actions:
                raise SchemaError(f"labels: unknown action {name!r}{did_you_mean(name, schema.actions)}")
        for name, values in self.values.items():
            known = known_values(schema, name)
            for value in values:
                if value not in known:
                    raise SchemaError(f"labels: {name!r} has no value {value!r}{did_you_mean(value, known)}")
        units = {each.unit for each in (*schema.features, schema.target) if each is not None and each.unit}
        for unit in self.units:
            if unit not in units:
                raise SchemaError(f"labels: no feature has the unit {unit!r}{did_you_mean(unit, units)}")

    def _check_target(self, schema: Schema) -> None:
        """Refuse labels that numbers would ignore, and one of numbers where there are none."""
        if self.target and schema.target is None:
            raise SchemaError(f"labels: these rules predict no number that could be called {self.target!r}")
        if self.target and self.decision:
            raise SchemaError("labels: 'decision' and 'target' both say what is predicted; leave out one")
        if self.actions and schema.target is not None:
            raise SchemaError("labels: numbers have no labels; label the target, its unit, or the feature of a term")


def known_values(schema: Schema, name: str) -> tuple[str, ...]:
    """Return the values of a feature that may have labels."""
    feature = schema.feature(name)
    if feature.categories:
        return feature.categories
    if feature.is_binary:
        return ("1", "0")
    return ("true", "false") if feature.kind == "boolean" else ()


def labels_of(given: "Labels | Mapping[str, Any] | None", schema: Schema) -> Labels:
    """Return labels from what users give: `Labels`, sections as in a file, or one mapping of all names.

    In the latter, a name is that of a feature, an action or the target, and `feature=value` that of a value.

    >>> from evoter import Feature, Schema
    >>> schema = Schema([Feature("sex", "categorical", categories=("f", "m"))], ["1", "0"])
    >>> labels_of({"1": "ill", "sex=f": "female"}, schema).values
    {'sex': {'f': 'female'}}
    """
    if given is None:
        return Labels()
    if isinstance(given, Labels):
        labels = given
    elif not isinstance(given, Mapping):
        raise SchemaError(f"labels must map names to labels, not {type(given).__name__}")
    elif all(isinstance(label, str) for label in given.values()) and not _is_section_only(given, schema):
        labels = _sorted_out(given, schema)
    else:
        labels = _from_sections(given)
    labels.check(schema)
    return labels


def load_labels(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read labels from a TOML or JSON file, with sections as in `Labels` or with a label for each name."""
    place = Path(path).expanduser()
    try:
        content = place.read_bytes()
    except OSError as error:
        raise RuleError(f"cannot read the labels in {place.name!r}: {error.strerror}") from None
    if len(content) > MAX_SIZE:
        raise RuleError(f"{place.name!r} has {len(content):,} bytes; labels may have {MAX_SIZE:,}")
    try:
        text = content.decode("utf-8-sig")
        document = json.loads(text) if place.suffix.casefold() == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RuleError(f"{place.name!r} has no labels that can be read: {error}") from None
    if not isinstance(document, dict):
        raise RuleError(f"{place.name!r} must map names to labels")
    return document


def _is_section_only(given: Mapping[str, str], schema: Schema) -> bool:
    """Tell whether texts are sections of their own rather than labels of names."""
    return all(name == "decision" or (name == "target" and name not in schema) for name in given)


def _sorted_out(given: Mapping[str, str], schema: Schema) -> Labels:
    features: dict[str, str] = {}
    actions: dict[str, str] = {}
    values: dict[str, dict[str, str]] = {}
    target = ""
    for name, label in given.items():
        is_feature, is_action = name in schema, name in schema.actions
        if is_feature and is_action:
            hint = f'write {{"features": {{{name!r}: ...}}}} or {{"actions": {{{name!r}: ...}}}}'
            raise SchemaError(f"labels: {name!r} is both a feature and an action; {hint}")
        if is_feature:
            features[name] = label
        elif is_action:
            actions[name] = label
        elif schema.target is not None and name == schema.target.name:
            target = label
        else:
            feature, value = _feature_and_value(name, schema)
            values.setdefault(feature, {})[value] = label
    return Labels(features, actions, values, target=target)


def _feature_and_value(name: str, schema: Schema) -> tuple[str, str]:
    splits = [(name[:at], name[at + 1 :]) for at, sign in enumerate(name) if sign == "="]
    for feature, value in splits:
        if feature in schema:
            return feature, value
    if schema.target is not None:
        known = [*schema.names, *([schema.target.name] if schema.target.name else [])]
        raise SchemaError(f"labels: there is no feature or target {name!r}{did_you_mean(name, known)}")
    known = [*schema.names, *schema.actions]
    raise SchemaError(f"labels: there is no feature or action {name!r}{did_you_mean(name, known)}")


def _from_sections(given: Mapping[str, Any]) -> Labels:
    for name in given:
        if name not in SECTIONS:
            raise SchemaError(f"labels: unknown section {name!r}{did_you_mean(name, SECTIONS)}")
    try:
        return Labels(**given)
    except (TypeError, AttributeError):
        raise SchemaError("labels: each section must map names to labels, or list features") from None
