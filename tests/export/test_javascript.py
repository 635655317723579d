"""JavaScript for browsers and servers: modules and scripts, values of all kinds, and lags."""

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains import random_schema
from evoter.export import to_javascript
from evoter.rules.errors import RuleError
from evoter.rules.interpreter import decide_series
from evoter.rules.model import Mode
from evoter.rules.parser import parse
from evoter.rules.schema import Schema
from exporting import HOSTILE, hostile_case
from laws import examples
from tasks import as_rows, random_columns, random_ruleset

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="JavaScript runs in node: install Node.js")


def node(script: str, folder: Path, name: str = "run.js") -> str:
    """Run a script and return what it prints."""
    (folder / name).write_text(script, encoding="utf-8")
    done = subprocess.run(["node", name], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_node
@examples(100)
@given(st.integers(0, 2**32), st.integers(0, 2), st.sampled_from(Mode))
def test_lags_read_earlier_objects(
    tmp_path_factory: pytest.TempPathFactory, seed: int, max_lag: int, mode: Mode
) -> None:
    rng = Random(seed)
    schema = Schema(random_schema(rng).features, ["go", "stop"], max_lag)
    ruleset = random_ruleset(rng, schema, mode)
    rows = as_rows(random_columns(rng, schema, 8), schema)
    script = f"""
        {to_javascript(ruleset)}
        const rows = {json.dumps([dict(row) for row in rows])};
        console.log(JSON.stringify(rows.map((row, k) => decide(row, ...rows.slice(0, k).reverse()))));
    """
    decisions = decide_series(ruleset, rows).decisions
    expected = [list(each.actions) if mode is Mode.ALL else each.action for each in decisions]
    assert json.loads(node(script, tmp_path_factory.mktemp("node"))) == expected


@needs_node
def test_a_module_exports_the_function_and_a_script_is_required(tmp_path: Path) -> None:
    ruleset = parse("x > 1 -> up; Default -> down")
    (tmp_path / "rules.mjs").write_text(to_javascript(ruleset, module=True), encoding="utf-8")
    (tmp_path / "rules.js").write_text(to_javascript(ruleset), encoding="utf-8")
    module = 'import { decide } from "./rules.mjs"; console.log(decide({ x: 2 }));'
    assert node(module, tmp_path, "run.mjs") == "up\n"
    assert node('console.log(require("./rules.js").decide({ x: 1 }));', tmp_path) == "down\n"


@needs_node
def test_values_of_all_kinds(tmp_path: Path) -> None:
    ruleset = parse(
        "x is missing -> none; b = true -> yes; x > 1 -> more; Default -> rest; where b: yes/no; x: numeric"
    )
    values = "[{}, { x: null }, { x: NaN }, { x: 1, b: true }, { x: 1, b: 1 }, { x: 2n }, { x: true, b: false }]"
    script = f"{to_javascript(ruleset)}console.log(JSON.stringify({values}.map((row) => decide(row))));"
    assert json.loads(node(script, tmp_path)) == ["none", "none", "none", "yes", "yes", "more", "rest"]
    wrong = "try { decide({ x: '2' }); } catch (error) { console.log(error.name, error.message); }"
    printed = node(f"{to_javascript(ruleset)}{wrong}", tmp_path)
    assert printed == "TypeError x must be a number, a truth value or null, not string\n"


def test_actions_may_be_anything_that_json_can_say() -> None:
    source = to_javascript(parse("x > 1 -> up; Default -> down"), actions=[{"push": -1.5}, None])
    assert 'return {"push": -1.5};' in source
    assert "return null;" in source
    for actions in ([1.0, float("nan")], [1], [object(), 1]):
        with pytest.raises(RuleError, match="actions must be 2 values that JSON can express"):
            to_javascript(parse("x > 1 -> up; Default -> down"), actions=actions)


@pytest.mark.parametrize("mode", Mode)
def test_a_script_element_cannot_be_left(mode: Mode) -> None:
    source = to_javascript(hostile_case(mode).ruleset)
    assert any("</script" in name for name in HOSTILE)
    assert "</" not in source
    assert "<!--" not in source
    assert "\u2028" not in source
    assert "\u202e" not in source
