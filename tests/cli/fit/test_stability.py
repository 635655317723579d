"""Tests of repeated runs: the same split, other seeds, and what the results have in common."""

import json
from pathlib import Path

import pytest

from commands import QUICK, fails, patients, run, run_json, write_rows
from evoter.cli.fit.stability import Run, Stability, stability_lines
from evoter.rules.parser import parse

DECLARED = "\nwhere\n  x: numeric [0..10]\n  c: one of red | blue | green\n  actions: a | b"
RULES = [
    "x > 2.5 AND c = red -> a; x <= 9 -> b; Default -> a",
    "c = red AND x > 2.8 -> a; x > 8 -> b; Default -> a",
    "x >= 2.4 -> a; Default -> b",
]


def stability() -> Stability:
    decisions = ["aabb", "aaba", "aabb"]
    return Stability(
        tuple(
            Run(seed, parse(text + DECLARED), accuracy, tuple(decided))
            for seed, (text, accuracy, decided) in enumerate(zip(RULES, (0.75, 1.0, 0.5), decisions, strict=True))
        ),
        unseen=True,
    )


def test_agreement_is_counted_by_pairs_and_by_all() -> None:
    found = stability()
    assert found.agreement == pytest.approx((0.75 + 1.0 + 0.75) / 3)
    assert found.unanimous == 0.75


def test_near_thresholds_count_as_one_condition_and_distant_ones_do_not() -> None:
    conditions = {each.text: each.n_runs for each in stability().conditions()}
    assert conditions == {"x > 2.4 to 2.8": 3, "c = red": 2, "x < 9": 1, "x > 8": 1}
    assert {each.text: each.n_runs for each in stability().features()} == {"x": 3, "c": 2}


def test_rules_recur_word_for_word_in_any_order_of_their_conditions() -> None:
    assert stability().rules() == []
    same = [parse(text + DECLARED) for text in (RULES[0], "c = red AND x > 2.5 -> a; Default -> b")]
    runs = tuple(Run(seed, ruleset, 1.0, ("a",)) for seed, ruleset in enumerate(same))
    assert [(each.text, each.n_runs) for each in Stability(runs, False).rules()] == [("c = red AND x > 2.5 -> a", 2)]


def test_figures_in_words() -> None:
    lines = dict(stability_lines(stability().to_dict()))
    assert lines["accuracy"] == (
        "75.0% on average, 50.0% to 100% on the same 4 unseen rows (standard deviation 25.0 points)"
    )
    assert lines["agreement"] == "two runs decide 83.3% of these rows alike on average, all 3 runs 75.0%"
    assert lines["size"] == "1 to 2 rules with 1 to 3 conditions"
    assert lines["conditions"] == "x > 2.4 to 2.8 (3 of 3)\nc = red (2 of 3)"
    assert lines["rules"] == "none in more than one run"


def test_seeds_are_compared_on_the_same_split(folder: Path) -> None:
    """`--seed` moved the split as well, so that runs with different seeds could not be compared."""
    write_rows(folder / "t.csv", patients())
    splits = {
        seeds: run_json("fit", "t.csv", "-t", "risk", "--force", *QUICK, *seeds)["split"]["sha256"]
        for seeds in ((), ("--seed", "1"), ("--split-seed", "1"), ("--split-seed", "1", "--seed", "1"))
    }
    assert splits[()] == splits["--seed", "1"]
    assert splits["--split-seed", "1"] == splits["--split-seed", "1", "--seed", "1"]
    assert splits[()] != splits["--split-seed", "1"]


def test_repeated_runs_are_shown_recorded_and_reported(folder: Path) -> None:
    write_rows(folder / "t.csv", patients())
    assert run("fit", "t.csv", "-t", "risk", *QUICK, "--seed", "5").exit_code == 0
    alone = (folder / "t.rules.json").read_bytes()
    result = run("fit", "t.csv", "-t", "risk", *QUICK, "--seed", "5", "--repeat", "3")
    assert result.exit_code == 0, result.output
    assert (folder / "t.rules.json").read_bytes() == alone, "the rules are those of the seed that was asked for"
    assert "3 runs with the seeds 5 to 7; the rules above are those of 5" in result.stdout
    assert "two runs decide" in result.stdout
    record = json.loads((folder / "t.rules.fit.json").read_text("utf-8"))["stability"]
    assert [each["seed"] for each in record["runs"]] == [5, 6, 7]
    accuracies = [each["accuracy"] for each in record["runs"]]
    assert record["accuracy"]["lowest"] == min(accuracies)
    assert record["accuracy"]["mean"] == pytest.approx(sum(accuracies) / 3)
    assert 0.5 < record["agreement"] <= 1.0
    page = (folder / "t.rules.html").read_text("utf-8")
    assert "How much of it is chance" in page
    other = run_json("fit", "t.csv", "-t", "risk", "--force", *QUICK, "--seed", "6")
    assert other["figures"]["test"]["accuracy"] == accuracies[1], "each run is what its seed gives alone"


def test_a_limit_of_time_counts_for_all_runs_together(folder: Path) -> None:
    write_rows(folder / "t.csv", patients())
    record = run_json(
        "fit", "t.csv", "-t", "risk", "--time", "3", "--repeat", "3", "--patience", "100000", "--jobs", "1"
    )
    assert len(record["stability"]["runs"]) == 3
    assert record["run"]["seconds"] < 2.0


def test_a_checkpoint_is_of_one_search(folder: Path) -> None:
    write_rows(folder / "t.csv", patients())
    message, _ = fails("fit", "t.csv", "-t", "risk", "--repeat", "2", "--checkpoint", "c.npz")
    assert message == "--checkpoint keeps the state of one search, not of several"
