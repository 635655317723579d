"""Sessions and servers that several tests share."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from evoter.studio.session.session import Session
from studios import open_session, rules, serve


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """Return a session about patients that a test may change."""
    with open_session(tmp_path, rules()) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client, with the token, of a server that the tests of a module share."""
    with open_session(tmp_path_factory.mktemp("served"), rules()) as opened, serve(opened) as served:
        yield served
