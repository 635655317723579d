"""How reliable a decision is: probabilities and what they rest on, for single rules and votes."""

import pytest

from evoter.rules.answers.reliability import basis_text, deciding_record, probabilities
from evoter.rules.answers.track_record import TrackRecord
from evoter.rules.explain import explain
from evoter.rules.interpreter import decide
from evoter.rules.parser import parse

RECORDS = [TrackRecord((8, 2), (0.75, 0.25)), TrackRecord((1, 3), (0.25, 0.75)), TrackRecord((0, 0), (0.5, 0.5))]
TEXT = "x > 5 -> yes; x > 3 -> no; Default -> no\nwhere\n x: numeric [0..9]\n actions: yes | no"


def test_the_rule_that_decides_is_the_basis() -> None:
    rules = parse(TEXT).replace(records=RECORDS)
    decision = decide(rules, {"x": 6})
    assert probabilities(rules, decision) == {"yes": 0.75, "no": 0.25}
    assert deciding_record(rules, decision) == RECORDS[0]
    assert basis_text(rules, decision) == "probability 0.75: rule 1 was right on 8 of 10 training rows"


def test_the_default_has_a_record_too() -> None:
    rules = parse(TEXT).replace(records=RECORDS)
    assert basis_text(rules, decide(rules, {"x": 1})) == "probability 0.50: the default decided no training row"


def test_a_vote_averages_the_active_rules() -> None:
    rules = parse(f"{TEXT}\n decide: vote").replace(records=RECORDS)
    assert probabilities(rules, decide(rules, {"x": 6})) == {"yes": 0.5, "no": 0.5}


def test_without_records_nothing_is_said() -> None:
    explanation = explain(parse(TEXT), {"x": 6})
    assert explanation.probabilities is None
    assert explanation.record is None
    assert "probability" not in str(explanation)


def test_explanations_end_with_it() -> None:
    explanation = explain(parse(TEXT).replace(records=RECORDS), {"x": 6})
    assert str(explanation).endswith("probability 0.75: rule 1 was right on 8 of 10 training rows")
    assert "8 of 10 training rows" in explanation._repr_html_()
    assert explanation.probabilities == pytest.approx({"yes": 0.75, "no": 0.25})
