"""Tests of populations in messages: what is read is what was written, and what is harmful is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.federated.errors import MessageError
from evoter.federated.populations import CodedRuleSets
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Schema
from laws import examples
from strategies import rulesets, schemas


@st.composite
def populations(draw: st.DrawFn) -> tuple[Schema, list[RuleSet]]:
    schema = draw(schemas())
    plain = Schema(schema.features, schema.actions)
    drawn = draw(st.lists(rulesets(plain), min_size=1, max_size=3))
    rules = [tuple(rule.__class__(rule.conditions, rule.action) for rule in each.rules) for each in drawn]
    return plain, [RuleSet(some, each.default, plain, 1.0, Mode.FIRST) for some, each in zip(rules, drawn, strict=True)]


@given(populations())
@examples(250)
def test_rule_sets_survive_a_message(drawn: tuple[Schema, list[RuleSet]]) -> None:
    schema, written = drawn
    coded = CodedRuleSets.of_rulesets(written, schema, with_actions=True)
    read = CodedRuleSets.from_arrays(coded.arrays(), schema).rulesets(schema)
    assert read == coded.rulesets(schema)
    assert [each.n_conditions for each in read] == [each.n_conditions for each in written]
    assert [each.default for each in read] == [each.default for each in written]


@given(populations(), st.data())
@examples(300)
def test_changed_numbers_are_refused_or_mean_some_rules(
    drawn: tuple[Schema, list[RuleSet]], data: st.DataObject
) -> None:
    schema, written = drawn
    arrays = {
        name: array.copy()
        for name, array in CodedRuleSets.of_rulesets(written, schema, with_actions=True).arrays().items()
    }
    name = data.draw(st.sampled_from([name for name, array in arrays.items() if array.size]))
    flat = arrays[name].reshape(-1)
    odd = st.sampled_from([-1, 0, 1, 7, 2**31, 2**62, -(2**62)])
    flat[data.draw(st.integers(0, len(flat) - 1))] = data.draw(odd)
    try:
        read = CodedRuleSets.from_arrays(arrays, schema)
    except MessageError:
        return
    assert len(read.rulesets(schema)) == len(read.n_rules)


def test_missing_and_misshapen_arrays_are_refused() -> None:
    from evoter.rules.parser import parse

    ruleset = parse("x > 1 -> a; Default -> b")
    arrays = CodedRuleSets.of_rulesets([ruleset], ruleset.schema, with_actions=True).arrays()
    for name in arrays:
        for wrong in (None, arrays[name][:, None], arrays[name].astype(np.float32), arrays[name][:0]):
            damaged = {key: array for key, array in arrays.items() if key != name}
            if wrong is not None:
                damaged[name] = wrong
            elif name == "actions":
                continue  # a population without actions is one
            with pytest.raises(MessageError):
                CodedRuleSets.from_arrays(damaged, ruleset.schema)
