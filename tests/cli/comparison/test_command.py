"""Tests of `evoter compare`: rule files and fresh models on the same rows."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from commands import fails, patients, run, run_json, write_rows
from evoter.cli.comparison.models import MODELS, predict_with
from evoter.cli.fit.column_roles import Choices, plan_columns
from evoter.cli.tables.files import Source

RULES = "patients.rules.json"


@pytest.fixture
def plain_rules(tmp_path: Path) -> str:
    """Write a rule a person might think of."""
    path = tmp_path / "plain.rules"
    path.write_text("age > 55 -> high; Default -> low", encoding="utf-8")
    return str(path)


def test_fresh_models_learn_from_the_rows_that_the_rules_learnt_from(fitted: Path) -> None:
    described = run_json("compare", RULES, "patients.csv")
    assert described["only_unseen_rows"]
    assert described["rows"] == 60
    accuracies = {each["name"]: each["accuracy"] for each in described["models"]}
    assert list(accuracies) == [RULES, *MODELS]
    assert min(accuracies.values()) == accuracies["majority"]
    record = run_json("show", RULES, "patients.csv")
    assert record["n_rows"] == 240
    assert all(each["agreement"][each["name"]] == 1.0 for each in described["models"])


def test_figures_are_those_of_the_fit(fitted: Path) -> None:
    import json

    recorded = json.loads((fitted / "patients.rules.fit.json").read_text(encoding="utf-8"))["figures"]["test"]
    compared = run_json("compare", RULES, "patients.csv", "--model", "none")["models"][0]
    assert (compared["accuracy"], compared["interval"]) == (recorded["accuracy"], recorded["interval"])


def test_two_rule_files_and_the_rows_on_which_they_differ(fitted: Path, plain_rules: str) -> None:
    described = run_json("compare", "patients.csv", RULES, plain_rules)
    assert [each["name"] for each in described["models"]] == [RULES, "plain.rules"]
    (pair,) = described["pairs"]
    assert pair["only_first_right"] > pair["only_other_right"]
    n_same = round(pair["agreement"] * described["rows"])
    assert len(described["differing_rows"]) == described["rows"] - n_same
    row = described["differing_rows"][0]
    assert patients()[row["row"] - 1]["risk"] == row["label"]
    output = run("compare", "patients.csv", RULES, plain_rules, "--rows", "2").stdout
    assert "Rows on which they differ: 2 of" in output


def test_files_of_the_same_name_are_told_apart(fitted: Path, tmp_path: Path) -> None:
    paths = [tmp_path / folder / "my.rules" for folder in ("a", "b")]
    for path, least in zip(paths, (40, 55), strict=True):
        path.parent.mkdir()
        path.write_text(f"age > {least} -> high; Default -> low", encoding="utf-8")
    described = run_json("compare", "patients.csv", *map(str, paths), "--target", "risk")
    assert [each["name"] for each in described["models"]] == [str(path) for path in paths]
    assert set(described["differing_rows"][0]["answers"]) == {str(path) for path in paths}


def test_a_rule_file_may_be_called_as_a_model_is(fitted: Path, tmp_path: Path) -> None:
    named = tmp_path / "majority"
    named.write_text("age > 40 -> high; Default -> low", encoding="utf-8")
    described = run_json("compare", "patients.csv", RULES, str(named))
    n_same = round(described["pairs"][0]["agreement"] * described["rows"])
    assert 0 < len(described["differing_rows"]) == described["rows"] - n_same


def test_names_and_labels_do_nothing_to_the_terminal(folder: Path) -> None:
    (folder / "odd.csv").write_text('a,"y\x1b[2J"\n1,"p\x1b[31m"\n2,q\n3,q\n4,"p\x1b[31m"\n', encoding="utf-8")
    for number in (1, 3):
        (folder / f"{number}.rules").write_text(f'a > {number} -> q; Default -> "p\\u001b[31m"', encoding="utf-8")
    options = ("--target", "y\x1b[2J")
    result = run("compare", "1.rules", "3.rules", "odd.csv", *options)
    assert "Rows on which they differ" in result.output
    assert "\x1b" not in result.output + run("check", "1.rules", "odd.csv", *options).output
    assert "\x1b" not in run("check", "1.rules", "odd.csv", "--target", "x").output


def test_on_another_table_all_rows_are_compared(fitted: Path, tmp_path: Path, plain_rules: str) -> None:
    other = write_rows(tmp_path / "other.csv", patients(100, seed=5))
    described = run_json("compare", RULES, str(other), "--model", "tree")
    assert not described["only_unseen_rows"]
    assert described["rows"] == 100
    result = run("compare", plain_rules, str(other), "--target", "risk", "--model", "majority")
    assert result.exit_code == 0, result.output
    assert "cross-validated" in result.stderr


def test_a_table_without_the_columns_of_the_rules(fitted: Path, tmp_path: Path) -> None:
    other = write_rows(tmp_path / "other.csv", [{"a": "1", "risk": "low"}, {"a": "2", "risk": "high"}])
    message, hint = fails("compare", RULES, str(other))
    assert message.startswith("other.csv has no column 'age', which the rules read")
    assert hint == "its columns are a, risk"


def test_unequal_classes_are_compared_by_what_is_found_of_each(folder: Path) -> None:
    write_rows(folder / "t.csv", [{"x": str(n + 0.5), "y": "rare" if n >= 90 else "usual"} for n in range(100)])
    (folder / "r.txt").write_text("x >= 95 -> rare; Default -> usual", encoding="utf-8")
    arguments = ("compare", "r.txt", "t.csv", "--target", "y", "--model", "majority")
    described = run_json(*arguments)
    assert [each["balanced_accuracy"] for each in described["models"]] == [0.75, 0.5]
    result = run(*arguments)
    assert "balanced accuracy" in result.stdout
    assert "75.0%" in result.stdout
    assert "compare the balanced accuracy" in result.stderr


def test_classes_are_shown_one_by_one_if_one_is_rare(folder: Path) -> None:
    write_rows(folder / "t.csv", [{"x": str(n + 0.5), "y": "rare" if n >= 90 else "usual"} for n in range(100)])
    (folder / "r.txt").write_text("x >= 80 -> rare; Default -> usual", encoding="utf-8")
    arguments = ("compare", "r.txt", "t.csv", "--target", "y", "--model", "majority")
    described = run_json(*arguments)
    assert described["measure"] == "balanced accuracy"
    rare, usual = described["classes"]
    assert (rare["label"], rare["rows"], rare["found"]["r.txt"], rare["answered"]["r.txt"]) == ("rare", 10, 10, 20)
    assert (usual["found"]["majority"], usual["answered"]["majority"]) == (90, 100)
    (pair,) = described["pairs"]
    assert pair["only_first_right"] == pair["only_other_right"] == 10
    assert pair["difference"] == pytest.approx(0.5 - 10 / 180)
    assert pair["p_holm"] == pair["p_value"] < 0.001, "by accuracy they are equal, by what is advised they are not"
    result = run(*arguments)
    assert "10 (50%)" in result.stdout
    assert "+44.4 points of balanced accuracy, significant" in " ".join(result.stderr.split())


def test_classes_of_about_the_same_size_need_no_table_of_their_own(fitted: Path) -> None:
    result = run("compare", RULES, "patients.csv", "--model", "tree")
    assert "Class by class" not in result.stdout


def test_p_values_are_corrected_for_the_number_of_models(fitted: Path) -> None:
    described = run_json("compare", RULES, "patients.csv")
    assert described["measure"] == "accuracy"
    pairs = described["pairs"]
    assert len(pairs) == len(MODELS)
    lowest = min(pairs, key=lambda pair: pair["p_value"])
    assert lowest["p_holm"] == pytest.approx(min(1.0, len(MODELS) * lowest["p_value"]))
    result = run("compare", RULES, "patients.csv")
    assert f"corrected for {len(MODELS)} comparisons (Holm)" in " ".join(result.stderr.split())


def test_the_tuned_tree_has_the_leaves_that_cross_validation_chooses() -> None:
    """The labels are one threshold and a tenth of noise, which an untuned tree learns by heart."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 5))
    labels = np.where((x[:, 0] > 0) ^ (rng.random(600) < 0.15), "p", "q")
    frame = pl.DataFrame({f"x{n}": x[:, n] for n in range(5)} | {"y": labels})
    plan = plan_columns(Source("t", frame, ""), Choices("y"))
    rows = np.arange(600)
    sizes, right = {}, {}
    for name in ("tree", "tuned-tree"):
        answers, sizes[name] = predict_with(name, plan, rows[:300], rows[300:], 0)
        right[name] = np.mean(np.array(answers) == labels[300:])
    assert sizes["tuned-tree"] == "2 leaves, 1 condition"
    assert int(sizes["tree"].split()[0]) > 15
    assert right["tuned-tree"] > right["tree"]


def test_few_rows_are_cross_validated_in_fewer_folds(folder: Path) -> None:
    (folder / "few.csv").write_text("a,y\n1,p\n2,p\n3,q\n4,q\n5,q\n", encoding="utf-8")
    (folder / "one.csv").write_text("a,y\n1,p\n2,p\n3,p\n4,q\n", encoding="utf-8")
    (folder / "some.rules").write_text("a > 2 -> q; Default -> p", encoding="utf-8")
    described = run_json("compare", "some.rules", "few.csv", "--target", "y")
    assert [each["name"] for each in described["models"]] == ["some.rules", *MODELS]
    message, hint = fails("compare", "some.rules", "one.csv", "--target", "y", "--model", "logistic")
    assert message.startswith("logistic cannot be fitted here: ")
    assert hint == "--model none compares rule files only"


def test_models_that_are_cross_validated_have_not_seen_the_person_either() -> None:
    """Each person is one kind of number, which says nothing about other persons."""
    rng = np.random.default_rng(0)
    persons = np.repeat(rng.permutation(40), 12)
    kinds = np.repeat(rng.permutation(["a", "b"] * 20), 12)
    frame = pl.DataFrame({"who": [f"P{each}" for each in persons], "x": persons + 0.5, "kind": kinds})
    source = Source("visits", frame, "")
    rows = np.arange(len(frame))
    right = {}
    for identifier in (None, "who"):
        plan = plan_columns(
            source, Choices("kind", dropped=("who",) if identifier is None else (), identifier=identifier)
        )
        answers, _ = predict_with("tree", plan, None, rows, 0)
        right[identifier] = np.mean(np.array(answers) == kinds)
    assert right[None] > 0.9
    assert right["who"] < 0.7


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([RULES], "there is no table among the files"),
        (["patients.csv"], "there is no rule file among the files"),
        (["patients.csv", RULES, "other.csv"], "patients.csv and other.csv are all tables"),
        (["patients.csv", RULES, "--model", "tre"], "there is no model 'tre' to compare with"),
        (["patients.csv", "patients.rules.txt"], "the column of correct labels is unknown"),
    ],
)
def test_wrong_use_gives_one_line(arguments: list[str], message: str, fitted: Path, tmp_path: Path) -> None:
    if arguments[-1].endswith(".txt"):  # rules without a record
        copied = tmp_path / "bare.txt"
        copied.write_bytes((fitted / arguments[-1]).read_bytes())
        arguments = [*arguments[:-1], str(copied)]
    assert fails("compare", *arguments)[0] == message
