"""The first page: what it concludes, what it warns of, and that it does not run over."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import evoter
from evoter import write_report
from evoter.analysis.report.page_one import MAX_LABELS
from evoter.analysis.report.rules_section import rule_mark
from evoter.analysis.rule_statistics import RuleStatistic
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Schema
from pages import Page, read_page

INCOME = evoter.parse(
    """
    1. hours > 60 -> ">50K"
    2. age > 40 -> ">50K"
    3. Default -> "<=50K"
    where
      hours: numeric [0..100]
      age: numeric [0..100]
      actions: "<=50K" | ">50K"
    """
)
ROWS = pd.DataFrame({"hours": [70] * 3 + [30] * 97, "age": [20] * 3 + [50] * 47 + [30] * 50})
LABELS = ["<=50K"] * 3 + [">50K"] * 45 + ["<=50K"] * 2 + ["<=50K"] * 48 + [">50K"] * 2


def first_page(tmp_path: Path, *arguments: Any, **options: Any) -> tuple[str, str]:
    """Return the source of the first page, and its text."""
    path = write_report(tmp_path / "report.html", *arguments, **options)
    assert not read_page(path).mistakes
    source = path.read_text(encoding="utf-8")
    sheet = source[source.index('<div class="sheet">') : source.index("<main>")]
    return sheet, Page(sheet).text


def test_a_rule_that_is_never_right_looks_unlike_the_others(tmp_path: Path) -> None:
    sheet, text = first_page(tmp_path, INCOME, ROWS, LABELS, unseen=True)
    assert "if hours > 60 then >50K never right 3 3.0% 0 of 3 0%" in text
    assert "Never right: rule 1 (0 of 3)" in text
    rows = sheet.split("<tr")
    assert sum('class="bad"' in row.partition(">")[0] for row in rows) == 1
    assert "then >50K 47 47.0% 45 of 47 95.7%" in text, "a good rule has no mark"
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count('<li class="bad">') == 1, "the appendix marks it as well"


def test_no_arrow_stands_before_a_label_that_is_a_comparison(tmp_path: Path) -> None:
    write_report(tmp_path / "report.html", INCOME, ROWS, LABELS)
    text = read_page(tmp_path / "report.html").text
    assert "otherwise then <=50K" in text
    assert "→" not in text


@pytest.mark.parametrize(
    ("n_decided", "n_right", "n_labelled", "word"),
    [
        (0, 0, 50, "decides no row"),
        (3, 0, 50, "never right"),
        (20, 9, 50, "right less often than a guess"),
        (1, 1, 50, "may be chance"),
        (20, 19, 50, None),
        (100, 100, 100, None),
    ],
)
def test_marks_say_why_a_rule_is_weak(n_decided: int, n_right: int, n_labelled: int, word: str | None) -> None:
    statistic = RuleStatistic(1, "rule", "yes", 100, n_decided, n_decided, n_right, n_labelled)
    mark = rule_mark(statistic)
    assert (None if mark is None else mark.word) == word


@pytest.mark.parametrize(
    ("labels", "options", "said"),
    [
        (LABELS, {"unseen": True}, "Better than always answering “<=50K”."),
        (LABELS, {"unseen": False}, "Better than always answering “<=50K” on the training rows."),
        (LABELS, {}, "Better than always answering “<=50K” on these rows."),
        (["<=50K", ">50K"] * 50, {"unseen": True}, "Not shown to be right more often than always answering “<=50K”"),
        (["<=50K"] * 75 + [">50K"] * 25, {"unseen": True}, "Less often right than always answering “<=50K”."),
        (None, {}, "Not tested: the rows have no labels."),
    ],
)
def test_the_verdict_compares_with_a_constant_answer(labels: Any, options: Any, said: str, tmp_path: Path) -> None:
    assert said in first_page(tmp_path, INCOME, ROWS, labels, **options)[1]


def test_unequal_labels_are_not_judged_by_accuracy_alone(tmp_path: Path) -> None:
    labels = ["<=50K"] * 40 + [">50K"] * 10 + ["<=50K"] * 50
    text = first_page(tmp_path, INCOME, ROWS, labels, unseen=True)[1]
    assert "Finds 77.8% of each label on average. Less often right than always answering “<=50K”." in text


def test_the_first_page_has_warnings_of_the_fit_and_of_the_figures(tmp_path: Path) -> None:
    stability = {
        "runs": [{"seed": seed, "accuracy": 0.8, "rules": 2, "conditions": 2} for seed in range(3)],
        "rows": 100,
        "unseen": True,
        "accuracy": {"mean": 0.8, "standard_deviation": 0.0, "lowest": 0.8, "highest": 0.8},
        "agreement": 0.7,
        "unanimous": 0.6,
        "features": [],
        "conditions": [],
        "recurring_rules": [],
    }
    text = first_page(
        tmp_path,
        INCOME,
        ROWS,
        LABELS,
        train=(ROWS[3:48], LABELS[3:48]),
        warnings=["'zip' gives the target away"],
        stability=stability,
        protected="age",
    )[1]
    assert "Before you trust these figures 'zip' gives the target away" in text
    assert "The accuracy on training rows, 100%, is above the interval of that on unseen rows" in text
    assert "Rules read 'age', which is named as protected" in text
    assert "Searches with different seeds decide only 70.0% of the rows alike" in text
    assert "3 searches with different seeds are right in 80.0% to 80.0% of these rows" in text
    assert "trained on" in first_page(tmp_path, INCOME, ROWS, LABELS, unseen=False)[1]


def long_rules(n_rules: int, n_labels: int) -> tuple[RuleSet, pd.DataFrame, list[str]]:
    labels = [f"label {n}" for n in range(n_labels)]
    names = [f"a rather long name of column {n}" for n in range(3)]
    schema = Schema([Feature(name, low=0, high=100) for name in names], labels)
    rules = [
        Rule([Condition(Term(name), ">", 100.0 - n) for name in names], labels[n % n_labels]) for n in range(n_rules)
    ]
    frame = pd.DataFrame({name: range(100) for name in names})
    return RuleSet(rules, labels[0], schema), frame, [labels[n % n_labels] for n in range(100)]


def test_what_does_not_fit_is_in_the_appendix(tmp_path: Path) -> None:
    ruleset, frame, labels = long_rules(60, 12)
    sheet, text = first_page(tmp_path, ruleset, frame, labels, unseen=True, warnings=["a warning " * 30] * 9)
    n_shown = sheet.count('class="number place"')
    assert 1 <= n_shown < 20
    assert f"And {61 - n_shown} more rules, the default included, which decide" in text
    assert f"The table shows the {MAX_LABELS} most frequent labels and decisions; {12 - MAX_LABELS} others" in text
    assert "other warnings" in text
    page = read_page(tmp_path / "report.html")
    assert page.text.count("label 11") > 2, "the whole matrix"
    targets = {each["href"] for each in page.all("a")}
    names = {f"#{attributes['id']}" for _, attributes in page.elements if "id" in attributes}
    assert targets <= names, "links lead somewhere"
    assert {"#warnings", "#confusion", "#rules"} <= targets


def test_a_few_rules_are_all_on_the_first_page(tmp_path: Path) -> None:
    ruleset, frame, labels = long_rules(8, 3)
    sheet, text = first_page(tmp_path, ruleset, frame, labels, unseen=True)
    assert sheet.count('class="number place"') == 9
    assert "more rule" not in text
    assert sheet.count("<table") == 2
