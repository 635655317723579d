"""Runs are planned seed by seed; records survive crashes, and are found again by what they are results of."""

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import evoter
from evoter.experiments.declarations import catalogue
from evoter.experiments.records import (
    LEARNING_PARTS,
    Journal,
    Record,
    Store,
    experiment_version,
    learning_version,
    runs_of,
    source_digest,
)
from evoter.experiments.runners import RUNNERS, Outcome
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


objects = st.dictionaries(
    st.text(max_size=5), st.one_of(st.integers(), st.text(), st.lists(st.floats(-1, 1))), max_size=3
)


@given(st.lists(objects, max_size=4))
def test_what_is_written_is_read(tmp_path_factory: object, written: list[dict[str, object]]) -> None:
    path = Path(tmp_path_factory.mktemp("journal")) / "deep" / "lines.jsonl"  # type: ignore[attr-defined]
    for values in written:
        Journal(path).append(values)
    assert list(Journal(path)) == written


def test_a_line_cut_short_or_garbled_is_passed_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "lines.jsonl")
    journal.append({"a": 1})
    with journal.path.open("ab") as file:
        file.write(b'\n{"b": 2, "c": "\xc3')
    journal.append({"d": 4})
    assert list(journal) == [{"a": 1}, {"d": 4}]


def test_what_is_no_object_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('[1]\n3\n{"a": 1}\n', encoding="utf-8")
    assert list(Journal(path)) == [{"a": 1}]


def test_digests_are_those_of_the_content(tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in "abc")
    first.write_text("x", encoding="utf-8")
    second.write_text("x", encoding="utf-8")
    third.write_text("y", encoding="utf-8")
    assert source_digest(first) == source_digest(second) != source_digest(third)


def test_all_parts_are_there() -> None:
    folder = Path(evoter.__file__).parent
    assert all((folder / part).is_dir() for part in LEARNING_PARTS)
    parts = {part for runner in RUNNERS.values() for part in runner.parts}
    assert all((folder / "experiments" / part).exists() for part in parts)
    assert experiment_version("control.py").startswith(learning_version())
    assert experiment_version("control.py") != experiment_version("boundaries.py")
    assert evoter.__version__ in learning_version()
