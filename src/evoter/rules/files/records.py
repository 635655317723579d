"""Track records and counts in rule files: written beside the rules that they are about, and refused beside others."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from evoter.rules.answers.rule_counts import RuleCounts
from evoter.rules.answers.track_record import RecordPart, TrackRecord
from evoter.rules.condition import Condition
from evoter.rules.errors import RuleFileError
from evoter.rules.files.document import (
    Reader,
    check_keys,
    read_list,
    read_name,
    read_number,
    read_object,
    read_record,
    read_whole,
    unless,
)
from evoter.rules.model import RuleSet
from evoter.rules.numbers.residuals import Residuals

MAX_CASES = 10**12
"""No table has more rows."""

_DECIDING = ("mode", "max_lag", "rules", "default", "actions", "target")
_NOTES = ("name", "pinned")

ConditionWriter = Callable[[Condition], dict[str, object]]


def statistics_tree(
    ruleset: RuleSet, document: Mapping[str, Any], condition_tree: ConditionWriter
) -> dict[str, object]:
    """Return what is known about the rules of a document as Python values; empty if that is nothing.

    `condition_tree` writes a condition.
    """
    found: dict[str, object] = {}
    if ruleset.records:
        found["training"] = [_record_tree(record, condition_tree) for record in ruleset.records]
    if ruleset.residuals:
        found["residuals"] = [asdict(each) for each in ruleset.residuals]
    if ruleset.counts is not None:
        counts = ruleset.counts
        found["counts"] = {"data": counts.data, "cases": counts.cases, "times_applied": counts.times_applied} | (
            {"times_decided": counts.times_decided} if counts.times_decided else {}
        )
    return {"rules_sha256": _digest(document), **found} if found else {}


def _record_tree(record: TrackRecord, condition_tree: ConditionWriter) -> dict[str, object]:
    parts = [_figures(part) | unless([], conditions=[*map(condition_tree, part.conditions)]) for part in record.parts]
    return _figures(record) | unless([], parts=parts)


def _figures(counted: TrackRecord | RecordPart) -> dict[str, object]:
    return {"labels": counted.labels, "probabilities": counted.probabilities}


def read_statistics(value: object, path: str, document: Mapping[str, Any], read_condition: Reader) -> dict[str, Any]:
    """Read track records and counts; refuse those of other rules than the ones in the document."""
    fields = read_object(value, path)
    readers = _statistics(read_condition)
    check_keys(fields, path, ("rules_sha256",), ("rules_sha256", *readers))
    if fields["rules_sha256"] != _digest(document):
        raise RuleFileError(
            "these figures are about other rules; if you have edited the rules of the file, remove its 'statistics'",
            path=f"{path}.rules_sha256",
        )
    if len(fields) == 1:
        raise RuleFileError(f"must have {' or '.join(map(repr, readers))}; remove it if there are none", path=path)
    return {name: reader(fields[key], f"{path}.{key}") for key, (name, reader) in readers.items() if key in fields}


def _digest(document: Mapping[str, Any]) -> str:
    """Return a digest of what decides: names of rules, and what features say about cells, may be edited."""
    deciding = {key: document[key] for key in _DECIDING if key in document}
    deciding["rules"] = [{key: value for key, value in rule.items() if key not in _NOTES} for rule in document["rules"]]
    deciding["ranges"] = [
        [feature.get(key) for key in ("name", "low", "high", "scaled")] for feature in document["features"]
    ]
    return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()


_COUNTS: Reader = partial(read_list, reader=partial(read_whole, low=0, high=MAX_CASES))
_RECORD: dict[str, Reader] = {"labels": _COUNTS, "probabilities": partial(read_list, reader=read_number)}
_RESIDUALS: dict[str, Reader] = {
    "cases": partial(read_whole, low=0, high=MAX_CASES),
    "below": read_number,
    "above": read_number,
    "error": read_number,
    "level": read_number,
}
_RULE_COUNTS: dict[str, Reader] = {
    "data": read_name,
    "cases": partial(read_whole, low=0, high=MAX_CASES),
    "times_applied": _COUNTS,
    "times_decided": _COUNTS,
}


def _statistics(read_condition: Reader) -> dict[str, tuple[str, Reader]]:
    """Return the parts of the statistics of a file: the attribute of a rule set that each becomes, and its reader."""
    conditions: dict[str, Reader] = {"conditions": partial(read_list, reader=read_condition)}
    part = partial(read_record, make=RecordPart, readers=_RECORD | conditions, required=tuple(_RECORD))
    parts: dict[str, Reader] = {"parts": partial(read_list, reader=part)}
    record = partial(read_record, make=TrackRecord, readers=_RECORD | parts, required=tuple(_RECORD))
    required = ("data", "cases", "times_applied")
    counts = partial(read_record, make=RuleCounts, readers=_RULE_COUNTS, required=required)
    residuals = partial(read_record, make=Residuals, readers=_RESIDUALS, required=tuple(_RESIDUALS))
    return {
        "training": ("records", partial(read_list, reader=record)),
        "residuals": ("residuals", partial(read_list, reader=residuals)),
        "counts": ("counts", counts),
    }
