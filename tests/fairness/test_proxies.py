"""Proxies are the rules and conditions that tell groups apart without reading the column."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evoter
from evoter.fairness.proxies import STRENGTH, correlate
from evoter.tables.groups import group_rows

RNG = np.random.default_rng(0)
SEX = RNG.choice(["f", "m"], 500)
TABLE = pd.DataFrame(
    {
        "sex": SEX,
        "job": np.where(RNG.random(500) < 0.9, np.where(SEX == "f", "nurse", "driver"), "clerk"),
        "x": RNG.normal(size=500),
    }
)


def test_what_stands_for_a_group_is_found_and_what_reads_it_is_not_called_so() -> None:
    rules = evoter.parse(
        "job = driver AND x > 0 -> yes; sex = m AND x > 1 -> yes; x > 2 -> yes; job = nurse -> no; Default -> no"
    )
    found = evoter.audit(rules, TABLE, protected="sex")
    assert [(each.rule, each.condition) for each in found.proxies] == [(4, None), (1, "job = driver"), (1, None)]
    whole, condition, _ = found.proxies
    assert whole.features == condition.features == ("job",)
    assert (whole.column, whole.group) in {("sex", "f"), ("sex", "m")}
    inside = TABLE["job"][condition.group == SEX] == "driver"
    assert condition.inside == inside.mean()
    assert condition.auc == 0.5 + abs(condition.inside - condition.outside) / 2
    assert found.column("sex").read_by == (2,)
    assert all(each.strength >= STRENGTH and each.interval[0] > 0 for each in found.proxies)
    assert not evoter.audit(rules, TABLE, protected="sex", proxy_strength=0.99).proxies


@given(st.integers(0, 10**6), st.integers(2, 4))
def test_strengths_are_correlations(seed: int, n_groups: int) -> None:
    rng = np.random.default_rng(seed)
    masks, codes = rng.random((90, 5)) < rng.random(5), rng.integers(0, n_groups, 90)
    groups = group_rows("g", codes.tolist())
    correlations, inside, outside = correlate(masks, groups)
    for mask in range(5):
        for group, name in enumerate(groups.names):
            member = codes == int(name)
            assert inside[mask, group] == masks[member, mask].mean()
            if 0 < masks[:, mask].sum() < 90 and not member.all():
                assert outside[mask, group] == masks[~member, mask].mean()
                expected = np.corrcoef(masks[:, mask], member)[0, 1]
                assert correlations[mask, group] == pytest.approx(expected, abs=1e-12)
            else:
                assert correlations[mask, group] == 0.0


def test_few_rows_prove_nothing() -> None:
    rules = evoter.parse("x > 0 -> yes; Default -> no")
    rows = [{"x": 1.0, "g": "a"}, {"x": -1.0, "g": "b"}, {"x": 1.0, "g": "a"}]
    assert not evoter.audit(rules, rows, protected="g").proxies
