"""Runs exported SQL of databases that are not at hand: sqlglot translates it, and DuckDB runs the translation."""

from collections.abc import Callable

from sqlglot import exp, parse_one

from evoter.export import to_sql
from evoter.export.sql_dialects import DIALECTS
from evoter.rules.model import RuleSet

TRANSLATED = [dialect for dialect in DIALECTS if dialect not in ("duckdb", "sqlite")]
WITH_NAN = {"postgres", "snowflake", "spark"}
"""Dialects in which, as in DuckDB, NaN equals itself and is larger than all other numbers."""


def in_duckdb(sql: str, dialect: str) -> str:
    """Translate a query, with strings and doubles as DuckDB writes them, and without collations, which it lacks."""
    return parse_one(sql, read=dialect).transform(_in_duckdb).sql("duckdb")


def translated(dialect: str) -> Callable[[RuleSet], str]:
    """Return what exports a rule set in a dialect and translates it."""
    return lambda ruleset: in_duckdb(to_sql(ruleset, dialect=dialect), dialect)


def _in_duckdb(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Collate):
        return _in_duckdb(node.this)
    if isinstance(node, exp.Cast) and node.to.this in (exp.DType.CHARACTER_SET, exp.DType.NVARCHAR):
        return exp.cast(node.this, "varchar")
    if isinstance(node, exp.DataType) and node.this is exp.DType.FLOAT and node.expressions:
        return exp.DataType.build("double")
    if isinstance(node, exp.Introducer):
        return exp.Literal.string(bytes.fromhex(node.expression.this).decode())
    if isinstance(node, exp.National | exp.Add) and node.find(exp.National):
        return exp.Literal.string(_text_of(node))
    return node


def _text_of(node: exp.Expr) -> str:
    """Return what a string of T-SQL comes to: N'...' and line feeds, added up."""
    if isinstance(node, exp.Add):
        return _text_of(node.this) + _text_of(node.expression)
    return chr(int(node.expressions[0].this)) if isinstance(node, exp.Anonymous) else str(node.this)
