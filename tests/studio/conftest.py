"""The browser that the pages are tested in: one for all tests of a process, a fresh context for each test."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from evoter.studio.running.serving import Studio
from studying import CHROMIUM, FLAGS, study


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
