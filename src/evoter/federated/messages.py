"""What coordinator and sites say to each other: requests and answers, written to bytes and read with checks.

A request carries all that a site needs to answer it, so that a site may be restarted between any two of them. The same
bytes go to all sites.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evoter.federated.errors import MessageError, RefusedError
from evoter.federated.frames import read_frame, write_frame
from evoter.federated.populations import CodedRuleSets
from evoter.federated.summaries import Summary
from evoter.federated.sums import MAX_SUMS, Sums
from evoter.kernels.layout import Floats, Ints, Words
from evoter.rules.errors import RuleError, RuleFileError
from evoter.rules.files.document import (
    read_field,
    read_name,
    read_object,
    read_truth,
    read_whole,
    refuse,
)
from evoter.rules.json_codec import dumps, loads
from evoter.rules.model import RuleSet
from evoter.rules.schema import Kind, Schema

MAX_CUTS: Final = 4_096
"""How finely a request may divide one feature at most."""

MAX_CELLS: Final = 8 * 2**20
"""How many counts a request may ask for at most."""

MAX_SITES: Final = 1_000
MAX_REASON: Final = 1_000

INSERT: Final = -1
"""In place of a condition: the moved condition would begin a new rule, before the given one."""

EXTEND: Final = -2
"""In place of a condition: the moved condition would be added to the rule."""

_N_CONTEXT: Final = 3


@dataclass(frozen=True, slots=True)
class Describe:
    """Asks what the columns of a site are."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What all sites count by: the schema, and with secure aggregation the public keys of the participants by name."""

    schema: Schema
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sketch:
    """Asks how many rows lie between edges: for each numeric feature of the schema, edges in ascending order."""

    agreement: Agreement
    edges: tuple[Floats, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """Asks for the number of rows of each class that each rule of some rule sets decides, and last the default."""

    agreement: Agreement
    population: CodedRuleSets


@dataclass(frozen=True, slots=True)
class Moves:
    """Asks what one condition at some place of a rule set would decide: histograms of all features.

    A context is a row of `contexts`: the rule set, the rule, and the number of the condition that is left out, or
    `EXTEND` or `INSERT`. Its rows are those that no earlier rule decides and the other conditions of the rule hold on.
    They are counted by feature, bin, class, and the action that follows where the rule does not hold. After all
    features come `sums` of two of them, as if they were features; `cuts` has the grids of numeric features and of sums.
    """

    agreement: Agreement
    cuts: tuple[Floats, ...]
    population: CodedRuleSets
    contexts: Ints
    sums: Sums = field(default_factory=Sums.none)


Request = Describe | Sketch | Tables | Moves


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of a site, masked or not; `n_tables_left` is what its budget leaves, if it has one."""

    counts: Ints | Words
    n_tables_left: int | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a site does not answer."""

    reason: str
    is_spent: bool = False


Answer = Summary | Counted | Refusal


def write_request(request: Request) -> bytes:
    """Write a request."""
    match request:
        case Describe():
            return write_frame({"request": "describe"}, {})
        case Sketch():
            return write_frame(_head("sketch", request.agreement), _joined("edges", request.edges))
        case Tables():
            return write_frame(_head("tables", request.agreement), request.population.arrays())
        case Moves():
            arrays = _joined("cuts", request.cuts) | request.population.arrays() | {"contexts": request.contexts}
            arrays |= {"sum_pairs": request.sums.pairs, "sum_weights": request.sums.weights}
            return write_frame(_head("moves", request.agreement), arrays)


def read_request(message: bytes) -> Request:
    """Read a request; whatever is wrong with it is a `MessageError`."""
    frame = read_frame(message)
    try:
        kind = read_field(frame.fields, "", "request", read_name)
        if kind == "describe":
            return Describe()
        agreement = read_field(frame.fields, "", "agreement", _read_agreement)
        if kind == "sketch":
            return Sketch(agreement, _divided(frame.arrays, "edges", agreement.schema))
        if kind not in ("tables", "moves"):
            refuse(kind, "request", "describe, sketch, tables or moves")
        population = CodedRuleSets.from_arrays(frame.arrays, agreement.schema)
        if kind == "tables":
            return Tables(agreement, population)
        sums = _read_sums(frame.arrays, agreement.schema)
        cuts = _divided(frame.arrays, "cuts", agreement.schema, n_more=len(sums))
        return Moves(agreement, cuts, population, _read_contexts(frame.arrays, population), sums)
    except RuleFileError as error:
        raise MessageError(f"a request cannot be read: {error}") from None


def write_answer(answer: Answer) -> bytes:
    """Write an answer."""
    match answer:
        case Summary():
            return write_frame({"answer": "summary", "summary": answer.tree()}, {})
        case Counted():
            return write_frame({"answer": "counts", "tables_left": answer.n_tables_left}, {"counts": answer.counts})
        case Refusal():
            fields = {"answer": "refusal", "reason": answer.reason[:MAX_REASON], "is_spent": answer.is_spent}
            return write_frame(fields, {})


def read_answer(message: bytes) -> Answer:
    """Read an answer; whatever is wrong with it is a `MessageError`."""
    frame = read_frame(message)
    try:
        kind = read_field(frame.fields, "", "answer", read_name)
        if kind == "summary":
            return read_field(frame.fields, "", "summary", Summary.read)
        if kind == "refusal":
            reason = read_field(frame.fields, "", "reason", _read_text)
            return Refusal(reason, read_field(frame.fields, "", "is_spent", read_truth))
        if kind != "counts":
            refuse(kind, "answer", "summary, counts or refusal")
        left = frame.fields.get("tables_left")
        counts = _array(frame.arrays, "counts", 1)
        if counts.dtype.kind == "f":
            raise MessageError("counts must be whole numbers")
        return Counted(counts, None if left is None else read_whole(left, "tables_left", 0, 2**53))
    except RuleFileError as error:
        raise MessageError(f"an answer cannot be read: {error}") from None


def n_bins(schema: Schema, cuts: tuple[Floats, ...]) -> list[int]:
    """Return the number of bins of each feature: between its cuts or for its categories, others, and missing values.

    Cuts that no feature has are those of sums, whose bins come last.
    """
    numeric = iter(cuts)
    sizes = []
    for feature in schema.features:
        if feature.kind is Kind.NUMERIC:
            sizes.append(len(next(numeric)) + 2)
        else:
            sizes.append((2 if feature.kind is Kind.BOOLEAN else len(feature.categories)) + 2)
    return sizes + [len(some) + 2 for some in numeric]


def n_counts(request: Sketch | Tables | Moves) -> int:
    """Return how many counts a request asks for."""
    n_classes = len(request.agreement.schema.actions)
    match request:
        case Sketch():
            return sum(len(edges) + 2 for edges in request.edges)
        case Tables():
            return int((request.population.n_rules + 1).sum()) * n_classes
        case Moves():
            return len(request.contexts) * sum(n_bins(request.agreement.schema, request.cuts)) * n_classes**2


def n_tables(request: Sketch | Tables | Moves) -> int:
    """Return how many times each row is counted at most, which is what the budget of noise is spent for."""
    match request:
        case Sketch():
            return len(request.edges)
        case Tables():
            return len(request.population.n_rules)
        case Moves():
            return len(request.contexts) * (len(request.agreement.schema.features) + len(request.sums))


def check_size(request: Sketch | Tables | Moves) -> None:
    """Refuse a request for more counts than a message may have."""
    if n_counts(request) > MAX_CELLS:
        raise RefusedError(f"the request asks for {n_counts(request):,} counts, and {MAX_CELLS:,} are the most")


def _head(kind: str, agreement: Agreement) -> dict[str, object]:
    # The document of a rule set without rules is a schema, and its reader is strict.
    schema = dumps(RuleSet((), agreement.schema.actions[0], agreement.schema), indent=None)
    return {"request": kind, "agreement": {"schema": schema, "keys": dict(sorted(agreement.keys.items()))}}


def _read_agreement(value: object, path: str) -> Agreement:
    fields = read_object(value, path)
    try:
        schema = loads(read_field(fields, path, "schema", _read_text)).schema
    except RuleError as error:
        raise RuleFileError(str(error), path=f"{path}.schema") from None
    if schema.max_lag > 0 or schema.target is not None or len(schema.actions) < 2:
        raise RuleFileError("must be a schema of rows with two or more classes", path=f"{path}.schema")
    keys = read_object(fields.get("keys"), f"{path}.keys")
    if len(keys) > MAX_SITES:
        raise RuleFileError(f"must have at most {MAX_SITES:,} participants", path=f"{path}.keys")
    read = {read_name(name, f"{path}.keys"): read_name(key, f"{path}.keys") for name, key in keys.items()}
    return Agreement(schema, read)


def _joined(name: str, numbers: tuple[Floats, ...]) -> dict[str, NDArray[Any]]:
    lengths = np.array([len(each) for each in numbers], dtype=np.int64)
    return {f"n_{name}": lengths, name: np.concatenate([np.empty(0), *numbers])}


def _divided(arrays: Mapping[str, NDArray[Any]], name: str, schema: Schema, n_more: int = 0) -> tuple[Floats, ...]:
    lengths, numbers = _array(arrays, f"n_{name}", 1, "i"), _array(arrays, name, 1, "f")
    n_numeric = sum(feature.kind is Kind.NUMERIC for feature in schema.features) + n_more
    fits = len(lengths) == n_numeric and bool(((lengths >= 0) & (lengths <= MAX_CUTS)).all())
    if not fits or lengths.sum() != len(numbers) or not np.isfinite(numbers).all():
        raise MessageError(f"{name} must be at most {MAX_CUTS:,} finite numbers for each numeric feature")
    parts = tuple(np.split(numbers, np.cumsum(lengths)[:-1])) if n_numeric else ()
    if any((np.diff(part) <= 0).any() for part in parts):
        raise MessageError(f"{name} must ascend")
    return parts


def _read_sums(arrays: Mapping[str, NDArray[Any]], schema: Schema) -> Sums:
    sums = Sums(_array(arrays, "sum_pairs", 2, "i"), _array(arrays, "sum_weights", 1, "f"))
    numeric = [position for position, feature in enumerate(schema.features) if feature.kind is Kind.NUMERIC]
    fits = sums.pairs.shape == (len(sums), 2) and len(sums) <= MAX_SUMS and bool(np.isin(sums.pairs, numeric).all())
    if not fits or not np.isfinite(sums.weights).all() or (sums.pairs[:, 0] == sums.pairs[:, 1]).any():
        raise MessageError(f"sums must be at most {MAX_SUMS} pairs of two numeric features, with finite coefficients")
    return sums


def _read_contexts(arrays: Mapping[str, NDArray[Any]], population: CodedRuleSets) -> Ints:
    contexts: Ints = _array(arrays, "contexts", 2, "i")
    if contexts.shape[1] != _N_CONTEXT or population.actions is None:
        raise MessageError("a context is a rule set with actions, a rule and a condition")
    for individual, rule, left_out in contexts.tolist():
        if not 0 <= individual < len(population.n_rules):
            raise MessageError("a context must be in one of the rule sets")
        n_rules = int(population.n_rules[individual])
        if not 0 <= rule < n_rules + (left_out == INSERT):
            raise MessageError("a context must be at one of the rules")
        if left_out not in (INSERT, EXTEND) and not 0 <= left_out < population.n_conditions_of(individual, rule):
            raise MessageError("a context must be at one of the conditions")
    return contexts


def _array(arrays: Mapping[str, NDArray[Any]], name: str, n_dimensions: int, kinds: str = "iuf") -> NDArray[Any]:
    array = arrays.get(name)
    if array is None or array.ndim != n_dimensions or array.dtype.kind not in kinds:
        raise MessageError(f"a message must have the array {name!r}")
    return array


def _read_text(value: object, path: str) -> str:
    if not isinstance(value, str):
        refuse(value, path, "text")
    return value
