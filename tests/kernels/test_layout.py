"""What a population tells about itself."""

from random import Random

from evoter.genome.codec import encode
from evoter.rules.model import Mode
from tasks import MIXED, random_ruleset


def test_a_population_knows_its_sizes() -> None:
    rng = Random(1)
    rulesets = [random_ruleset(rng, MIXED, Mode.FIRST) for _ in range(20)]
    population = encode(rulesets, MIXED)
    assert population.size == 20
    assert population.max_rules == max(len(ruleset.rules) for ruleset in rulesets)
    assert population.n_rules.tolist() == [len(ruleset.rules) for ruleset in rulesets]
    assert population.complexity.tolist() == [ruleset.n_conditions for ruleset in rulesets]
    assert population.used_slots.tolist() == list(range(sum(len(ruleset.rules) for ruleset in rulesets)))


def test_an_empty_population_uses_no_slots() -> None:
    population = encode([], MIXED)
    assert population.size == 0
    assert population.used_slots.tolist() == []
