"""The picture of decisions over two features: the ground, the rules' lines, the rows, and names on both axes."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from evoter import EvoterClassifier
from evoter.analysis.displays.boundary_display import BoundaryDisplay
from evoter.analysis.displays.style import COLOURS, mixed
from evoter.rules.errors import SchemaError
from evoter.rules.interpreter import decide
from evoter.rules.parser import parse

matplotlib: Any = pytest.importorskip("matplotlib")
pytestmark = pytest.mark.usefixtures("no_windows")

LEGEND = "where speed: numeric [0..4] m/s; angle: numeric [0..2] rad; colour: one of red | blue; actions: left | right"
RULES = parse(f"speed > 3 AND colour = red -> left; angle > 1 -> left; Default -> right; {LEGEND}")
TABLE = pd.DataFrame(
    {"speed": [1.0, 3.5, 2.0, 3.9], "angle": [0.5, 0.5, 1.5, 0.1], "colour": ["red", "red", "red", "blue"]}
)
LABELS = ["right", "left", "right", "left"]


def test_the_ground_is_what_the_interpreter_decides() -> None:
    display = BoundaryDisplay.from_ruleset(RULES, features=("speed", "angle"), n_cells=9, at={"colour": "red"})
    for up, angle in enumerate(display.plane.y.middles):
        for across, speed in enumerate(display.plane.x.middles):
            expected = decide(RULES, {"speed": float(speed), "angle": float(angle), "colour": "red"}).action
            assert display.classes[display.decisions[up, across]] == expected
    colours = {tuple(colour.round(6)) for colour in display.ground().reshape(-1, 3)}
    assert len(colours) == 2
    shown = display.surface_.get_array()
    np.testing.assert_allclose(np.asarray(shown).reshape(9, 9, -1)[..., :3], display.ground())
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("speed (m/s)", "angle (rad)")
    assert display.ax_.get_title(loc="left") == "where colour = red"


def test_lines_carry_the_number_of_their_rule() -> None:
    display = BoundaryDisplay.from_ruleset(RULES, at={"colour": "red"})
    assert set(display.lines_) == {(1, 1), (2, 1)}
    (line,) = display.lines_[1, 1]
    np.testing.assert_allclose(line.get_xdata(), 3.0)
    assert [text.get_text() for text in display.ax_.texts] == ["1", "2"]
    assert set(BoundaryDisplay.from_ruleset(RULES, at={"colour": "blue"}).lines_) == {(2, 1)}
    assert not BoundaryDisplay.from_ruleset(RULES, lines=False).lines_


def test_rows_are_points_and_wrong_ones_are_larger_with_a_black_edge() -> None:
    display = BoundaryDisplay.from_ruleset(RULES, TABLE, LABELS, features=("speed", "angle"), rows="unseen")
    assert display.wrong is not None
    assert display.wrong.tolist() == [False, False, True, True]
    left, wrong_left, right, wrong_right = display.ax_.collections[1:]
    assert left.get_offsets().tolist() == [[3.5, 0.5]]
    assert wrong_left.get_offsets().tolist() == [[3.9, 0.1]]
    assert wrong_right.get_offsets().tolist() == [[2.0, 1.5]]
    assert right.get_facecolor()[0, :3].tolist() == pytest.approx(mixed(COLOURS[1], 1.0), abs=1e-6)
    assert (wrong_right.get_facecolor() == right.get_facecolor()).all(), "the class can still be told"
    assert wrong_right.get_edgecolor()[0, :3].tolist() == [0, 0, 0]
    assert right.get_edgecolor()[0, :3].tolist() == [1, 1, 1]
    assert wrong_right.get_sizes()[0] > 2 * right.get_sizes()[0]
    assert wrong_right.get_zorder() > right.get_zorder()
    legend = display.ax_.get_legend()
    assert [text.get_text() for text in legend.get_texts()][:3] == ["left", "right", "decided wrongly (2)"]
    assert legend.get_title().get_text() == "4 unseen rows"


def test_the_ground_is_paler_where_the_deciding_rule_is_less_often_right() -> None:
    table = pd.DataFrame({"speed": [3.5] * 10 + [1.0] * 10, "angle": 0.5, "colour": "red"})
    labels = ["left"] * 6 + ["right"] * 14
    display = BoundaryDisplay.from_ruleset(RULES, table, labels, features=("speed", "angle"), ranges={"angle": (0, 2)})
    assert display.certainty is not None
    by_rule = {0: (6 + 0.3) / 11, 1: 0.3, 2: (10 + 0.7) / 11}
    for up, angle in enumerate(display.plane.y.middles):
        for across, speed in enumerate(display.plane.x.middles):
            decider = 0 if speed > 3 else 1 if angle > 1 else 2
            assert display.certainty[up, across] == pytest.approx(by_rule[decider])
    whiteness = display.ground().min(axis=2)
    sure, unsure = display.certainty == by_rule[0], display.certainty == by_rule[1]
    assert sure.any()
    assert whiteness[sure].max() < whiteness[unsure].min()
    assert "paler: less probable\n(0.30 to 0.97)" in [text.get_text() for text in display.ax_.get_legend().get_texts()]


def test_a_model_shows_its_probabilities_by_itself_and_says_what_it_was_trained_on() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.uniform(size=(200, 2)), columns=["a", "b"])
    labels = np.where((table.a > 0.5) ^ (rng.uniform(size=200) < 0.15), "yes", "no")
    model = EvoterClassifier(generations=5, population_size=40, random_state=0).fit(table[:150], labels[:150])
    trained = BoundaryDisplay.from_estimator(model, table[:150], labels[:150], features=("a", "b"), n_cells=20)
    assert trained.certainty is not None
    said = model.predict_proba(table)
    assert said.min() <= trained.certainty.min() <= trained.certainty.max() <= said.max()
    assert trained.rows == "150 training rows"
    unseen = BoundaryDisplay.from_estimator(model, table[150:], labels[150:], features=("a", "b"), n_cells=20)
    assert unseen.ax_.get_legend().get_title().get_text() == "50 unseen rows"
    both = BoundaryDisplay.from_estimator(model, table[100:], labels[100:], features=("a", "b"), n_cells=20)
    assert both.rows == "100 rows, 50% of them equal to training rows"
    plain = BoundaryDisplay.from_estimator(model, table, features=("a", "b"), response="class", n_cells=20)
    assert plain.certainty is None


def test_a_decision_for_an_improbable_class_is_pale() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.uniform(size=(300, 2)), columns=["a", "b"])
    labels = np.where((table.a > 0.5) & (rng.uniform(size=300) < 0.3), "ill", "well")
    costs = {("ill", "well"): 20.0, ("well", "ill"): 1.0}
    model = EvoterClassifier(metric=costs, generations=10, population_size=60, random_state=0).fit(table, labels)
    display = BoundaryDisplay.from_estimator(model, table, features=("a", "b"), n_cells=20)
    assert display.certainty is not None
    alarms = display.certainty[display.decisions == display.classes.index("ill")]
    assert 0.05 < alarms.min() <= alarms.max() < 0.5, "most alarms are false, and cheap"


def test_all_values_that_matter_are_named_however_many() -> None:
    names = [f"feature.{k}" for k in range(9)]
    rules = parse(" AND ".join(f"{name} > 1" for name in names) + " -> yes; Default -> no")
    table = pd.DataFrame({name: [0.0, 2.0, 4.0] for name in names})
    display = BoundaryDisplay.from_ruleset(rules, table, features=("feature.0", "feature.1"), at={"feature.2": 3.5})
    title = display.ax_.get_title(loc="left").replace("\n", " ")
    assert title == "where feature.2 = 3.5, " + ", ".join(f"{name} = 2" for name in names[3:])
    tree = DecisionTreeClassifier(random_state=0).fit(table, ["a", "b", "b"])
    by_tree = BoundaryDisplay.from_estimator(tree, table, features=("feature.0", "feature.1"))
    assert by_tree.ax_.get_title(loc="left").replace("\n", " ").endswith("feature.7 = 2 and 1 more feature held")


def test_the_plane_is_the_one_on_which_most_rows_are_decided_as_they_are() -> None:
    declared = "where a: numeric [0..4]; b: numeric [0..4]; c: numeric [0..4]; actions: yes | no"
    rules = parse(f"a > 9 AND b > 9 -> yes; c > 2 AND a > 1 -> yes; Default -> no; {declared}")
    table = pd.DataFrame(np.random.default_rng(0).uniform(0, 4, size=(60, 3)), columns=["a", "b", "c"])
    assert BoundaryDisplay.from_ruleset(rules).ax_.get_ylabel() == "b", "without rows, the features read most often"
    display = BoundaryDisplay.from_ruleset(rules, table)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("a", "c")


def test_rows_without_a_value_on_an_axis_are_said_to_be_absent() -> None:
    table = TABLE.assign(speed=[1.0, 3.5, np.nan, 3.9], colour=["red", "red", "red", "green"])
    display = BoundaryDisplay.from_ruleset(RULES, table, LABELS, features=("speed", "angle"), rows="unseen")
    assert display.ax_.get_legend().get_title().get_text() == "4 unseen rows\n1 not drawn: no value on an axis"
    assert "decided wrongly (1)" in [text.get_text() for text in display.ax_.get_legend().get_texts()]
    coloured = BoundaryDisplay.from_ruleset(RULES, table, LABELS, features=("speed", "colour"), rows="unseen")
    assert "2 not drawn" in coloured.ax_.get_legend().get_title().get_text()


def test_the_legend_covers_no_point_of_its_own_figure() -> None:
    display = BoundaryDisplay.from_ruleset(RULES, TABLE, LABELS, features=("speed", "angle"))
    display.figure_.draw_without_rendering()
    assert display.ax_.get_legend().get_window_extent().x0 >= display.ax_.get_window_extent().x1
    _, ax = matplotlib.pyplot.subplots(layout="constrained")
    given = BoundaryDisplay.from_ruleset(RULES, TABLE, LABELS, ax=ax, legend="beside")
    given.figure_.draw_without_rendering()
    assert ax.get_legend().get_window_extent().x0 >= ax.get_window_extent().x1
    with pytest.raises(ValueError, match="legend must be True, False, 'beside' or 'inside', not 'left'"):
        BoundaryDisplay.from_ruleset(RULES, legend="left")


def test_categories_have_named_ticks_and_points_beside_each_other() -> None:
    display = BoundaryDisplay.from_ruleset(RULES, TABLE, LABELS, features=("colour", "speed"))
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["red", "blue"]
    assert display.ax_.get_xticks().tolist() == [0, 1]
    assert display.ax_.get_xlim() == (-0.5, 1.5)
    (line,) = display.lines_[1, 1]
    assert line.get_xdata().tolist() == [-0.5, 0.5]
    offsets = np.concatenate([points.get_offsets() for points in display.ax_.collections[1:]])
    assert (np.abs(offsets[:, 0] - np.round(offsets[:, 0])) > 0).all()
    assert set(np.round(offsets[:, 0])) == {0, 1}


def test_any_classifier_can_be_drawn() -> None:
    numbers = TABLE[["speed", "angle"]].to_numpy()
    tree = DecisionTreeClassifier(random_state=0).fit(numbers, LABELS)
    display = BoundaryDisplay.from_estimator(tree, numbers, LABELS, n_cells=20)
    assert display.ruleset is None
    assert not display.lines_
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("x0", "x1")
    grid = np.column_stack([np.tile(display.plane.x.middles, 20), np.repeat(display.plane.y.middles, 20)])
    expected = tree.predict(grid).reshape(20, 20)
    assert (np.array(display.classes)[display.decisions] == expected).all()
    assert display.ax_.get_title(loc="left") == ""


def test_probable_classes_have_stronger_colours() -> None:
    numbers = TABLE[["speed", "angle"]]
    model = LogisticRegression().fit(numbers, LABELS)
    display = BoundaryDisplay.from_estimator(model, numbers, response="probability", n_cells=12)
    assert display.certainty is not None
    whiteness = display.ground().min(axis=2)
    for place in range(len(display.classes)):
        own = display.decisions == place
        order = np.argsort(display.certainty[own])
        assert (np.diff(whiteness[own][order]) <= 1e-12).all()
    with pytest.raises(ValueError, match="response must be 'auto', 'class' or 'probability', not 'proba'"):
        BoundaryDisplay.from_estimator(model, numbers, response="proba")


def test_an_evolved_classifier_brings_its_rules_and_its_own_features() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.uniform(size=(200, 3)), columns=["a", "b", "c"])
    labels = np.where((table.c > 0.5) & (table.a > 0.3), 1, 0)
    model = EvoterClassifier(generations=10, population_size=60, random_state=0).fit(table, labels)
    display = BoundaryDisplay.from_estimator(model, table, labels)
    assert (display.ax_.get_xlabel(), display.ax_.get_ylabel()) == ("a", "c")
    assert display.classes == ("0", "1")
    assert display.wrong is not None
    assert display.wrong.mean() == pytest.approx(1 - model.score(table, labels))
    assert display.lines_
    by_rules = BoundaryDisplay.from_ruleset(model.ruleset_, table, labels)
    assert (by_rules.decisions == display.decisions).all()
    with pytest.raises(ValueError, match="which two of the 3 features"):
        BoundaryDisplay.from_estimator(DecisionTreeClassifier().fit(table, labels), table)


def test_labels_that_are_never_decided_are_shown_as_well() -> None:
    display = BoundaryDisplay.from_ruleset(RULES, TABLE, ["right", "left", "up", "left"], features=("speed", "angle"))
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels[:4] == ["left", "right", "up", "decided wrongly (2)"]


def test_it_draws_into_given_axes_with_given_looks() -> None:
    _, axes = matplotlib.pyplot.subplots(1, 2)
    display = BoundaryDisplay.from_ruleset(RULES, ax=axes[1], legend=False, alpha=0.5, ranges={"speed": (0, 1)})
    assert display.ax_ is axes[1]
    assert display.figure_ is axes[1].figure
    assert display.ax_.get_legend() is None
    assert display.surface_.get_alpha() == 0.5
    assert display.ax_.get_xlim() == pytest.approx((0, 1))


def test_rules_that_make_no_plane_are_refused() -> None:
    series = parse("x[1] > 0 AND y > 1 -> a; Default -> b; where x: numeric; y: numeric; actions: a | b; lags: 0..1")
    with pytest.raises(SchemaError, match="look back in time, which a plane of two features cannot show"):
        BoundaryDisplay.from_ruleset(series)
    several = parse("x > 0 AND y > 1 -> a; Default -> b; where x: numeric; y: numeric; actions: a | b; decide: all")
    with pytest.raises(SchemaError, match="mode all"):
        BoundaryDisplay.from_ruleset(several)
    single = parse("x > 0 -> a; Default -> b; where x: numeric; actions: a | b")
    with pytest.raises(ValueError, match="a plane needs two features, and there is one only"):
        BoundaryDisplay.from_ruleset(single)
