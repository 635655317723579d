"""The benchmark runs, agrees with its baselines, and writes what it measured; how fast it is says nothing here."""

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from project import ROOT

BENCHMARKS = ROOT / "benchmarks"

sys.path.append(str(BENCHMARKS))  # where its scripts find their modules

from exported import WAYS  # noqa: E402


def test_every_benchmark_can_be_imported() -> None:
    """Peers that few people have installed are imported when they are asked for."""
    names = [".".join(path.relative_to(BENCHMARKS).with_suffix("").parts) for path in sorted(BENCHMARKS.rglob("*.py"))]
    assert {"engine", "golden", "comparison.running"} <= set(names)
    for name in names:
        module = importlib.import_module(name)
        assert module.__file__ is not None, name
        assert Path(module.__file__).is_relative_to(BENCHMARKS), name


def test_the_quick_benchmark_runs(tmp_path: Path) -> None:
    """It compares the engine's results with both baselines' before it compares their speed."""
    report = tmp_path / "figures.json"
    script = BENCHMARKS / "engine.py"
    environment = {**os.environ, "COLUMNS": "140"}
    arguments = ["--quick", "--json", str(report), "--only", "evaluation", "loop", "rows", "threads", "kernels"]
    done = subprocess.run(
        [sys.executable, str(script), *arguments], check=True, capture_output=True, text=True, env=environment
    )
    figures = json.loads(report.read_text(encoding="utf-8"))["figures"]
    assert {figure["what"] for figure in figures if "NumPy" in figure["what"]}
    assert all(figure["median"] >= 0 for figure in figures)
    assert all(figure["what"] in done.stdout for figure in figures)


@pytest.mark.parametrize("script", ["front.py", "mechanisms.py"])
def test_the_quick_benchmarks_of_fronts_run(script: str) -> None:
    if script == "front.py":
        pytest.importorskip("pymoo")
        pytest.importorskip("moocore")
    arguments = [sys.executable, str(BENCHMARKS / script), "--quick"]
    done = subprocess.run(arguments, check=True, capture_output=True, text=True)
    assert "as rules" in done.stdout or "as it is" in done.stdout


def test_exports_decide_as_the_models_do(tmp_path: Path) -> None:
    """Rules evolved on real data, run by other programs; with published data where EVOTER_DATA holds them."""
    counts = tmp_path / "counts.json"
    arguments = ["--rows", "200", "--generations", "3", "--json", str(counts)]
    data = ["iris", "breast cancer", "visits", *(["credit approval"] if "EVOTER_DATA" in os.environ else [])]
    script = BENCHMARKS / "exports.py"
    formats = [name for name in WAYS if name != "Excel in LibreOffice"]  # which takes seconds to start
    command = [sys.executable, str(script), *arguments, "--data", *data, "--formats", *formats]
    subprocess.run(command, check=True, capture_output=True, text=True)
    records = json.loads(counts.read_text(encoding="utf-8"))
    assert {record["data"] for record in records} == set(data)
    assert {record["format"] for record in records} == {name for name in formats if not WAYS[name].lacks}
    assert not [record for record in records if record["mismatches"]]
