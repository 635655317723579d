"""`evoter predict` writes the same for a table in batches as for the same table read at once."""

from pathlib import Path

import polars as pl
import pytest

from commands import fails, run
from evoter.cli.large import opening
from evoter.tables.stored import batches
from stored import mixed_frame

RULES = "size > 0.3 AND colour != red -> ill; dose > 1 -> ill; Default -> well"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(opening, "LARGE_BYTES", 0)
    monkeypatch.setattr(batches, "BATCH_ROWS", 128)
    declared = (
        "where size: numeric [-9..9]; colour: one of red | green | blue | grey; dose: numeric [-9..9], may be missing; "
    )
    Path("rules.txt").write_text(f"{RULES}; {declared} actions: ill | well")
    pl.from_pandas(mixed_frame(500)).write_parquet("t.parquet")


def predicted(*arguments: str, large: bool, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(opening, "LARGE_ROWS", 400 if large else 10**6)
    result = run("predict", "rules.txt", "t.parquet", *arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("arguments", [(), ("--only",), ("--because",)])
def test_standard_output_is_the_same(monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> None:
    whole = predicted(*arguments, large=False, monkeypatch=monkeypatch)
    assert predicted(*arguments, large=True, monkeypatch=monkeypatch) == whole
    assert whole.count("\n") == 501


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet"])
def test_files_are_the_same(monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    for large in (True, False):
        predicted("-o", f"{large}.{suffix}", large=large, monkeypatch=monkeypatch)
    if suffix == "parquet":
        assert pl.read_parquet("True.parquet").equals(pl.read_parquet("False.parquet"))
    else:
        assert Path(f"True.{suffix}").read_bytes() == Path(f"False.{suffix}").read_bytes()


def test_what_is_odd_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LARGE_ROWS", 400)
    result = run("predict", "rules.txt", "t.parquet", "--only")
    assert result.stderr.splitlines() == ["warning: 'colour': missing in 1 row (0.2% of the rows)"]


def test_a_failure_leaves_no_file_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LARGE_ROWS", 400)
    pl.from_pandas(mixed_frame(500)).rename({"dose": "Dose"}).write_parquet("t.parquet")
    message, hint = fails("predict", "rules.txt", "t.parquet", "-o", "p.csv")
    assert message.startswith("t.parquet has no column 'dose', which the rules read")
    assert hint == "did you mean 'Dose'?"
    assert sorted(each.name for each in Path().iterdir()) == ["rules.txt", "t.parquet"]
    assert "prediction" in run("predict", "rules.txt", "t.parquet", "--allow-missing", "--only").stdout


def test_what_would_need_all_rows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LARGE_ROWS", 400)
    predicted("--json", large=True, monkeypatch=monkeypatch)  # the table can be read at once as well
    monkeypatch.setenv("EVOTER_MAX_CELLS", "100")
    assert fails("predict", "rules.txt", "t.parquet", "--json")[1].startswith("omit --json")
    assert fails("predict", "rules.txt", "t.parquet", "-o", "p.xlsx")[1] == "write .parquet"
