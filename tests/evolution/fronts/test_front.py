"""Fronts keep what nobody dominates, print as tables, and know how much they dominate."""

import pickle
import re
from io import StringIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from evoter.evolution.fronts.front import Candidate, Front, make_front
from evoter.evolution.problem import Objective
from fronts import ACCURACY, COMPLEXITY, OBJECTIVES, front, ruleset
from laws import examples
from samples import HOSTILE_NAMES

SCORES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=15)


@examples(200)
@given(SCORES)
def test_a_front_has_all_that_nobody_dominates_once_and_in_order(scores: list[tuple[int, int]]) -> None:
    made = make_front([ruleset(n) for _, n in scores], scores, OBJECTIVES)
    kept = [tuple(row) for row in made.scores.tolist()]
    better = {(a, n) for a, n in scores if not any((b >= a and m <= n) and (b, m) != (a, n) for b, m in scores)}
    assert set(kept) == better
    assert len(kept) == len(better)
    assert kept == sorted(kept, reverse=True)


def test_of_equal_scores_the_smallest_rule_set_stays() -> None:
    made = make_front([ruleset(3), ruleset(1), ruleset(2)], [[0.9], [0.9], [0.8]], [ACCURACY])
    assert [candidate.n_conditions for candidate in made] == [1]


def test_a_candidate_is_measured_by_name() -> None:
    candidate = front([0.5], [3])[0]
    assert (candidate.n_conditions, candidate.n_rules, candidate.n_features) == (3, 3, 1)
    assert [candidate.value(name) for name in ("accuracy", "conditions", "rules", "features")] == [0.5, 3, 3, 1]
    with pytest.raises(ValueError, match="no objective 'acuracy'; did you mean 'accuracy'"):
        candidate.value("acuracy")


def test_a_front_is_a_sequence() -> None:
    made = front([0.5, 0.9], [1, 4])
    assert len(made) == 2
    assert made[0].scores["accuracy"] == 0.9
    assert made[-1:] == (made[1],)
    assert made.index(made[1]) == 1
    assert made.choose(made[1]).chosen == made.choose(1).chosen == 1
    assert pickle.loads(pickle.dumps(made)) == made  # noqa: S301
    assert len({made[0], made[1]}) == 2


def test_a_notebook_shows_a_table() -> None:
    page = front([0.5, 0.9], [1, 4]).choose(1)._repr_html_()
    assert page.count("<tr") == 3
    assert "accuracy ↑" in page
    assert page.count("font-weight:bold") == 1
    assert "Default" in page, "the rules appear above a row"


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_a_page_escapes_names(name: str) -> None:
    candidate = Candidate(ruleset(1), {name: 1.0})
    page = Front((candidate,), (Objective(name),))._repr_html_()
    assert not re.search(r"<(?!/?(table|thead|tbody|tr|th|td|caption)\b)", page)


def test_what_makes_no_sense_is_refused() -> None:
    candidate = Candidate(ruleset(1), {"accuracy": 1.0})
    with pytest.raises(ValueError, match="different names"):
        Front((), (ACCURACY, ACCURACY))
    with pytest.raises(ValueError, match="candidate 0 must have a score for each of"):
        Front((candidate,), OBJECTIVES)
    with pytest.raises(ValueError, match="chosen must be from 0 to 0, got 1"):
        Front((candidate,), (ACCURACY,), chosen=1)


def test_the_hypervolume_is_in_the_users_directions() -> None:
    made = front([0.5, 0.9], [1, 4])
    assert made.hypervolume({"accuracy": 0.4, "complexity": 5}) == pytest.approx(0.1 * 4 + 0.4 * 1)
    assert made.hypervolume({"accuracy": 0.95, "complexity": 5}) == 0.0
    with pytest.raises(ValueError, match=r"there is none for \['complexity'\]"):
        made.hypervolume({"accuracy": 0.4})
    with pytest.raises(ValueError, match="no objective 'complexty'; did you mean 'complexity'"):
        made.hypervolume({"accuracy": 0.4, "complexty": 5})
    with pytest.raises(ValueError, match="must be finite"):
        made.hypervolume({"accuracy": 0.4, "complexity": np.inf})


TABLE = """\
number  accuracy ↑  complexity ↓  rules  features
0            0.900             4      4         1
1*           0.333             1      1         1"""

MARKDOWN = """\
| `number` | `accuracy ↑` | `complexity ↓` | `rules` | `features` |
| :--- | ---: | ---: | ---: | ---: |
| 0 | 0.900 | 4 | 4 | 1 |
| **1** | **0.333** | **1** | **1** | **1** |"""


def test_tables() -> None:
    made = front([0.33333, 0.9], [1, 4]).choose(1)
    assert repr(made) == str(made) == TABLE
    assert made.to_markdown() == MARKDOWN


def test_the_terminal_shows_the_same_table_and_the_chosen_one_in_bold() -> None:
    made = front([0.33333, 0.9], [1, 4]).choose(1)
    console = Console(width=100, record=True, force_terminal=True, color_system="truecolor", file=StringIO())
    console.print(made)
    styled = console.export_text(styles=True, clear=False)
    plain = console.export_text().splitlines()
    rows = [line.split() for line in plain if "─" not in line]
    assert rows == [line.split() for line in TABLE.splitlines()]
    assert "\x1b[1" in next(line for line in styled.splitlines() if "1*" in line)
    assert "\x1b[1" not in next(line for line in styled.splitlines() if "0.9" in line)


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_names_of_objectives_cannot_act_as_markup(name: str) -> None:
    made = make_front([ruleset(1)], [[1.0, 2.0]], [Objective(name), COMPLEXITY])
    assert len(str(made).splitlines()) == 2
    head, *_ = made.to_markdown().splitlines()
    assert head.replace(r"\|", "").count("|") == 6
    console = Console(width=200)
    with console.capture() as capture:
        console.print(made)
    assert "complexity" in capture.get()


def test_an_objective_named_like_a_size_is_shown_once() -> None:
    made = make_front([ruleset(3)], [[0.9, 2.0]], [ACCURACY, Objective("conditions", maximise=False)])
    assert str(made).splitlines()[0].count("conditions") == 1
    assert made[0].value("conditions") == 2.0
