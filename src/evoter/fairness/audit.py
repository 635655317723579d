"""Audits: what a rule set does to the groups of protected columns, with everything that is uncertain said so."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw

from evoter.fairness.audit_rows import read_audited
from evoter.fairness.group_audit import FEW_ROWS, ColumnAudit, Disparity, audit_column
from evoter.fairness.proxies import STRENGTH, Proxy, find_proxies
from evoter.problems import RATES
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.model import RuleSet
from evoter.rules.values import category_name, plain_value
from evoter.tables.groups import Bands, Protected, intersect

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult


@dataclass(frozen=True, slots=True)
class Audit:
    """What a rule set does to groups of rows; it prints as tables.

    `columns` has the groups of each protected column, and of all of them together where there are several, for each
    decision that counts as favourable. `proxies` are rules and conditions that tell groups apart without reading the
    column.
    """

    ruleset: RuleSet
    n_rows: int
    has_labels: bool
    protected: tuple[str, ...]
    favourable: tuple[str, ...]
    columns: tuple[ColumnAudit, ...]
    proxies: tuple[Proxy, ...]
    min_rows: int = FEW_ROWS
    proxy_strength: float = STRENGTH

    def column(self, name: str | None = None, favourable: str | None = None) -> ColumnAudit:
        """Return the groups of a column, the first by default; "sex & age" are those of both together."""
        known = {each.column: None for each in self.columns}
        wanted, action = name or self.columns[0].column, favourable or self.favourable[0]
        for each in self.columns:
            if (each.column, each.favourable) == (wanted, action):
                return each
        if wanted in known:
            raise SchemaError(f"{action!r} is not audited{did_you_mean(action, self.favourable)}")
        raise SchemaError(f"{wanted!r} is not audited{did_you_mean(wanted, list(known))}")

    def worst(self, rate: str = "selection_rate") -> Disparity | None:
        """Return the largest difference of a rate between two groups of any column; None if none are comparable."""
        if rate not in RATES:
            raise SchemaError(f"there is no rate {rate!r}{did_you_mean(rate, list(RATES))}")
        found = [each.disparity(rate) for each in self.columns]
        return max((each for each in found if each is not None), key=lambda each: each.difference, default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "rows": self.n_rows,
            "labels": self.has_labels,
            "protected": list(self.protected),
            "favourable": list(self.favourable),
            "min_rows": self.min_rows,
            "columns": [each.to_dict() for each in self.columns],
            "proxy_strength": self.proxy_strength,
            "proxies": [each.to_dict() for each in self.proxies],
        }

    def to_json(self) -> str:
        """Return everything as a JSON document."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)

    def records(self) -> list[dict[str, Any]]:
        """Return one mapping for each column, favourable decision, group and rate: counts, share and interval."""
        return [
            {
                "column": audited.column,
                "favourable": audited.favourable,
                "group": group.name,
                "rows": group.n_rows,
                "rate": rate,
                "hits": share.n_hits,
                "among": share.n_rows,
                "share": share.value,
                "low": share.low,
                "high": share.high,
                "too_few_rows": share.n_rows < self.min_rows,
            }
            for audited in self.columns
            for group in audited.groups
            for rate, share in group.rates.items()
        ]

    def to_frame(self, library: str = "pandas") -> Any:
        """Return the `records` as a data frame of pandas, polars or pyarrow."""
        records = self.records()
        columns = {name: [record[name] for record in records] for name in records[0]}
        return nw.from_dict(columns, backend=library).to_native()  # type: ignore[arg-type]

    def to_text(self) -> str:
        """Print the tables as plain text."""
        from evoter.fairness.audit_text import text_of

        return text_of(self)

    def to_html(self) -> str:
        """Print the tables as HTML, for a page that has a heading of its own."""
        from evoter.fairness.audit_text import html_of

        return html_of(self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from evoter.fairness.audit_terminal import colour_audit

        yield from colour_audit(self)


def audit(
    model: Any,
    table: Any,
    target: Any = None,
    *,
    protected: Protected,
    favourable: object = None,
    bands: Bands | Mapping[str, Bands] | None = None,
    min_rows: int = FEW_ROWS,
    proxy_strength: float = STRENGTH,
) -> Audit:
    """Compare what a rule set or a fitted classifier does to the groups of protected columns.

    Use rows that the rules were not learnt from: on training rows, errors look rarer than they are.

    Parameters
    ----------
    model : RuleSet or fitted classifier
        Whose decisions are compared.
    table : frame, array or panel
        The rows. Columns are found by name.
    target : str, sequence or None, default=None
        The column of the table with the labels, or the labels. Without them only selection rates are known.
    protected : str, sequence of str, or mapping
        Columns of the table, or values by name, one for each row, for columns that are not in it.
    favourable : label, sequence of labels, or None, default=None
        The decision that people want, or that counts as positive. None is the second of two classes in sorted order,
        as everywhere in scikit-learn, and each in turn of more.
    bands : int, sequence of numbers, mapping, or None, default=None
        How numeric columns are divided: the number of bands of about equal size, or where bands begin; a mapping says
        it by column. None makes four bands of columns with more than eight different numbers.
    min_rows : int, default=30
        Shares of fewer rows are shown, but not compared.
    proxy_strength : float, default=0.3
        The least correlation with a group that makes a rule or condition a proxy.

    Returns
    -------
    Audit
        Rates by group with Wilson's 95 % intervals, worst differences and ratios, the contribution of each rule, rules
        that read protected columns, and proxies.

    Examples
    --------
    >>> from evoter import audit, parse
    >>> rules = parse("income > 30 -> grant; Default -> refuse")
    >>> rows = [{"income": income, "sex": sex} for income in (10, 20, 40, 50) for sex in "fm" for _ in range(20)]
    >>> found = audit(rules, rows + [{"income": 60, "sex": "m"}] * 40, protected="sex", favourable="grant")
    >>> worst = found.worst("selection_rate")
    >>> worst.highest, worst.lowest, worst.difference, worst.ratio
    ('m', 'f', 0.16666666666666663, 0.75)
    """
    if min_rows < 0 or not 0.0 <= proxy_strength <= 1.0:
        raise ValueError(f"min_rows must be 0 or more and proxy_strength from 0 to 1, got {min_rows}, {proxy_strength}")
    rows = read_audited(model, table, target, protected, bands)
    actions = rows.ruleset.schema.actions
    chosen = _favourable(favourable, actions)
    compared = [*rows.groups, *([intersect(rows.groups)] if len(rows.groups) > 1 else [])]
    return Audit(
        ruleset=rows.ruleset,
        n_rows=rows.n_rows,
        has_labels=rows.labels is not None,
        protected=tuple(each.column for each in rows.groups),
        favourable=tuple(actions[code] for code in chosen),
        columns=tuple(audit_column(rows, groups, code, min_rows) for groups in compared for code in chosen),
        proxies=find_proxies(rows, proxy_strength),
        min_rows=min_rows,
        proxy_strength=proxy_strength,
    )


def _favourable(favourable: object, actions: Sequence[str]) -> list[int]:
    """Return the numbers of the actions that count as favourable."""
    if favourable is None:
        return [_later(actions)] if len(actions) == 2 else list(range(len(actions)))
    several = isinstance(favourable, list | tuple | set | frozenset)
    wanted = list(favourable) if several else [favourable]  # type: ignore[call-overload]
    codes = []
    for label in wanted:
        names = (category_name(plain_value(label)), str(label))
        found = next((name for name in names if name in actions), None)
        if found is None:
            raise SchemaError(f"favourable: there is no decision {label!r}{did_you_mean(str(label), actions)}")
        codes.append(list(actions).index(found))
    return codes


def _later(actions: Sequence[str]) -> int:
    """Return the number of the action that is the last in sorted order, numbers by their value."""
    try:
        keys: list[Any] = [float(action) for action in actions]
    except ValueError:
        keys = list(actions)
    return keys.index(max(keys))
