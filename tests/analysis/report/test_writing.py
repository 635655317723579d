"""Reports say what was measured, hold together as pages, and let nothing of the data become markup."""

import hashlib
import re
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris

import evoter
from evoter import EvoterClassifier, EvoterTimeSeriesClassifier, write_report
from evoter.analysis.report.cases_section import choose_cases
from evoter.analysis.report.decisions_section import feature_uses
from evoter.analysis.report.writing import report_page
from evoter.analysis.rule_statistics import measure
from evoter.evolution.fronts.front import make_front
from evoter.evolution.problem import Objective
from evoter.rules.errors import SchemaError
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Schema
from evoter.tables import Panel
from laws import examples
from pages import Page, read_page
from strategies import Row, rows, rulesets, schemas

HOSTILE = """<script>alert("1")</script>'&{{ 30031*7 }}"""
RULES = evoter.parse(
    """
    1. "first aid" pinned: age > 60 AND colour = red -> old
    2. 0.5*age <= weight -> 0.8*young
    3. Default -> young
    where
      age: numeric [0..100] years, scaled
      weight: numeric [0..100], scaled, may be missing
      colour: one of red | blue
      actions: old | young
    """
)
FRAME = pd.DataFrame(
    {
        "age": [70, 20, 65, 80, 30, 101],
        "weight": [50.0, None, 10.0, 90.0, 80.0, 3.0],
        "colour": ["red", "blue", "red", "red", "blue", "green"],
        "born": pd.to_datetime(["2001-01-01"] * 6),
    },
    index=["a", "b", "c", "d", "e", "f"],
)
LABELS = ["old", "young", "young", "old", "old", "old"]
HISTORY = {
    "best": [0.5, 0.75, float("nan")],
    "validation": [0.4, 0.6, 0.7],
    "n_conditions": [1, 3, 2],
    "evaluations": [500, 1000, 1500],
    "seconds": [0.1, 0.2, 0.345],
}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    path = tmp_path_factory.mktemp("report") / "report.html"
    assert (
        write_report(path, RULES, FRAME, LABELS, train=(FRAME[1:], LABELS[1:]), history=HISTORY, date="2026-11-16")
        == path
    )
    return read_page(path)


def report(tmp_path: Path, *arguments: Any, **options: Any) -> Page:
    page = read_page(write_report(tmp_path / "report.html", *arguments, **options))
    assert not page.mistakes
    return page


def test_the_page_is_well_formed(page: Page) -> None:
    assert not page.mistakes
    assert page.all("html") == [{"lang": "en"}]
    levels = [int(tag[1]) for tag, _ in page.elements if tag in ("h1", "h2", "h3")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(cell.get("scope") in ("col", "row") for cell in page.all("th"))


def test_nothing_is_fetched_or_run(page: Page) -> None:
    for tag, attributes in page.elements:
        assert tag not in ("script", "link", "img", "iframe", "object", "embed")
        assert not {"src", "onclick", "onload"} & set(attributes)
        assert (attributes.get("href") or "#").startswith("#"), "links lead to places on the page"
    [policy] = [each["content"] for each in page.all("meta") if each.get("http-equiv") == "Content-Security-Policy"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"


def test_pictures_have_words(page: Page) -> None:
    pictures = [each for each in page.all("svg") if each.get("role") == "img"]
    assert len(pictures) == len(page.all("title")) - 1 == len(page.all("desc")) == 4
    assert "the score of the best rule set goes from 0.5" in page.text


def test_figures_are_those_that_were_measured(page: Page) -> None:
    statistics = measure(RULES, FRAME, LABELS)
    assert statistics.accuracy == 0.5
    assert "The model is 2 rules with 3 conditions, reading 3 features." in page.text
    assert "Of 6 unseen rows, it decides 3 correctly: 50.0% (95% interval 18.8% to 81.2%)" in page.text
    assert "most frequent label would be right in 66.7%" in page.text
    assert "first aid , pinned" in page.text
    assert "right in 2 of 3" in page.text
    assert "coverage 50.0% decides 3 rows precision 66.7% right in 2 of 3 lift 1.00 base 66.7%" in page.text
    assert "certainty 0.8" in page.text
    assert "share of its range in training" in page.text


def test_data_are_summed_up(page: Page) -> None:
    assert "6 rows of 4 columns, of which the rules read 3." in page.text
    assert "age numeric 20 to 101, median 67.5 none 1" in page.text
    assert "weight numeric 3 to 90, median 50 1 (16.7%) 0" in page.text
    assert "colour categorical red 3, blue 2, green 1 none 1" in page.text
    assert "born not readable" in page.text


def test_decisions_are_explained(page: Page) -> None:
    assert "Row a: old ✓ right" in page.text
    assert 'Rule 1 "first aid" decided: old ✓ age > 60 years (here 70 years) ✓ colour = red (here red)' in page.text
    assert "Row c: old ✗ wrong, the label is young" in page.text
    assert "rows by the index of the data frame" in page.text


def test_hashes_can_be_checked_by_hand(page: Page, tmp_path: Path) -> None:
    evoter.save(RULES, tmp_path / "rules.json")
    assert hashlib.sha256((tmp_path / "rules.json").read_bytes()).hexdigest() in page.text
    digest = hashlib.sha256(b"any file").hexdigest()
    assert digest in report(tmp_path, RULES, FRAME, LABELS, data_hash=digest).text


def test_the_rules_can_be_taken_from_the_page(tmp_path: Path) -> None:
    path = write_report(tmp_path / "report.html", RULES, FRAME, LABELS)
    text = path.read_text(encoding="utf-8")
    block = text[text.index("<pre") : text.index("</pre>")]
    lines = ["".join(Page(line).words) for line in block.partition(">")[2].split("<br>")]
    assert evoter.parse("\n".join(lines)) == RULES


@pytest.mark.parametrize("frame", [FRAME, pl.DataFrame(FRAME.to_dict("list"))], ids=["pandas", "polars"])
def test_the_same_input_gives_the_same_bytes(frame: Any, tmp_path: Path) -> None:
    first = write_report(tmp_path / "1.html", RULES, frame, LABELS, history=HISTORY).read_bytes()
    assert write_report(tmp_path / "2.html", RULES, frame, LABELS, history=HISTORY).read_bytes() == first


def test_names_are_never_markup(tmp_path: Path) -> None:
    schema = evoter.Schema(
        [
            evoter.Feature(HOSTILE, unit=HOSTILE, missing=True),
            evoter.Feature("b", evoter.Kind.CATEGORICAL, categories=(HOSTILE, "x")),
        ],
        [HOSTILE, "no"],
    )
    conditions = [
        evoter.Condition(evoter.Term(HOSTILE), ">", 1.0),
        evoter.Condition(evoter.Term("b"), "=", HOSTILE),
    ]
    ruleset = RuleSet([evoter.Rule(conditions, HOSTILE, name=HOSTILE)], "no", schema)
    frame = pd.DataFrame({HOSTILE: [2.0, 0.0], "b": [HOSTILE, "x"], f"{HOSTILE}2": [HOSTILE, "y"]})
    objectives = (Objective(HOSTILE), Objective("size", maximise=False))
    page = report(
        tmp_path,
        ruleset,
        frame,
        [HOSTILE, f"{HOSTILE}3"],
        title=HOSTILE,
        date=HOSTILE,
        data_hash=HOSTILE,
        settings={HOSTILE: HOSTILE},
        front=make_front([ruleset], [[1.0, 2.0]], objectives).choose(0),
        row_names=[HOSTILE, HOSTILE],
    )
    assert not page.all("script")
    source = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script" not in source.lower()
    assert "210217" not in page.text, "what looks like a template in the data is not one"
    assert page.text.count(HOSTILE) > 15


@pytest.mark.parametrize("invisible", ["\u202e", "\u2066", "\u200b", "\ufeff", "\x07", "\n"], ids=ascii)
def test_invisible_characters_are_written_out(invisible: str, tmp_path: Path) -> None:
    """Marks that turn the direction of writing around would make a page say something else than the data."""
    name = f"a{invisible}b"
    frame = pd.DataFrame({"age": [70, 20], "weight": [1.0, 2.0], "colour": ["red", "blue"], name: [name, "c"]})
    page = report(
        tmp_path, RULES, frame, ["old", name], title=name, date=name, settings={name: name}, row_names=[name, name]
    )
    source = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert name not in source
    assert page.text.count(f"a\\u{ord(invisible):04x}b") > 5


@st.composite
def reported(draw: st.DrawFn) -> tuple[RuleSet, list[Row]]:
    drawn = draw(schemas())
    schema = evoter.Schema(drawn.features, drawn.actions)
    ruleset = draw(rulesets(schema)).replace(mode=draw(st.sampled_from([Mode.FIRST, Mode.HARDMAX, Mode.VOTE])))
    return ruleset, draw(st.lists(rows(schema), min_size=1, max_size=5))


@examples(60)
@given(case=reported())
def test_any_rule_set_makes_a_page(case: tuple[RuleSet, list[Row]], tmp_path_factory: pytest.TempPathFactory) -> None:
    ruleset, table = case
    labels = [ruleset.schema.actions[number % len(ruleset.schema.actions)] for number in range(len(table))]
    path = tmp_path_factory.getbasetemp() / "any.html"
    for given_labels in (labels, None):
        page = read_page(write_report(path, ruleset, table, given_labels))
        assert not page.mistakes
        assert not page.all("script")


def test_without_labels_nothing_is_said_of_right_and_wrong(tmp_path: Path) -> None:
    page = report(tmp_path, RULES, FRAME)
    assert "have no labels" in page.text
    for word in ("precision 66.7%", "✓ right", "✗ wrong", "Right and wrong"):
        assert word not in page.text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "Of 6 rows given"),
        ({"unseen": True}, "Of 6 unseen rows"),
        ({"unseen": False}, "Of 6 training rows"),
        ({"train": (FRAME[1:], LABELS[1:])}, "Of 6 unseen rows"),
        ({"train": (FRAME, LABELS)}, "Of 6 training rows"),
    ],
)
def test_rows_are_called_unseen_only_where_somebody_says_so(options: Any, said: str, tmp_path: Path) -> None:
    assert said in report(tmp_path, RULES, FRAME, LABELS, **options).text


def test_no_rows_need_be_shown(tmp_path: Path) -> None:
    page = report(tmp_path, RULES, FRAME, LABELS, n_examples=0)
    assert "Decisions explained" not in page.text


def test_a_classifier_brings_history_front_and_settings_along(tmp_path: Path) -> None:
    iris = load_iris(as_frame=True)
    model = EvoterClassifier(objectives=["accuracy", "complexity"], generations=3, random_state=0)
    model.fit(iris.data, iris.target)
    page = report(tmp_path, model, iris.data, iris.target, unseen=False)
    for words in (
        "generations 3",
        "random_state 0",
        "What else was possible",
        "How the rules were found",
        "The rules were evolved in 3 generations, in which",
        "From generation 0 to 3, the score of the best rule set goes from",
        "candidates",
    ):
        assert words in page.text
    assert "population_size" not in page.text
    by_place = report(tmp_path, model, iris.data.to_numpy(), iris.target.to_numpy())
    assert by_place.text.count("✓ right") == page.text.count("✓ right") > 0


def test_what_the_rules_do_not_depend_on_is_no_setting(tmp_path: Path) -> None:
    iris = load_iris(as_frame=True)
    model = EvoterClassifier(generations=1, random_state=0, n_jobs=1, verbose=0, watchers=[])
    page = report(tmp_path, model.fit(iris.data, iris.target), iris.data, iris.target)
    assert "generations 1" in page.text
    assert "evolved in 1 generation," in page.text  # as the command line counts them: the first is number 0
    assert not any(name in page.text for name in ("watchers", "n_jobs", "verbose"))


def test_unequal_labels_are_judged_by_what_is_found_of_each(tmp_path: Path) -> None:
    frame = pd.DataFrame({"age": [*range(1, 99), 110, 61], "weight": [100.0] * 100, "colour": ["red"] * 100})
    labels = ["young"] * 98 + ["old"] * 2
    page = report(tmp_path, evoter.parse("age > 100 -> old; Default -> young"), frame, labels)
    assert "75.0% on average (balanced accuracy), where the same answer for every row gives 50.0%" in page.text
    assert "balanced accuracy" not in report(tmp_path, RULES, FRAME, LABELS).text


def test_a_directory_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no directory '.*nowhere'"):
        write_report(tmp_path / "nowhere" / "r.html", RULES, FRAME, LABELS)


def test_series_are_read_as_the_model_reads_them(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    series = rng.normal(size=(40, 1, 6)).cumsum(axis=2)
    labels = np.where(series[:, 0, -1] > series[:, 0, -3], "up", "down")
    model = EvoterTimeSeriesClassifier(channels=["pulse"], max_lag=3, generations=5, random_state=0)
    model.fit(series, labels)
    page = report(tmp_path, model, series, labels, time_step=(5, "min"))
    assert "Series 0:" in page.text
    assert "pulse" in page.text
    assert "min]" in page.text
    assert isinstance(model.read(series), Panel)


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (EvoterClassifier(), {}, "EvoterClassifier: call fit first"),
        (RULES, {"row_names": ["a"]}, "6 rows and 1 row_names"),
        (RULES, {"n_examples": -1}, "n_examples must be 0 or more"),
    ],
)
def test_wrong_arguments_are_refused(model: Any, options: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        write_report(tmp_path / "report.html", model, FRAME, LABELS, **options)
    assert not list(tmp_path.iterdir())


def test_a_missing_column_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="'weight'"):
        write_report(tmp_path / "report.html", RULES, FRAME.drop(columns="weight"), LABELS)


def test_cases_are_right_and_wrong_ones_of_every_rule() -> None:
    table = [{"x": x} for x in (1, 1, 5, 5, 9, 9, 9)]
    rules = evoter.parse("x < 3 -> a; x < 7 -> b; Default -> c")
    statistics = measure(rules, table)
    right = np.array([True, False, True, True, True, False, False])
    assert choose_cases(statistics, right, 8) == [0, 1, 2, 4, 5]
    assert choose_cases(statistics, right, 2) == [2, 5]
    assert choose_cases(statistics, None, 2) == [0, 4]
    assert choose_cases(statistics, right, 0) == []


def test_features_are_counted_once_per_condition() -> None:
    rules = evoter.parse("x < 0.5*x AND y > 1 -> a; y > 0 -> b; Default -> c")
    statistics = measure(
        rules, [{"x": -1.0, "y": 2.0}, {"x": 1.0, "y": 2.0}, {"x": 1.0, "y": -2.0}, {"x": 1.0, "y": 3}]
    )
    assert feature_uses(statistics) == [("y", 2, 0.75), ("x", 1, 0.25)]


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1, 2], ids=["light", "dark", "print"])
def test_text_can_be_read_against_its_background(scheme: int) -> None:
    """The contrast that the Web Content Accessibility Guidelines ask for (AA) is 4.5 to 1."""
    style = files("evoter.analysis").joinpath("templates/page.css").read_text("utf-8")
    block = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[scheme]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block))
    for ink in ("ink", "soft", "feature", "number", "operator", "good", "bad"):
        for paper in ("paper", "wash"):
            light, dark = sorted((luminance(colours[ink]), luminance(colours[paper])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, paper)


def test_a_thousand_labels_make_no_huge_report(tmp_path: Path) -> None:
    labels = [f"label {n}" for n in range(1_000)]
    schema = Schema([Feature("x", low=0, high=1_000)], labels)
    rules = [Rule([Condition(Term("x"), "<", 10 * n)], labels[n]) for n in range(1, 20)]
    X, y = pd.DataFrame({"x": np.arange(2_000) % 1_000}), [labels[n % 1_000] for n in range(2_000)]
    ruleset = RuleSet(rules, labels[0], schema)
    write_report(tmp_path / "report.html", ruleset, X, y)
    page = (tmp_path / "report.html").read_text("utf-8")
    assert len(page) < 1_000_000
    assert "The table shows the 30 most frequent labels and decisions; 970 others are left out." in page
    confusion = measure(ruleset, X, y).to_dict()["confusion"]
    assert set(confusion) == {"labels", "cells"}
    assert sum(count for _, _, count in confusion["cells"]) == 2_000


def test_overfitting_is_above_the_rules_where_training_rows_are_given(tmp_path: Path) -> None:
    rules = evoter.parse("age > 60 -> old; Default -> young")
    train = pd.DataFrame({"age": [20, 70] * 50})
    labels = ["young", "old"] * 50
    poor = ["young", "old", "old", "young"] * 10
    unseen = train[:40]
    said = "100.0% (100 of 100) of the training rows and for 50.0% (20 of 40) of the unseen rows"
    page = report(tmp_path, rules, unseen, poor, train=(train, labels))
    assert said in page.text
    assert "try a higher parsimony, fewer features, or more rows" in page.text
    assert "overfitted" not in report(tmp_path, rules, unseen, labels[:40], train=(train, labels)).text
    assert "overfitted" not in report(tmp_path, rules, unseen, poor).text
    assert "overfitted" not in report(tmp_path, rules, unseen, poor, train=(train, labels), rows_per_case=20).text


def test_an_audit_has_a_section_of_its_own(tmp_path: Path) -> None:
    rows = [{"x": x, "sex": sex} for x in (1, -1) for sex in ("f", HOSTILE) for _ in range(20)]
    rules = evoter.parse("x > 0 -> yes; Default -> no")
    audit = evoter.audit(rules, rows, ["yes", "no"] * 40, protected="sex")
    plain = write_report(tmp_path / "plain.html", rules, rows).read_text(encoding="utf-8")
    page = write_report(tmp_path / "page.html", rules, rows, audit=audit).read_text(encoding="utf-8")
    assert "Bias audit" not in plain
    assert "Bias audit" in page
    assert "what each rule adds to these differences" in page
    assert "<script" not in page
    assert f"{40:,}" in page


def test_the_rules_are_also_there_in_plain_words() -> None:
    rules = evoter.parse("age > 60 -> old; Default -> young")
    rows, labels = [{"age": 36}, {"age": 81}], ["young", "old"]
    page = report_page(rules, rows, labels)
    assert "1. If the age is above 60, the decision is old." in page
    german = report_page(rules, rows, labels, language="de", labels={"age": "das Alter", "old": "<alt>"})
    assert '<p lang="de">1. Wenn das Alter mehr als 60 beträgt, lautet die Entscheidung „&lt;alt&gt;“.' in german
