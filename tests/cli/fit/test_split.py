"""Tests of the rows set aside: classes in proportion, identifiers together, always the same."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.cli.fit.split import split_rows
from evoter.cli.output import Failure
from laws import examples


@examples(30)
@given(st.lists(st.sampled_from("aab"), min_size=30, max_size=90), st.floats(0.15, 0.6), st.integers(0, 5))
def test_every_row_is_on_one_side_and_classes_keep_their_shares(labels: list[str], share: float, seed: int) -> None:
    counts = Counter(labels)
    if min(counts.values()) < 5 or len(counts) < 2:
        return
    split = split_rows(labels, None, share, seed)
    assert sorted([*split.train.tolist(), *split.test.tolist()]) == list(range(len(labels)))
    for name, count in counts.items():
        assert abs(sum(labels[row] == name for row in split.test) - share * count) < 2
    assert split.sha256 == split_rows(labels, None, share, seed).sha256


def test_rows_of_one_identifier_stay_together() -> None:
    identifiers = [f"p{n // 3}" for n in range(120)]
    split = split_rows(["a", "b"] * 60, identifiers, 0.25, 0)
    assert split.grouped
    assert not {identifiers[row] for row in split.train} & {identifiers[row] for row in split.test}
    assert 20 <= len(split.test) <= 40
    unique = split_rows(["a", "b"] * 60, [f"p{n}" for n in range(120)], 0.25, 0)
    assert not unique.grouped


@pytest.mark.parametrize("share", [0.05, 0.25, 0.3, 0.4, 0.75, 0.9])
def test_rows_of_identifiers_are_set_aside_in_the_share_asked_for(share: float) -> None:
    split = split_rows(["a", "b"] * 60, [f"p{n // 3}" for n in range(120)], share, 0)
    assert len(split.test) == pytest.approx(share * 120, abs=3)
    assert sorted([*split.train.tolist(), *split.test.tolist()]) == list(range(120))


def test_a_class_of_one_row_is_only_learnt_from() -> None:
    split = split_rows([*["a", "b"] * 20, "c"], None, 0.25, 0)
    assert 40 in split.train


def test_no_test() -> None:
    assert len(split_rows(["a", "b"], None, 0.0, 0).test) == 0


@pytest.mark.parametrize(
    ("labels", "identifiers", "share", "message"),
    [
        (["a", "b"], None, 0.25, "2 rows are too few to hold out 25% of them"),
        (["a", "b"] * 5, None, 1.5, "--test 1.5 is out of range"),
        (["a", "b"] * 5, ["x", "y"] * 5, 0.25, "too few different identifiers"),
    ],
)
def test_what_cannot_be_split(labels: list[str], identifiers: list[str] | None, share: float, message: str) -> None:
    with pytest.raises(Failure, match=message):
        split_rows(labels, identifiers, share, 0)
