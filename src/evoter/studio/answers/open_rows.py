"""The rows that may be looked at while rules are edited, and everything that is said about rules on them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evoter.fairness.audit import audit
from evoter.proofs.statements import conditions_of
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.studio.answers.cards import EditedRules, describe_features, make_cards
from evoter.studio.answers.effects import effect_of
from evoter.studio.answers.figures import figures
from evoter.studio.answers.slices import conditions_text, list_rows, rows_where, slice_figures
from evoter.studio.errors import StudioError
from evoter.studio.table.columns import StudioTable
from evoter.studio.table.histograms import histogram
from evoter.studio.table.labelled_rows import Bools, Decided, Ints, LabelledRows
from evoter.studio.table.parts import OPEN, TRAINING, VALIDATION, Parts


class OpenRows:
    """Training and validation rows with the schema that new rules may read; test rows are not among them."""

    def __init__(
        self, table: StudioTable, parts: Parts, rows: LabelledRows, schema: Schema, favourable: str | None
    ) -> None:
        self.table = table
        self.rows = rows
        self.schema = schema
        self.favourable = favourable
        validation: Bools = np.isin(rows.positions, parts.validation)
        self.masks: dict[str, Bools] = {
            TRAINING: ~validation,
            VALIDATION: validation,
            OPEN: np.ones(len(rows), np.bool_),
        }
        self._parts = {name: self.masks[name] for name in (TRAINING, VALIDATION)}
        self._identifiers = table.plan.identifiers

    def name_row(self, row: int) -> dict[str, Any]:
        """Say which row of the table it is."""
        position = int(self.rows.positions[row])
        return {
            "row": self.table.row_number(position),
            "identifier": None if self._identifiers is None else self._identifiers[position],
            "part": VALIDATION if self.masks[VALIDATION][row] else TRAINING,
        }

    def find(self, number: int | None, identifier: str | None) -> int:
        """Return the index of a row that is given by its number in the table or by its identifier."""
        plan = self.table.plan
        if number is not None:
            position = int(np.searchsorted(plan.rows, number - 1))
            if not position < len(plan.rows) or plan.rows[position] != number - 1:
                raise StudioError("unknown", f"the table has no labelled row {number:,}")
        elif self._identifiers is None:
            raise StudioError("unknown", "no column of this table names its rows", "look a row up by its number")
        elif identifier not in self._identifiers:
            raise StudioError("unknown", f"no row has the {plan.identifier!r} {identifier!r}")
        else:
            position = self._identifiers.index(identifier)
        row = int(np.searchsorted(self.rows.positions, position))
        if row == len(self.rows) or self.rows.positions[row] != position:
            raise StudioError(
                "closed",
                f"row {self.table.row_number(position):,} is one of the test rows, which are closed until sign-off",
                "look at another row, or type its values",
            )
        return row

    def mask(self, part: str) -> Bools:
        """Return which rows belong to a part."""
        if part not in self.masks:
            raise StudioError("invalid", f"there are {', '.join(self.masks)} rows, no {part!r}", field="part")
        return self.masks[part]

    def rules(self, edited: EditedRules, version: int | None) -> dict[str, Any]:
        """Return rules as cards with their figures, ready for JSON."""
        active = edited.active
        decided = self.rows.decide(active)
        ruleset = edited.ruleset
        return {
            "version": version,
            "mode": ruleset.mode.value,
            "text": ruleset.to_text(declarations=False),
            "cards": make_cards(edited, self.rows, decided, self._parts, self.schema),
            "size": {"rules": len(active.rules), "conditions": active.n_conditions},
            **{name: self._figures(decided, name) for name in self._parts},
            "features": describe_features(self.schema),
            "actions": list(self.schema.actions),
        }

    def effect(self, before: RuleSet, after: RuleSet) -> dict[str, Any]:
        """Return what changes from one rule set to another, ready for JSON."""
        return effect_of(
            self.rows,
            self.rows.decide(before),
            self.rows.decide(after),
            parts=self._parts,
            figures_of=self._figures,
            name_row=self.name_row,
            validation=VALIDATION,
        )

    def _figures(self, decided: Decided, part: str) -> dict[str, Any]:
        """Return the figures of a part, which are computed once for each rule set whose decisions are kept."""
        key = part, self.favourable
        if key not in decided.answers:
            decided.answers[key] = figures(self.rows, decided, self.masks[part], key[1])
        found: dict[str, Any] = decided.answers[key]
        return found

    def changed_row(self, before: RuleSet, after: RuleSet) -> dict[str, Any] | None:
        """Return the values of the first row that is decided otherwise; None if there is none."""
        changed = np.flatnonzero(self.rows.decide(before).classes != self.rows.decide(after).classes)
        return self.rows.values(int(changed[0])) if len(changed) else None

    def editable_schema(self, ruleset: RuleSet) -> Schema:
        """Return what edited rules may read: every feature of the table, those of the rules as the rules have them."""
        own = ruleset.schema
        features = [own.feature(each.name) if each.name in own else each for each in self.schema.features]
        others = [each for each in own.features if each.name not in self.schema]
        return own.over([*features, *others])

    def slice(self, edited: EditedRules, text: str, part: str) -> dict[str, Any]:
        """Return the figures of the rows on which conditions hold."""
        schema = self.editable_schema(edited.ruleset)
        conditions = conditions_of(text, schema)
        inside = rows_where(self.rows, conditions, schema)
        decided = self.rows.decide(edited.active)
        found = slice_figures(self.rows, edited, decided, inside, self.mask(part), self.favourable)
        return {"conditions": conditions_text(conditions, schema), "part": part} | found

    def listed(
        self,
        edited: EditedRules,
        text: str,
        part: str,
        *,
        rule: int | None,
        label: str | None,
        decision: str | None,
        wrong: bool | None,
        offset: int,
        limit: int,
    ) -> dict[str, Any]:
        """Return some of the rows on which conditions hold, of those that a rule decides or that are wrong."""
        schema = self.editable_schema(edited.ruleset)
        mask = self.mask(part) & rows_where(self.rows, conditions_of(text, schema), schema)
        decided = self.rows.decide(edited.active)
        if rule is not None:
            if rule not in edited.numbers:
                raise StudioError("unknown", f"no rule that decides has the number {rule}")
            mask = mask & decided.deciding[:, edited.numbers.index(rule)]
        for name, codes in ((label, self.rows.labels), (decision, decided.classes)):
            if name is not None:
                mask = mask & (codes == self._class(name))
        if wrong is not None:
            mask = mask & (decided.right != wrong)
        return list_rows(self.rows, edited, decided, mask, offset=offset, limit=limit, name_row=self.name_row)

    def audit(
        self,
        edited: EditedRules,
        part: str,
        columns: Sequence[str],
        favourable: str | None,
        bands: Mapping[str, Sequence[float]] | None,
    ) -> dict[str, Any]:
        """Return how the groups of some columns fare on the rows of a part."""
        chosen = np.flatnonzero(self.mask(part)).tolist()
        positions: Ints = self.rows.positions[chosen]
        protected = {}
        for name in columns:
            values = self.table.values(name)
            protected[name] = [values[position] for position in positions.tolist()]
        labels = [self.rows.classes[code] for code in self.rows.labels[chosen].tolist()]
        wanted = favourable or self.favourable
        found = audit(
            edited.active, self.rows.frame[chosen], labels, protected=protected, favourable=wanted, bands=bands or None
        )
        return found.to_dict() | {"part": part}

    def histogram(self, column: str, n_bins: int) -> dict[str, Any]:
        """Return how the values of a feature are spread over the classes."""
        if column not in self.schema:
            raise StudioError("unknown", f"rules cannot read a column {column!r}", "choose it in the table first")
        return histogram(self.rows, self.schema.feature(column), n_bins)

    def _class(self, name: str) -> int:
        if name not in self.rows.classes:
            raise StudioError("unknown", f"there is no class {name!r}")
        return self.rows.classes.index(name)
