"""Pages for everyone and against anyone: no violation found by axe-core, 360 pixels, hostile names, lost servers."""

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from evoter.studio.running.notebook import studio as open_studio
from evoter.studio.running.serving import Studio
from studying import VIEWS, keep, open_view, patients, violations

SCRIPT = "<img src=x onerror=alert(1)>"

GOOD = 0.1
"""The sum of jumps up to which a page counts as steady by the measure's own definition; fonts may come late."""

COUNT_JUMPS = """
window.jumps = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.jumps += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_any_view(page: Page, theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    page.reload()
    page.get_by_role("heading", level=1).wait_for()
    assert page.locator("html").get_attribute("data-theme") == theme
    found = {}
    for view in VIEWS:
        open_view(page, view)
        if view == "rules":
            page.get_by_role("button", name="Adjust: bmi > 31.5").click()
            page.get_by_role("slider").press("ArrowLeft")
            expect(page.get_by_role("region", name="Unsaved changes")).to_be_visible()
            page.get_by_role("button", name="Edit rule 2 as text").click()
            page.get_by_role("textbox", name="Text of rule 2").fill("glucose >")
            expect(page.get_by_role("alert")).to_be_visible()
        if view == "case":
            page.get_by_role("link", name="P0001").click()
            page.locator(".verdict").wait_for()
        if view == "history":
            page.get_by_role("button", name="Import a project file").click()
            expect(page.get_by_role("dialog")).to_be_visible()
        found[view] = violations(page)
        if view == "history":
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
    assert found == {view: [] for view in VIEWS}


def test_nothing_is_cut_off_at_360_pixels(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for view in VIEWS:
        open_view(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, view


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (360, 740)])
def test_nothing_jumps_while_a_view_loads(page: Page, width: int, height: int) -> None:
    """What has been painted stays where it is; Chromium's measure of jumps is the share of the window times the distance."""
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(COUNT_JUMPS)
    jumps = {}
    for view in VIEWS:
        open_view(page, view)
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text(VIEWS[view])
        expect(page.locator(".waiting-block")).to_have_count(0)
        page.wait_for_timeout(100)  # the observer is told after the next frames
        jumps[view] = page.evaluate("window.jumps")
    assert {view: jump for view, jump in jumps.items() if jump > GOOD} == {}


def test_the_token_leaves_the_address_and_stays_in_the_tab(page: Page, studio: Studio) -> None:
    token = studio.url.partition("#token=")[2]
    assert token not in page.url
    assert page.evaluate("sessionStorage.getItem('evoter-token')") == token
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules")


def test_without_the_token_nothing_is_told(context: BrowserContext, studio: Studio) -> None:
    for address in (studio.url.partition("#")[0], studio.url[:-3] + "xyz"):
        page = context.new_page()
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_have_text("This address needs its key")
        assert "progression" not in page.content()
        page.close()


def test_hostile_names_are_text(browser: Browser) -> None:
    """Script in names of columns, categories, classes, authors and reasons is shown and never run."""
    table, progression = patients()
    table = table[["patient", "bmi", "sex"]].rename(columns={"bmi": SCRIPT})
    table["sex"] = table["sex"].map({"female": "<script>alert(2)</script>", "male": "m"})
    labels = ["<b>high</b>" if each == "high" else "low" for each in progression]
    rules = f'"{SCRIPT}" > 30 -> "<b>high</b>"\nDefault -> low'
    with open_studio(rules, table, labels, target="<u>y</u>", protected=["sex"], author="<i>Eve</i>") as running:
        context = browser.new_context()
        page = context.new_page()
        dialogs: list[str] = []
        page.on("dialog", lambda dialog: dialogs.append(dialog.message))
        page.goto(running.url)
        open_view(page, "rules")
        expect(page.locator("[data-rule='1']")).to_contain_text(SCRIPT)
        page.get_by_role("button", name="Pin rule 1").click()
        expect(page.get_by_role("region", name="Unsaved changes")).to_be_visible()
        keep(page, "<script>alert(3)</script>")
        for view in VIEWS:
            open_view(page, view)
        open_view(page, "history")
        expect(page.locator("[data-version='2']")).to_contain_text("<script>alert(3)</script>")
        expect(page.locator("[data-version='2']")).to_contain_text("<i>Eve</i>")
        assert page.locator("main img, main b, main script, main i, main u").count() == 0
        assert dialogs == []
        context.close()


def test_the_current_view_is_in_sight_among_all_at_360_pixels(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for view in VIEWS:
        open_view(page, view)
        box = page.get_by_role("navigation", name="Views").locator("[aria-current]").bounding_box()
        assert box is not None
        assert box["x"] >= 0, view
        assert box["x"] + box["width"] <= 360, view
        expect(page.locator(".bar-range")).to_be_visible()  # no number without its interval
