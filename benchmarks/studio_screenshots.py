"""Pictures of the studio for the documentation, at 1440 and at 360 pixels, in light and dark colours.

    python benchmarks/studio_screenshots.py
    python benchmarks/studio_screenshots.py --folder /tmp/pictures --only rules case

Patients, rules and edits are always the same; needs Chromium (`--browser`).
"""

import argparse
import base64
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright
from rich.console import Console

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from studying import CHROMIUM, FLAGS, VIEWS, open_view, study

FOLDER = Path(__file__).parents[1] / "docs" / "_static" / "studio"
QUALITY = 82
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 360, "height": 740}
DARK = ("rules", "slices")
"""Views that are also shown in dark colours."""


def prepare(page: Page, *, run: bool) -> None:
    """Leave something to see in every view: an edited version, guardrails, and a finished run if it is asked for."""
    open_view(page, "guardrails")
    for where, reason in (
        ("bmi > 36", "these patients are always looked after"),
        ("glucose > 120", "as the guideline says"),
    ):
        page.get_by_label("Where").fill(where)
        page.get_by_label("Never decide").select_option("low")
        page.get_by_label("Reason").fill(reason)
        page.get_by_role("button", name="Set guardrail").click()
        expect(page.locator(".guardrail", has_text=where)).to_be_visible()
    edit_threshold(page, 6)
    page.get_by_label("Reason for the change").fill("Threshold of the clinic's guideline")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.get_by_role("region", name="Unsaved changes")).to_have_count(0)
    if not run:
        return
    open_view(page, "evolve")
    page.get_by_label("Generations").fill("40")
    page.get_by_role("button", name="Start the run").click()
    expect(page.locator(".badge", has_text="finished")).to_be_visible(timeout=300_000)


def edit_threshold(page: Page, steps: int) -> None:
    """Move the first threshold by the keyboard."""
    open_view(page, "rules")
    page.locator("[data-rule='1']").get_by_role("button", name="Adjust").click()
    slider = page.locator("[data-rule='1']").get_by_role("slider")
    for _ in range(steps):
        slider.press("ArrowLeft")
    expect(page.locator(".draft-effect")).to_contain_text("validation", ignore_case=True)
    page.wait_for_timeout(600)


def arrange(page: Page, view: str) -> None:
    """Open what a view is about before its picture is taken."""
    if view == "rules":
        edit_threshold(page, 8)
        return
    open_view(page, view)
    if view == "case":
        page.get_by_role("link", name="P0001").click()
        page.locator(".verdict").wait_for()
    if view == "evolve":
        page.get_by_role("group", name="accuracy by conditions").get_by_role("button").last.press("Enter")
        page.locator(".plain-rules").wait_for()
    if view == "slices":
        page.get_by_label("Conditions").fill("age > 55")
        page.get_by_role("button", name="Show").click()
        page.get_by_role("heading", name="In this slice").wait_for()
    page.wait_for_timeout(400)


def take(browser: Browser, url: str, view: str, size: dict[str, int], theme: str, path: Path) -> int:
    """Take one picture and return its size in bytes."""
    context = browser.new_context(
        viewport={"width": size["width"], "height": size["height"]},
        color_scheme="dark" if theme == "dark" else "light",
        locale="en-GB",
        timezone_id="UTC",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(url)
    arrange(page, view)
    page.evaluate("document.activeElement.blur()")
    # As tall as its content, within limits, so that nothing that sticks to the edge hides anything.
    tall = min(max(page.evaluate("document.documentElement.scrollHeight"), size["height"]), 2 * size["height"])
    page.set_viewport_size({"width": size["width"], "height": tall})
    page.wait_for_timeout(150)
    picture = context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    path.write_bytes(base64.b64decode(picture["data"]))
    context.close()
    return path.stat().st_size


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--browser", type=Path, default=CHROMIUM)
    parser.add_argument("--only", nargs="+", choices=list(VIEWS), default=list(VIEWS))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    total = 0
    with study() as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=options.browser, args=FLAGS)
        page = browser.new_page()
        page.goto(running.url)
        prepare(page, run="evolve" in options.only)
        page.close()
        for view in options.only:
            wanted = [(WIDE, "light", ""), (NARROW, "light", "-360")] + (
                [(WIDE, "dark", "-dark")] if view in DARK else []
            )
            for size, theme, ending in wanted:
                path = options.folder / f"{view}{ending}.webp"
                total += take(browser, running.url, view, size, theme, path)
        browser.close()
    Console(soft_wrap=True, highlight=False).print(f"{options.folder.name}: {total / 1_000:.0f} kB in all")


if __name__ == "__main__":
    main()
