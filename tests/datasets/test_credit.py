"""Credit Approval: types, missing values, and the published archive."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from evoter.datasets import DATASETS, fetch_credit_approval
from evoter.rules.schema import Kind
from evoter.tables import infer_schema
from publisher import Publisher, publish, real_files, zipped

ROWS = "b,30.83,0,u,g,w,v,1.25,t,t,01,f,g,00202,0,+\n?,?,4.46,u,g,q,h,3.04,f,f,0,t,s,?,560,-\na,20,1,y,p,w,v,1,t,f,3,f,g,1,2,-\n"


def test_types(monkeypatch: pytest.MonkeyPatch, publisher: Publisher) -> None:
    publish(monkeypatch, publisher, "credit_approval", zipped({"crx.data": ROWS, "crx.names": ""}), {"+": 1, "-": 2})
    credit = fetch_credit_approval()
    assert credit.target.tolist() == ["+", "-", "-"]
    assert credit.feature_names == tuple(f"A{place}" for place in range(1, 16))
    table = credit.data
    assert table["A11"].tolist() == [1, 0, 3]
    assert table["A14"].tolist()[::2] == [202, 1]
    assert np.isnan(table["A14"][1])
    assert table["A9"].tolist() == [True, False, True]
    assert table["A1"].tolist()[::2] == ["b", "a"]
    assert pd.isna(table["A1"][1])
    schema = infer_schema(table, actions=["+", "-"])
    assert [feature.name for feature in schema.features if feature.missing] == ["A1", "A2", "A14"]
    assert [feature.name for feature in schema.features if feature.kind is Kind.BOOLEAN] == ["A9", "A10", "A12"]
    assert len([feature for feature in schema.features if feature.kind is Kind.NUMERIC]) == 6


def test_the_real_set_from_an_archive_is_the_one_at_hand(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (path,) = real_files("crx.data")
    at_hand = fetch_credit_approval()
    content = path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n"
    (tmp_path / "credit+approval.zip").write_bytes(zipped({"crx.data": content}))
    unpacked = fetch_credit_approval(data_home=tmp_path)
    pd.testing.assert_frame_equal(at_hand.data, unpacked.data)
    assert (tmp_path / "crx.data").read_bytes() == path.read_bytes()
    missing = at_hand.data.isna().sum()
    assert missing[missing > 0].to_dict() == {"A1": 12, "A2": 12, "A4": 6, "A5": 6, "A6": 9, "A7": 9, "A14": 13}
    assert at_hand.class_counts == DATASETS["credit_approval"].forms[0].class_counts
