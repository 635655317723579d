"""`evoter distil` imitates a trusted model or recorded answers, and runs no code unless it is told to."""

import json
from pathlib import Path
from typing import Any

import joblib
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from boxes import Soft, by_rules, correlated
from commands import QUICK, fails, run, run_json


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a table, a model, and a table with the answers of another."""
    monkeypatch.chdir(tmp_path)
    table = correlated(200)
    numbers = table[["size", "age"]]
    joblib.dump(LogisticRegression().fit(numbers, (table["size"] > 0).map({True: "up", False: "down"})), "model.joblib")
    labelled = numbers.assign(truth=(table["size"] > 0.1).map({True: "up", False: "down"}))
    labelled.to_csv("table.csv", index=False)
    shares = Soft().predict_proba(table)
    said = table.assign(said=by_rules(table), p_no=shares[:, 0], p_yes=shares[:, 1])
    said.to_csv("said.csv", index=False)
    return tmp_path


def test_a_model_file_is_not_loaded_unless_it_is_trusted(folder: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.touch, (folder / "exploded",)

    joblib.dump(Bomb(), "bomb.joblib")
    message, hint = fails("distil", "bomb.joblib", "table.csv")
    assert message == "loading a pickle runs code that it brings along, so bomb.joblib was not touched"
    assert "--trust-model" in hint
    assert "--predictions" in hint
    assert not (folder / "exploded").exists()
    (folder / "mine.py").write_text("raise SystemExit", encoding="utf-8")
    assert "importing a module runs code" in fails("distil", "mine:guess", "table.csv")[0]


def test_a_trusted_model_gives_rules_a_report_and_a_record(folder: Path) -> None:
    arguments = ("distil", "model.joblib", "table.csv", "--trust-model", "--target", "truth", *QUICK)
    result = run(*arguments, "--no-front")
    assert result.exit_code == 0, result.output
    for words in ("twin of model.joblib", "fidelity", "of the original", "150 rows and 450 queries", "75.0%"):
        assert words in result.stdout, words
    record = json.loads((folder / "table.rules.fit.json").read_text(encoding="utf-8"))
    assert record["distillation"]["query_share"] == 0.75
    assert record["distillation"]["fidelity"]["rows"] == 50
    assert "truth" not in record["rules"]["features"]
    assert (folder / "table.rules.html").exists()
    predicted = run("predict", "table.rules.json", "table.csv")
    assert predicted.exit_code == 0, predicted.output
    checked = run("check", "table.rules.json", "said.csv")
    assert checked.exit_code == 0, checked.output
    described = run_json(*arguments, "--queries", "0", "--no-front", "--force")
    assert described["distillation"]["queries"] == 0


def test_a_function_is_imported_if_trusted(folder: Path) -> None:
    (folder / "guessing.py").write_text(
        "import numpy as np\n\n\ndef guess(X):\n    return np.where(X['size'] > 0, 1, 0)\n", encoding="utf-8"
    )
    described = run_json("distil", "guessing:guess", "table.csv", "--trust-model", "--drop", "truth", *QUICK)
    assert described["distillation"]["fidelity"]["share"] == 1.0
    assert described["distillation"]["original"] == "guessing:guess"


def test_recorded_answers_need_no_model(folder: Path) -> None:
    drop = ("--drop", "p_no", "--drop", "p_yes", "--no-front")
    described = run_json("distil", "said.csv", "--predictions", "said", *drop, *QUICK)
    assert described["distillation"]["fidelity"]["share"] > 0.95
    assert described["distillation"]["queries"] == 0
    soft = run_json(
        "distil", "said.csv", "--probabilities", "p_no=no", "--probabilities", "p_yes=yes", "--drop", "said",
        "-o", "soft.json", "--no-front", *QUICK,
    )  # fmt: skip
    assert soft["distillation"]["probabilities"]
    assert set(soft["classes"]) == {"no", "yes"}
    assert (folder / "soft.json").exists()


def test_a_local_twin_is_shown_and_saved_if_asked(folder: Path) -> None:
    arguments = ("distil", "model.joblib", "table.csv", "--trust-model", "--drop", "truth", "--local", "3", *QUICK)
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert "in the neighbourhood of one case" in result.stdout
    assert not (folder / "table.rules.json").exists()
    assert run_json(*arguments, "-o", "near.json")["neighbourhood"]["of"] == 200
    assert (folder / "near.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("table.csv",), "name a model and a table"),
        (("model.joblib", "said.csv", "--predictions", "said"), "--predictions takes the table alone"),
        (("said.csv", "--predictions", "said", "--probabilities", "p_no"), "--predictions has no effect beside"),
        (("said.csv", "--predictions", "said", "--queries", "0.5"), "--queries needs a model that can be asked"),
        (("said.csv", "--predictions", "said", "--trust-model"), "--trust-model needs a model"),
        (("said.csv", "--predictions", "sad"), "no column 'sad'"),
        (("said.csv", "--probabilities", "p_no"), "a column for each of two or more classes"),
        (("said.csv", "--probabilities", "p_no", "--probabilities", "size"), "must be 0 or more and add up to 1"),
        (("said.csv", "--probabilities", "p_no", "--probabilities", "kind"), "'kind' is no probability in row 1"),
        (("absent.joblib", "table.csv", "--trust-model"), "there is no file 'absent.joblib'"),
        (("table.csv", "table.csv", "--trust-model"), "table.csv cannot be loaded"),
        (("nowhere:guess", "table.csv", "--trust-model"), "nowhere:guess cannot be imported"),
        (("model.joblib", "said.csv", "--trust-model", "--drop", "age"), "trained on the column 'age'"),
        (("said.csv", "--predictions", "said", "--test", "0"), "--test 0 leaves no rows"),
        (("model.joblib", "table.csv", "--trust-model", "--local", "999"), "the table has 200 rows"),
        (("model.joblib", "table.csv", "--trust-model", "--target", "true"), "no column 'true'"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    assert message in fails("distil", *arguments)[0]


def test_a_label_that_is_missing_is_named(folder: Path) -> None:
    table = pd.read_csv("table.csv")
    table.loc[4, "truth"] = None
    table.to_csv("gap.csv", index=False)
    message, _ = fails("distil", "model.joblib", "gap.csv", "--trust-model", "--target", "truth")
    assert message == "'truth' has no class in row 5"


def test_answers_that_are_no_classes_of_the_target_are_refused(folder: Path) -> None:
    columns = ("--probabilities", "p_no", "--probabilities", "p_yes")
    message, hint = fails("distil", "said.csv", *columns, "--target", "said")
    assert (
        message
        == "'said' has the classes 'high', 'low', 'middle', and none of the answers is one of them: 'p_no', 'p_yes'"
    )
    assert "--probabilities COLUMN=CLASS" in hint
