"""`evoter distil` imitates models that predict numbers."""

import json
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from boxes import correlated
from commands import QUICK, fails, run, run_json


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with a table of numbers, regressors and functions."""
    monkeypatch.chdir(tmp_path)
    table = correlated(200)[["size", "age"]]
    steps = np.where(table["size"] > 0.0, 120.5, 20.25) + 10.0 * (table["age"] > 1.0)
    joblib.dump(LinearRegression().fit(table, steps), "model.joblib")
    table.assign(cost=steps + 0.5, said=LinearRegression().fit(table, steps).predict(table)).to_csv(
        "table.csv", index=False
    )
    (tmp_path / "pricing.py").write_text(
        "import numpy as np\n\n\ndef price(X):\n    return np.where(X['size'] > 0, 12.5, 3.25)\n\n\n"
        "def share(X):\n    return np.where(X['size'] > 0, 0.75, 0.25)\n",
        encoding="utf-8",
    )
    return tmp_path


def test_a_regressor_gets_a_twin_with_all_files(folder: Path) -> None:
    arguments = ("distil", "model.joblib", "table.csv", "--trust-model", "--target", "cost", "--drop", "said")
    result = run(*arguments, "--no-front", "--export", "python", *QUICK)
    assert result.exit_code == 0, result.output
    for words in ("twin of model.joblib", "of the variance explained on 50 unseen rows", "R2 on labels", "450 queries"):
        assert words in result.stdout, words
    record = json.loads((folder / "table.rules.fit.json").read_text(encoding="utf-8"))
    assert record["task"] == "numbers"
    assert record["distillation"]["fidelity"]["share"] > 0.8
    assert record["distillation"]["mean_difference"] < 20.0
    assert set(record["rules"]["features"]) <= {"size", "age"}
    assert "answer of the model" in (folder / "table.rules.html").read_text(encoding="utf-8")
    assert (folder / "table.rules.py").exists()
    predicted = run("predict", "table.rules.json", "table.csv")
    assert predicted.exit_code == 0, predicted.output


def test_a_function_and_a_column_of_numbers(folder: Path) -> None:
    drop = ("--drop", "said", "--drop", "cost", "--no-front", *QUICK)
    described = run_json("distil", "pricing:price", "table.csv", "--trust-model", *drop)
    assert described["task"] == "numbers"
    assert described["distillation"]["fidelity"]["share"] == pytest.approx(1.0)
    message, hint = fails("distil", "pricing:share", "table.csv", "--trust-model", *drop)
    assert "answers with numbers from 0 to 1" in message
    assert "--task numbers" in hint
    described = run_json("distil", "pricing:share", "table.csv", "--trust-model", "--task", "numbers", *drop)
    assert described["distillation"]["fidelity"]["share"] == pytest.approx(1.0)
    described = run_json("distil", "pricing:share", "table.csv", "--trust-model", "--task", "classes", *drop)
    assert set(described["classes"]) == {"0.25", "0.75"}
    described = run_json("distil", "table.csv", "--predictions", "said", "--target", "cost", "--no-front", *QUICK)
    assert described["task"] == "numbers"
    assert described["distillation"]["accuracy"]["share"] > 0.5
    assert described["distillation"]["queries"] == 0


def test_decimal_commas_change_nothing(folder: Path) -> None:
    table = pd.read_csv("table.csv")
    table.to_csv("komma.csv", index=False, sep=";", decimal=",")
    drop = ("--trust-model", "--target", "cost", "--drop", "said", "--no-front", *QUICK)
    points, commas = (
        run_json("distil", "model.joblib", name, *drop)["distillation"] for name in ("table.csv", "komma.csv")
    )
    for key in ("fidelity", "original_accuracy"):
        assert commas[key]["share"] == pytest.approx(points[key]["share"], abs=1e-6)


def test_a_local_twin_of_a_regressor(folder: Path) -> None:
    arguments = ("distil", "model.joblib", "table.csv", "--trust-model", "--drop", "said", "--drop", "cost")
    described = run_json(*arguments, "--local", "3", *QUICK)
    assert described["neighbourhood"]["of"] == 200


def test_what_does_not_fit_together_is_said(folder: Path) -> None:
    drop = ("--trust-model", "--drop", "said")
    assert "is a regressor" in fails("distil", "model.joblib", "table.csv", *drop, "--task", "classes")[0]
    assert "there is no task" in fails("distil", "model.joblib", "table.csv", *drop, "--task", "amounts")[0]
    table = pd.read_csv("table.csv").assign(cost="dear")
    table.to_csv("words.csv", index=False)
    message, _ = fails("distil", "model.joblib", "words.csv", *drop, "--target", "cost")
    assert message == "the model predicts numbers, and 'cost' holds 'dear', which is none"
