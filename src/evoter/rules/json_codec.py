"""Rule sets as JSON: the lossless, versioned file format that the files `ruleset-N.schema.json` describe."""

import json
import os
from functools import partial
from importlib.resources import files
from typing import Any, NamedTuple

from evoter.rules.condition import SET_OPERATORS, Right
from evoter.rules.errors import RuleFileError, did_you_mean
from evoter.rules.files.document import (
    MAX_FILE_BYTES,
    Reader,
    at,
    check_keys,
    check_required,
    parse_document,
    read_certainty,
    read_choice,
    read_file,
    read_list,
    read_name,
    read_number,
    read_object,
    read_record,
    read_term_fields,
    read_truth,
    read_whole,
    refuse,
    shown,
    term_fields,
    unless,
)
from evoter.rules.files.records import read_statistics, statistics_tree
from evoter.rules.files.writing import write_file
from evoter.rules.forms.registry import FORMS, form_of
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, check_condition
from evoter.rules.numbers.actions import read_action
from evoter.rules.numbers.fields import action_tree, read_number_action, read_target, target_tree
from evoter.rules.schema import MAX_LAG, Feature, Kind, Schema, Target, check_distinct

FORMAT = "evoter-ruleset"
VERSION = 2
"""The newest version. A file is written in the oldest version that can express its rule set, for older readers."""


def dumps(ruleset: RuleSet, *, indent: int | None = 2) -> str:
    """Write a rule set as JSON text, from which `loads` makes an equal one.

    Each feature and each condition has a line of its own; with `indent=None` all is on one line.
    """
    tree = _tree(ruleset)
    if statistics := statistics_tree(ruleset, tree, _condition_tree):
        tree["statistics"] = statistics
    text = _compact(tree) if indent is None else _lay_out(tree, indent, 0)
    if len(text.encode()) >= MAX_FILE_BYTES:  # a file has one more: the end of its last line
        raise RuleFileError(f"the rule set takes more than {MAX_FILE_BYTES:,} bytes of JSON; split it")
    return text


def loads(text: str | bytes) -> RuleSet:
    """Read a rule set from JSON text; whatever is wrong with it is a `RuleFileError`.

    >>> loads('{"format": "evoter-ruleset", "version": 3}')
    Traceback (most recent call last):
    evoter.rules.errors.RuleFileError: version: this is version 3 of the format, newer than version 2; update evoter
    """
    fields = read_object(parse_document(text), "")
    version = _read_version(fields)
    is_numeric = version >= 2 and "target" in fields
    actions = "target" if is_numeric else "actions"
    readers = _DOCUMENT | {
        "features": partial(read_list, reader=partial(_read_feature, version=version)),
        "rules": partial(read_list, reader=partial(_read_rule, version=version, is_numeric=is_numeric)),
        "default": partial(_read_default, is_numeric=is_numeric),
        actions: read_target if is_numeric else partial(read_list, reader=read_name),
    }
    content = {key: value for key, value in fields.items() if key not in ("format", "version")}
    statistics = content.pop("statistics", None) if version >= 2 else None
    check_keys(content, "", ("features", actions, "rules", "default"), readers)
    ruleset = _assemble(**{key: readers[key](value, key) for key, value in content.items()})
    if statistics is None:
        return ruleset
    read_condition = partial(_read_condition, version=version)
    found = read_statistics(statistics, "statistics", _tree(ruleset), read_condition)
    return at("statistics", ruleset.replace, **found)


def save(ruleset: RuleSet, path: str | os.PathLike[str]) -> None:
    """Write a rule set to a JSON file, which is replaced all at once."""
    write_file(path, dumps(ruleset) + "\n")


def load(path: str | os.PathLike[str]) -> RuleSet:
    """Read a rule set from a JSON file."""
    return loads(read_file(path))


def json_schema(version: int = VERSION) -> dict[str, Any]:
    """Return the published JSON Schema (draft 2020-12) of a version of the format, by default the newest.

    >>> json_schema()["$id"], json_schema(1)["$id"]
    ('urn:evoter:schema:ruleset-2', 'urn:evoter:schema:ruleset-1')
    """
    if version not in range(1, VERSION + 1):
        raise ValueError(f"there is no version {version!r} of the format; the newest is {VERSION}")
    file = files("evoter.rules").joinpath(f"ruleset-{version}.schema.json")
    schema: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return schema


def _tree(ruleset: RuleSet) -> dict[str, object]:
    """Return the JSON document as Python values; what is at its default is left out, except at the top."""
    target = ruleset.schema.target
    is_numeric = target is not None
    actions = {"actions": ruleset.schema.actions} if target is None else {"target": target_tree(target)}
    return {
        "format": FORMAT,
        "version": _oldest_version(ruleset),
        "mode": ruleset.mode,
        "features": [_feature_tree(feature) for feature in ruleset.schema.features],
        **actions,
        "max_lag": ruleset.schema.max_lag,
        "rules": [_rule_tree(rule, is_numeric=is_numeric) for rule in ruleset.rules],
        "default": {"action": action_tree(ruleset.default, is_numeric=is_numeric)}
        | unless(1.0, certainty=ruleset.default_certainty),
    }


def _oldest_version(ruleset: RuleSet) -> int:
    """Return the oldest version of the format that can express a rule set."""
    of_features = (2 for feature in ruleset.schema.features if _is_of_version_2(feature))
    of_conditions = (form_of(condition).version for rule in ruleset.rules for condition in rule.conditions)
    of_statistics = (2,) if ruleset.records or ruleset.residuals or ruleset.counts is not None else ()
    of_target = () if ruleset.schema.target is None else (2,)
    return max((*of_features, *of_conditions, *of_statistics, *of_target), default=1)


def _is_of_version_2(feature: Feature) -> bool:
    of_cells = feature.missing_texts or feature.decimal_comma or feature.cells or feature.column
    return bool(of_cells) or feature.step is not None


def _feature_tree(feature: Feature) -> dict[str, object]:
    return (
        {"name": feature.name, "kind": feature.kind}
        | unless(None, low=feature.low, high=feature.high, step=feature.step)
        | unless((), categories=feature.categories)
        | unless("", unit=feature.unit)
        | unless(False, scaled=feature.scaled, missing=feature.missing)
        | unless((), missing_texts=feature.missing_texts)
        | unless(False, decimal_comma=feature.decimal_comma)
        | unless("", cells=feature.cells, column=feature.column)
    )


def _rule_tree(rule: Rule, *, is_numeric: bool) -> dict[str, object]:
    return (
        unless("", name=rule.name)
        | unless(False, pinned=rule.pinned)
        | {
            "conditions": [_condition_tree(condition) for condition in rule.conditions],
            "action": action_tree(rule.action, is_numeric=is_numeric),
        }
        | unless(1.0, certainty=rule.certainty)
    )


def _condition_tree(condition: Condition) -> dict[str, object]:
    right = form_of(condition).right_json(condition)
    return {"left": term_fields(condition.left), "operator": condition.operator} | unless(None, right=right)


def _lay_out(value: object, indent: int, depth: int) -> str:
    """Break lists of objects, and what holds them, into lines; everything else stays on one line."""
    if not _holds_objects(value):
        return _compact(value)
    start, end = "\n" + " " * indent * (depth + 1), "\n" + " " * indent * depth
    if isinstance(value, dict):
        lines = [f"{_compact(key)}: {_lay_out(item, indent, depth + 1)}" for key, item in value.items()]
        return "{" + start + f",{start}".join(lines) + end + "}"
    assert isinstance(value, list)
    return "[" + start + f",{start}".join(_lay_out(item, indent, depth + 1) for item in value) + end + "]"


def _holds_objects(value: object) -> bool:
    if isinstance(value, dict):
        return any(_holds_objects(item) for item in value.values())
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _read_version(fields: dict[str, object]) -> int:
    """Refuse other formats and versions before anything else, so that a newer file is not called malformed."""
    check_required(fields, "", ("format", "version"))
    if fields["format"] != FORMAT:
        raise RuleFileError(f'must be "{FORMAT}", not {shown(fields["format"])}', path="format")
    version = read_number(fields["version"], "version")
    if version > VERSION:
        wanted = f"this is version {version:g} of the format, newer than version {VERSION}; update evoter"
        raise RuleFileError(wanted, path="version")
    if version not in range(1, VERSION + 1):
        wanted = " or ".join(map(str, range(1, VERSION + 1)))
        raise RuleFileError(f"must be {wanted}, not {shown(fields['version'])}", path="version")
    return int(version)


def _read_feature(value: object, path: str, version: int) -> Feature:
    kind = read_choice(read_object(value, path).get("kind"), f"{path}.kind", Kind)
    readers = _FEATURE | _FEATURE_OF_KIND[kind]
    if version >= 2:
        readers |= {"missing_texts": _read_texts, "column": read_name}
        if kind is Kind.NUMERIC:
            readers |= {"decimal_comma": read_truth, "step": read_number}
        readers |= {"cells": read_name} if kind is not Kind.BOOLEAN else {}
    required = (*_FEATURE, "categories") if kind is Kind.CATEGORICAL else tuple(_FEATURE)
    return read_record(value, path, Feature, readers, required)


def _read_texts(value: object, path: str) -> list[str]:
    texts = read_list(value, path, read_name)
    if not texts:
        refuse(value, path, "a list of at least one text")
    return texts


def _read_rule(value: object, path: str, version: int, *, is_numeric: bool) -> Rule:
    readers = _RULE | _action_readers(is_numeric=is_numeric)
    readers |= {"conditions": partial(read_list, reader=partial(_read_condition, version=version))}
    return read_record(value, path, Rule, readers, ("conditions", "action"))


def _read_default(value: object, path: str, *, is_numeric: bool) -> "_Default":
    return read_record(value, path, _Default, _action_readers(is_numeric=is_numeric), ("action",))


def _action_readers(*, is_numeric: bool) -> dict[str, Reader]:
    """Return how an action is read: a name and a certainty, or a number without one."""
    return {"action": read_number_action} if is_numeric else {"action": read_name, "certainty": read_certainty}


def _read_condition(value: object, path: str, version: int) -> Condition:
    if version == 1 and isinstance(value, dict) and value.get("operator") in SET_OPERATORS:
        raise RuleFileError("sets of categories need version 2 of the format", path=f"{path}.operator")
    condition = read_record(value, path, Condition, _CONDITION, ("left", "operator"))
    form = form_of(condition)
    if form.version > version:
        raise RuleFileError(f"a {form.name} needs version {form.version} of the format", path=path)
    return condition


def _read_right(value: object, path: str) -> Right:
    found = (form.read_right_json(value, path) for form in FORMS)
    right = next((right for right in found if right is not None), None)
    if right is None:
        *others, last = [form.right_words for form in FORMS if form.right_words]
        refuse(value, path, f"{', '.join(others)} or {last}")
    return right


class _Default(NamedTuple):
    action: str
    certainty: float = 1.0


_FEATURE: dict[str, Reader] = {"name": read_name, "kind": partial(read_choice, choices=Kind)}
_FEATURE_OF_KIND: dict[Kind, dict[str, Reader]] = {
    Kind.NUMERIC: {
        "low": read_number,
        "high": read_number,
        "unit": read_name,
        "scaled": read_truth,
        "missing": read_truth,
    },
    Kind.CATEGORICAL: {"categories": partial(read_list, reader=read_name), "missing": read_truth},
    Kind.BOOLEAN: {"missing": read_truth},
}
_CONDITION: dict[str, Reader] = {
    "left": read_term_fields,
    "operator": partial(read_choice, choices=Operator),
    "right": _read_right,
}
_RULE: dict[str, Reader] = {
    "name": read_name,
    "pinned": read_truth,
}
_DOCUMENT: dict[str, Reader] = {
    "mode": partial(read_choice, choices=Mode),
    "max_lag": partial(read_whole, low=0, high=MAX_LAG),
}


def _assemble(
    features: list[Feature],
    rules: list[Rule],
    default: _Default,
    actions: list[str] | None = None,
    target: Target | None = None,
    mode: Mode = Mode.FIRST,
    max_lag: int = 0,
) -> RuleSet:
    at("features", check_distinct, "the document has the feature", [feature.name for feature in features])
    schema = at("actions", Schema, features, actions or (), max_lag, target)
    known = frozenset(schema.actions)
    check_action = _check_number if target is not None else partial(_check_action, known=known)
    check_action(default.action, "default.action", schema=schema)
    for number, rule in enumerate(rules):
        check_action(rule.action, f"rules[{number}].action", schema=schema)
        for index, condition in enumerate(rule.conditions):
            _check_condition(condition, f"rules[{number}].conditions[{index}]", schema)
    return at("rules", RuleSet, tuple(rules), default.action, schema, default.certainty, mode)


def _check_number(action: str, path: str, schema: Schema) -> None:
    if name := read_action(action).feature:
        at(f"{path}.feature", schema.position, name)


def _check_action(action: str, path: str, schema: Schema, known: frozenset[str]) -> None:
    if action not in known:
        raise RuleFileError(f"unknown action {shown(action)}{did_you_mean(action, sorted(known))}", path=path)


def _check_condition(condition: Condition, path: str, schema: Schema) -> None:
    second = "right.added" if form_of(condition).adds else "right"
    for side, term in zip(("left", second), condition.terms, strict=False):
        at(f"{path}.{side}.feature", schema.position, term.feature)
    at(path, check_condition, condition, schema)
