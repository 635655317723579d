"""Track records and counts in rule files: written beside the rules that they are about, and refused beside others."""

import hashlib
import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from evoter.rules.answers.rule_counts import RuleCounts
from evoter.rules.answers.track_record import TrackRecord
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
)
from evoter.rules.model import RuleSet

MAX_CASES = 10**12
"""No table has more rows."""

_DECIDING = ("mode", "max_lag", "rules", "default", "actions")
_NOTES = ("name", "pinned")


def statistics_tree(ruleset: RuleSet, document: Mapping[str, Any]) -> dict[str, object]:
    """Return what is known about the rules of a document as Python values; empty if that is nothing."""
    found: dict[str, object] = {}
    if ruleset.records:
        found["training"] = [
            {"labels": record.labels, "probabilities": record.probabilities} for record in ruleset.records
        ]
    if ruleset.counts is not None:
        counts = ruleset.counts
        found["counts"] = {"data": counts.data, "cases": counts.cases, "times_applied": counts.times_applied} | (
            {"times_decided": counts.times_decided} if counts.times_decided else {}
        )
    return {"rules_sha256": _digest(document), **found} if found else {}


def read_statistics(value: object, path: str, document: Mapping[str, Any]) -> dict[str, Any]:
    """Read track records and counts; refuse those of other rules than the ones in the document."""
    fields = read_object(value, path)
    check_keys(fields, path, ("rules_sha256",), ("rules_sha256", *_STATISTICS))
    if fields["rules_sha256"] != _digest(document):
        raise RuleFileError(
            "these figures are about other rules; if you have edited the rules of the file, remove its 'statistics'",
            path=f"{path}.rules_sha256",
        )
    if len(fields) == 1:
        raise RuleFileError(f"must have {' or '.join(map(repr, _STATISTICS))}; remove it if there are none", path=path)
    return {name: reader(fields[key], f"{path}.{key}") for key, (name, reader) in _STATISTICS.items() if key in fields}


def _digest(document: Mapping[str, Any]) -> str:
    """Return a digest of what decides: names of rules, and what features say about cells, may be edited."""
    deciding = {key: document[key] for key in _DECIDING}
    deciding["rules"] = [{key: value for key, value in rule.items() if key not in _NOTES} for rule in document["rules"]]
    deciding["ranges"] = [
        [feature.get(key) for key in ("name", "low", "high", "scaled")] for feature in document["features"]
    ]
    return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()


_COUNTS: Reader = partial(read_list, reader=partial(read_whole, low=0, high=MAX_CASES))
_RECORD: dict[str, Reader] = {"labels": _COUNTS, "probabilities": partial(read_list, reader=read_number)}
_RULE_COUNTS: dict[str, Reader] = {
    "data": read_name,
    "cases": partial(read_whole, low=0, high=MAX_CASES),
    "times_applied": _COUNTS,
    "times_decided": _COUNTS,
}
_STATISTICS: dict[str, tuple[str, Reader]] = {
    "training": (
        "records",
        partial(read_list, reader=partial(read_record, make=TrackRecord, readers=_RECORD, required=tuple(_RECORD))),
    ),
    "counts": (
        "counts",
        partial(read_record, make=RuleCounts, readers=_RULE_COUNTS, required=("data", "cases", "times_applied")),
    ),
}
"""The parts of the statistics of a file: the attribute of a rule set that each becomes, and how it is read."""
