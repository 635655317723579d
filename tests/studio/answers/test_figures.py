"""Figures equal those of the functions that people call in Python."""

import numpy as np
import pytest

from evoter import audit
from evoter.analysis.rule_statistics import measure
from evoter.studio.answers.figures import figures, share_difference
from evoter.studio.session.session import Session
from evoter.studio.table.parts import VALIDATION


def test_figures_equal_statistics_and_audit(session: Session) -> None:
    rows = session.rows.rows
    active = session.edited(session.version(None)).active
    mask = session.rows.masks[VALIDATION]
    found = figures(rows, rows.decide(active), mask, "high")
    chosen = np.flatnonzero(mask).tolist()
    labels = [rows.classes[code] for code in rows.labels[chosen]]
    statistics = measure(active, rows.frame[chosen], labels)
    assert found["accuracy"] == statistics.accuracy
    assert found["baseline"] == statistics.baseline
    assert statistics.confusion is not None
    assert found["interval"] == pytest.approx(list(statistics.confusion.interval))
    audited = audit(active, rows.frame[chosen], labels, protected="sex", favourable="high").column("sex")
    by_name = {group["name"]: group for group in found["groups"]}
    for group in audited.groups:
        own, rates = by_name[group.name], group.rates
        assert own["rows"] == group.n_rows
        assert own["selected"] == pytest.approx(rates["selection_rate"].value)
        assert own["interval"] == pytest.approx([rates["accuracy"].low, rates["accuracy"].high])
        recall = next(each for each in found["classes"] if each["name"] == "high")
        assert 0 <= recall["recall_interval"][0] <= recall["recall"] <= recall["recall_interval"][1] <= 1


def test_no_rows_have_no_shares(session: Session) -> None:
    rows = session.rows.rows
    decided = rows.decide(session.edited(session.version(None)).active)
    found = figures(rows, decided, np.zeros(len(rows), np.bool_), "high")
    assert found["rows"] == 0
    assert found["accuracy"] is None
    assert found["groups"][0]["selected"] is None
    assert share_difference((0, 1), (0, 2)) is None
