"""SQL says what it means in every dialect: numbers to the last bit, names and strings, lags, and what it cannot say."""

import math
import sqlite3
import struct
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from commands import run_json
from domains import random_ruleset
from evoter.export.sql import to_sql
from evoter.export.sql_dialects import DIALECTS
from evoter.export.sql_numbers import float_literal, quotient_literal
from evoter.rules.errors import RuleError, SchemaError
from evoter.rules.interpreter import decide_series
from evoter.rules.json_codec import save
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.modes import mode_of
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema
from exporting import fitted, hostile_case, random_case
from laws import examples
from samples import RULESET
from tasks import as_rows, random_columns

from exported import run_duckdb  # isort: skip
from exported_sql import TRANSLATED, WITH_NAN, in_duckdb  # isort: skip
from exported_values import finite  # isort: skip

ONE_ACTION = [mode for mode in Mode if not mode_of(mode).several_actions]


def numbers(n: int) -> list[float]:
    """Numbers of all magnitudes with all digits, and decimal numbers with some."""
    rng = Random(0)
    drawn = (struct.unpack("d", rng.randbytes(8))[0] for _ in range(n))
    return [
        *(x for x in drawn if math.isfinite(x)),
        *(round(rng.uniform(-1000, 1000), rng.randint(0, 12)) for _ in range(n)),
        *(rng.randint(1, 10**6) * 10.0 ** rng.randint(-30, 30) for _ in range(n)),
        *(0.0, -0.0, 5e-324, -1.7976931348623157e308, 64.387791, 1e22, 1e23, 2.0**53, 2.0**53 + 2),
    ]


def fetched(sql: str) -> list[tuple[Any, ...]]:
    """Run a query in DuckDB."""
    with duckdb.connect() as connection:
        return connection.execute(sql).fetchall()


def test_duckdb_reads_numbers_back() -> None:
    drawn = numbers(3_000)
    assert fetched(f"SELECT [{', '.join(map(float_literal, drawn))}]") == [(drawn,)]


def test_sqlite_reads_numbers_back() -> None:
    """As they are printed, several would come back with another last bit."""
    drawn, connection = numbers(3_000), sqlite3.connect(":memory:")
    read, plain = [], []
    for number in drawn:
        read += connection.execute(f"SELECT {quotient_literal(number)}").fetchone()
        plain += connection.execute(f"SELECT {number!r}").fetchone()
    connection.close()
    assert read == drawn
    assert all(isinstance(number, float) for number in read)
    if sqlite3.sqlite_version_info < (3, 42):
        assert plain != drawn


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_parses(dialect: str) -> None:
    for case in map(hostile_case, [Mode.FIRST, Mode.VOTE]):
        (statement,) = sqlglot.parse(to_sql(case.ruleset, dialect=dialect), read=dialect)
        assert isinstance(statement, exp.Select)
        assert {column.name for column in statement.find_all(exp.Column)} >= {*case.ruleset.schema.names}
    windows = to_sql(RULESET, dialect=dialect, order_by="time", partition_by=["ward", "patient"])
    assert len(list(sqlglot.parse_one(windows, read=dialect).find_all(exp.Window))) == 1


@examples(8)
@given(st.integers(0, 2**32))
@pytest.mark.parametrize("dialect", TRANSLATED)
def test_dialects_decide_as_the_interpreter_does_when_translated(dialect: str, seed: int) -> None:
    case = random_case(seed, ONE_ACTION)
    if dialect not in WITH_NAN:
        case = fitted(case, finite)
    assert (
        run_duckdb(case.ruleset, case.table, in_duckdb(to_sql(case.ruleset, dialect=dialect), dialect)) == case.labels
    )


@pytest.mark.parametrize("dialect", TRANSLATED)
@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.VOTE])
def test_hostile_names_are_nothing_but_names_when_translated(dialect: str, mode: Mode) -> None:
    case = hostile_case(mode)
    assert (
        run_duckdb(case.ruleset, case.table, in_duckdb(to_sql(case.ruleset, dialect=dialect), dialect)) == case.labels
    )


@examples(40)
@given(st.integers(0, 2**32))
def test_lags_see_earlier_rows_of_the_same_series(seed: int) -> None:
    rng = Random(seed)
    ruleset = random_ruleset(rng)
    ruleset = ruleset.replace(mode=rng.choice([Mode.FIRST, Mode.HARDMAX]))
    columns = [random_columns(rng, ruleset.schema, rng.randint(1, 6)) for _ in range(3)]
    series = [as_rows(each, ruleset.schema) for each in columns]
    expected = [action for rows in series for action in decide_series(ruleset, rows).actions]
    declared = ", ".join(f"`{each.name}` {SQLITE[each.kind]}" for each in ruleset.schema.features)
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE data ({declared}, patient TEXT, time INTEGER)")
    inserted = [
        (*row.values(), f"p{place}", time) for place, rows in enumerate(series) for time, row in enumerate(rows)
    ]
    shuffled = rng.sample(inserted, len(inserted))
    connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * len(inserted[0]))})", shuffled)
    query = to_sql(ruleset, dialect="sqlite", partition_by="patient", order_by="time")
    decided = [row[-1] for row in connection.execute(f"SELECT * FROM ({query}) ORDER BY patient, time")]
    connection.close()
    assert decided == expected


SQLITE = {Kind.NUMERIC: "REAL", Kind.CATEGORICAL: "TEXT", Kind.BOOLEAN: "INTEGER"}


def test_a_value_before_the_series_begins_is_not_missing() -> None:
    ruleset = parse("x[1] is missing -> gone; Default -> there")
    values = "(VALUES (1, 1.0::DOUBLE), (2, NULL), (3, 3.0)) AS series(time, x)"
    rows = fetched(to_sql(ruleset, order_by="time").replace('"data"', values))
    assert [row[-1] for row in sorted(rows)] == ["there", "there", "gone"]


def test_whole_numbers_and_decimals_are_read_as_doubles() -> None:
    """An exact product of whole numbers would be larger than the constant, which is the rounded one."""
    ruleset = parse(f"whole^2 > {float(94906267**2)!r} -> more; exact < 0.1 -> less; Default -> same")
    table = "SELECT 94906267::BIGINT AS whole, 0.1::DECIMAL(3, 1) AS exact"
    assert fetched(to_sql(ruleset).replace('"data"', f"({table})"))[0][-1] == "same"


def test_categories_are_compared_to_the_letter() -> None:
    ruleset = parse("colour = red -> stop; colour != Blue -> go; Default -> wait; where colour: one of red | Blue")
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE data (colour TEXT COLLATE NOCASE)")
    connection.executemany("INSERT INTO data VALUES (?)", [("red",), ("RED",), ("blue",), ("Blue",), (None,)])
    decided = [row[-1] for row in connection.execute(to_sql(ruleset, dialect="sqlite"))]
    connection.close()
    assert decided == ["stop", "go", "go", "wait", "wait"]
    values = "(VALUES ('red'), ('RED'), ('blue'), ('Blue'), (NULL)) AS t(colour)"
    assert [row[-1] for row in fetched(to_sql(ruleset).replace('"data"', values))] == decided


def test_a_column_that_is_not_there_is_an_error() -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE data (y REAL)")
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        connection.execute(to_sql(parse("x > 1 -> a; Default -> b"), dialect="sqlite"))
    connection.close()


def test_tables_columns_and_results_have_names_of_their_own() -> None:
    ruleset = parse("x > 1 -> a; Default -> b")
    query = to_sql(ruleset, ("ward", "patients"), "tsql", alias="what next", columns={"x": "X]"}, notes=False)
    assert query == (
        "SELECT\n  *,\n  CASE\n    WHEN CAST([X]]] AS FLOAT(53)) > 1e0 THEN N'a'\n    ELSE N'b'\n"
        "  END AS [what next]\nFROM [ward].[patients]"
    )
    assert (
        to_sql(ruleset, None, "sqlite", notes=False) == "CASE\n  WHEN CAST(`x` AS REAL) > 1.0 THEN 'a'\n  ELSE 'b'\nEND"
    )
    assert to_sql(ruleset.replace(rules=()), None, notes=False) == "'b'"


def test_truth_values_may_be_numbers() -> None:
    ruleset = parse("b = true -> yes; b = false -> no; b is missing -> unknown; Default -> x; where b: yes/no")
    values = "(VALUES (1::DOUBLE), (0), ('NaN'), (NULL)) AS t(b)"
    assert [row[-1] for row in fetched(to_sql(ruleset).replace('"data"', values))] == [
        "yes",
        "no",
        "unknown",
        "unknown",
    ]


def test_what_sql_cannot_say_is_refused() -> None:
    lagged = parse("x > x[1] -> a; Default -> b")
    with pytest.raises(RuleError, match=r"rule 1 looks back .*rows of a table have no order; say order_by"):
        to_sql(lagged)
    voting = lagged.replace(rules=lagged.rules * 2, mode="vote")
    with pytest.raises(RuleError, match=r"rule 1 looks back .*a vote in SQL sees one row only"):
        to_sql(voting, order_by="time")
    with pytest.raises(RuleError, match="one action per row"):
        to_sql(lagged.replace(mode="all"), order_by="time")
    with pytest.raises(RuleError, match="unknown dialect 'duckdbb'; did you mean 'duckdb'"):
        to_sql(lagged, dialect="duckdbb")
    with pytest.raises(SchemaError, match="unknown feature 'z'"):
        to_sql(lagged, order_by="time", columns={"z": "x"})
    with pytest.raises(RuleError, match=r"cannot contain a null character.*'a\\x00b'"):
        to_sql(RuleSet([], "a\0b", Schema([], ["a\0b"])))


def test_columns_that_a_database_takes_for_one_are_refused() -> None:
    rules = [Rule([Condition(Term(name), ">", 1.0)], "a") for name in ("age", "Age")]
    ruleset = RuleSet(rules, "b", Schema([Feature("age"), Feature("Age")], ["a", "b"]))
    with pytest.raises(RuleError, match="duckdb cannot tell the columns of the features 'age' and 'Age' apart"):
        to_sql(ruleset)
    assert '"older"' in to_sql(ruleset, columns={"Age": "older"})
    assert '"Age"' in to_sql(ruleset, dialect="postgres")


def test_a_range_that_is_too_wide_is_refused_where_there_is_no_infinity() -> None:
    wide = Schema([Feature("x", low=-1e308, high=1e308, scaled=True), Feature("y")], ["a", "b"])
    ruleset = RuleSet([Rule([Condition(Term("x"), "<", Term("y"))], "a")], "b", wide)
    with pytest.raises(RuleError, match="too wide to scale in mysql"):
        to_sql(ruleset, dialect="mysql")
    assert "9e999" in to_sql(ruleset, dialect="sqlite")


CELLS = [
    ("Gov ", "40"), ("NA", "41"), ("?", " 42 "), ("n/a", "NA"), ("null", "?"), ("Private", "-9"), (" private", "-9.0"),
    ("Gov", ""), ("", "50"), ("keine", "60"), ("KEINE ", "-9e0"), ("gov", "1e2"),
]  # fmt: skip
OF_CELLS = parse(
    """
    1. work = Gov AND age > 39 -> a
    2. work is missing AND age > 40.5 -> b
    3. age is missing -> c
    4. work != Private AND age <= 100 -> d
    Default -> e
    where
      work: one of Gov | Private | gov, may be missing, missing as "keine"
      age: numeric [0..99], may be missing, missing as "-9"
      actions: a | b | c | d | e
    """
)


@pytest.mark.parametrize("mode", ONE_ACTION)
def test_a_query_on_text_decides_as_the_command_line_does(mode: Mode, tmp_path: Path) -> None:
    rules = OF_CELLS.replace(mode=mode)
    save(rules, tmp_path / "rules.json")
    lines = ["work,age", *(f'"{work}","{age}"' for work, age in CELLS)]
    (tmp_path / "cells.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    decided = run_json("predict", str(tmp_path / "rules.json"), str(tmp_path / "cells.csv"))["predictions"]
    rows = ", ".join(f"({number}, '{work}', '{age}')" for number, (work, age) in enumerate(CELLS))
    query = to_sql(rules, "cells", text_columns=True)
    found = fetched(f"WITH cells(n, work, age) AS (VALUES {rows}) SELECT decision FROM ({query}) ORDER BY n")
    assert [decision for (decision,) in found] == [each["prediction"] for each in decided]
    assert len({decision for (decision,) in found}) > 2


def test_truth_values_as_text() -> None:
    rules = parse(
        "x = true -> yes; x = false -> no; x is missing -> none; Default -> rest\nwhere\n x: yes/no, may be missing"
    )
    cells = ["TRUE", " 1", "1.0", "false", "0", "0.0", "NA", "", "yes"]
    rows = ", ".join(f"({number}, '{cell}')" for number, cell in enumerate(cells))
    query = to_sql(rules, "cells", text_columns=True)
    found = fetched(f"WITH cells(n, x) AS (VALUES {rows}) SELECT decision FROM ({query}) ORDER BY n")
    assert [decision for (decision,) in found] == ["yes"] * 3 + ["no"] * 3 + ["none"] * 3


@pytest.mark.parametrize(
    ("dialect", "rules", "message"),
    [
        (
            "sqlite",
            "age > 5 -> a; Default -> b",
            "sqlite reads text that is not a number as 0: give 'age' a numeric type",
        ),
        ("mysql", "age > 5 -> a; Default -> b", "mysql reads text that is not a number as 0"),
        (
            "duckdb",
            "age > 5 -> a; Default -> b\nwhere\n age: numeric, decimal comma",
            "'age' is written with a decimal comma, which SQL does not do",
        ),
    ],
)
def test_text_that_a_database_would_misread_is_refused(dialect: str, rules: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        to_sql(parse(rules), dialect=dialect, text_columns=True)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_reads_categories_as_text(dialect: str) -> None:
    query = to_sql(parse("c = a -> yes; Default -> no"), dialect=dialect, text_columns=True)
    assert sqlglot.parse_one(query, dialect=dialect) is not None
    assert "TRIM" in query
