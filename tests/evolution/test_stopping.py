"""Every criterion is progress from 0 to 1, reaches 1 exactly when it is met, and combines with | and &."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.evolution.stopping import Generations, Seconds, Stagnation, Status, Stopping, TargetScore

scores = st.floats(allow_nan=False)
statuses = st.builds(
    Status,
    generation=st.integers(0, 10_000),
    seconds=st.floats(0, 1e6),
    best=scores,
    first_best=scores,
    stagnant_generations=st.integers(0, 10_000),
)
single = st.one_of(
    st.builds(Generations, st.integers(0, 10_000)),
    st.builds(Seconds, st.floats(0, math.inf)),
    st.builds(TargetScore, scores, st.booleans()),
    st.builds(Stagnation, st.integers(1, 10_000)),
)
criteria = st.recursive(
    single,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] & pair[1]),
    ),
    max_leaves=6,
)


@given(criteria, statuses)
def test_progress_lies_between_0_and_1(criterion: Stopping, status: Status) -> None:
    assert 0.0 <= criterion.progress(status) <= 1.0


@given(criteria, criteria, statuses)
def test_any_ends_with_the_first_and_all_with_the_last(one: Stopping, other: Stopping, status: Status) -> None:
    ends = one.progress(status) >= 1.0, other.progress(status) >= 1.0
    assert ((one | other).progress(status) >= 1.0) is any(ends)
    assert ((one & other).progress(status) >= 1.0) is all(ends)


@given(statuses, st.integers(0, 10_000), st.floats(0, 1e6), scores, st.booleans())
def test_a_criterion_is_met_exactly_when_it_says_so(
    status: Status, n: int, seconds: float, target: float, maximise: bool
) -> None:
    assert (Generations(n).progress(status) == 1.0) is (status.generation >= n)
    assert (Seconds(seconds).progress(status) == 1.0) is (status.seconds >= seconds)
    assert (Stagnation(n + 1).progress(status) == 1.0) is (status.stagnant_generations > n)
    reached = status.best >= target if maximise else status.best <= target
    assert (TargetScore(target, maximise).progress(status) == 1.0) is reached


def test_progress_towards_a_target_is_measured_from_the_first_score() -> None:
    assert TargetScore(0.9).progress(Status(5, 1.0, 0.7, 0.5, 0)) == pytest.approx(0.5)
    assert TargetScore(0.1, maximise=False).progress(Status(5, 1.0, 0.2, 0.5, 0)) == pytest.approx(0.75)
    assert TargetScore(0.9).progress(Status(5, 1.0, 0.4, 0.5, 0)) == 0.0


def test_nearly_reached_is_not_reached() -> None:
    best = math.nextafter(0.3, 0.0)
    assert (best - -1e20) / (0.3 - -1e20) == 1.0
    assert TargetScore(0.3).progress(Status(5, 1.0, best, -1e20, 0)) < 1.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Generations(-1), "Generations needs .* 0 or more, got -1"),
        (lambda: Seconds(math.nan), "Seconds needs .* 0 or more, got nan"),
        (lambda: TargetScore(math.nan), "TargetScore needs a number .* got nan"),
        (lambda: Stagnation(0), "Stagnation needs .* 1 or more, got 0"),
    ],
)
def test_senseless_criteria_are_refused(make: "type[Stopping]", message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
