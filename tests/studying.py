"""Patients and rules that the studio's pages are tried on, and what tests do in the browser again and again."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from playwright.sync_api import Page, expect
from sklearn.datasets import load_diabetes

from evoter.studio.running.notebook import studio
from evoter.studio.running.serving import Studio

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
]
AXE = Path(sys.prefix) / "javascript" / "node_modules" / "axe-core" / "axe.min.js"

VIEWS = {
    "table": "Table",
    "evolve": "Evolve",
    "rules": "Rules",
    "effect": "Effect",
    "slices": "Slices",
    "case": "Case",
    "guardrails": "Guardrails",
    "history": "History",
    "signoff": "Sign-off",
}

RULES = """
bmi > 31.5 -> high
log triglycerides <= 4.6 AND blood pressure <= 101 -> low
HDL <= 44 AND glucose > 92 -> high
bmi <= 24.2 -> low
Default -> high
"""

NAMES = {
    "bp": "blood pressure",
    "s1": "cholesterol",
    "s2": "LDL",
    "s3": "HDL",
    "s4": "ratio",
    "s5": "log triglycerides",
}


def patients() -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    """Return 442 patients with diabetes and whether the disease progressed much; `record` is a number that means nothing."""
    found = load_diabetes(as_frame=True, scaled=False)
    table = found.data.rename(columns=NAMES | {"s6": "glucose"})
    table["sex"] = table["sex"].map({1.0: "female", 2.0: "male"})
    table.insert(0, "patient", [f"P{number:04d}" for number in range(1, len(table) + 1)])
    table["record"] = np.arange(70_001, 70_001 + len(table))
    return table, np.where(found.target > 140, "high", "low")


def study(rules: str | None = RULES, **options: Any) -> Studio:
    """Open the studio on the patients."""
    table, progression = patients()
    named = {"target": "progression", "protected": ["sex"], "identifier": "patient", "author": "Ada Byron"}
    return studio(rules, table, list(progression), **(named | options))


def open_view(page: Page, view: str) -> None:
    """Go to a view by its link, and wait until it is there."""
    page.get_by_role("navigation", name="Views").get_by_role("link", name=VIEWS[view], exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(VIEWS[view])
    expect(page.locator(".waiting-block")).to_have_count(0)


def keep(page: Page, reason: str) -> None:
    """Keep the unsaved edits for a reason."""
    page.get_by_label("Reason for the change").fill(reason)
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.get_by_role("region", name="Unsaved changes")).to_have_count(0)


def violations(page: Page) -> list[str]:
    """Return what axe-core finds on the page as it is: rule and element."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: `make test` installs it with npm")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']}: {node['html'][:120]} ({node['failureSummary'][:200]})"
        for each in found["violations"]
        for node in each["nodes"]
    ]
