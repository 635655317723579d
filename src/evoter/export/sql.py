"""Rule sets as SQL: one expression that decides, or a query that adds its decision to every row of a table."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, assert_never

from evoter.export.deciding import (
    Deciding,
    comments,
    deciding,
    numbered,
    polls,
    refuse_lags,
    refuse_several_actions,
)
from evoter.export.names import Names, all_spellings
from evoter.export.sql_dialects import DIALECTS, Dialect
from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.forms.language import Language
from evoter.rules.model import Operator, Rule, RuleSet, Term
from evoter.rules.modes import Procedure
from evoter.rules.schema import MISSING_TEXTS, Kind, Schema, is_finite


def to_sql(
    ruleset: RuleSet,
    table: str | Sequence[str] | None = "data",
    dialect: str = "duckdb",
    *,
    alias: str = "decision",
    columns: Mapping[str, str] | None = None,
    partition_by: str | Sequence[str] = (),
    order_by: str | Sequence[str] = (),
    notes: bool = True,
    text_columns: bool = False,
) -> str:
    """Write a rule set as a query that adds the column `alias` to a table, or with `table=None` as an expression.

    A table in a schema is named by its parts: `("clinic", "patients")`. `columns` says which column holds a feature
    where it is not called as the feature is. Rules that look back need `order_by`, the columns that tell the order of
    time, and `partition_by`, those that tell series apart. `notes` are the rules as comments.

    NULL and NaN are missing. With `text_columns`, the columns hold text, as a CSV file does, and the query reads it as
    `evoter predict` reads cells: spaces around a text do not count, and NA, ? and whatever the rules declare as missing
    is missing. The dialects are duckdb, postgres, sqlite, mysql, bigquery, snowflake, tsql and spark.

    >>> from evoter.rules.parser import parse
    >>> print(to_sql(parse("petal length <= 2.45 AND colour != red -> setosa; Default -> virginica"), table="iris"))
    SELECT
      *,
      CASE
        -- 1. petal length <= 2.45 AND colour != red -> setosa
        WHEN CAST("petal length" AS DOUBLE) <= 2.45e0 AND CAST("colour" AS VARCHAR) COLLATE C <> 'red' THEN 'setosa'
        -- 2. Default -> virginica
        ELSE 'virginica'
      END AS "decision"
    FROM "iris"
    """
    if dialect not in DIALECTS:
        raise RuleError(f"unknown dialect {dialect!r}{did_you_mean(dialect, DIALECTS)}")
    syntax = DIALECTS[dialect]
    make = _SqlOfText if text_columns else _Sql
    sql = make(ruleset.schema, syntax, _columns(ruleset, columns or {}, syntax), _over(partition_by, order_by, syntax))
    if not order_by:
        refuse_lags(numbered(ruleset), "rows of a table have no order", "say order_by=..., the column that holds time")
    texts = [f"-- {text}" for text in comments(ruleset)] if notes else []
    plan = deciding(ruleset)
    match plan.procedure:
        case Procedure.IN_ORDER:
            lines = list(_case(plan, ruleset, sql, texts))
        case Procedure.POLL:
            remedy = "add the earlier values as columns, and let the rules read these"
            refuse_lags(plan.rules, "a vote in SQL sees one row only", remedy)
            lines = list(_vote(ruleset, sql, texts))
        case Procedure.EVERY:
            refuse_several_actions(ruleset, "SQL")
        case _:
            assert_never(plan.procedure)
    if table is None:
        return "\n".join(lines)
    parts = [table] if isinstance(table, str) else table
    source = ".".join(syntax.identifier(part) for part in parts)
    body = "\n".join(f"  {line}" for line in lines)
    return f"SELECT\n  *,\n{body} AS {syntax.identifier(alias)}\nFROM {source}"


def _columns(ruleset: RuleSet, columns: Mapping[str, str], dialect: Dialect) -> dict[str, str]:
    """Return the column of each feature that is read."""
    for name in columns:
        ruleset.schema.position(name)  # refuses an unknown name
    chosen = {name: columns.get(name, name) for name in ruleset.features_used}
    seen: dict[str, str] = {}
    for name, column in chosen.items():
        other = seen.setdefault(column.casefold() if dialect.folds_case else column, name)
        if other != name:
            raise RuleError(
                f"{dialect.name} cannot tell the columns of the features {other!r} and {name!r} apart: "
                "name them differently with columns={...}"
            )
    return chosen


def _over(partition_by: str | Sequence[str], order_by: str | Sequence[str], dialect: Dialect) -> str:
    parts = []
    for words, names in (("PARTITION BY", partition_by), ("ORDER BY", order_by)):
        listed = [names] if isinstance(names, str) else list(names)
        if listed:
            parts.append(f"{words} {', '.join(map(dialect.identifier, listed))}")
    return f"OVER ({' '.join(parts)})"


def _case(plan: Deciding, ruleset: RuleSet, sql: "_Sql", notes: Sequence[str]) -> Iterator[str]:
    """Yield the lines of an expression whose first rule that holds decides."""
    if not plan.rules:
        yield from notes
        yield sql.outcome(ruleset.default)
        return
    yield "CASE"
    if notes and plan.note:
        yield f"  -- {plan.note}"
    for number, rule in plan.rules:
        yield from (f"  {note}" for note in notes[number - 1 : number])
        yield from sql.branch(rule)
    yield from (f"  {note}" for note in notes[-1:])
    yield f"  ELSE {sql.outcome(ruleset.default)}"
    yield "END"


def _vote(ruleset: RuleSet, sql: "_Sql", notes: Sequence[str]) -> Iterator[str]:
    """Yield the lines of an expression that averages certainties: active rules, then the means, then the winner."""
    dialect, voters = sql.dialect, polls(ruleset)
    one, zero = dialect.number(1.0), dialect.number(0.0)
    names = Names(column.casefold() for column in sql.columns.values())
    active = {number: names.fresh(f"rule_{number}") for number, _ in numbered(ruleset)}
    means = {action: names.fresh(f"mean_{place}") for place, action in enumerate(voters, start=1)}
    yield "("
    yield "  SELECT CASE"
    for number, rule in numbered(ruleset):
        mean = means[rule.action]
        wins = "".join(f" AND {mean} >= {other}" for other in means.values() if other != mean)
        yield f"    WHEN {active[number]} = {one}{wins} THEN {dialect.literal(rule.action)}"
    yield f"    ELSE {dialect.literal(ruleset.default)}"
    yield "  END"
    yield "  FROM ("
    yield f"    SELECT {', '.join(active.values())}"
    for action, rules in voters.items():
        total = " + ".join(f"{dialect.number(rule.certainty)} * {active[number]}" for number, rule in rules)
        count = " + ".join(active[number] for number, _ in rules)
        yield f"      , CASE WHEN {count} > {zero} THEN ({total}) / ({count}) ELSE {zero} END AS {means[action]}"
    yield "    FROM ("
    yield "      SELECT"
    for number, rule in numbered(ruleset):
        yield from (f"        {note}" for note in notes[number - 1 : number])
        holds = dialect.double.format(f"CASE WHEN {sql.antecedent(rule)} THEN 1 ELSE 0 END")
        yield f"        {holds} AS {active[number]}{',' if number < len(ruleset.rules) else ''}"
    yield from (f"        {note}" for note in notes[-1:])
    yield "    ) AS active"
    yield "  ) AS polls"
    yield ")"


class _Piece(NamedTuple):
    """An expression, and whether its value may be NaN."""

    text: str
    may_be_nan: bool = True


_LINE_LENGTH = 116
_SIGNS = {Operator.EQ: "=", Operator.LT: "<", Operator.LE: "<=", Operator.GT: ">", Operator.GE: ">="}
_NAN_HOLDS_LEFT = {Operator.EQ, Operator.NE, Operator.GT, Operator.GE}
_NAN_HOLDS_RIGHT = {Operator.NE, Operator.LT, Operator.LE}


class _Sql(Language[_Piece]):
    """Conditions as SQL that is true, false or, where a value is missing, unknown; CASE takes true only."""

    def __init__(self, schema: Schema, dialect: Dialect, columns: Mapping[str, str], over: str) -> None:
        super().__init__(schema)
        self.dialect = dialect
        self.columns = columns
        self._over = over

    def antecedent(self, rule: Rule) -> str:
        """Write the conditions of a rule."""
        return " AND ".join(self._conditions(rule))

    def branch(self, rule: Rule) -> list[str]:
        """Write a rule as a branch of a CASE, on one line where it is short."""
        then = f"THEN {self.outcome(rule.action)}"
        line = f"  WHEN {self.antecedent(rule)} {then}"
        if len(line) <= _LINE_LENGTH:
            return [line]
        first, *others = self._conditions(rule)
        return [f"  WHEN {first}", *(f"    AND {other}" for other in others), f"    {then}"]

    def outcome(self, action: str) -> str:
        """Write an action: a text, or a number."""
        return self.dialect.literal(action) if self.schema.target is None else self.amount(action).text

    def _conditions(self, rule: Rule) -> list[str]:
        return [self.condition(condition).text for condition in rule.conditions]

    def _read(self, term: Term) -> str:
        column = self.dialect.identifier(self.columns[term.feature])
        return column if term.lag == 0 else f"LAG({column}, {term.lag}) {self._over}"

    def missing(self, term: Term) -> _Piece:
        # A value that does not exist yet is not missing.
        exists = f"ROW_NUMBER() {self._over} > {term.lag} AND " if term.lag > 0 else ""
        return _Piece(exists + self._tested(term, self.dialect.missing, "{} IS NULL"))

    def present(self, term: Term) -> _Piece:
        return _Piece(self._tested(term, self.dialect.present, "{} IS NOT NULL"))

    def _tested(self, term: Term, of_number: str, of_other: str) -> str:
        kind = self.schema.feature(term.feature).kind
        if kind is Kind.NUMERIC:
            return of_number.format(self.dialect.without_nan.format(self.read_number(term).text))
        return of_other.format((self.dialect.truth if kind is Kind.BOOLEAN else "{}").format(self._read(term)))

    def is_one_of(self, term: Term, categories: Sequence[str]) -> _Piece:
        return self._is(term, categories, "=", "IN")

    def is_none_of(self, term: Term, categories: Sequence[str]) -> _Piece:
        return self._is(term, categories, "<>", "NOT IN")

    def _is(self, term: Term, categories: Sequence[str], sign: str, word: str) -> _Piece:
        texts = [self.dialect.literal(text) for text in all_spellings(self.schema.feature(term.feature), categories)]
        text = self.dialect.text.format(self._read(term))
        return _Piece(f"{text} {sign} {texts[0]}" if len(texts) == 1 else f"{text} {word} ({', '.join(texts)})")

    def is_truth(self, term: Term, truth: bool) -> _Piece:
        return _Piece((self.dialect.true if truth else self.dialect.false).format(self._read(term)))

    def read_number(self, term: Term) -> _Piece:
        return _Piece(self.dialect.double.format(self._read(term)))

    def number(self, number: float) -> _Piece:
        return _Piece(self.dialect.number(number), may_be_nan=False)

    def zero(self, value: _Piece) -> _Piece:
        present = self.dialect.present.format(self.dialect.without_nan.format(value.text))
        return _Piece(f"CASE WHEN {present} THEN {self.dialect.number(0.0)} END")

    def scaled(self, value: _Piece, low: float, width: float) -> _Piece:
        divisor = self.dialect.infinity if width == float("inf") else self.dialect.number(width)
        if divisor is None:
            raise RuleError(
                f"a range that begins at {low!r} is too wide to scale in {self.dialect.name}, which has no infinity; "
                "narrow low and high of the feature"
            )
        return _Piece(f"(({value.text} - {self.dialect.number(low)}) / {divisor})")

    def raised(self, value: _Piece, power: int) -> _Piece:
        return _Piece(f"({' * '.join([value.text] * power)})")

    def times(self, coefficient: float, value: _Piece) -> _Piece:
        return _Piece(f"{self.dialect.number(coefficient)} * {value.text}")

    def plus(self, first: _Piece, second: _Piece) -> _Piece:
        return _Piece(f"({first.text} + {second.text})")

    def compare(self, operator: Operator, left: _Piece, right: _Piece) -> _Piece:
        if not right.may_be_nan and operator is Operator.EQ:
            one, other = left.text, right.text  # no number equals NaN
        else:
            one = self._without_nan(left, operator in _NAN_HOLDS_LEFT)
            other = self._without_nan(right, operator in _NAN_HOLDS_RIGHT)
        if operator is Operator.NE:
            return _Piece(self.dialect.differs.format(one, other))
        return _Piece(f"{one} {_SIGNS[operator]} {other}")

    def _without_nan(self, piece: _Piece, asked: bool) -> str:
        return self.dialect.without_nan.format(piece.text) if asked and piece.may_be_nan else piece.text


_TRUE_TEXTS, _FALSE_TEXTS = ("true", "1", "1.0"), ("false", "0", "0.0")


class _SqlOfText(_Sql):
    """Conditions on columns of text, whose cells become values as on the command line."""

    def __init__(self, schema: Schema, dialect: Dialect, columns: Mapping[str, str], over: str) -> None:
        super().__init__(schema, dialect, columns, over)
        for name in columns:
            feature = schema.feature(name)
            if feature.kind is Kind.NUMERIC and not dialect.refuses_text:
                raise RuleError(
                    f"{dialect.name} reads text that is not a number as 0: give {name!r} a numeric type, and leave out "
                    "text_columns"
                )
            if feature.decimal_comma or feature.cells:
                how = f"read as {feature.cells!r}" if feature.cells else "written with a decimal comma"
                raise RuleError(
                    f"{name!r} is {how}, which SQL does not do: convert the column, and leave out text_columns"
                )

    def _read(self, term: Term) -> str:
        """Return the text of a cell without spaces around it, NULL where it means missing."""
        text = f"TRIM({super()._read(term)})"
        feature = self.schema.feature(term.feature)
        absent = sorted(MISSING_TEXTS | {each.lower() for each in feature.missing_texts})
        return f"CASE WHEN LOWER({text}) NOT IN ({self._listed(absent)}) THEN {text} END"

    def read_number(self, term: Term) -> _Piece:
        number = super().read_number(term).text
        for text in self.schema.feature(term.feature).missing_texts:
            if (code := _as_number(text)) is not None:
                number = f"NULLIF({number}, {self.dialect.number(code)})"
        return _Piece(number)

    def is_truth(self, term: Term, truth: bool) -> _Piece:
        return _Piece(f"LOWER({self._read(term)}) IN ({self._listed(_TRUE_TEXTS if truth else _FALSE_TEXTS)})")

    def _tested(self, term: Term, of_number: str, of_other: str) -> str:
        if self.schema.feature(term.feature).kind is not Kind.BOOLEAN:
            return super()._tested(term, of_number, of_other)
        known = self._listed((*_TRUE_TEXTS, *_FALSE_TEXTS))
        return of_other.format(f"CASE WHEN LOWER({self._read(term)}) IN ({known}) THEN 1 END")

    def _listed(self, texts: Sequence[str]) -> str:
        return ", ".join(map(self.dialect.literal, texts))


def _as_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if is_finite(number) else None
