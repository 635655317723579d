"""Servers that go away while a page is open: what the page says, and that unsaved edits outlive it."""

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from evoter.studio.running.serving import Studio
from studying import keep, open_view, study, violations

LINK = "Link that the studio printed"


def pin(page: Page, number: int) -> None:
    open_view(page, "rules")
    page.get_by_role("button", name=f"Pin rule {number}").click()
    expect(page.get_by_role("region", name="Unsaved changes")).to_be_visible()


def pinned(page: Page, number: int) -> None:
    """Wait for the unsaved edit."""
    expect(page.locator(f"[data-rule='{number}'] .badge")).to_have_text("pinned")
    expect(page.get_by_role("region", name="Unsaved changes")).to_contain_text("1 unsaved edit")


def port_of(studio: Studio) -> int:
    return int(studio.url.partition("/#")[0].rpartition(":")[2])


def test_a_server_that_ends_is_told_and_nothing_on_the_page_is_lost(context: BrowserContext) -> None:
    with study() as running:
        page = context.new_page()
        page.goto(running.url)
        pin(page, 1)
    expect(page.locator(".banner")).to_contain_text("Everything that was saved is in the project file.")
    page.get_by_label("Reason for the change").fill("too late")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.get_by_role("alert").filter(has_text="does not answer")).to_be_visible()
    expect(page.locator("[data-rule='1'] .badge")).to_have_text("pinned")


@pytest.mark.parametrize("way", ["pasted", "opened in the same tab"])
def test_a_server_that_was_started_again_is_found_by_its_new_link(
    context: BrowserContext, tmp_path: Path, way: str
) -> None:
    """Every start has a new token; the edit of before is kept as a version of the same project."""
    page = context.new_page()
    with study(project=tmp_path / "kept") as first:
        page.goto(first.url)
        pin(page, 2)
    with study(None, project=tmp_path / "kept", port=port_of(first)) as second:
        expect(page.locator(".banner")).to_contain_text("has a new link", timeout=20_000)
        pinned(page, 2)
        if way == "pasted":
            assert violations(page) == []
            page.get_by_label(LINK).fill(first.url)
            page.keyboard.press("Enter")
            expect(page.get_by_text("That is not the link")).to_be_visible()
            page.get_by_label(LINK).fill(second.url)
            page.keyboard.press("Enter")
        else:
            page.goto(second.url)
        expect(page.locator(".banner")).to_have_count(0)
        expect(page.locator(".connection")).to_have_text("Connected")
        assert second.token not in page.url
        pinned(page, 2)
        keep(page, "it comes from the guideline")
        assert [version.reason for version in second.project.versions][1:] == ["it comes from the guideline"]


def test_edits_are_not_made_in_another_project(context: BrowserContext, tmp_path: Path) -> None:
    page = context.new_page()
    with study(project=tmp_path / "one") as first:
        page.goto(first.url)
        pin(page, 1)
    with study(project=tmp_path / "two", port=port_of(first)) as second:
        page.goto(second.url)
        left = page.get_by_role("region", name="Edits that were not applied")
        expect(left).to_contain_text("made in another project")
        expect(left).to_contain_text("rule 1 is now pinned")
        expect(page.locator("[data-rule='1'] .badge")).to_have_count(0)
        left.get_by_role("button", name="Dismiss").click()
        expect(left).to_have_count(0)


def test_unsaved_edits_outlive_a_reload(page: Page, context: BrowserContext, studio: Studio) -> None:
    """Undone ones too, until they are discarded; another tab has its own, and what it saves meanwhile is a conflict."""
    pin(page, 1)
    page.get_by_role("button", name="Delete rule 4").click()
    expect(page.locator("[data-rule]")).to_have_count(3)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-rule]")).to_have_count(4)
    page.reload()
    pinned(page, 1)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("[data-rule]")).to_have_count(3)
    address = page.url
    page.goto("about:blank")
    other = context.new_page()
    other.goto(studio.url)
    pin(other, 3)
    keep(other, "meanwhile")
    page.goto(address)
    told = page.get_by_role("alert").filter(has_text="while you were editing")
    expect(told).to_contain_text("meanwhile")
    expect(page.locator("[data-rule]")).to_have_count(3)
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("[data-rule]")).to_have_count(4)
    page.reload()
    expect(page.locator("[data-rule]")).to_have_count(4)
    expect(page.get_by_role("region", name="Unsaved changes")).to_have_count(0)
