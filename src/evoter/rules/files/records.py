"""Track records in rule files: written beside the rules that they are about, and refused beside others."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from evoter.rules.answers.track_record import RecordPart, TrackRecord
from evoter.rules.condition import Condition
from evoter.rules.errors import RuleFileError
from evoter.rules.files.document import (
    Reader,
    check_keys,
    read_list,
    read_number,
    read_object,
    read_record,
    read_whole,
    unless,
)

MAX_ROWS = 10**12
"""No table has more rows."""

_DECIDING = ("mode", "max_lag", "rules", "default", "actions")
_NOTES = ("name", "pinned")


ConditionWriter = Callable[[Condition], dict[str, object]]


def records_tree(
    records: Sequence[TrackRecord], document: Mapping[str, Any], condition_tree: ConditionWriter
) -> dict[str, object]:
    """Return the track records of the rules of a document as Python values; `condition_tree` writes a condition."""
    return {"rules_sha256": _digest(document), "training": [_record_tree(record, condition_tree) for record in records]}


def _record_tree(record: TrackRecord, condition_tree: ConditionWriter) -> dict[str, object]:
    parts = [_figures(part) | unless([], conditions=[*map(condition_tree, part.conditions)]) for part in record.parts]
    return _figures(record) | unless([], parts=parts)


def _figures(counted: TrackRecord | RecordPart) -> dict[str, object]:
    return {"labels": counted.labels, "probabilities": counted.probabilities}


def read_records(value: object, path: str, document: Mapping[str, Any], read_condition: Reader) -> list[TrackRecord]:
    """Read track records; refuse those of other rules than the ones in the document."""
    fields = read_object(value, path)
    check_keys(fields, path, ("rules_sha256", "training"), ("rules_sha256", "training"))
    if fields["rules_sha256"] != _digest(document):
        raise RuleFileError(
            "these figures are about other rules; if you have edited the rules of the file, remove its 'statistics'",
            path=f"{path}.rules_sha256",
        )
    conditions: dict[str, Reader] = {"conditions": partial(read_list, reader=read_condition)}
    part = partial(read_record, make=RecordPart, readers=_RECORD | conditions, required=tuple(_RECORD))
    parts: dict[str, Reader] = {"parts": partial(read_list, reader=part)}
    reader = partial(read_record, make=TrackRecord, readers=_RECORD | parts, required=tuple(_RECORD))
    return read_list(fields["training"], f"{path}.training", reader)


def _digest(document: Mapping[str, Any]) -> str:
    """Return a digest of what decides: names of rules, and what features say about cells, may be edited."""
    deciding = {key: document[key] for key in _DECIDING}
    deciding["rules"] = [{key: value for key, value in rule.items() if key not in _NOTES} for rule in document["rules"]]
    deciding["ranges"] = [
        [feature.get(key) for key in ("name", "low", "high", "scaled")] for feature in document["features"]
    ]
    return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()


_RECORD: dict[str, Reader] = {
    "labels": partial(read_list, reader=partial(read_whole, low=0, high=MAX_ROWS)),
    "probabilities": partial(read_list, reader=read_number),
}
