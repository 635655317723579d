"""Times of the studio in a real browser on 50,000 rows of 30 columns: from moving a slider to the effect on the page.

    python benchmarks/studio_browser.py
    python benchmarks/studio_browser.py --rows 10000 --repeat 20

An edit begins with the slider's input event and ends when the browser has painted the new effect. First paint and the
size of the first load are those of a tab that has nothing in its cache, after one warm-up.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright
from rich.console import Console

from evoter.studio.running.notebook import studio
from studio import make_rules, make_table

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

MOVE = """
(position) => new Promise((resolve) => {
  const slider = document.querySelector("[data-rule='1'] input[type=range]");
  const place = document.querySelector("main");
  const begun = performance.now();
  const seen = new MutationObserver(() => {
    const words = document.querySelector("[data-rule='1'] .condition-line .label-text").textContent;
    if (!words.includes(String(position))) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun), 0));
  });
  seen.observe(place, { subtree: true, childList: true, characterData: true });
  slider.value = position;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})
"""

LOADED = """
() => {
  const pages = performance.getEntriesByType("resource").filter((each) => each.name.includes("/pages/"));
  const [index] = performance.getEntriesByType("navigation");
  return {
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime,
    bytes: [index, ...pages].reduce((sum, each) => sum + each.encodedBodySize, 0),
    files: pages.length,
  };
}
"""


def measure_edits(page: Page, n_edits: int) -> list[float]:
    """Return how many milliseconds each edit took, from the slider to the painted effect."""
    page.locator("[data-rule='1']").get_by_role("button", name="Adjust").first.click()
    page.locator("[data-rule='1'] input[type=range]").wait_for()
    return [page.evaluate(MOVE, round(40.0 + 0.3 * edit, 1)) for edit in range(1, n_edits + 1)]


def main() -> None:
    """Print the median and the 95th percentile of edits, the first paint and the size of the first load."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--columns", type=int, default=30)
    parser.add_argument("--rules", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=40)
    parser.add_argument("--browser", type=Path, default=CHROMIUM)
    options = parser.parse_args()
    # A quarter of the rows is closed until sign-off: as many are added, so that an edit is measured on --rows of them.
    frame, labels = make_table(round(options.rows / 0.75), options.columns)
    rules = make_rules(options.rules, options.columns)
    with (
        studio(rules, frame, labels, target="outcome", protected=["group_4", "group_9"]) as running,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=options.browser, args=FLAGS)
        for round_number in range(2):  # the first one warms up server and browser
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            page = context.new_page()
            page.goto(running.url)
            page.locator("[data-rule='1']").wait_for()
            time.sleep(0.5)
            if round_number:
                loaded = page.evaluate(LOADED)
                took = measure_edits(page, options.repeat + 1)[1:]
            context.close()  # a tab in the background is not painted
        browser.close()
    median, late = (float(np.quantile(took, share)) for share in (0.5, 0.95))
    console = Console(soft_wrap=True, highlight=False)
    console.print(
        f"{len(took)} edits on {options.rows:,} rows, from the slider to the painted effect: "
        f"median {median:.0f} ms, 95th percentile {late:.0f} ms"
    )
    console.print(
        f"first load: {loaded['bytes'] / 1_000:.0f} kB in {loaded['files'] + 1} files; "
        f"first contentful paint after {loaded['paint']:.0f} ms"
    )


if __name__ == "__main__":
    main()
