"""Runs what the exports write: a rule set goes in with a table, and out come the decisions of another program."""

import json
import math
import shutil
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import cache
from typing import Any, NamedTuple

import duckdb
import numpy as np
import onnxruntime
import pyarrow as pa

from evoter.export import to_onnx, to_pmml, to_python, to_sql
from evoter.rules.json_codec import dumps, loads
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Kind, Schema
from exported_engines import MODULES, run_c, run_dmn, run_ironcalc, run_javascript, run_libreoffice
from exported_sql import TRANSLATED, WITH_NAN, translated
from exported_values import Fitting, Table, Value, finite, told_apart, unchanged

_ORDER = "order of rows"
_AT_ONCE = 5_000
"""Rows that go to Java together; with many more, it takes gigabytes."""

_ARROW = {Kind.NUMERIC: pa.float64(), Kind.CATEGORICAL: pa.string(), Kind.BOOLEAN: pa.bool_()}
_SQLITE = {Kind.NUMERIC: "REAL", Kind.CATEGORICAL: "TEXT", Kind.BOOLEAN: "INTEGER"}


def run_python(ruleset: RuleSet, table: Table) -> list[str]:
    """Decide with the exported function."""
    names: dict[str, Any] = {}
    exec(compile(to_python(ruleset), "exported", "exec"), names)  # noqa: S102 - what is run is what is checked
    return [names["decide"](row) for row in zip(*(table[name] for name in ruleset.schema.names), strict=True)]


def run_duckdb(ruleset: RuleSet, table: Table, sql: str | None = None) -> list[str]:
    """Decide with the exported query, or another one, in DuckDB, whose tables keep NULL and NaN apart."""
    read = [ruleset.schema.feature(name) for name in ruleset.features_used]
    arrays = [pa.array(table[each.name], _ARROW[each.kind], from_pandas=False) for each in read]
    order = pa.array(range(_n_rows(table)))
    query = sql or to_sql(ruleset)
    connection = _duckdb()
    connection.register("arrow", pa.table([*arrays, order], [*ruleset.features_used, _ORDER]))
    connection.execute("CREATE OR REPLACE TABLE data AS SELECT * FROM arrow")
    connection.unregister("arrow")
    rows = connection.execute(f'{query} ORDER BY "{_ORDER}"').fetchall()
    return [row[-1] for row in rows]


@cache
def _duckdb() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def run_sqlite(ruleset: RuleSet, table: Table) -> list[str]:
    """Decide with the exported query in SQLite, which stores NaN as NULL."""
    read = [ruleset.schema.feature(name) for name in ruleset.features_used]
    declared = [f"{_quoted(each.name)} {_SQLITE[each.kind]}" for each in read]
    query = to_sql(ruleset, dialect="sqlite")  # before a table is made, since it refuses names that no table can have
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"CREATE TABLE data ({', '.join([*declared, f'{_quoted(_ORDER)} INTEGER'])})")
        rows = zip(*(table[each.name] for each in read), range(_n_rows(table)), strict=True)
        connection.executemany(f"INSERT INTO data VALUES ({', '.join('?' * (len(read) + 1))})", rows)
        return [row[-1] for row in connection.execute(f"{query} ORDER BY {_quoted(_ORDER)}")]


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _n_rows(table: Table) -> int:
    return len(next(iter(table.values())))


def run_pmml(ruleset: RuleSet, table: Table) -> list[str]:
    """Decide with the exported document in pypmml."""
    from pypmml import Model

    model = Model.fromString(to_pmml(ruleset))
    read = list(ruleset.features_used)
    columns = [[_as_json(value) for value in table[name]] for name in read]
    rows = [[column[row] for column in columns] for row in range(_n_rows(table))]
    decided = []
    for start in range(0, len(rows), _AT_ONCE):
        # Pandas would round numbers to ten decimals on their way into the model.
        text = json.dumps({"columns": read, "data": rows[start : start + _AT_ONCE]}).replace("Infinity", "1e999")
        answer = json.loads(model.predict(text))
        k = next(k for k, name in enumerate(answer["columns"]) if name.startswith("predicted_decision"))
        decided += [row[k] for row in answer["data"]]
    return decided


def _as_json(value: Value) -> Value:
    return None if isinstance(value, float) and math.isnan(value) else value


def run_onnx(ruleset: RuleSet, table: Table) -> list[str]:
    """Decide with the exported model in onnxruntime."""
    labels, _ = fetch_onnx(ruleset, table)
    return labels


def fetch_onnx(ruleset: RuleSet, table: Table) -> tuple[list[str], list[int]]:
    """Return the labels and the numbers of the deciding rules."""
    session = onnxruntime.InferenceSession(to_onnx(ruleset))
    labels, rules = session.run(None, feed(session, ruleset.schema, table))[:2]
    return labels.tolist(), rules.tolist()


def feed(session: onnxruntime.InferenceSession, schema: Schema, table: Table) -> dict[str, Any]:
    """Return a table as the inputs of a model."""
    arrays = {}
    for each in session.get_inputs():
        values = table[each.name]
        if schema.feature(each.name).kind is Kind.CATEGORICAL:
            array = np.array(["" if value is None else value for value in values], dtype=object)
        else:
            array = np.array([math.nan if value is None else value for value in values], dtype=np.float64)
        arrays[each.name] = array.reshape(-1, 1)
    return arrays


def run_json(ruleset: RuleSet, table: Table) -> list[str]:
    """Decide with what is read back from JSON."""
    return run_python(loads(dumps(ruleset)), table)


def run_text(ruleset: RuleSet, table: Table) -> list[str]:
    """Decide with what is read back from text."""
    return run_python(parse(str(ruleset)), table)


Run = Callable[[RuleSet, Table], list[Any]]


def run_translated(dialect: str) -> Run:
    """Return what decides with a query in a dialect, translated for DuckDB."""
    translate = translated(dialect)
    return lambda ruleset, table: run_duckdb(ruleset, table, translate(ruleset))


class Way(NamedTuple):
    """A way to run what was exported: how, on which values, and what it needs (the reason, where that is not there)."""

    run: Run
    fitting: Fitting = unchanged
    lacks: str = ""


def _lacks(program: str, reason: str) -> str:
    return "" if shutil.which(program) else reason


_NO_NODE = _lacks("node", "JavaScript runs in node: install Node.js")
_NO_FEELIN = "" if (MODULES / "node_modules" / "feelin").is_dir() else "DMN runs in feelin: run make with npm installed"

WAYS: Mapping[str, Way] = {
    "Python": Way(run_python),
    "JavaScript in node": Way(run_javascript, lacks=_NO_NODE),
    "C, compiled": Way(run_c, lacks=_lacks("cc", "C needs a compiler: install gcc")),
    "SQL in DuckDB": Way(run_duckdb),
    "SQL in SQLite": Way(run_sqlite),
    **{
        f"SQL for {name}, translated": Way(run_translated(name), unchanged if name in WITH_NAN else finite)
        for name in TRANSLATED
    },
    "DMN in feelin": Way(run_dmn, finite, _NO_NODE or _NO_FEELIN),
    "Excel in IronCalc": Way(run_ironcalc, told_apart),
    "Excel in LibreOffice": Way(run_libreoffice, told_apart, _lacks("soffice", "LibreOffice is not installed")),
    "PMML in pypmml": Way(run_pmml, lacks=_lacks("java", "pypmml runs PMML in Java: install a Java runtime")),
    "ONNX in onnxruntime": Way(run_onnx),
    "JSON, read back": Way(run_json),
    "text, read back": Way(run_text),
}
"""Every way to run what was exported."""
