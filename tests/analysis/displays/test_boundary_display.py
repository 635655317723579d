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


def test_rows_are_points_and_wrong_ones_are_hollow() -> None:
    display = BoundaryDisplay.from_ruleset(RULES, TABLE, LABELS, features=("speed", "angle"))
    assert display.wrong is not None
    assert display.wrong.tolist() == [False, False, True, True]
    left, hollow_left, right, hollow_right = display.ax_.collections[1:]
    assert left.get_offsets().tolist() == [[3.5, 0.5]]
    assert hollow_left.get_offsets().tolist() == [[3.9, 0.1]]
    assert hollow_right.get_offsets().tolist() == [[2.0, 1.5]]
    assert right.get_facecolor()[0, :3].tolist() == pytest.approx(mixed(COLOURS[1], 1.0), abs=1e-6)
    assert hollow_right.get_facecolor()[0, :3].tolist() == [1, 1, 1]
    assert [text.get_text() for text in display.ax_.get_legend().get_texts()] == ["left", "right", "decided wrongly"]


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
    with pytest.raises(ValueError, match="response must be 'class' or 'probability', not 'proba'"):
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
    assert labels == ["left", "right", "up", "decided wrongly"]


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
