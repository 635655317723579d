"""Runs exports in programs outside Python: node, a C compiler, a FEEL interpreter for DMN, and spreadsheets."""

import ctypes
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from evoter.export import to_c, to_dmn, to_excel, to_javascript
from evoter.rules.model import RuleSet
from evoter.rules.modes import mode_of
from evoter.rules.schema import Kind
from exported_values import Table, Value

MODULES = Path(sys.prefix) / "javascript"
"""Where `make` installs what runs DMN."""

_C_FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O2"]
_RUN_SCRIPT = """
const { decide } = require(process.argv[1]);
const rows = eval(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(rows.map((row) => decide(row))));
"""


def run_javascript(ruleset: RuleSet, table: Table) -> list[Any]:
    """Decide with the exported function in node; a missing value is null, or in every other row not there at all."""
    rows = [
        {name: value for name, value in row.items() if value is not None or place % 2}
        for place, row in enumerate(_rows(ruleset.features_used, table))
    ]
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "rules.js")
        script.write_text(to_javascript(ruleset), encoding="utf-8")
        given = f"({json.dumps(rows)})"  # with NaN and Infinity, which JSON lacks and JavaScript has
        decided = _run(["node", "-e", _RUN_SCRIPT, "--", str(script)], given)
    return list(json.loads(decided))


def run_c(ruleset: RuleSet, table: Table) -> list[Any]:
    """Decide with the exported function, compiled with all warnings as errors."""
    names = ruleset.features_used
    text = [ruleset.schema.feature(name).kind is Kind.CATEGORICAL for name in names]
    members = [
        (f"member_{place}", ctypes.c_char_p if is_text else ctypes.c_double) for place, is_text in enumerate(text)
    ]
    structure = type("Row", (ctypes.Structure,), {"_fields_": members})
    decide = compiled(to_c(ruleset)).decide
    several = mode_of(ruleset.mode).several_actions
    taken = (ctypes.c_char_p * max(1, len(ruleset.rules)))()
    numeric = ruleset.schema.target is not None
    decide.restype = ctypes.c_double if numeric else ctypes.c_size_t if several else ctypes.c_char_p
    decided: list[Any] = []
    for row in _rows(names, table):
        values = [_in_c(value, is_text) for value, is_text in zip(row.values(), text, strict=True)]
        answer = decide(ctypes.byref(structure(*values)), *([taken] if several else []))
        if numeric:
            decided.append(answer)
        else:
            decided.append([each.decode() for each in taken[:answer] if each] if several else answer.decode())
    return decided


def compiled(source: str) -> ctypes.CDLL:
    """Compile C and load it."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "rules.c").write_text(source, encoding="utf-8")
        library = Path(folder, "rules.so")
        _run([_compiler(), *_C_FLAGS, "-shared", "-fPIC", "-o", str(library), str(Path(folder, "rules.c"))])
        return ctypes.CDLL(str(library))


def _compiler() -> str:
    return shutil.which("cc") or shutil.which("gcc") or "cc"


def _in_c(value: Value, is_text: bool) -> float | bytes | None:
    if is_text:
        return None if value is None else str(value).encode()
    return math.nan if value is None else float(value)


def run_dmn(ruleset: RuleSet, table: Table) -> list[str]:
    """Decide with the exported decision table: dmn-moddle reads it, and feelin evaluates FEEL."""
    engine = Path(__file__).with_name("dmn_engine.mjs")
    rows = [
        {name: None if isinstance(value, float) and math.isnan(value) else value for name, value in row.items()}
        for row in _rows(ruleset.features_used, table)
    ]
    given = {"modules": str(MODULES), "document": to_dmn(ruleset), "rows": rows}
    return list(json.loads(_run(["node", str(engine)], json.dumps(given, allow_nan=False))))


def run_ironcalc(ruleset: RuleSet, table: Table) -> list[str]:
    """Decide with the formulas of the exported workbook in IronCalc."""
    import ironcalc

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rules.xlsx")
        path.write_bytes(without_results(to_excel(ruleset, _used(ruleset, table)), b"<v>0</v>"))
        model = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
    model.evaluate()
    column = len(ruleset.features_used) + 2
    n_rows = len(next(iter(table.values())))
    return [model.get_formatted_cell_value(1, row, column) for row in range(2, n_rows + 2)]


def run_libreoffice(ruleset: RuleSet, table: Table) -> list[str]:
    """Decide with the formulas of the exported workbook in LibreOffice."""
    import polars as pl

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "rules.xlsx")
        path.write_bytes(without_results(to_excel(ruleset, _used(ruleset, table))))
        profile = f"-env:UserInstallation=file://{folder}/profile"
        convert = ["soffice", profile, "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir"]
        _run([*convert, f"{folder}/out", str(path)])
        frame = pl.read_excel(f"{folder}/out/rules.xlsx", sheet_name="Decide", has_header=False)
    return [str(value) for value in frame[1:, len(ruleset.features_used) + 1]]


def without_results(workbook: bytes, instead: bytes = b"") -> bytes:
    """Remove the stored results of formulas, or put something else there, so that a program has to compute them."""
    given, made = zipfile.ZipFile(BytesIO(workbook)), BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in given.namelist():
            content = given.read(name)
            if name.startswith("xl/worksheets/sheet"):
                content = re.sub(rb"</f><v>[^<]*</v>", b"</f>" + instead, content)
                content = re.sub(rb' t="\w+"><f>', b"><f>", content)
            copy.writestr(name, content)
    return made.getvalue()


def _used(ruleset: RuleSet, table: Table) -> Table:
    return {name: table[name] for name in ruleset.features_used} or table


def _rows(names: Sequence[str], table: Table) -> list[dict[str, Value]]:
    n_rows = len(next(iter(table.values())))
    return [{name: table[name][row] for name in names} for row in range(n_rows)]


def _run(command: Sequence[str], given: str = "") -> str:
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {done.returncode}:\n{done.stderr[-3000:]}")
    return done.stdout
