"""An audit says what it found in every form, and refuses what it cannot find."""

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rich.console import Console

import evoter
from evoter.fairness.audit import Audit
from evoter.rules.errors import SchemaError
from evoter.tables import read_panel

RNG = np.random.default_rng(0)
N = 200
TABLE = pd.DataFrame(
    {
        "income": RNG.normal(40, 10, N).round(),
        "age": RNG.integers(18, 80, N),
        "sex": RNG.choice(["f", "m"], N),
        "paid": RNG.choice([True, False], N),
    }
)
RULES = evoter.parse("income > 45 -> true; age > 60 AND income > 30 -> true; Default -> false")


def found(**keywords: Any) -> Audit:
    return evoter.audit(RULES, TABLE, "paid", **{"protected": ["sex", "age"], "bands": {"age": [40, 60]}, **keywords})


def test_every_form_has_the_same_figures() -> None:
    audit = found()
    assert audit.favourable == ("true",), "the second of two in sorted order, whatever the order of the rules"
    text = audit.to_text()
    console = Console(width=200, file=None, record=True, quiet=False, color_system=None)
    with console.capture() as captured:
        console.print(audit)
    for words in ("sex (read by no rule)", "age (read by rule 2)", "40 to under 60", "sex & age", "Default -> false"):
        assert words in text
        assert words in captured.get()
        assert words.replace("&", "&amp;").replace(">", "&gt;") in audit.to_html()
    assert str(audit) == repr(audit) == text
    described = json.loads(audit.to_json())
    assert described == audit.to_dict()
    frame = audit.to_frame()
    assert isinstance(audit.to_frame("polars"), pl.DataFrame)
    rate = described["columns"][0]["groups"][0]["rates"]["selection_rate"]
    assert frame["share"][0] == rate["share"]
    assert len(frame) == sum(len(group["rates"]) for column in described["columns"] for group in column["groups"])


def test_many_small_groups_are_counted_and_a_few_are_shown() -> None:
    few = found(protected={"sex": np.where(np.arange(N) < 9, "x", TABLE["sex"])}, bands={}).to_text()
    assert "x *" in few
    assert "* fewer than 30 rows: the intervals are wide, and there is no verdict" in few
    names = [f"street {number % 9}" if number < 60 else "elsewhere" for number in range(N)]
    streets = found(protected={"street": names}, bands={})
    assert "9 groups of fewer than 30 rows are not shown" in streets.to_text()
    assert len(streets.columns[0].groups) == 10


def test_probabilities_have_a_table_of_their_own() -> None:
    model = evoter.RuleSetClassifier(RULES).fit(TABLE, TABLE["paid"])
    audit = evoter.audit(model, TABLE, "paid", protected="sex")
    lines = audit.to_text().split("\n\n")[4].splitlines()
    assert lines[0] == "sex: the probability of true, and how often it was so"
    assert lines[1].split() == ["group", "predicted", "observed", "gap", "interval"]
    known = audit.columns[0].groups[0].calibration
    assert known is not None
    assert lines[2].split()[1:3] == [f"{known.predicted:.1%}", f"{known.observed.value:.1%}"]
    assert "the probability of" not in found().to_text()


def test_words_are_not_divided_in_a_terminal() -> None:
    name = "AfricanAmerican"
    console = Console(width=90, color_system=None)
    with console.capture() as captured:
        console.print(found(protected={"origin": np.where(TABLE["sex"] == "f", name, "Caucasian")}, bands={}))
    assert captured.get().count(name) > 1
    assert "-0.0" not in captured.get()


def test_libraries_and_ways_to_give_values_agree() -> None:
    values = {"sex": TABLE["sex"].tolist(), "age": TABLE["age"].to_numpy()}
    same = [
        found(),
        found(protected=values),
        evoter.audit(RULES, pl.DataFrame(TABLE), "paid", protected=["sex", "age"], bands={"age": [40, 60]}),
        evoter.audit(
            RULES, TABLE.to_dict("records"), TABLE["paid"].tolist(), protected=["sex", "age"], bands={"age": [40, 60]}
        ),
    ]
    assert len({audit.to_json() for audit in same}) == 1


def test_the_favourable_decision_is_chosen() -> None:
    assert found(favourable=True).favourable == ("true",)
    assert found(favourable=["true", False]).favourable == ("true", "false")
    yes, no = (found(favourable=each).worst() for each in (True, False))
    assert yes is not None
    assert no is not None
    assert yes.difference == pytest.approx(no.difference)
    assert (yes.highest, yes.lowest) == (no.lowest, no.highest)


def test_columns_and_rates_are_found_by_name() -> None:
    audit = found()
    assert audit.column("sex & age").column == "sex & age"
    for call in (lambda: audit.column("sx"), lambda: audit.worst("selection"), lambda: audit.column("sex", "false")):
        with pytest.raises(SchemaError):
            call()


def test_series_have_groups_by_instance() -> None:
    panel = read_panel(RNG.normal(size=(60, 2, 5)))
    rules = evoter.parse("x0[2] > 0 -> high; Default -> low")
    audit = evoter.audit(rules, panel, protected={"sex": ["f", "m"] * 30}, favourable="high")
    assert [group.n_rows for group in audit.column().groups] == [30, 30]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"protected": "sx"}, "the rows have no column 'sx'; did you mean 'sex'"),
        ({"favourable": "maybe"}, "favourable: there is no decision 'maybe'; known: 'true', 'false'"),
        ({"bands": {"income": [3]}}, "bands: 'income' is not a protected column"),
    ],
)
def test_what_cannot_be_found_is_refused(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        found(**keywords)


def test_impossible_requests_are_refused() -> None:
    rows = [{"x": 1, "g": "a"}]
    assert evoter.audit(evoter.parse("x > 3 -> 10; Default -> 9"), rows, protected="g").favourable == ("10",)
    with pytest.raises(SchemaError, match="target: the table has no column 'pad'; did you mean 'paid'"):
        evoter.audit(RULES, TABLE, "pad", protected="sex")
    with pytest.raises(SchemaError, match="there are 200 rows and 3 labels"):
        evoter.audit(RULES, TABLE, [1, 0, 1], protected="sex")
    with pytest.raises(ValueError, match="proxy_strength from 0 to 1"):
        found(proxy_strength=2)
    with pytest.raises(TypeError, match="a rule set or a fitted estimator"):
        evoter.audit(3, TABLE, protected="sex")
    with pytest.raises(SchemaError, match="an audit needs one decision a row"):
        evoter.audit(RULES.replace(mode="all"), TABLE, protected="sex")


def test_rules_without_conditions_and_odd_names_are_audited() -> None:
    rows = [{"x": 1, "a & b": "u", "c": "v"}] * 40 + [{"x": 1, "a & b": "w", "c": "v"}] * 40
    audit = evoter.audit(evoter.parse("x > 0 -> a; Default -> b"), rows, protected=["a & b", "c"])
    assert [each.column for each in audit.columns] == ["a & b", "c", "a & b & c"]
    assert not any(each.read_by for each in audit.columns)
    constant = RULES.replace(rules=())
    worst = evoter.audit(constant, rows, ["false", "true"] * 40, protected="a & b").worst("selection_rate")
    assert worst is not None
    assert (worst.difference, worst.ratio, worst.is_clear) == (0.0, 1.0, False)


def test_names_from_outside_are_shown_as_they_are() -> None:
    rows = [{"x": 1, "<b>": "\x1b[31m<i>"}] * 3
    audit = evoter.audit(evoter.parse("x > 0 -> a; Default -> b"), rows, protected="<b>")
    assert "\x1b" not in audit.to_text() + audit.to_html()
    assert "<i>" not in audit.to_html()
