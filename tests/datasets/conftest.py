"""An empty cache, no data at hand, and a publisher for tests that ask for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from publisher import Publisher, publishing


@pytest.fixture
def publisher(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Iterator[Publisher]:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with publishing() as publisher:
        yield publisher


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty cache, and nothing in EVOTER_DATA."""
    monkeypatch.setenv("EVOTER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("EVOTER_DATA", raising=False)
    return tmp_path / "cache" / "datasets"
