"""How reliable a decision is: probabilities and what they rest on, for single rules and votes."""

import pytest

from evoter.rules.answers.reliability import basis_text, deciding_record, probabilities
from evoter.rules.answers.track_record import RecordPart, TrackRecord
from evoter.rules.condition import Condition, Term
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


def test_a_row_belongs_to_the_first_part_whose_conditions_hold() -> None:
    parts = (
        RecordPart((5, 0), (0.95, 0.05), (Condition(Term("x"), ">", 8),)),
        RecordPart((2, 1), (0.65, 0.35), (Condition(Term("x"), ">", 6),)),
        RecordPart((1, 1), (0.55, 0.45)),
    )
    rules = parse(TEXT).replace(records=[TrackRecord((8, 2), (0.75, 0.25), parts), *RECORDS[1:]])
    said = {x: explain(rules, {"x": x}).reliability.split("training rows, and on ")[1] for x in (9, 7, 6)}
    assert said == {
        9: "5 of 5 where x > 8",
        7: "2 of 3 where x > 6, but not x > 8",
        6: "1 of 2 where x > 6 does not hold",
    }
    assert explain(rules, {"x": 7}).probabilities == {"yes": 0.65, "no": 0.35}
    assert "training rows, and on" not in explain(rules, {"x": 4}).reliability  # rule 2 has no parts
    assert probabilities(rules, decide(rules, {"x": 7})) == {"yes": 0.75, "no": 0.25}  # without the row
