"""The price of guardrails on the command line."""

from pathlib import Path

from commands import QUICK, patients, run_json, write_rows


def test_without_test_rows_the_price_is_that_on_training_rows(folder: Path) -> None:
    write_rows(folder / "p.csv", patients(120))
    arguments = ("fit", "p.csv", "--target", "risk", "--forbid-feature", "age", "--guardrail-price", *QUICK)
    price = run_json(*arguments, "--test", "0")["guardrail_price"]
    assert price["where"] == "on 120 training rows"
    assert price["price"] == price["unguarded"] - price["guarded"]
    balanced = run_json(*arguments, "--metric", "balanced_accuracy", "--output", "b.json")["guardrail_price"]
    assert balanced["metric"] == "balanced_accuracy"
