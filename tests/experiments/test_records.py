"""Runs are planned seed by seed, and their records are found again by what they are results of."""

from dataclasses import replace
from pathlib import Path

from evoter.experiments.declarations import catalogue
from evoter.experiments.outcome import Outcome
from evoter.experiments.records import Record, Store, runs_of
from trials import small_iris


def test_runs_are_planned_seed_by_seed() -> None:
    runs = runs_of(small_iris(), "quick", 7)
    assert [(run.seed, run.variant, run.models) for run in runs[:4]] == [
        (7, "clean", ("evoter",)),
        (7, "clean", ("bayes",)),
        (7, "clean", ("tree",)),
        (7, "paper", ("evoter",)),
    ]
    assert len(runs) == len({run.key for run in runs}) == 12
    together = runs_of(catalogue()["heart-failure"], "full", 0)
    assert [run.seed for run in together] == list(range(10))
    assert together[0].models == tuple(catalogue()["heart-failure"].models)


def test_records_are_found_again(tmp_path: Path) -> None:
    run, other = runs_of(small_iris(), "quick", 0)[:2]
    outcome = Outcome({"accuracy": 0.5}, {"score": (1.0, 2.0)}, "rules", ("x",), 1.5)
    Store(tmp_path / "records.jsonl").add(Record(run, {"evoter": outcome}))
    store = Store(tmp_path / "records.jsonl")
    assert store.get(run) == Record(run, {"evoter": outcome})
    assert store.get(other) is None
    assert store.get(replace(run, settings={**run.settings, "rows": 10})) is None
    assert [record.run for record in store.records_of(small_iris(), "quick", 0)] == [run]
