"""Settings are checked when they are made, and errors name the setting, the value and what would be right."""

import json
import math
from dataclasses import fields
from importlib.resources import files

import numpy as np
import pytest

from evoter.evolution.settings import DEFAULT, PAPER, PRESETS, Settings
from evoter.rules.parser import parse

NAMES = [field.name for field in fields(Settings)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"population_size": 1}, "population_size must be a whole number, 2 or more, got 1"),
        ({"population_size": 10.5}, r"population_size must be a whole number, 2 or more, got 10\.5"),
        ({"max_rules": True}, "max_rules must be a whole number, 1 or more, got True"),
        ({"n_elites": 0}, "n_elites must be a whole number, 1 or more, got 0"),
        ({"max_conditions": "6"}, "max_conditions must be a whole number, 1 or more, got '6'"),
        ({"crossover_rate": 1.5}, r"crossover_rate must be a probability from 0 to 1, got 1\.5"),
        ({"mutation_rate": math.nan}, "mutation_rate must be a probability from 0 to 1, got nan"),
        ({"comparison_rate": "all"}, "comparison_rate must be a probability from 0 to 1, got 'all'"),
        ({"parsimony": -1e-3}, r"parsimony must be a finite number, 0 or more, got -0\.001"),
        ({"parsimony": math.inf}, "parsimony must be a finite number, 0 or more, got inf"),
        ({"crossovers": (1, 2)}, r"crossovers must be 3 frequencies of 0 or more, not all 0, got \(1, 2\)"),
        ({"operators": (0,) * 6}, r"operators must be 6 frequencies .* not all 0, got \(0, 0, 0, 0, 0, 0\)"),
        ({"mutation_levels": (1, -1)}, r"mutation_levels must be 2 frequencies of 0 or more.* got \(1, -1\)"),
        ({"rule_mutations": (1, math.nan, 1)}, "rule_mutations must be 3 frequencies"),
        ({"rule_mutations": 3}, "rule_mutations must be 3 frequencies of 0 or more, not all 0, got 3"),
        ({"uniform_constants": 1}, "uniform_constants must be True or False, got 1"),
        ({"max_power": 4}, "max_power must be 1 to 3, got 4"),
        (
            {"population_size": 10, "n_elites": 10},
            "n_elites must be less than population_size, but n_elites is 10 and population_size 10: lower one or raise",
        ),
        ({"max_rules": 3, "max_initial_rules": 4}, "max_initial_rules must be at most max_rules, but .* is 4 and .* 3"),
        ({"max_initial_conditions": 9}, "max_initial_conditions must be at most max_conditions"),
        ({"popsize": 10}, "unknown setting 'popsize'; did you mean 'population_size'"),
        ({"qqqqqq": 10}, "unknown setting 'qqqqqq'; known: population_size, n_refined"),
    ],
)
def test_senseless_settings_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DEFAULT.replace(**changes)


def test_what_a_lowered_limit_leaves_no_room_for_is_lowered_with_it() -> None:
    small = DEFAULT.replace(population_size=5, max_rules=2, max_conditions=1)
    assert (small.n_elites, small.max_initial_rules, small.max_initial_conditions) == (4, 2, 1)
    assert DEFAULT.replace(max_rules=50).max_initial_rules == DEFAULT.max_initial_rules
    with pytest.raises(ValueError, match="population_size must be a whole number, 2 or more, got 0"):
        DEFAULT.replace(population_size=0)


def test_numbers_of_numpy_become_plain() -> None:
    settings = Settings(population_size=np.int64(50), parsimony=np.float32(0.5), operators=np.ones(6))  # type: ignore[arg-type]
    assert settings == Settings(population_size=50, parsimony=0.5, operators=(1.0,) * 6)
    assert json.loads(json.dumps(settings.as_dict()))["population_size"] == 50


def test_a_copy_with_no_change_is_equal() -> None:
    assert DEFAULT.replace() == DEFAULT
    assert Settings(**DEFAULT.as_dict()) == DEFAULT  # type: ignore[arg-type]


def test_every_setting_is_documented() -> None:
    documentation = Settings.__doc__
    assert documentation is not None
    assert [name for name in NAMES if f"`{name}`" not in documentation] == []


def test_presets() -> None:
    assert PRESETS == {"default": DEFAULT, "paper": PAPER}
    assert PAPER.parsimony == 0.0
    assert not PAPER.majority_actions
    for name in ("crossovers", "ruleset_mutations", "rule_mutations", "condition_strategies", "condition_mutations"):
        assert len(set(getattr(PAPER, name))) == 1, f"the paper chooses {name} evenly"


def test_the_caps_of_the_paper_admit_its_figures() -> None:
    figures = [
        parse(path.read_text(encoding="utf-8"))
        for path in (files("evoter.rules") / "figures").iterdir()
        if path.name.endswith(".rules")
    ]
    assert max(len(ruleset.rules) for ruleset in figures) == 46
    assert max(len(rule.conditions) for ruleset in figures for rule in ruleset.rules) == 9
    assert PAPER.max_rules >= 46
    assert PAPER.max_conditions >= 9


@pytest.mark.parametrize("settings", PRESETS.values(), ids=PRESETS)
def test_kernels_see_cumulative_frequencies(settings: Settings) -> None:
    frequencies = settings.rates().frequencies
    assert (np.diff(frequencies, axis=1) >= 0).all()
    assert np.allclose(frequencies[:, -1], 1.0)
