"""Tests of groups of rows: their sizes, their values, and attacks by the difference of two answers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.federated import Site
from evoter.federated.messages import Agreement, Counted, Sketch, Tables, read_answer, write_request
from evoter.federated.populations import CodedRuleSets
from evoter.federated.protection.microaggregation import group_rows, microaggregate
from evoter.federated.summaries import kinds_of
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Kind, Schema
from evoter.tables import infer_schema
from evoter.tables.sources import open_table
from federated_tables import make_table
from laws import examples

LEAST = 5
TABLE, LABELS = make_table(120, seed=4)
SCHEMA = infer_schema(TABLE, actions=["sick", "well"])


@given(st.integers(1, 6), st.integers(1, 60), st.integers(1, 4), st.integers(0, 2**32 - 1))
@examples(100)
def test_groups_are_of_one_class_and_large_enough(least: int, n_rows: int, n_features: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    classes = rng.integers(3, size=n_rows)
    groups = group_rows(rng.integers(4, size=(n_features, n_rows)) / 4.0, classes, least)
    for group in np.unique(groups[groups >= 0]):
        members = classes[groups == group]
        assert least <= len(members) < max(2 * least, 2)
        assert len(np.unique(members)) == 1
    for left_out in np.unique(classes[groups < 0]):
        assert (classes == left_out).sum() < least


def test_values_are_means_and_most_frequent_ones() -> None:
    table = pd.DataFrame(
        {
            "number": [1.0, 2.0, 6.0, np.nan, 7.0, 9.0, np.nan, np.nan],
            "zero_one": [0, 1, 1, 0, 1, 0, 1, 1],
            "town": ["Bonn", "Bonn", "Aachen", None, "Celle", None, None, "Celle"],
            "smoker": [True, False, False, False, True, True, True, False],
        }
    )
    opened = open_table(table)
    kinds = kinds_of(opened, list(table), "auto")
    grouped, kept = microaggregate(opened, kinds, np.array([0, 0, 0, 1, 1, 1, 1, 2]), 3)
    assert kept.tolist() == [True] * 7 + [False]
    assert [kinds[name] for name in table] == [Kind.NUMERIC, Kind.NUMERIC, Kind.CATEGORICAL, Kind.BOOLEAN]
    assert list(grouped.column("number").cells) == [3.0] * 3 + [8.0] * 4
    assert list(grouped.column("zero_one").cells) == [1.0] * 3 + [0.0] * 4
    assert list(grouped.column("town").cells) == ["Bonn"] * 3 + [None] * 4
    assert list(grouped.column("smoker").cells) == [0.0] * 3 + [1.0] * 4


def tables_of(site: Site, texts: list[str], schema: Schema = SCHEMA) -> np.ndarray:
    """Return [rule set, rule or default, class]."""
    rulesets = [RuleSet(each.rules, each.default, schema) for each in (parse(text, schema=schema) for text in texts)]
    coded = CodedRuleSets.of_rulesets(rulesets, schema, with_actions=False)
    answer = read_answer(site.answer(write_request(Tables(Agreement(schema), coded))))
    assert isinstance(answer, Counted)
    return answer.counts.reshape(len(texts), -1, len(schema.actions))


def differences(site: Site) -> np.ndarray:
    """Attack: ask how many are not older than each age in turn, and subtract each answer from the next."""
    texts = [f"age <= {age} -> sick; Default -> well" for age in range(17, 91)]
    return np.abs(np.diff(tables_of(site, texts), axis=0))


def complements(site: Site) -> np.ndarray:
    """Attack: subtract what the default decides from what all rows are, which tells what was suppressed."""
    texts = ["Default -> well", *(f"age <= {age} -> sick; Default -> well" for age in range(17, 91))]
    everyone = tables_of(site, texts[:1])[0, 0]
    hidden: np.ndarray = everyone - tables_of(site, texts[1:])[:, 1]
    return hidden


def shifted_sketches(site: Site) -> np.ndarray:
    """Attack: two grids that differ in one edge."""
    counts = []
    for age in range(20, 88):
        edges = (np.array([float(age), 89.0]), np.array([3.0]))
        answer = read_answer(site.answer(write_request(Sketch(Agreement(SCHEMA), edges))))
        assert isinstance(answer, Counted)
        counts.append(answer.counts[0])
    return np.diff(counts)


@pytest.mark.parametrize("attack", [differences, complements, shifted_sketches])
def test_differences_of_answers_are_of_whole_groups(attack: object) -> None:
    """Suppression alone does not withstand these attacks, as the documentation says; groups do."""
    told = attack(Site(TABLE, LABELS, name="here", min_cell_count=LEAST))  # type: ignore[operator]
    assert ((told == 0) | (told >= LEAST)).all()
    assert (told >= LEAST).any()
    suppressed = Site(TABLE, LABELS, name="here", min_cell_count=LEAST, microaggregate=False)
    assert ((attack(suppressed) > 0) & (attack(suppressed) < LEAST)).any()  # type: ignore[operator]


def test_a_known_row_is_not_singled_out() -> None:
    """Attack: someone who knows all values of a person asks for exactly these, and for a little more."""
    site = Site(TABLE, LABELS, name="here", min_cell_count=LEAST)
    for row in TABLE.iloc[:30].to_dict("records"):
        own = f"age <= {row['age']} and age > {row['age'] - 1} and town = {row['town']}"
        wider = f"age <= {row['age']} and age > {row['age'] - 10}"
        texts = [f"{each} -> sick; Default -> well" for each in (own, wider)]
        exact, around = tables_of(site, texts)
        for told in (exact, around, np.abs(exact - around)):
            assert ((told == 0) | (told >= LEAST)).all()


def test_groups_do_not_depend_on_what_is_asked() -> None:
    """Attack: a schema with fewer columns must not make other groups, of which differences would be of single rows."""
    site = Site(TABLE, LABELS, name="here", min_cell_count=LEAST)
    narrow = Schema([SCHEMA.feature("age")], SCHEMA.actions)
    texts = [f"age <= {age} -> sick; Default -> well" for age in range(20, 90, 7)]
    np.testing.assert_array_equal(tables_of(site, texts), tables_of(site, texts, narrow))


def test_rows_that_are_few_of_their_class_are_left_out() -> None:
    labels = np.where(np.arange(120) < 3, "rare", LABELS)
    site = Site(TABLE, labels, name="here", min_cell_count=LEAST)
    assert site.summary.classes == ("sick", "well")
    assert site.summary.grouped
