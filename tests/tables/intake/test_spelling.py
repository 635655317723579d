"""Tests that misspelt names are found, and that names which only look alike are not."""

import pytest

from evoter.tables.intake.limits import MAX_NAMES_TO_COMPARE
from evoter.tables.intake.spelling import misspelt, spelling_question


@pytest.mark.parametrize(
    ("counts", "found"),
    [
        ({"kein Ausfall": 2892, "Ausfall": 93, "KEIN AUSFALL": 12, "kein Ausfal": 1}, ["KEIN AUSFALL", "kein Ausfal"]),
        ({"default": 95, "defualt": 1}, ["defualt"]),
        ({"no  risk": 50, "no risk": 60}, ["no  risk"]),
        ({"<30": 11357, ">30": 35545, "NO": 54864}, []),
        ({"grade 11": 1, "grade 1": 500}, []),
        ({"stage II": 500, "stage III": 2, "grade A": 400, "grade B": 1}, []),
        ({"typical": 500, "atypical": 2, "normal": 400, "abnormal": 3}, []),
        ({"malignant": 50, "nonmalignant": 40}, []),
        ({"+": 300, "-": 2}, []),
    ],
)
def test_names_that_may_be_misspelt(counts: dict[str, int], found: list[str]) -> None:
    assert sorted(misspelt(counts)) == sorted(found)


def test_many_names_are_compared_by_capitals_and_spaces_only() -> None:
    names = {f"{chr(97 + n % 26)}{n} street": 10 for n in range(MAX_NAMES_TO_COMPARE)}
    counts = names | {"default": 900, "defualt": 1, "Default": 1}
    assert misspelt(counts) == {"Default": "default"}


def test_long_lists_are_cut_short() -> None:
    counts = dict.fromkeys(("alpha", "beta", "gamma", "delta", "omega"), 50)
    question = spelling_question(counts | {word.upper(): 1 for word in counts})
    assert question.count(" and ") == 4
    assert question.endswith("and 2 more such pairs")
    assert spelling_question(counts) == ""
