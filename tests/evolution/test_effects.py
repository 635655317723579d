"""Settings that would change nothing are refused by name; `tests/estimators/test_search_effects.py` walks over all."""

import pytest

from evoter.evolution.effects import NEEDS, OFF, Run, check_effects
from evoter.evolution.problem import Capability, Objective
from evoter.evolution.settings import DEFAULT
from evoter.rules.model import Mode
from tasks import mixed_problem

FIRST, VOTE = mixed_problem(1), mixed_problem(1, mode=Mode.VOTE)


def test_a_setting_that_the_task_does_not_support_is_refused() -> None:
    settings = DEFAULT.replace(refinement_moves=7)
    assert Capability.REFINEMENT in FIRST.capabilities - VOTE.capabilities
    check_effects(["refinement_moves"], DEFAULT, Run(FIRST, settings))
    with pytest.raises(ValueError, match=r"refinement_moves has no effect .* mode first .* leave refinement_moves out"):
        check_effects(["refinement_moves"], DEFAULT, Run(VOTE, settings))
    check_effects([], DEFAULT, Run(VOTE, settings))  # nobody has chosen it


def test_what_is_as_it_would_be_anyway_is_welcome() -> None:
    check_effects(DEFAULT.as_dict(), DEFAULT, Run(VOTE, DEFAULT))
    check_effects(OFF, DEFAULT, Run(VOTE, DEFAULT.replace(**OFF)))


class Supporting:
    """A task with one objective that supports some capabilities."""

    objectives = (Objective("accuracy"),)

    def __init__(self, *capabilities: Capability) -> None:
        self.capabilities = frozenset(capabilities)


def unmet(*capabilities: Capability) -> set[str]:
    run = Run(Supporting(*capabilities), DEFAULT)  # type: ignore[arg-type]
    needs = {
        name: needs
        for name, needs in NEEDS.items()
        if not name.startswith(("unlock", "set_rate", "sum_rate", "constant"))
    }
    return {name for name in needs if not all(need.is_met(run) for need in needs[name])}


def test_every_capability_is_needed_by_some_setting() -> None:
    for capability in Capability:
        others = set(Capability) - {capability}
        assert unmet(*others) > unmet(*Capability)
