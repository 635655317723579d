"""Tests of plain words on the command line: rules and explanations, labels, and rewriting by a language model."""

import json
from pathlib import Path

import pytest

import evoter
from commands import Terminal, fails, run, run_json
from evoter.language import parse_plain

RULES = "patients.rules.json"
SERIES = "MAP[2] <= 60 -> low; Default -> normal"


def test_rules_in_plain_words_are_the_rules(fitted: Path) -> None:
    ruleset = evoter.load(RULES)
    for language in ("en", "de"):
        result = run("show", RULES, "--plain", "--language", language)
        assert result.exit_code == 0, result.output
        assert result.stdout == ruleset.to_text("plain", language=language) + "\n"
        assert parse_plain(result.stdout, ruleset.schema, language=language).n_conditions == ruleset.n_conditions
    described = run_json("show", RULES, "--plain", "--language", "de")
    assert described == {"language": "de", "text": ruleset.to_text("plain", language="de")}
    assert run("show", RULES, "--as", "plain", "--option", "language=de").stdout.strip() == described["text"]


def test_plain_words_go_to_a_file(fitted: Path, tmp_path: Path) -> None:
    place = tmp_path / "rules.txt"
    assert run("show", RULES, "--plain", "--output", str(place)).exit_code == 0
    assert place.read_text(encoding="utf-8") == run("show", RULES, "--plain").stdout


def test_labels_are_given_one_by_one_or_in_a_file(tmp_path: Path) -> None:
    rules = tmp_path / "rules.txt"
    rules.write_text("a=b > 3 -> 1; Default -> 0".replace("a=b", '"a=b"'), encoding="utf-8")
    shown = run("show", str(rules), "--plain", "--label", "a=b=blood pressure", "--label", "1=ill").stdout
    assert shown.startswith("1. If the blood pressure is above 3, the decision is ill.")
    labels = tmp_path / "labels.json"
    labels.write_text(json.dumps({"a=b": "blood pressure", "1": "ill"}), encoding="utf-8")
    assert run("show", str(rules), "--plain", "--labels", str(labels)).stdout == shown
    assert "cannot be combined" in fails("show", str(rules), "--plain", "--labels", str(labels), "--label", "1=ill")[0]
    assert "there is no feature, action or value '7'" in fails("show", str(rules), "--plain", "--label", "7=x")[0]
    assert "cannot read the labels" in fails("show", str(rules), "--plain", "--labels", "nowhere.toml")[0]


def test_rules_that_predict_numbers(tmp_path: Path) -> None:
    rules, table = tmp_path / "cost.rules", tmp_path / "cost.csv"
    rules.write_text(
        "age > 60 -> 12.5 EUR + 0.3*age; Default -> 8 EUR; where age: numeric; actions: numeric EUR, target cost",
        encoding="utf-8",
    )
    table.write_text("age\n70\n30\n", encoding="utf-8")
    shown = run("show", str(rules), "--plain", "--label", "cost=annual cost").stdout
    said = "the predicted annual cost is 12.5 EUR plus 0.3 times the age."
    assert shown.startswith(f"1. If the age is above 60, {said}")
    explained = run("explain", str(rules), str(table), "--row", "1", "--plain", "--language", "de").stdout
    assert "Laut Vorhersage beträgt cost 33,5 EUR." in explained
    assert "Sie sagt 12,5 EUR plus 0,3-mal age voraus: age beträgt 70, was 33,5 EUR ergibt." in explained
    message = fails("show", str(rules), "--plain", "--label", "8=low")[0]
    assert "there is no feature, target or value '8'" in message


def test_times(tmp_path: Path) -> None:
    rules = tmp_path / "series.rules"
    rules.write_text(SERIES, encoding="utf-8")
    assert (
        "the MAP one hour earlier was at most 60" in run("show", str(rules), "--plain", "--time-step", "30 min").stdout
    )
    assert "is not a time" in fails("show", str(rules), "--plain", "--time-step", "soon")[0]


def test_explanations_in_plain_words(fitted: Path) -> None:
    shown = run("explain", RULES, "patients.csv", "--row", "1", "--plain", width=500)
    assert shown.exit_code == 0, shown.output
    assert shown.stdout.startswith("The decision is ")
    assert "The probability of " in shown.stdout
    assert "The decision would be " in shown.stdout
    several = run("explain", RULES, "patients.csv", "--row", "1-2", "--plain", "--language", "de", width=500).stdout
    assert several.startswith("Zeile 1:\nDie Entscheidung lautet ")
    assert "Zeile 2:" in several


def test_words_fit_the_terminal(fitted: Path) -> None:
    terminal = Terminal("show", RULES, "--plain", folder=fitted)
    assert terminal.end() == 0
    assert "the decision is" in " ".join(terminal.said.split())
    assert max(map(len, terminal.said.split("\n"))) <= 120


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", RULES, "--language", "de"), "--language has no effect without --plain"),
        (("show", RULES, "--rewrite-url", "http://localhost/v1"), "--rewrite-url has no effect without --plain"),
        (("show", RULES, "--plain", "--language", "xx"), "there is no catalogue for the language 'xx'"),
        (("show", RULES, "--plain", "--as", "sql"), "--as sql has no effect with --plain"),
        (("show", RULES, "--plain", "--option", "a=1"), "--option has no effect with --plain"),
        (("show", RULES, "patients.csv", "--plain"), "--plain has no effect with a table"),
        (("show", RULES, "--plain", "--dry-run"), "--dry-run needs --rewrite-url"),
        (("show", RULES, "--plain", "--rewrite-model", "m"), "--rewrite-model needs --rewrite-url"),
        (("show", RULES, "--plain", "--rewrite-url", "http://localhost/v1"), "needs the name of a model"),
        (("show", RULES, "--plain", "--rewrite-url", "http://a.b/v1", "--rewrite-model", "m"), "is another computer"),
        (("explain", RULES, "patients.csv", "--time-step", "1 h"), "--time-step has no effect without --plain"),
        (("explain", RULES, "patients.csv", "--plain", "--json"), "--plain has no effect with --json"),
    ],
)  # fmt: skip
def test_options_without_effect_are_refused(arguments: tuple[str, ...], said: str, fitted: Path) -> None:
    assert said in fails(*arguments)[0]


def test_a_dry_run_sends_nothing_and_shows_all(fitted: Path) -> None:
    result = run(
        "show", RULES, "--plain", "--rewrite-url", "http://127.0.0.1:9/v1", "--rewrite-model", "m", "--dry-run"
    )
    assert result.stdout.startswith("POST http://127.0.0.1:9/v1/chat/completions\n")
    sent = json.loads(result.stdout.partition("\n\n")[2])
    assert sent["messages"][1]["content"].startswith("1. If ")


def test_a_model_that_does_not_answer_leaves_the_text_as_it_is(fitted: Path) -> None:
    result = run("show", RULES, "--plain", "--rewrite-url", "http://127.0.0.1:9/v1", "--rewrite-model", "m")
    assert result.stdout == run("show", RULES, "--plain").stdout
    assert "warning: the rewritten text is not used: the endpoint could not be asked" in result.stderr
