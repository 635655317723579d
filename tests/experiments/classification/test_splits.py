"""Protocols divide rows as they say."""

import numpy as np

from evoter.experiments.classification.splits import PROTOCOLS, applies, split
from evoter.experiments.classification.task import Task, load_task
from steps import LEVELS, STEPS


def test_no_row_is_on_both_sides_of_a_clean_split() -> None:
    task = load_task("wine")
    train, test, labels = split(task, "clean", 3)
    assert sorted([*train, *test]) == list(range(178))
    assert (labels == task.target[train]).all()
    assert np.abs(np.mean(labels == "class_0") - np.mean(task.target == "class_0")) < 0.01
    assert (split(task, "clean", 3).test == test).all()
    assert set(split(task, "clean", 4).test) != set(test)


def test_the_papers_split_shares_rows() -> None:
    train, test, _ = split(load_task("wine"), "paper", 0)
    assert len(train) + len(test) == 178
    assert set(train) & set(test)


def test_shuffling_leaves_rows_and_counts_as_they_are() -> None:
    task = load_task("wine")
    train, test, labels = split(task, "shuffled", 0)
    clean = split(task, "clean", 0)
    assert (train == clean.train).all()
    assert (test == clean.test).all()
    assert sorted(labels) == sorted(clean.labels)
    assert (labels != clean.labels).any()


def test_a_published_split_is_kept() -> None:
    task = Task("subjects", "", STEPS, LEVELS, STEPS["x"].to_numpy() % 3 == 0)
    assert split(task, "clean", 5).test.tolist() == list(range(0, 30, 3))
    assert not applies(task, "paper")
    assert applies(task, "clean")


def test_most_seen_rows_are_learnt_from() -> None:
    train, test, _ = split(load_task("wine"), "seen", 0)
    clean = split(load_task("wine"), "clean", 0)
    assert (train == clean.train).all()
    assert len(test) == len(clean.test)
    assert np.mean(np.isin(test, train)) > 0.5


def test_every_protocol_is_described() -> None:
    assert all(applies(load_task("wine"), protocol) for protocol in PROTOCOLS)
