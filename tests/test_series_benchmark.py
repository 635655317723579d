"""The benchmark on series compares features with chance as it says, and its table holds every figure."""

import doctest
import importlib
import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from evoter import parse
from project import ROOT

sys.path.append(str(ROOT / "benchmarks"))  # where its scripts find their modules

from comparison.catalogue import Entry
from comparison.records import Record, Store
from comparison.running import Bench, Plan, run
from series_tasks.activity import ENTRIES, find_entry
from series_tasks.activity_models import ON_RAW_VALUES, ON_STATISTICS, decision_tree, raw_values, statistics
from series_tasks.activity_overlap import NEAR, chance_of_a_hit, expected_union_share, overlap, place_of
from series_tasks.activity_report import markdown, write_reports
from series_tasks.activity_signals import COLUMNS, REHEARSAL, as_series, load_signals
from series_tasks.peers import PEERS

MODULES = sorted(path.stem for path in (ROOT / "benchmarks" / "series_tasks").glob("[!_]*.py"))
SMALL = [f"{signal}[{lag}]" for signal in "xy" for lag in range(4)]
RULES = "1. total_acc_x[3] <= 0.5*total_acc_x[9] -> a\n2. Default -> b"
WHERE = "where\n  total_acc_x: numeric [0..1], scaled\n  actions: a | b\n  lags: 0..127"


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    module = importlib.import_module(f"series_tasks.{name}")
    assert doctest.testmod(module).failed == 0


# Overlap

sizes = st.integers(1, 6)


@given(sizes, sizes)
def test_what_chance_gives_is_the_mean_over_all_sets(n_first: int, n_second: int) -> None:
    """Counted out: one set is fixed, the other takes every place."""
    n = 7
    first = set(range(n_first))
    seconds = [set(second) for second in combinations(range(n), n_second)]
    union = fmean(len(first & second) / len(first | second) for second in seconds)
    assert expected_union_share(n_first, n_second, n) == pytest.approx(union)
    hits = fmean(bool(first & second) for second in seconds)
    assert chance_of_a_hit(n_first, n_second, n) == pytest.approx(hits)


@given(st.lists(st.sets(st.sampled_from(SMALL), min_size=1), min_size=2, max_size=4))
def test_runs_have_in_common_what_they_have(runs: list[set[str]]) -> None:
    found = overlap(runs, SMALL)
    assert found is not None
    assert found.near is not None
    assert found.union.found <= found.shared.found + 1e-12 <= found.elsewhere.found + 2e-12
    assert found.shared.found <= found.near.found + 1e-12
    assert found.n_used == pytest.approx(fmean(map(len, runs)))
    for share in (found.union, found.shared, found.elsewhere, found.near):
        assert 0 <= share.found <= 1
        assert 0 <= share.by_chance <= 1 + 1e-12


def test_random_runs_have_in_common_what_chance_gives() -> None:
    rng = np.random.default_rng(0)
    runs = [[COLUMNS[place] for place in rng.choice(len(COLUMNS), 100, replace=False)] for _ in range(16)]
    found = overlap(runs, COLUMNS)
    assert found is not None
    assert found.near is not None
    for share in (found.union, found.shared, found.elsewhere, found.near):
        assert share.found == pytest.approx(share.by_chance, rel=0.1)


def test_equal_runs_and_disjoint_runs() -> None:
    same, apart = overlap([["x[0]"]] * 3, SMALL), overlap([["x[0]"], ["x[1]"], ["y[0]"]], SMALL)
    assert same is not None
    assert apart is not None
    assert (same.union.found, same.shared.found, same.elsewhere.found) == (1, 1, 1)
    assert (apart.union.found, apart.shared.found, apart.elsewhere.found) == (0, 0, 0)
    assert apart.shared.by_chance == pytest.approx(1 / 8)
    assert apart.elsewhere.by_chance == pytest.approx(1 - (7 / 8) ** 2)
    assert apart.near is not None
    assert apart.near.found == pytest.approx(2 / 6), "x[0] and x[1] find each other, y[0] nobody"


def test_near_stops_at_its_distance() -> None:
    features = [f"x[{lag}]" for lag in range(2 * NEAR + 3)]
    within, beyond = overlap([["x[0]"], [f"x[{NEAR}]"]], features), overlap([["x[0]"], [f"x[{NEAR + 1}]"]], features)
    assert within is not None
    assert beyond is not None
    assert within.near is not None
    assert beyond.near is not None
    assert (within.near.found, beyond.near.found) == (1, 0)


def test_one_run_has_nothing_to_be_compared_with() -> None:
    assert overlap([["x[0]"], []], SMALL) is None


def test_statistics_have_no_lags() -> None:
    found = overlap([["x.mean"], ["x.mean"]], ["x.mean", "x.std"])
    assert found is not None
    assert found.near is None
    assert place_of("x.mean") is None


# Models


def test_columns_are_named_as_rules_name_them() -> None:
    frame = load_signals(REHEARSAL).data
    series = as_series(frame)
    assert (series[:, 0, -1] == frame["total_acc_x[0]"]).all()
    assert (series[:, 8, 0] == frame["body_gyro_z[127]"]).all()
    assert len(COLUMNS) == len(set(COLUMNS)) == 1152


def test_statistics_are_those_of_the_whole_series() -> None:
    frame = load_signals(REHEARSAL).data
    made = statistics(frame)
    assert made.shape == (60, 72)
    assert made["body_acc_y.mean"].to_numpy() == pytest.approx(as_series(frame)[:, 4].mean(axis=1))


def test_features_of_rules_are_signals_with_lags() -> None:
    model: Any = ON_RAW_VALUES[0].make(0)
    model.classifier.ruleset_ = parse(f"{RULES}\n{WHERE}")
    assert model.features_used() == ["total_acc_x[3]", "total_acc_x[9]"]
    assert model.complexity() == 1


@pytest.mark.parametrize("entry", [*ON_RAW_VALUES[1:], *ON_STATISTICS[1:]], ids=lambda entry: entry.name)
def test_baselines_name_the_columns_they_look_at(entry: Entry) -> None:
    task = load_signals(REHEARSAL)
    model: Any = entry.make(0)
    model.fit(task.data, task.target)
    assert np.mean(model.predict(task.data) == task.target) > 0.5
    known = COLUMNS if entry in ON_RAW_VALUES else list(statistics(task.data))
    assert set(model.features_used()) <= set(known)
    assert 0 < len(model.features_used()) <= model.complexity()


def test_a_tree_with_one_node_uses_one_column() -> None:
    task = load_signals(REHEARSAL)
    model = decision_tree(raw_values, 0)
    model.estimator.set_params(max_depth=1)
    model.fit(task.data, task.target)
    assert len(model.features_used()) == model.complexity() == 1


@pytest.mark.parametrize("entry", [entry for entry in PEERS if entry.transparent], ids=lambda entry: entry.name)
@pytest.mark.filterwarnings("ignore")
def test_peers_are_counted(entry: Entry) -> None:
    if missing := entry.missing():
        pytest.skip(missing)
    task = load_signals(REHEARSAL)
    model: Any = entry.make(0)
    model.fit(task.data, task.target)
    assert model.complexity() > 0
    assert set(model.predict(task.data)) <= set(task.target)


# Table


def record(model: str, seed: int, features: Sequence[str] = (), data: str = "raw-random", **more: Any) -> Record:
    known = {"protocol": "clean", "version": "1", "digest": "d", "n_train": 70, "n_test": 30, "complexity": 40}
    accuracy = {"test_accuracy": 0.8 + seed / 50}
    return Record(
        **{**known, **accuracy, "data": data, "model": model, "split": seed, "features": tuple(features), **more}
    )


def test_the_table_has_means_and_the_overlap() -> None:
    records = [record("evoter", 0, COLUMNS[:4], rules=RULES), record("evoter", 1, COLUMNS[2:4])]
    records += [record("tree", seed, COLUMNS[:10], complexity=495) for seed in range(2)]
    records += [record("minirocket", 0, data="series-random", failure="no result in 5 s")]
    text = markdown(records, ENTRIES, {"raw": COLUMNS})
    assert "| raw values | **EVOTER** | **0.000** | **0.810** | **0.014** | **40.0** | **3.0** | **1,152** |" in text
    assert "| raw values | decision tree | 0.000 | 0.810 | 0.014 | 495.0 | 10.0 | 1,152 |" in text
    assert "| whole series | MiniRocket \\* | no result in 5 s |" in text
    union, shared = "0.500 (0.001)", "0.750 (0.003)"
    assert f"| raw values | **EVOTER** | **3.0** | **1,152** | **{union}** | **{shared}** |" in text
    assert "subject" not in text


def test_one_run_has_no_deviation() -> None:
    text = markdown([record("bayes", 0)], ENTRIES, {"raw": COLUMNS})
    assert "| raw values | naive Bayes | 0.000 | 0.800 |  | 40.0 |" in text


def test_rules_are_written_so_that_they_can_be_read(tmp_path: Path) -> None:
    text = f"{RULES}\n{WHERE}"
    write_reports(tmp_path, "table\n", [record("evoter", 3, rules=text)])
    assert (tmp_path / "activity.md").read_text(encoding="utf-8") == "table\n"
    assert parse((tmp_path / "rules" / "raw-random-3.rules").read_text(encoding="utf-8")) == parse(text)


def test_features_are_measured_and_kept(tmp_path: Path) -> None:
    """What a run found is there again when the same command goes on."""
    (entry,) = (entry for entry in ON_STATISTICS if entry.name == "tree")
    bench = Bench({REHEARSAL: "waves"}, load_signals, find_entry, REHEARSAL)
    plan = Plan("clean", [REHEARSAL], [entry], 2, 60, bench)
    path = tmp_path / "records.jsonl"
    first = run([plan], Store(path), Console(quiet=True))
    assert all(found.features and not found.failure for found in first)
    kept = path.read_text(encoding="utf-8")
    assert run([plan], Store(path), Console(quiet=True)) == first
    assert path.read_text(encoding="utf-8") == kept
