"""Pictures of the studio for the documentation, at 1440 and at 360 pixels, in light and dark colours.

    python benchmarks/studio_screenshots.py
    python benchmarks/studio_screenshots.py --folder /tmp/pictures --only rules case
    python benchmarks/studio_screenshots.py --story

Patients, rules and edits are always the same; needs Chromium (`--browser`).
"""

import argparse
import base64
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, expect, sync_playwright
from rich.console import Console

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from story import Story, started
from studying import CHROMIUM, FLAGS, VIEWS, open_view, study

FOLDER = Path(__file__).parents[1] / "docs" / "_static" / "studio"
QUALITY = 82
STORY_SIZE, STORY_QUALITY = {"width": 1200, "height": 820}, 60
STORY_PICTURES = ("doubt", "evolve", "threshold", "bias", "effect", "guardrail", "case", "verify")
"""The steps of the story that have a picture."""

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


def take_story(browser: Browser, folder: Path) -> int:
    """Tell the story and take a picture after some of its steps; return the size of all in bytes."""
    sizes = []
    context = browser.new_context(
        viewport={"width": STORY_SIZE["width"], "height": STORY_SIZE["height"]}, locale="en-GB", timezone_id="UTC"
    )
    context.set_default_timeout(60_000)
    expect.set_options(timeout=60_000)
    with TemporaryDirectory() as place, started(Path(place)) as running:
        page = context.new_page()
        page.goto(running.url)
        page.get_by_role("heading", level=1).wait_for()
        camera = context.new_cdp_session(page)

        def tell(step: str) -> None:
            if step not in STORY_PICTURES:
                return
            dismiss = page.get_by_role("region", name="Messages").get_by_role("button", name="Dismiss")
            while dismiss.count():
                dismiss.first.click()
            page.wait_for_timeout(400)
            picture = camera.send("Page.captureScreenshot", {"format": "webp", "quality": STORY_QUALITY})
            path = folder / f"story-{step}.webp"
            path.write_bytes(base64.b64decode(picture["data"]))
            sizes.append(path.stat().st_size)

        story = Story(page, Path(place), tell)
        story.tell_all()
    context.close()
    took = ", ".join(f"{step} {seconds:.1f}" for step, seconds in story.seconds.items())
    Console(soft_wrap=True, highlight=False).print(f"seconds of each step: {took}")
    return sum(sizes)


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--browser", type=Path, default=CHROMIUM)
    parser.add_argument("--only", nargs="+", choices=list(VIEWS), default=list(VIEWS))
    parser.add_argument("--story", action="store_true", help="only the pictures of docs/studio_story.md")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    total = 0
    console = Console(soft_wrap=True, highlight=False)
    if options.story:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=options.browser, args=FLAGS)
            total = take_story(browser, options.folder)
            browser.close()
        console.print(f"{options.folder.name}: {total / 1_000:.0f} kB in all")
        return
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
    console.print(f"{options.folder.name}: {total / 1_000:.0f} kB in all")


if __name__ == "__main__":
    main()
