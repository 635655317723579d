"""Evolve in the browser, on a project that begins without rules: start, watch, pause, stop, pick a candidate."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from evoter.studio.running.serving import Studio
from studying import VIEWS, open_view, study


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    with study(rules=None) as running:
        yield running


def test_views_without_rules_say_what_to_do(page: Page) -> None:
    for view in set(VIEWS) - {"table", "evolve", "guardrails"}:
        open_view(page, view)
        expect(page.locator(".empty")).to_be_visible()
        expect(page.locator(".empty").get_by_role("link").last).to_have_text("Evolve rules")


def test_a_run_is_watched_and_a_candidate_picked(page: Page, studio: Studio) -> None:
    open_view(page, "evolve")
    expect(page.locator("main").get_by_role("link", name="guardrails", exact=True)).to_have_attribute(
        "href", "#/guardrails"
    )
    page.get_by_label("Generations").fill("400")
    page.get_by_label("Seconds").fill("60")
    page.get_by_label("Rule sets per generation").fill("60")
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_role("img", name="Training score by generation")).to_be_visible(timeout=60_000)
    page.get_by_role("button", name="Pause").click()
    expect(page.locator(".badge", has_text="paused")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".badge", has_text="finished")).to_be_visible(timeout=20_000)
    points = page.get_by_role("group", name="accuracy by conditions").get_by_role("button")
    assert points.count() >= 1
    points.last.press("Enter")
    expect(page.locator(".plain-rules li").first).to_be_visible()
    page.get_by_label("Reason for picking this candidate").fill("small and right often enough")
    page.get_by_role("button", name="Pick this candidate").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules")
    assert studio.project.current is not None
    assert (studio.project.current.origin, studio.project.current.reason) == ("evolve", "small and right often enough")
    expect(page.locator("[data-rule]")).to_have_count(len(studio.project.current.active.rules))
