"""Repairs: what it costs to bring groups closer together, by refitting under a constraint or by leaving rules out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
from sklearn.base import clone

from evoter.analysis.group_statistics import Share
from evoter.analysis.intervals import proportion_interval
from evoter.analysis.report.material import ruleset_of
from evoter.fairness.audit import Audit, audit
from evoter.fairness.group_audit import FEW_ROWS, Disparity
from evoter.problems import RATES
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.model import RuleSet
from evoter.tables.groups import Bands, Protected, read_groups, read_protected
from evoter.tables.sources import open_table

AS_IT_IS = "as it is"
REFITTED = "refitted under the constraint"
WITHOUT_PROXIES = "refitted without proxies"
FRONT = "of the front"

WAYS = ("constraint", "proxies", "rules", "front")
"""What can be tried."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What rules achieve on some rows: the share of right decisions, and the difference between two groups.

    `difference` has its 95 % interval in `interval`; both are 0 where there is nothing to compare.
    """

    accuracy: Share
    difference: float
    interval: tuple[float, float]
    groups: tuple[str, str] | None

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "accuracy": self.accuracy.to_dict(),
            "difference": self.difference,
            "interval": list(self.interval),
            "groups": None if self.groups is None else list(self.groups),
        }


@dataclass(frozen=True, slots=True)
class RepairOption:
    """A rule set that could replace the present one, how it came about, and what it achieves on both sets of rows.

    `model` is None where only a rule was left out: nothing was fitted.
    """

    way: str
    ruleset: RuleSet
    train: Outcome
    test: Outcome
    model: Any = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the model by name, ready for JSON."""
        return {
            "way": self.way,
            "conditions": self.ruleset.n_conditions,
            "train": self.train.to_dict(),
            "test": self.test.to_dict(),
            "rules": str(self.ruleset),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Repairs(Sequence[RepairOption]):
    """The present rules, the first, and what could replace them; they print as a table.

    `front` are the candidates of a search that trades accuracy off against the difference. Where `held_out` is false,
    the same rows were given twice, and nothing is known about others.
    """

    rate: str
    favourable: str
    at_most: float
    options: tuple[RepairOption, ...]
    front: tuple[RepairOption, ...] = ()
    notes: tuple[str, ...] = ()
    held_out: bool = True

    def __getitem__(self, number: Any) -> Any:
        return self.options[number]

    def __len__(self) -> int:
        return len(self.options)

    def option(self, way: str) -> RepairOption:
        """Return an option by the way it came about, such as "without rule 2"."""
        for each in self.options:
            if each.way == way:
                return each
        known = [each.way for each in self.options]
        raise SchemaError(f"there is no repair {way!r}{did_you_mean(way, known) or f'; known: {known}'}")

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "rate": self.rate,
            "favourable": self.favourable,
            "at_most": self.at_most,
            "options": [each.to_dict() for each in self.options],
            "front": [each.to_dict() for each in self.front],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """Print the table as plain text."""
        from evoter.fairness.repair_text import text_of

        return text_of(self)

    def __repr__(self) -> str:
        return self.to_text()


@dataclass(frozen=True, slots=True, eq=False)
class _Data:
    """Rows with labels and protected columns."""

    X: Any
    y: Any
    protected: Mapping[str, Any]


def repair(
    model: Any,
    train: tuple[Any, Any],
    test: tuple[Any, Any],
    *,
    protected: Protected | tuple[Any, Any],
    rate: str = "selection_rate",
    favourable: object = None,
    at_most: float = 0.05,
    bands: Bands | Mapping[str, Bands] | None = None,
    ways: Sequence[str] = WAYS,
) -> Repairs:
    """Try ways to bring groups closer together, and measure on unseen rows what each does to accuracy.

    Fits show their progress if the model's `verbose` is 1; Ctrl-C ends the one under way, which keeps its best rules.

    Parameters
    ----------
    model : EvoterClassifier or RuleSet
        The rules to repair. A classifier is fitted again, with its own parameters; of a rule set, rules can only be
        left out.
    train, test : tuple (X, y)
        The rows that models are fitted on, and rows that they have not seen.
    protected : str, sequence of str, or pair of mappings or data frames
        Columns of both tables; or values by name for the training rows and for the test rows, which rules cannot read.
    rate : str, default="selection_rate"
        The rate whose largest difference between the groups of a column matters: "selection_rate", "accuracy",
        "true_positive_rate", "false_negative_rate", "false_positive_rate", "true_negative_rate" or "precision".
    favourable : label or None, default=None
        The decision that the rate is about; None is the second of two classes.
    at_most : float, default=0.05
        The difference that is wanted on the training rows.
    bands : int, sequence of numbers, mapping, or None, default=None
        How numeric columns are divided, as for `audit`.
    ways : sequence of str
        What to try: "constraint" fits under the constraint, "proxies" without the columns of proxies, "rules" leaves
        out one rule at a time, and "front" trades accuracy off against the difference.

    Returns
    -------
    Repairs
        The present rules and all that could replace them, with accuracy and difference on training and unseen rows.

    Examples
    --------
    >>> from evoter import parse, repair
    >>> rules = parse("height > 175 -> yes; skill > 5 -> yes; Default -> no")
    >>> rows = [{"height": 180, "skill": 3, "sex": "m"}, {"height": 160, "skill": 7, "sex": "f"}] * 20
    >>> rows += [{"height": 180, "skill": 7, "sex": "m"}, {"height": 160, "skill": 3, "sex": "f"}] * 20
    >>> labels = ["yes" if row["skill"] > 5 else "no" for row in rows]
    >>> found = repair(rules, (rows, labels), (rows, labels), protected="sex", ways=["rules"])
    >>> [(each.way, each.test.accuracy.value, each.test.difference) for each in found]
    [('as it is', 0.75, 0.5), ('without rule 1', 1.0, 0.0), ('without rule 2', 0.5, 1.0)]
    """
    for way in ways:
        if way not in WAYS:
            raise ValueError(f"there is no way {way!r} to repair{did_you_mean(way, WAYS)}; known: {', '.join(WAYS)}")
    if rate not in RATES:
        raise SchemaError(f"there is no rate {rate!r}{did_you_mean(rate, list(RATES))}")
    by_name = isinstance(protected, tuple) and not any(isinstance(each, str) for each in protected)
    pair: tuple[Any, Any] = protected if by_name else (protected, protected)  # type: ignore[assignment]
    seen, unseen = (_Data(X, y, read_protected(each, X)) for (X, y), each in zip((train, test), pair, strict=True))
    found = audit(model, seen.X, seen.y, protected=seen.protected, favourable=favourable, bands=bands)
    if len(found.favourable) > 1:
        raise SchemaError(f"favourable: say which of the decisions {', '.join(found.favourable)} the rate is about")
    return _Trial(model, seen, unseen, rate, found.favourable[0], at_most, bands).run(found, ways)


@dataclass(frozen=True, slots=True, eq=False)
class _Trial:
    """What is repaired, on which rows, and what is wanted."""

    model: Any
    seen: _Data
    unseen: _Data
    rate: str
    favourable: str
    at_most: float
    bands: Bands | Mapping[str, Bands] | None

    def run(self, found: Audit, ways: Sequence[str]) -> Repairs:
        """Try all ways."""
        options, notes = [self._measured(AS_IT_IS, self.model)], []
        front: tuple[RepairOption, ...] = ()
        refits = hasattr(self.model, "get_params") and "constraints" in self.model.get_params(deep=False)
        if not refits and set(ways) - {"rules"}:
            notes.append("these rules cannot be fitted again: only rules are left out")
        if refits and "constraint" in ways:
            limits = {**(self.model.constraints or {}), self._measure: self.at_most}
            fitted = clone(self.model).set_params(constraints=limits)
            fitted.fit(self.seen.X, self.seen.y, protected=self._groups())
            options.append(self._measured(REFITTED, fitted))
        if refits and "proxies" in ways:
            dropped = _columns_to_drop(found)
            if dropped and len(dropped) == open_table(self.seen.X).n_columns:
                notes.append(f"all columns are those of proxies: {', '.join(dropped)}")
            elif dropped:
                options.append(self._without_columns(dropped))
                notes.append(f"columns of proxies: {', '.join(dropped)}")
            else:
                notes.append("there are no proxies to do without")
        if "rules" in ways:
            options += self._without_rules()
        if refits and "front" in ways:
            front = self._front()
        single = (column for column in found.columns if column.column in found.protected)
        if any(group.is_small for column in single for group in column.groups):
            notes.append(f"groups of fewer than {FEW_ROWS} rows are compared only where no others are left")
        held_out = self.seen.X is not self.unseen.X
        return Repairs(self.rate, self.favourable, self.at_most, tuple(options), front, tuple(notes), held_out)

    @property
    def _measure(self) -> str:
        return f"{self.rate}_difference({self.favourable})"

    def _groups(self) -> Mapping[str, Any]:
        """Return the groups of the training rows by name, divided as the audit divides them."""
        found = read_groups(self.seen.protected, self.seen.X, self.bands, len(self.seen.y))
        return {each.column: [each.names[code] for code in each.codes.tolist()] for each in found}

    def _without_columns(self, dropped: Sequence[str]) -> RepairOption:
        kept, tested = _without(self.seen.X, dropped), _without(self.unseen.X, dropped)
        measured = getattr(self.model, "group_values_", {})  # a recall is about all rows, the others compare groups
        compares = any(not name.startswith("recall(") for name in measured)
        groups = {"protected": self._groups()} if compares else {}
        fitted = clone(self.model).fit(kept, self.seen.y, **groups)
        return RepairOption(
            WITHOUT_PROXIES,
            fitted.ruleset_,
            self._outcome(fitted, self.seen, kept),
            self._outcome(fitted, self.unseen, tested),
            fitted,
        )

    def _without_rules(self) -> list[RepairOption]:
        ruleset = ruleset_of(self.model)
        return [
            self._measured(
                f"without rule {number + 1}",
                ruleset.replace(rules=ruleset.rules[:number] + ruleset.rules[number + 1 :]),
            )
            for number in range(len(ruleset.rules))
        ]

    def _front(self) -> tuple[RepairOption, ...]:
        objectives = [(self.model.objectives or ["metric"])[0], self._measure]
        fitted = clone(self.model).set_params(objectives=objectives, select=None)
        fitted.fit(self.seen.X, self.seen.y, protected=self._groups())
        return tuple(
            self._measured(FRONT, fitted.with_ruleset(number), keep=False) for number in range(len(fitted.front_))
        )

    def _measured(self, way: str, model: Any, *, keep: bool = True) -> RepairOption:
        fitted = model if keep and not isinstance(model, RuleSet) else None
        outcomes = self._outcome(model, self.seen, self.seen.X), self._outcome(model, self.unseen, self.unseen.X)
        return RepairOption(way, ruleset_of(model), *outcomes, fitted)

    def _outcome(self, model: Any, data: _Data, X: Any) -> Outcome:
        given: dict[str, Any] = {"protected": data.protected, "favourable": self.favourable, "bands": self.bands}
        found = audit(model, X, data.y, **given)
        known = self._disparities(found) or self._disparities(audit(model, X, data.y, **given, min_rows=1))
        rights = [group.rates["accuracy"] for group in found.columns[0].groups]
        hits, rows = sum(right.n_hits for right in rights), found.n_rows
        accuracy = Share(hits, rows, *proportion_interval(hits, rows))
        if not known:
            return Outcome(accuracy, 0.0, (0.0, 0.0), None)
        worst = max(known, key=lambda each: each.difference)
        return Outcome(accuracy, worst.difference, worst.interval, (worst.highest, worst.lowest))

    def _disparities(self, found: Audit) -> list[Disparity]:
        """Return the difference of each protected column; of groups too small to be compared there is none."""
        single = (each for each in found.columns if each.column in found.protected)
        return [each for each in (column.disparity(self.rate) for column in single) if each is not None]


def _columns_to_drop(found: Audit) -> list[str]:
    """Return the features of proxies, and the protected columns that rules read."""
    used = found.ruleset.features_used
    proxies = [name for proxy in found.proxies for name in proxy.features]
    return [name for name in used if name in proxies or name in found.protected]


def _without(X: Any, names: Sequence[str]) -> Any:
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        raise SchemaError("to fit without some columns, the rows must be a data frame")
    return frame.drop(list(names)).to_native()
