"""Ranked rules: areas are shares of pairs in the right order, and precision is averaged over the rows of a class."""

import numpy as np

from evoter.kernels.evaluation.ranking import rank_rules
from laws import n_cases


def test_areas_and_precisions_are_those_of_pairs_and_rows() -> None:
    rng = np.random.default_rng(0)
    for case in range(n_cases(200)):
        n_classes = int(rng.integers(2, 5))
        weights = rng.integers(0, 4, (3, 7, n_classes)).astype(np.float64)
        weights[:, 0] += 1.0  # every class occurs
        frequencies = rng.integers(0, 4, weights.shape) / 4.0  # with ties
        areas, precisions = np.full((2, 3, n_classes), -1.0)
        rank_rules(1, 3, weights, frequencies, np.arange(n_classes), areas, precisions)
        assert (areas[0] == -1.0).all()
        assert (precisions[0] == -1.0).all()
        for i in (1, 2):
            for c in range(n_classes):
                own, said = weights[i, :, c], frequencies[i, :, c]
                others = weights[i].sum(axis=1) - own
                order = (said[:, None] > said) + 0.5 * (said[:, None] == said)
                assert np.isclose(areas[i, c], own @ order @ others / (own.sum() * others.sum()), atol=1e-12), case
                reached = said >= said[:, None]
                hits, wrong = reached @ own, reached @ others
                precision = np.divide(hits, hits + wrong, out=np.zeros(7), where=hits > 0)
                assert np.isclose(precisions[i, c], own @ precision / own.sum(), atol=1e-12), case
