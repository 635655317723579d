"""A law over all decision modes: a new member of `Mode` that is not defined everywhere fails here."""

import html
import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from domains import random_histories, random_schema
from evoter.analysis.report import write_report
from evoter.export.deciding import deciding
from evoter.export.formats import FORMATS
from evoter.genome.codec import encode
from evoter.genome.deciding import claim_order
from evoter.kernels.layout import Ints
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import sample_behaviours
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.deciding import decide_columns, deciding_rules
from evoter.problems.prescription.on_demand import OnDemandPrescription
from evoter.problems.prescription.problem import PrescriptionProblem
from evoter.rules.errors import RuleError, SchemaError
from evoter.rules.explain import explain
from evoter.rules.interpreter import decide_now, decide_table
from evoter.rules.json_codec import dumps, json_schema, loads
from evoter.rules.model import Condition, Mode, Rule, RuleSet
from evoter.rules.modes import Procedure, Task, check_mode, mode_of, modes_for
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from evoter.rules.simplify import simplify
from exporting import Case, decided, fitted, ways, without_lags
from prescribing import GOALS
from tasks import MIXED, as_rows, mixed_columns, random_columns, random_ruleset

from exported import WAYS  # isort: skip

N_SEEDS = 40


def cases(mode: Mode) -> list[RuleSet]:
    """Rule sets in which rules share conditions, actions and certainties, without lags."""
    rng = Random(f"cases of {mode}")
    schemas = [MIXED, *(random_schema(rng) for _ in range(N_SEEDS - 1))]
    return [without_lags(random_ruleset(rng, schema, mode)) for schema in schemas]


def conditions_of(*rulesets: RuleSet) -> list[Condition]:
    return [condition for ruleset in rulesets for rule in ruleset.rules for condition in rule.conditions]


@pytest.mark.parametrize("mode", Mode)
def test_every_mode_is_defined(mode: Mode) -> None:
    definition = mode_of(mode)
    assert definition.mode is mode
    assert definition.sentence.endswith("."), "which a report shows"
    assert definition.tasks, "something must be evolved in it"
    assert mode.value in json_schema()["properties"]["mode"]["enum"]


@pytest.mark.parametrize("task", Task)
def test_a_mode_cannot_claim_a_task_whose_kernels_decide_otherwise(task: Task) -> None:
    for mode in Mode:
        definition = mode_of(mode)
        if definition.procedure not in task.procedures:
            with pytest.raises(TypeError, match=f"no kernel of {task} decides as mode {mode} does"):
                replace(definition, tasks=frozenset({task}))
    if task is Task.CONTROL:
        with pytest.raises(TypeError, match="no kernel of control decides as mode hardmax does"):
            replace(mode_of(Mode.HARDMAX), tasks=frozenset({task}))


@pytest.mark.parametrize("mode", Mode)
def test_text_and_json_carry_the_mode(mode: Mode) -> None:
    for ruleset in cases(mode):
        assert parse(str(ruleset)) == ruleset
        assert loads(dumps(ruleset)) == ruleset
    assert json.loads(dumps(cases(mode)[0]))["mode"] == mode.value


@pytest.mark.parametrize("mode", Mode)
def test_every_decision_has_an_action_of_an_active_rule_that_decides(mode: Mode) -> None:
    definition, n_decided = mode_of(mode), 0
    for seed, ruleset in enumerate(cases(mode)):
        rng = Random(seed)
        for history in random_histories(rng, conditions_of(ruleset), ruleset.schema, 10):
            decision = decide_now(ruleset, history)
            assert decision.by_default == (not decision.deciding) == (not decision.active)
            assert set(decision.deciding) <= set(decision.active)
            if decision.by_default:
                assert (decision.actions, decision.certainty) == ((ruleset.default,), ruleset.default_certainty)
                continue
            n_decided += 1
            assert set(decision.actions) == {ruleset.rules[index].action for index in decision.deciding}
            assert definition.several_actions or len(decision.actions) == 1
            if definition.in_printed_order:
                assert decision.deciding == decision.active[:1]
    assert n_decided > N_SEEDS


@pytest.mark.parametrize("mode", Mode)
def test_attributes_say_what_decisions_depend_on(mode: Mode) -> None:
    """Other certainties or actions change which rule decides only in modes that say so."""
    definition, moved_by_certainty, moved_by_action = mode_of(mode), False, False
    for seed, ruleset in enumerate(cases(mode)):
        rng = Random(seed)
        actions = ruleset.schema.actions
        surer = [Rule(each.conditions, each.action, rng.randint(1, 100) / 100) for each in ruleset.rules]
        renamed = [Rule(each.conditions, rng.choice(actions), each.certainty) for each in ruleset.rules]
        for history in random_histories(rng, conditions_of(ruleset), ruleset.schema, 10):
            before = decide_now(ruleset, history).deciding[:1]
            moved_by_certainty |= decide_now(ruleset.replace(rules=surer), history).deciding[:1] != before
            moved_by_action |= decide_now(ruleset.replace(rules=renamed), history).deciding[:1] != before
    assert moved_by_certainty is definition.uses_certainty
    assert moved_by_action is definition.depends_on_actions


@pytest.mark.parametrize("mode", Mode)
def test_simplifying_changes_no_decision(mode: Mode) -> None:
    n_smaller = 0
    for seed, ruleset in enumerate(cases(mode) * 5):
        rng = Random(seed)
        pool = [ruleset.replace(rules=rng.sample(ruleset.rules, len(ruleset.rules)))]
        pool.append(ruleset.replace(default=rng.choice(ruleset.schema.actions)))
        for each in pool:
            simple = simplify(each)
            n_smaller += len(simple.rules) < len(each.rules)
            assert simplify(simple) == simple
            for history in random_histories(rng, conditions_of(each, simple), each.schema, 8):
                before, after = decide_now(each, history), decide_now(simple, history)
                assert (before.actions, before.certainty) == (after.actions, after.certainty)
    assert n_smaller > N_SEEDS


@pytest.mark.parametrize("mode", Mode)
def test_every_decision_is_explained(mode: Mode) -> None:
    for seed, ruleset in enumerate(cases(mode)):
        for history in random_histories(Random(seed), conditions_of(ruleset), ruleset.schema, 10):
            explanation = explain(ruleset, history)
            decision, text = explanation.decision, str(explanation)
            if decision.by_default:
                assert text.startswith("the default decided")
            for index in decision.active:
                fate = " decided: " if index in decision.deciding else " held as well, but "
                assert f"rule {index + 1}{fate}" in text
            assert all(not outcome.is_active for outcome in explanation.failed)


@pytest.mark.parametrize("mode", Mode)
def test_a_report_says_how_the_rules_decide_or_why_there_is_none(mode: Mode, tmp_path: Path) -> None:
    ruleset = parse("x > 1 -> a; x > 2 -> b; Default -> b", mode=mode)
    rows, page = [{"x": float(x)} for x in range(5)], tmp_path / "report.html"
    if mode_of(mode).several_actions:
        with pytest.raises(SchemaError, match=f"mode {mode} take several actions"):
            write_report(page, ruleset, rows, ["a", "b", "a", "b", "a"])
        return
    write_report(page, ruleset, rows, ["a", "b", "a", "b", "a"])
    assert html.escape(mode_of(mode).sentence) in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("mode", Mode)
def test_compiled_decisions_are_the_interpreters(mode: Mode) -> None:
    for seed, ruleset in enumerate(cases(mode)):
        columns = random_columns(Random(seed), ruleset.schema, 70)
        verdict = decide_table(ruleset, as_rows(columns, ruleset.schema))
        decisions = decide_columns(ruleset, columns)
        n_rules = len(ruleset.rules)
        assert [ruleset.schema.actions[action] for action in decisions.actions] == list(verdict.actions)
        assert decisions.certainties.tolist() == [each.certainty for each in verdict.decisions]
        assert decisions.deciders.tolist() == [(*each.deciding, n_rules)[0] for each in verdict.decisions]
        deciding = deciding_rules(ruleset, decisions.active, decisions.deciders)
        assert tuple(deciding.sum(axis=0)) == (*verdict.times_decided, verdict.default_applied)
        assert deciding[:, :n_rules].sum(axis=1).tolist() == [len(each.deciding) for each in verdict.decisions]


@pytest.mark.parametrize("mode", Mode)
def test_populations_decide_as_each_rule_set_does(mode: Mode) -> None:
    rng = Random(str(mode))
    rulesets = [random_ruleset(rng, MIXED, mode) for _ in range(30)]
    columns = mixed_columns(np.random.default_rng(0), 150)
    population = encode(rulesets, MIXED)
    behaviours = sample_behaviours(MIXED, columns, mode)
    decisions = behaviours.decisions(behaviours.planes(population, Threads(1)))
    for ruleset, mine in zip(rulesets, decisions, strict=True):
        assert np.array_equal(mine[:150], decide_columns(ruleset, columns).actions)
    order = claim_order(population, mode)
    assert (np.sort(order, axis=1) == np.arange(population.max_rules)).all()
    for ruleset, mine in zip(rulesets, order, strict=True):
        plan = mode_of(mode).plan(ruleset)
        if mode_of(mode).procedure is Procedure.IN_ORDER:
            assert mine[: len(ruleset.rules)].tolist() == list(plan.order)
    classes: Ints = np.random.default_rng(1).integers(0, 3, 150)
    if mode not in modes_for(Task.CLASSIFICATION):
        with pytest.raises(RuleError, match=f"^classification supports the modes .*, not {mode}$"):
            ClassificationProblem(MIXED, columns, classes, mode=mode)
        return
    evaluation = ClassificationProblem(MIXED, columns, classes, mode=mode).evaluate(population, Threads(1))
    for i, ruleset in enumerate(rulesets):
        verdict = decide_table(ruleset, as_rows(columns, MIXED))
        n = len(ruleset.rules)
        assert tuple(evaluation.times_applied[i, :n]) == verdict.times_applied
        assert tuple(evaluation.times_decided[i, :n]) == verdict.times_decided
        assert evaluation.default_applied[i] == verdict.default_applied
        right = np.array([MIXED.actions.index(action) for action in verdict.actions]) == classes
        assert evaluation.scores[i, 0] == right.mean()


@pytest.mark.parametrize("mode", Mode)
def test_tasks_take_the_modes_they_support_and_name_them_otherwise(mode: Mode) -> None:
    columns = mixed_columns(np.random.default_rng(0), 20)

    def table() -> object:
        return PrescriptionProblem(MIXED, columns, np.zeros((20, 3, 2)), GOALS, mode=mode)

    def demand() -> object:
        return OnDemandPrescription(MIXED, columns, lambda rows, levels: levels[:, :2], GOALS, mode=mode)

    for build, tasks in ((table, [Task.PRESCRIPTION]), (demand, [Task.AMOUNTS, Task.COMBINATIONS])):
        if mode in modes_for(*tasks):
            build()
            continue
        with pytest.raises(RuleError, match=f"supports? the modes? first.*, not {mode}"):
            build()
    if mode is not Mode.FIRST:
        with pytest.raises(RuleError, match=f"control supports the mode first, not {mode}"):
            check_mode(mode, Task.CONTROL)


def export_case(mode: Mode, seed: int) -> Case:
    rng = Random(f"{seed} {mode}")
    ruleset = without_lags(random_ruleset(rng, random_schema(rng), mode))
    rows = [history[-1] for history in random_histories(rng, conditions_of(ruleset), ruleset.schema, 40)]
    return decided(ruleset, rows, rng)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("way", ways(way for way in WAYS if not re.search("translated|read back|LibreOffice", way)))
def test_exports_agree_or_name_the_mode_they_refuse(way: str, mode: Mode) -> None:
    several, run = mode_of(mode).several_actions, WAYS[way].run
    for seed in range(10):
        case = fitted(export_case(mode, seed), WAYS[way].fitting)
        polls = deciding(case.ruleset).procedure is Procedure.POLL
        if several and way in ("Python", "JavaScript in node", "C, compiled"):
            assert list(map(tuple, run(case.ruleset, case.table))) == [each.actions for each in case.decisions]
        elif several and way != "ONNX in onnxruntime":
            with pytest.raises(RuleError, match=f"gives one action per row, but mode {mode}"):
                run(case.ruleset, case.table)
        elif polls and way.startswith(("DMN", "Excel")):
            with pytest.raises(RuleError, match=f"but mode {mode} compares means of certainties"):
                run(case.ruleset, case.table)
        else:
            try:
                taken = run(case.ruleset, case.table)
            except RuleError as error:  # one of the constants is smaller than any number of a spreadsheet
                assert "Excel has no numbers" in str(error)  # noqa: PT017
            else:
                assert taken == case.labels


@pytest.mark.parametrize("mode", Mode)
def test_every_format_writes_the_mode_or_refuses_it_by_name(mode: Mode) -> None:
    schema = Schema([Feature("x", low=0, high=9), Feature("y", low=0, high=9)], ["a", "b"])
    text = "x > 1 -> 0.5*a; y > 2 -> 0.7*b; x > 3 -> 0.9*b; Default -> b"
    ruleset = parse(text, schema, mode=mode)
    refused = {"sql", "pmml", "dmn", "excel"} if mode_of(mode).several_actions else set()
    refused |= {"dmn", "excel"} if deciding(ruleset).procedure is Procedure.POLL else set()
    refused |= set() if mode is Mode.VOTE else {"leaf"}
    for name, form in FORMATS.items():
        if name not in refused:
            assert form.make(ruleset)
            continue
        with pytest.raises(RuleError, match=rf"mode (is ')?{mode}\b"):
            form.make(ruleset)
