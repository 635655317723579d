"""Compiles kernels, or loads them from the cache on disk, before they are needed: all of them, or a share of the work.

Two processes share the work by taking different kernels first: one goes through the steps of a run from its beginning,
the other through evaluation and exact moves. Where they meet, one waits for the other (see `kernels.machine_code`).
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np

from evoter.environments.cart_pole import BatchCartPole
from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Objective
from evoter.evolution.settings import DEFAULT
from evoter.genome.arrays import empty_offspring
from evoter.genome.codec import encode
from evoter.genome.deciding import row_decider
from evoter.kernels.compilation import compiled_before, is_loaded
from evoter.kernels.evaluation.behaviour import decide_planes, nearest_distances
from evoter.kernels.evaluation.decide import decide_rows
from evoter.kernels.evaluation.policies import decide_each
from evoter.kernels.evaluation.prescribe import tally_outcomes
from evoter.kernels.evaluation.sharing import fill_conditions
from evoter.kernels.fronts.hypervolume import hypervolume
from evoter.kernels.fronts.pareto import rank_fronts
from evoter.kernels.machine_code import cache_folder
from evoter.kernels.prices import price_features
from evoter.kernels.refinement.refine import refine
from evoter.kernels.refinement.screening import cut_lines, cut_sums
from evoter.kernels.threads import Threads
from evoter.kernels.variation.breed import breed, create
from evoter.problems.behaviour import sample_behaviours
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.control.rollout import roll_out
from evoter.problems.deciding import decide_columns
from evoter.problems.prescription.problem import PrescriptionProblem
from evoter.problems.secondary import COMPLEXITY, Secondary, novelty, number_of_features
from evoter.rules.model import Mode, RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema

_SCHEMA = Schema([Feature("x", low=0, high=1), Feature("y", low=0, high=1)], ["a", "b"])
_COLUMNS = np.array([[0.0, 1.0], [1.0, 0.0]])
_RULES = parse("x > 0.5 -> b; Default -> a", _SCHEMA)
_SETTINGS = DEFAULT.replace(population_size=4, n_elites=1)

FIRST_SECONDS: dict[Callable[..., object], float] = {create: 6.0, fill_conditions: 4.5}
"""How long it takes to compile the kernels of the first generation that take long, in seconds on an idle core."""

SECONDS = FIRST_SECONDS | {cut_lines: 1.5, cut_sums: 1.0, breed: 5.5, refine: 8.0}
"""The same for a classifier's whole run."""


def kernels_are_cold() -> bool:
    """Tell whether the next fit will have to compile."""
    return not all(compiled_before(entry) for entry in (create, breed, refine))


def warm_up(mode: Mode, *, several_objectives: bool = False) -> None:
    """Evolve a few tiny rule sets, so that later runs do not wait for the compiler."""
    needed: list[Callable[..., object]] = [create, breed, row_decider(mode).tally, decide_rows]
    if several_objectives:
        needed += [rank_fronts, hypervolume, price_features, decide_planes, nearest_distances]
    if all(is_loaded(entry) for entry in needed):
        return
    secondary: list[Secondary] = []
    if several_objectives:
        secondary = [COMPLEXITY, number_of_features(_SCHEMA), novelty(sample_behaviours(_SCHEMA, _COLUMNS, mode))]
    evolution = Evolution(_problem(mode, secondary), _SETTINGS)
    evolution.step()
    evolution.step()
    decide_columns(evolution.result().best, _COLUMNS)


def warm_up_first_generation() -> None:
    """Create and evaluate a few tiny rule sets."""
    Evolution(_problem(Mode.FIRST, []), _SETTINGS).step()


def _problem(mode: Mode, secondary: list[Secondary]) -> ClassificationProblem:
    return ClassificationProblem(_SCHEMA, _COLUMNS, np.array([0, 1]), mode=mode, secondary=secondary)


def warm_up_evaluation() -> None:
    """Evaluate a tiny rule set."""
    _problem(Mode.FIRST, []).evaluate(encode([_RULES], _SCHEMA), Threads(1), 0)


def warm_up_moves() -> None:
    """Refine a tiny rule set by exact moves, without sums: screening them is left to the other process."""
    problem, settings = _problem(Mode.FIRST, []), _SETTINGS.replace(sum_rate=0.0)
    grammar = problem.grammar(settings)
    refinement = problem.refinement(grammar, settings)
    assert refinement is not None, "the first rule decides, so there are exact moves"
    offspring = empty_offspring(1, _SETTINGS.max_rules, _SETTINGS.max_conditions)
    parents = (encode([_RULES], _SCHEMA), np.zeros(1, np.int64), _SETTINGS.tournament_size, grammar)
    refine(0, 1, 0, 1, *parents, refinement._replace(n_moves=0), offspring, 0, np.zeros(1))


def warm_up_prescriptions(mode: Mode) -> None:
    """Evaluate a tiny rule set on a tiny prescription problem."""
    if is_loaded(tally_outcomes):
        return
    goal = Objective("outcome")
    problem = PrescriptionProblem(_SCHEMA, _COLUMNS, np.eye(2)[:, :, None], [goal], mode=mode)
    problem.evaluate(encode([RuleSet([], "a", _SCHEMA, mode=mode)], _SCHEMA), Threads(1))


def warm_up_policies() -> None:
    """Play one step of cart-pole, which compiles the kernel that all policies use."""
    if is_loaded(decide_each):
        return
    schema = Schema([Feature(name) for name in "abcd"], ["left", "right"])
    roll_out(encode([RuleSet([], "left", schema)], schema), schema, BatchCartPole(1), np.zeros(1, int), Threads(1))


def warm_up_all() -> None:
    """Compile what estimators of all kinds need."""
    for mode in (Mode.FIRST, Mode.VOTE):
        warm_up(mode, several_objectives=True)
    warm_up_prescriptions(Mode.FIRST)
    warm_up_policies()


def warm_up_second_share(*, everything: bool) -> None:
    """Compile what the other process needs last: evaluation first, then exact moves."""
    warm_up_evaluation()
    warm_up_moves()
    if everything:
        warm_up_policies()
        warm_up_prescriptions(Mode.FIRST)
        warm_up(Mode.VOTE, several_objectives=True)


def compiled_share(needed: Mapping[Callable[..., object], float]) -> float:
    """Return how much of the work for some kernels is done, where each takes so many seconds to compile."""
    done = sum(seconds for entry, seconds in needed.items() if compiled_before(entry))
    return done / sum(needed.values())


_second_share = """
from evoter.problems.warming import end_with_parent, warm_up_second_share
end_with_parent()
warm_up_second_share(everything={everything})
"""


@contextmanager
def second_process(*, everything: bool = False) -> Iterator[None]:
    """Let another process compile its share while this context lasts, where compiling is due and can be kept on disk.

    It ends by itself, with the context or with this process; what it has not done by then is compiled when needed.
    """
    if cache_folder() is None or (os.cpu_count() or 1) < 2 or not kernels_are_cold():
        yield
        return
    code = _second_share.format(everything=everything)
    silent = subprocess.DEVNULL
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=silent, stderr=silent) as other:
        try:
            yield
        finally:
            other.terminate()


def end_with_parent() -> None:
    """End this process as soon as the one that started it does, which closes the standard input of this one."""

    def wait() -> None:
        sys.stdin.read()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
