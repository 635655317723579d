"""What tests of the studio share: sessions, servers, and one browser with a fresh context for each test."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from evoter.studio.running.serving import Studio
from evoter.studio.session.session import Session
from studios import open_session, rules, serve
from studying import CHROMIUM, FLAGS, study


@pytest.fixture
def own_session(tmp_path: Path) -> Iterator[Session]:
    """Return a session about patients that a test may change."""
    with open_session(tmp_path, rules()) as opened:
        yield opened


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Return a session about patients that no test changes."""
    with open_session(tmp_path_factory.mktemp("session"), rules()) as opened:
        yield opened


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a client, with the token, of a server that the tests of a module share."""
    with open_session(tmp_path_factory.mktemp("served"), rules()) as opened, serve(opened) as served:
        yield served


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.is_file():
        pytest.skip(f"the pages are tested in {CHROMIUM}, which is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    """One server for the tests of a module, which work on it one after another."""
    with study() as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB", timezone_id="UTC")
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, studio: Studio) -> Iterator[Page]:
    """A tab with the studio open; no error may reach its console."""
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(studio.url)
    page.get_by_role("heading", level=1).wait_for()
    yield page
    # Chromium reports each answer of 4xx as an error, which is no mistake of the page.
    assert not [each for each in problems if not each.startswith("Failed to load resource")]
