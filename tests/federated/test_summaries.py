"""Tests of summaries and of the schema that sites agree on."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.federated import FederationError, FederationWarning, MessageError, Site
from evoter.federated.messages import read_answer, write_answer
from evoter.federated.summaries import Summary, agree_on_classes, agree_on_schema, class_labels
from evoter.rules.schema import Kind
from evoter.tables import infer_schema
from federated_tables import deal, make_table
from laws import examples


def summaries(sites: list[Site]) -> dict[str, Summary]:
    return {site.name: site.summary for site in sites}


@pytest.mark.filterwarnings("ignore::evoter.federated.FederationWarning")  # sites of a few rows have other ranges
@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
@examples(250)
def test_any_division_of_rows_gives_the_schema_of_all(seed: int, n_sites: int) -> None:
    table, labels = make_table(80)
    owners = np.random.default_rng(seed).integers(n_sites, size=len(labels))
    agreed = agree_on_schema(summaries(deal(table, labels, owners)))
    assert agreed == agree_on_schema(summaries(deal(table, labels, np.zeros(len(labels), np.int64))))
    assert agreed == infer_schema(table, actions=["sick", "well"])


def test_few_rows_are_not_told() -> None:
    ages = [1, 2, 3, *range(20, 60), 97, 98, 99]
    table = pd.DataFrame({"age": ages, "town": ["Ems"] * 3 + ["Ulm"] * 43, "note": [None] * 3 + [1.0] * 43})
    labels = ["rare"] * 3 + ["a"] * 20 + ["b"] * 23
    told = Site(table, labels, name="here", min_cell_count=4, microaggregate=False).summary
    age, town, note = told.columns
    assert age.low is not None
    assert age.low >= 20
    assert age.high is not None
    assert age.high <= 59
    assert town.categories == ("Ulm",)
    assert not note.missing
    assert told.classes == ("a", "b")
    assert "97" not in repr(told)
    assert "Ems" not in repr(told)


def test_ranges_are_rounded_where_counts_are_suppressed() -> None:
    values = np.random.default_rng(0).normal(1_234.567, 321.0, 500)
    (column,) = Site(values[:, None], values > 1_000, name="here", min_cell_count=5).summary.columns
    assert column.low not in values
    assert column.high not in values


def test_summaries_survive_their_message_and_damaged_ones_do_not() -> None:
    table, labels = make_table(60)
    summary = Site(table, labels, name="here").summary
    assert read_answer(write_answer(summary)) == summary
    message = write_answer(summary)
    for before, after in ((b'"numeric"', b'"numbers"'), (b'"sick"', b"1     "), (b'"zero_one"', b'"zero_two"')):
        with pytest.raises(MessageError):
            read_answer(message.replace(before, after))


def test_columns_must_be_everywhere_and_of_one_kind() -> None:
    one = Site(pd.DataFrame({"a": [1, 2], "b": [1, 2]}), ["x", "y"], name="one", min_cell_count=1)
    lacking = Site(pd.DataFrame({"a": [1, 2]}), ["x", "y"], name="two", min_cell_count=1)
    other = Site(pd.DataFrame({"a": ["u", "v"], "b": [1, 2]}), ["x", "y"], name="two", min_cell_count=1)
    with pytest.raises(FederationError, match=r"site 'two' lacks the column 'b'"):
        agree_on_schema(summaries([one, lacking]))
    with pytest.raises(FederationError, match=r"'a' is numeric at site 'one' and categorical at site 'two'"):
        agree_on_schema(summaries([one, other]))


def test_sites_without_values_follow_the_others() -> None:
    one = Site(pd.DataFrame({"a": [1.0, 0.0], "b": [None, None]}), ["x", "y"], name="one", min_cell_count=1)
    two = Site(pd.DataFrame({"b": ["u", "v"], "a": [None, None]}), ["x", "y"], name="two", min_cell_count=1)
    schema = agree_on_schema(summaries([one, two]))
    assert schema.names == ("a", "b")
    assert schema.feature("a").is_binary
    assert schema.feature("a").missing
    assert schema.feature("b").kind is Kind.CATEGORICAL


def test_classes_are_ordered_as_labels_are() -> None:
    numbers = [Site([[0.0]] * 2, labels, name=f"{labels}", min_cell_count=1).summary for labels in ([10, 9], [9, 100])]
    assert agree_on_classes(numbers) == ("9", "10", "100")
    assert class_labels(("9", "10", "100"), "number").tolist() == [9, 10, 100]
    text = Site([[0.0]] * 2, ["a", "b"], name="text", min_cell_count=1).summary
    with pytest.raises(FederationError, match="labels are"):
        agree_on_classes([*numbers, text])
    with pytest.raises(FederationError, match="two are needed"):
        agree_on_classes([Site([[0.0]], ["a"], name="text", min_cell_count=1).summary])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"age": lambda t: t["age"] * 12}, "'age' has at the sites 'a' and 'b' values from .* the same unit"),
        ({"age": lambda t: t["age"] / 100 + 20}, "'age' has at the sites 'a' and 'b' values"),
        ({"town": lambda t: t["town"].str.lower()}, "no category in common, such as 'Aachen' and 'aachen'"),
        ({"label": lambda t: np.where(t["smoker"], "SICK", "WELL")}, "no class in common, such as 'sick' and 'SICK'"),
    ],
)
def test_columns_that_do_not_look_alike_are_warned_of(change: dict[str, Any], message: str) -> None:
    table, labels = make_table(80)
    table = table.assign(label=labels)
    sites = []
    for name, part in (("a", table), ("b", table.assign(**change))):
        sites.append(Site(part.drop(columns="label"), part["label"], name=name).summary)
    with pytest.warns(FederationWarning, match=message):
        agree_on_schema({site.site: site for site in sites})


def test_a_column_of_another_name_is_hinted_at() -> None:
    table, labels = make_table(40)
    sites = [
        Site(each, labels, name=n).summary for n, each in (("a", table), ("b", table.rename(columns={"age": "Age"})))
    ]
    with pytest.raises(FederationError, match=r"site 'a' lacks the column 'Age' .* did you mean 'age'"):
        agree_on_schema({site.site: site for site in sites})
