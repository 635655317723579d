"""Repairs are measured on rows that no model has seen, and each is what it says it is."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import demographic_parity_difference

import evoter
from evoter.fairness.repair import REFITTED, WITHOUT_PROXIES, Repairs
from evoter.rules.errors import SchemaError

RNG = np.random.default_rng(0)
N = 600
SEX = np.where(RNG.random(N) < 0.5, "f", "m")
TABLE = pd.DataFrame(
    {
        "a": RNG.normal(size=N) + 0.9 * (SEX == "m"),
        "b": RNG.normal(size=N),
        "c": RNG.normal(size=N),
        "job": np.where(RNG.random(N) < 0.9, np.where(SEX == "f", "nurse", "driver"), "clerk"),
    }
)
LABELS = np.where(TABLE["a"] + TABLE["b"] + 0.9 * (TABLE["job"] == "driver") > 0.8, "yes", "no")
SEEN = np.arange(N) < 400
QUICK: dict[str, Any] = {
    "random_state": 0, "generations": 12, "population_size": 100, "settings": {"refinement_moves": 60, "n_refined": 6},
    "forms": "constants",
}  # fmt: skip


@pytest.fixture(scope="module")
def repairs() -> Repairs:
    model = evoter.EvoterClassifier(**QUICK).fit(TABLE[SEEN], LABELS[SEEN])
    return evoter.repair(
        model,
        (TABLE[SEEN], LABELS[SEEN]),
        (TABLE[~SEEN], LABELS[~SEEN]),
        protected=({"sex": SEX[SEEN]}, {"sex": SEX[~SEEN]}),
    )


def test_figures_are_those_of_unseen_rows(repairs: Repairs) -> None:
    for way in ("as it is", REFITTED):
        option = repairs.option(way)
        predicted = option.model.predict(TABLE[~SEEN])
        assert option.test.accuracy.value == pytest.approx(np.mean(predicted == LABELS[~SEEN]))
        expected = demographic_parity_difference(
            LABELS[~SEEN] == "yes", predicted == "yes", sensitive_features=SEX[~SEEN]
        )
        assert option.test.difference == pytest.approx(expected, abs=1e-12)
        assert option.test.interval[0] < expected < option.test.interval[1]


def test_small_groups_are_not_compared_while_there_are_others() -> None:
    rules = evoter.parse("a > 0 -> yes; Default -> no")
    groups = np.where(np.arange(N) < 8, "few", SEX)
    data = (TABLE, LABELS)
    found = evoter.repair(rules, data, data, protected=({"sex": groups}, {"sex": groups}), ways=["rules"])
    assert set(found[0].test.groups or ()) == {"f", "m"}
    assert "groups of fewer than 30 rows are compared only where no others are left" in found.notes
    few = slice(0, 40)
    some = (TABLE[few], LABELS[few])
    found = evoter.repair(rules, some, some, protected=({"sex": SEX[few]}, {"sex": SEX[few]}), ways=["rules"])
    assert found[0].test.groups is not None


def test_a_model_with_limits_on_groups_is_repaired_under_them() -> None:
    model = evoter.EvoterClassifier(**QUICK, pinned="b > 2.5 -> no", constraints={"selection_rate_difference": 0.3})
    model.fit(TABLE[SEEN], LABELS[SEEN], protected={"sex": SEX[SEEN]})
    found = evoter.repair(
        model,
        (TABLE[SEEN], LABELS[SEEN]),
        (TABLE[~SEEN], LABELS[~SEEN]),
        protected=({"sex": SEX[SEEN]}, {"sex": SEX[~SEEN]}),
        ways=["constraint", "proxies"],
    )
    assert found.option(REFITTED).train.difference <= 0.05
    for option in found:
        assert option.train.difference <= 0.3


def test_each_repair_is_what_it_says(repairs: Repairs) -> None:
    present, refitted, blind = (repairs.option(way) for way in ("as it is", REFITTED, WITHOUT_PROXIES))
    assert present.train.difference > 0.2
    assert refitted.train.difference <= 0.05
    assert "job" in present.ruleset.features_used
    assert "job" not in blind.ruleset.features_used
    assert blind.model.n_features_in_ < present.model.n_features_in_
    for number in range(len(present.ruleset.rules)):
        edited = repairs.option(f"without rule {number + 1}").ruleset
        assert edited.rules == present.ruleset.rules[:number] + present.ruleset.rules[number + 1 :]
    assert len(repairs.front) > 3
    assert repairs.front[0].train.difference > repairs.front[-1].train.difference
    assert {each.test.accuracy.n_rows for each in repairs.front} == {200}


def test_it_prints(repairs: Repairs) -> None:
    text = repairs.to_text()
    assert text == repr(repairs)
    assert "at most 5.0 points wanted" in text
    assert REFITTED in text
    assert re.search("columns of proxies: .*job", text)
    assert len(repairs) == len(repairs.to_dict()["options"]) == 3 + len(repairs[0].ruleset.rules)
    with pytest.raises(SchemaError, match="there is no repair 'refited'"):
        repairs.option("refited")


def test_a_rule_set_alone_loses_rules_only() -> None:
    rules = evoter.parse("a > 0 -> yes; b > 0 -> yes; Default -> no")
    table = TABLE.assign(sex=SEX)
    found = evoter.repair(rules, (table[SEEN], LABELS[SEEN]), (table[~SEEN], LABELS[~SEEN]), protected="sex")
    assert [each.way for each in found] == ["as it is", "without rule 1", "without rule 2"]
    assert "these rules cannot be fitted again" in found.to_text()
    assert found[1].test.difference < found[0].test.difference


def test_what_makes_no_sense_is_refused() -> None:
    rules = evoter.parse("a > 0 -> yes; b > 1 -> maybe; Default -> no")
    data = (TABLE[SEEN].assign(sex=SEX[SEEN]), LABELS[SEEN])
    with pytest.raises(ValueError, match="there is no way 'rule' to repair"):
        evoter.repair(rules, data, data, protected="sex", ways=["rule"])
    with pytest.raises(SchemaError, match="there is no rate 'selection'"):
        evoter.repair(rules, data, data, protected="sex", rate="selection")
    with pytest.raises(SchemaError, match="say which of the decisions"):
        evoter.repair(rules, data, data, protected="sex")
