"""A journal loses no whole line."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from evoter.experiments.journal import Journal

objects = st.dictionaries(
    st.text(max_size=5), st.one_of(st.integers(), st.text(), st.lists(st.floats(-1, 1))), max_size=3
)


@given(st.lists(objects, max_size=4))
def test_what_is_written_is_read(tmp_path_factory: object, written: list[dict[str, object]]) -> None:
    path = Path(tmp_path_factory.mktemp("journal")) / "deep" / "lines.jsonl"  # type: ignore[attr-defined]
    for values in written:
        Journal(path).append(values)
    assert list(Journal(path)) == written


def test_a_line_cut_short_or_garbled_is_passed_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "lines.jsonl")
    journal.append({"a": 1})
    with journal.path.open("ab") as file:
        file.write(b'\n{"b": 2, "c": "\xc3')
    journal.append({"d": 4})
    assert list(journal) == [{"a": 1}, {"d": 4}]


def test_what_is_no_object_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('[1]\n3\n{"a": 1}\n', encoding="utf-8")
    assert list(Journal(path)) == [{"a": 1}]
