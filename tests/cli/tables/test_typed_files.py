"""Tests that Parquet and Excel files keep their types, and that a damaged file is one clear error."""

import gzip
import zlib
from base64 import b85decode
from datetime import date, datetime
from pathlib import Path
from random import Random

import polars as pl
import pytest

from evoter.cli.output import ExitCode, Failure
from evoter.cli.tables.files import read_source
from evoter.cli.tables.typed_files import read_excel, read_parquet
from laws import n_cases

FRAME = pl.DataFrame({"a": [1, 2, None], "b": ["x", "y", None], "c": [1.5, 2.5, 3.5]})


ASKS_FOR_2_61_BYTES = (
    "c-oayL2DC16n-"
    ";V*C;tu=^J)o4~w)*ilI$b+ayJWX&N;eZ8iu}=^>jY+ZJjgNlg=fg?JRNibpSkKf+(&$%FVCdZ^%gn@#LR(8tc3nfJc;y>DjNhHe"
    "(nz&x(k(L?~qeqQ<ITJHf`0wknhViH>4MN1&yJbF1o&e1TPHOQu?5GyTUW--g<fC~XkAyW&0hP?{roNb8^Gs;w-"
    "g!(GH9WVV?7ScuC>NK5a<ot-;nABXwg&ba-s*zbSw!~<PzEqp^Po+dkVrJUD9k(B<x57J>-"
    "WPeU&b}h;KMH6$m4#rdBrQfX#vG7fJ8B0<im{G5mH3R8DD7MKjef6pj0T-"
    "yQPPP4Gd#B!q3#ewnYLr+ypPiP|65UKbS>(gfp@@rV>thGF7^5XD)r64YoI<zWqN7#Q_iz$E2Eput*7gQ-Tm(K(E1@(*w$*Atjex"
    "5r2QyJ_HpQ;)&pIM=RjX?Q2ykE<5aYl;Nto?xWVqx69ScXXQUI{#$BCQ;}z$t%*UU;$Mu^7ma@h9N{rf$eNc-@t9wMnb1-"
    "SPnNXEkPhQVjQ|SXHtt9*HK;H)Iaiez__6KhE#rSx?ceLaVyZymI@5uF+3(I*o+kSa)*l~+dIq$bSH=?NH7o(`;cM3QCVkyj*L%+"
    "NlMSfHayPdMXWasEr`C-rKof`B@{RW;unHc"
)
"""A Parquet file of three rows with one flipped bit; polars ends the process, which no handler in it survives."""


def test_types_are_kept(tmp_path: Path) -> None:
    frame = FRAME.with_columns(
        day=pl.Series([date(2020, 1, 1)] * 3),
        time=pl.Series([datetime(2020, 1, 1, 12)] * 3),
        kind=pl.Series(["u", "v", "u"], dtype=pl.Categorical),
        none=pl.Series([None] * 3, dtype=pl.Null),
        flag=pl.Series([True, None, False]),
    )
    frame.write_parquet(tmp_path / "t.parquet")
    assert read_parquet((tmp_path / "t.parquet").read_bytes(), "t").frame.equals(frame)
    FRAME.write_excel(tmp_path / "t.xlsx")
    table = read_excel((tmp_path / "t.xlsx").read_bytes(), "t", sheet=None, has_header=True)
    assert table.frame.equals(pl.read_excel(tmp_path / "t.xlsx"))


def damaged(content: bytes, rng: Random) -> bytes:
    """Flip bits, cut the end off, or repeat a piece."""
    changed = bytearray(content)
    match rng.randrange(4):
        case 0:
            return content[: rng.randrange(1, len(content))]
        case 1:
            at = rng.randrange(len(content))
            changed[at:at] = content[: rng.randrange(1, 60)]
        case _:
            for _ in range(rng.choice([1, 1, 1, 5])):
                changed[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return bytes(changed)


@pytest.mark.parametrize(("ending", "cases"), [("csv.gz", 500), ("parquet", 8), ("xlsx", 8)])
def test_a_damaged_file_is_a_table_or_one_clear_error(ending: str, cases: int, tmp_path: Path) -> None:
    path = tmp_path / f"t.{ending}"
    if ending == "parquet":
        FRAME.write_parquet(path)
    elif ending == "xlsx":
        FRAME.write_excel(path)
    else:
        path.write_bytes(gzip.compress(FRAME.write_csv().encode()))
    content = path.read_bytes()
    failures = []
    for seed in range(n_cases(cases)):
        path.write_bytes(damaged(content, Random(seed)))
        try:
            read_source(str(path))
        except Failure as caught:
            failures.append(caught)
    assert failures
    for failure in failures:
        assert path.name in failure.message
        assert "\n" not in failure.message
        assert failure.hint
        assert failure.code == ExitCode.WRONG_INPUT


def test_a_file_that_ends_the_process_that_reads_it() -> None:
    with pytest.raises(Failure, match=r"t\.parquet is not a valid Parquet file"):
        read_parquet(zlib.decompress(b85decode(ASKS_FOR_2_61_BYTES)), "t.parquet")
