"""Ranking: how well the frequencies of a class among the rows that rules decide separate that class from the others."""

import numpy as np

from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.layout import Floats, Ints


@allocating_kernel
def rank_rules(
    first: int,
    last: int,
    weights: Floats,
    frequencies: Floats,
    classes: Ints,
    areas: Floats,
    precisions: Floats,
) -> None:
    """Write the area under the ROC curve and the average precision of individuals `first` to `last` for some classes.

    `weights` [individual, rule, class] are those of the rows that each rule decides, and `frequencies` what the rule
    says about each class. All rows of a rule have the same frequency, as have those of rules with equal frequencies:
    as in scikit-learn, such rows are counted at once. `areas` and `precisions` are [individual, place in `classes`];
    they are not numbers where the class, or for the area any other class, has no rows.
    """
    n_rules, n_classes = weights.shape[1], weights.shape[2]
    totals = np.empty(n_rules)
    keys = np.empty(n_rules)
    for i in range(first, last):
        for r in range(n_rules):
            totals[r] = 0.0
            for c in range(n_classes):
                totals[r] += weights[i, r, c]
        for k in range(len(classes)):
            c = classes[k]
            for r in range(n_rules):
                keys[r] = -frequencies[i, r, c]
            order = np.argsort(keys)
            hits, others, area, precision = 0.0, 0.0, 0.0, 0.0
            start = 0
            while start < n_rules:
                stop, new_hits, new_others = start, 0.0, 0.0
                while stop < n_rules and keys[order[stop]] == keys[order[start]]:
                    own = weights[i, order[stop], c]
                    new_hits += own
                    new_others += totals[order[stop]] - own
                    stop += 1
                area += new_others * (hits + 0.5 * new_hits)
                hits += new_hits
                others += new_others
                if new_hits > 0.0:
                    precision += new_hits * hits / (hits + others)
                start = stop
            areas[i, k] = area / (hits * others)
            precisions[i, k] = precision / hits
