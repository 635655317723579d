"""The server under load: no error, and no memory that grows with the number of requests."""

from pathlib import Path

import httpx
import pytest

from evoter.studio.running.address import bind
from evoter.studio.running.serving import Studio
from studio_load import Load, ask_steadily
from studios import open_session, rules


def test_two_seconds_of_200_requests_a_second_bring_no_error(tmp_path: Path) -> None:
    """The whole of it, 30 seconds, is `benchmarks/studio_load.py`, which measures memory as well."""
    with open_session(tmp_path, rules()) as session, Studio(session, bind(port=0)).start() as studio:
        load = ask_steadily(studio.url, rate=200, seconds=2.0)
        assert load.errors == []
        assert load.n_answered == 400


def test_errors_are_counted() -> None:
    with pytest.raises(httpx.TransportError):
        ask_steadily("http://127.0.0.1:1/#token=x", rate=10, seconds=0.1)
    assert Load([], [0.1, 0.2, 0.3]).quantile(0.5) == 0.2
