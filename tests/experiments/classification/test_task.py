"""Data sets are known by their rows."""

from evoter.experiments.classification.task import TITLES, Task, load_task
from steps import LEVELS, STEPS


def test_other_rows_have_another_digest() -> None:
    task = Task("iris", "", STEPS, LEVELS)
    assert task.digest() == Task("wine", "", STEPS.copy(), LEVELS.copy()).digest()
    assert task.digest() != Task("iris", "", STEPS + 1, LEVELS).digest()
    assert task.digest() != Task("iris", "", STEPS, LEVELS[::-1]).digest()


def test_classes_have_names() -> None:
    task = load_task("wine")
    assert task.title == TITLES["wine"]
    assert set(task.target) == {"class_0", "class_1", "class_2"}
    assert len(task.data) == len(task.target) == 178
