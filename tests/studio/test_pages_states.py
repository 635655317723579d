"""What views show while an answer is awaited, when it does not come, and when people ask again."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from evoter.studio.running.serving import Studio
from studying import VIEWS, keep, open_view, study, violations

ASKED = {
    "table": "**/api/table",
    "effect": "**/api/compare?*",
    "slices": "**/api/slice",
    "case": "**/api/rows",
    "guardrails": "**/api/guardrails",
    "signoff": "**/api/signoff",
}
"""What each view asks for when it opens; the others show what is there already."""

BROKEN = {"error": {"kind": "internal", "message": "Something went wrong.", "hint": "The log says what."}}


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    with study() as running:
        yield running


@pytest.fixture
def edited(page: Page, studio: Studio) -> Page:
    """A project with an edit, so that the effect view has something to ask."""
    if len(studio.project.versions) == 1:
        open_view(page, "rules")
        page.get_by_role("button", name="Delete rule 4").click()
        expect(page.get_by_role("region", name="Unsaved changes")).to_be_visible()
        keep(page, "not needed")
    return page


def enter(page: Page, view: str) -> None:
    """Go to a view without waiting for what it shows."""
    page.get_by_role("navigation", name="Views").get_by_role("link", name=VIEWS[view], exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(VIEWS[view])


def refuse(route: Route) -> None:
    route.fulfill(status=500, content_type="application/json", body=json.dumps(BROKEN))


@pytest.mark.parametrize("view", ASKED)
def test_a_view_says_that_it_waits_what_went_wrong_and_asks_again(edited: Page, view: str) -> None:
    page, held, answering = edited, list[Route](), False

    def asked(route: Route) -> None:
        if answering:
            refuse(route)
        else:
            held.append(route)

    open_view(page, "history")
    page.route(ASKED[view], asked)
    enter(page, view)
    expect(page.locator(".waiting-block").first).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Loading").first).to_be_attached()
    answering = True  # a view may ask again because of what it hears of meanwhile
    for route in held:
        refuse(route)
    failure = page.locator("main").get_by_role("alert").filter(has_text="Something went wrong.")
    expect(failure).to_contain_text("The log says what.")
    expect(page.locator(".waiting-block")).to_have_count(0)
    assert violations(page) == []
    page.unroute(ASKED[view])
    failure.get_by_role("button", name="Try again").click()
    expect(failure).to_have_count(0)
    expect(page.locator(".waiting-block")).to_have_count(0)
    expect(page.locator("main .card").first).to_be_visible()
