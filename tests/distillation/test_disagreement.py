"""Regions of disagreement are found where they are, counted on unseen rows, and not invented."""

import numpy as np

from evoter.distillation.disagreement import find_regions
from evoter.rules.schema import Feature, Kind, Schema

SCHEMA = Schema(
    [Feature("x"), Feature("y", missing=True), Feature("c", Kind.CATEGORICAL, categories=("red", "blue"))], ["any"]
)


def rows(n: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    rng = np.random.default_rng(seed)
    lines = np.stack([rng.random(n), rng.random(n), rng.integers(0, 2, n).astype(np.float64)])
    lines[1, rng.random(n) < 0.1] = np.nan
    return lines


def test_a_region_is_found_with_its_counts_on_unseen_rows() -> None:
    probes, unseen = rows(3000, 0), rows(400, 1)

    def differs(lines: np.ndarray[tuple[int, int], np.dtype[np.float64]], seed: int) -> np.ndarray:
        inside = (lines[0] > 0.7) & (lines[2] == 1)
        return np.random.default_rng(seed).random(lines.shape[1]) < np.where(inside, 0.5, 0.01)

    there = differs(unseen, 3)
    first = find_regions(SCHEMA, probes, differs(probes, 2), unseen, there)[0]
    assert {str(part.left.feature) for part in first.conditions} == {"x", "c"}
    assert "c = blue" in str(first)
    assert first.unseen is not None
    assert first.unseen.value > 0.3
    assert first.to_dict()["unseen"]["disagree"] == first.unseen.n_hits
    assert len(first.ruleset.rules) == 1


def test_where_disagreement_is_anywhere_there_is_no_region() -> None:
    probes, unseen = rows(3000, 0), rows(100, 1)
    spread = np.random.default_rng(5).random(3000) < 0.05
    assert find_regions(SCHEMA, probes, spread, unseen, np.zeros(100, np.bool_)) == []


def test_without_disagreement_there_is_nothing_to_search() -> None:
    probes = rows(100, 0)
    for differs in (np.zeros(100, np.bool_), np.ones(100, np.bool_)):
        assert find_regions(SCHEMA, probes, differs, probes, differs) == []


def test_missing_values_make_a_region() -> None:
    probes = rows(3000, 0)
    differs = np.isnan(probes[1])
    (first,) = find_regions(SCHEMA, probes, differs, probes, differs)
    assert str(first) == "y is missing"
    assert first.probes.value == 1.0
