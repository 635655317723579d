"""The story of a model that is signed, told in a browser: tests run it, and the documentation's pictures are of it."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from playwright.sync_api import Page, expect

from studying import keep, open_view

N_ROWS = 800
TARGET = "decision"
REASONS = {
    "pick": "short, and as accurate as the longer ones",
    "threshold": "45 % is the limit of our credit policy",
    "bias": "part-time work stands for sex, and says nothing about paying back",
    "guardrail": "an income below 15,000 does not carry a loan",
    "repair": "the guardrail asks for it",
    "opening": "ready for the committee",
}


def applications() -> pl.DataFrame:
    """Return applications for loans as they were decided: by debt and income, and with a bias against part-time work.

    More women than men work part-time, so that the decisions of the past favour men. The rates that were paid are known
    only after a loan was granted: rules that read them would look perfect, and be useless.
    """
    rng = np.random.default_rng(30)
    woman = rng.random(N_ROWS) < 0.5
    part_time = rng.random(N_ROWS) < np.where(woman, 0.5, 0.06)
    income = rng.normal(38, 9, N_ROWS).clip(12, 80).round(1)
    debt = rng.uniform(5, 58, N_ROWS).round(1)
    years = rng.integers(0, 25, N_ROWS)
    declined = (debt > 44) | ((income < 28) & (years < 6)) | (part_time & (rng.random(N_ROWS) < 0.85))
    declined ^= rng.random(N_ROWS) < 0.03
    return pl.DataFrame(
        {
            "application": np.arange(910_001, 910_001 + N_ROWS),
            "income": income,
            "debt_ratio": debt,
            "years_employed": years,
            "part_time": np.where(part_time, "yes", "no"),
            "age": rng.integers(21, 68, N_ROWS),
            "sex": np.where(woman, "female", "male"),
            "rates_paid": np.where(declined, 0, rng.integers(1, 30, N_ROWS)),
            TARGET: np.where(declined, "decline", "approve"),
        }
    )


@dataclass
class Studio:
    """A studio that was started by its command, in a process of its own."""

    process: subprocess.Popen[str]
    url: str
    project: Path

    def end(self) -> str:
        """End it as Ctrl-C does, and return what it says."""
        import signal

        self.process.send_signal(signal.SIGINT)
        _, said = self.process.communicate(timeout=60)
        assert self.process.returncode == 130, said
        return said


@contextmanager
def started(folder: Path) -> Iterator[Studio]:
    """Start `evoter studio` on the applications, without rules."""
    applications().write_csv(folder / "loans.csv")
    arguments = ["loans.csv", "--target", TARGET, "--protected", "sex", "--author", "Ada Byron"]
    command = [sys.executable, "-m", "evoter", "studio", *arguments, "--port", "0", "--no-browser", "--json"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            assert process.stdout is not None
            said = "".join(iter(lambda: process.stdout.readline().replace("}\n", "}"), "}")) + "}"  # type: ignore[union-attr]
            yield Studio(process, json.loads(said)["url"], folder / "loans.evoter")
        finally:
            process.kill()


@dataclass
class Story:
    """The steps of the story on one page; `tell` hears of each when it has happened."""

    page: Page
    folder: Path
    tell: Callable[[str], Any] = lambda _: None
    seconds: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    def happened(self, name: str) -> None:
        """Note how long a step took."""
        self.seconds[name] = time.perf_counter() - self._since
        self.tell(name)
        self._since = time.perf_counter()

    def tell_all(self) -> None:
        """Go from a table without rules to a version that is signed."""
        self.correct_a_column()
        self.evolve()
        self.move_a_threshold()
        self.find_a_bias()
        self.repair_the_bias()
        self.open_a_counterexample()
        self.sign()

    def correct_a_column(self) -> None:
        """A column gives the decision away, because it is known only afterwards, and is left out."""
        open_view(self.page, "table")
        doubts = self.page.get_by_role("region", name="Doubts")
        expect(doubts).to_contain_text("rates_paid: determines decision by itself")
        self.happened("doubt")
        doubts.get_by_role("button", name="Take as left out").click()
        expect(self.page.get_by_role("row", name=re.compile("^rates_paid left out"))).to_be_visible()
        self.happened("correct")

    def evolve(self) -> None:
        """Rules evolve, and the most accurate candidate is picked."""
        page = self.page
        open_view(page, "evolve")
        page.get_by_label("Generations").fill("20")
        page.get_by_label("Rule sets per generation").fill("80")
        page.get_by_label("Most rules").fill("5")
        page.get_by_role("button", name="Start the run").click()
        expect(page.locator(".badge", has_text="finished")).to_be_visible(timeout=120_000)
        page.get_by_role("group", name="accuracy by conditions").get_by_role("button").last.press("Enter")
        expect(page.locator(".plain-rules")).to_contain_text("part_time")
        self.happened("evolve")
        page.get_by_label("Reason for picking this candidate").fill(REASONS["pick"])
        page.get_by_role("button", name="Pick this candidate").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Rules")
        self.happened("pick")

    def move_a_threshold(self) -> None:
        """The evolved limit of debts becomes that of the policy; effect and proof are there at once."""
        page = self.page
        page.get_by_role("button", name=re.compile("^Adjust: debt_ratio")).first.click()
        page.get_by_label("Number for debt_ratio").fill("45")
        unsaved = page.get_by_role("region", name="Unsaved changes")
        expect(unsaved).to_contain_text(re.compile("decided otherwise|No decision"))
        expect(page.locator("[data-proof=refuted], [data-proof=proved]")).to_be_visible()
        self.happened("threshold")
        keep(page, REASONS["threshold"])
        self.happened("keep")

    def find_a_bias(self) -> None:
        """Groups differ clearly; the slice of part-time work shows where, and which rule it is."""
        page = self.page
        open_view(page, "slices")
        groups = page.get_by_role("region", name="Groups")
        expect(groups.get_by_text("decline is assumed")).to_be_visible()
        groups.get_by_role("group", name="Favourable decision").get_by_role("button", name="approve").click()
        expect(groups.get_by_role("heading", name="sex: approve")).to_be_visible()
        page.get_by_label("Conditions").fill("part_time = yes")
        page.get_by_role("button", name="Show").click()
        expect(page.get_by_role("heading", name="In this slice")).to_be_visible()
        expect(self.chosen).to_contain_text("clear")
        expect(groups).to_contain_text("for a protected column")
        self.happened("bias")

    @property
    def chosen(self) -> Any:
        """The line that compares how often groups are chosen."""
        return self.page.get_by_role("region", name="Groups").get_by_role("row", name=re.compile("^Chosen (?!wrongly)"))

    def repair_the_bias(self) -> None:
        """Part-time work no longer matters: its conditions, or rules, are deleted, and groups differ no
        more than chance explains."""
        page = self.page
        open_view(page, "rules")
        page.get_by_role("button", name="Rule text").click()
        about = page.locator("[data-rule] .condition-line", has_text="part_time")
        while n_left := about.count():
            rule = page.locator("[data-rule]", has_text="part_time").first
            alone = rule.get_by_role("button", name="Adjust").count() == 1
            rule.get_by_role("button", name=re.compile("^Delete rule" if alone else "^Remove: part_time")).click()
            expect(about).to_have_count(n_left - 1)
        open_view(page, "effect")
        expect(page.get_by_role("heading", name="By group")).to_be_visible()
        self.happened("effect")
        keep(page, REASONS["bias"])
        open_view(page, "slices")
        expect(self.chosen).to_contain_text("may be chance")
        self.happened("repair")

    def open_a_counterexample(self) -> None:
        """A guardrail is broken; its counterexample is looked at as a case, and a rule makes it hold."""
        page = self.page
        open_view(page, "guardrails")
        page.get_by_label("Where").fill("income < 15")
        page.get_by_label("Never decide").select_option("approve")
        page.get_by_label("Reason").fill(REASONS["guardrail"])
        page.get_by_role("button", name="Set guardrail").click()
        broken = page.locator(".guardrail[data-state=broken]")
        expect(broken).to_be_visible()
        self.happened("guardrail")
        broken.get_by_role("link", name="Open the counterexample as a case").click()
        expect(page.get_by_role("heading", name="An input of your own")).to_be_visible()
        expect(page.locator(".verdict-name")).to_have_text("approve")
        self.happened("case")
        open_view(page, "rules")
        n_rules = page.locator("[data-rule]").count()
        page.get_by_role("button", name="Add a rule").click()
        text = page.get_by_role("textbox", name=re.compile("^Text of rule"))
        text.fill("income < 15 -> decline")
        text.press("Control+Enter")
        expect(page.locator("[data-rule]")).to_have_count(n_rules + 1)
        page.get_by_role("button", name=re.compile(r"^Rule \d of \d: drag")).last.press("Home")
        expect(page.locator("[data-rule='1']")).to_contain_text("income")
        keep(page, REASONS["repair"])
        open_view(page, "guardrails")
        expect(page.locator(".guardrail[data-state=proved]")).to_be_visible()
        self.happened("proved")

    def sign(self) -> None:
        """The test rows are opened once, the version is signed, and report, rules and project are saved."""
        page = self.page
        open_view(page, "signoff")
        page.get_by_label("Reason for opening the test rows").fill(REASONS["opening"])
        page.get_by_role("button", name=re.compile("^Open for version")).click()
        expect(page.get_by_role("heading", name="On the test rows")).to_be_visible()
        page.get_by_role("button", name=re.compile("^Sign version")).click()
        expect(page.get_by_text(re.compile("was signed by Ada Byron"))).to_be_visible()
        self.happened("sign")
        self.save("Save the report of version", "report.html")
        page.get_by_role("button", name="Verify now").click()
        expect(page.get_by_text("The record is intact.").first).to_be_visible()
        self.happened("verify")
        open_view(page, "rules")
        self.save("Rule file", "rules.json")

    def save(self, button: str, name: str) -> None:
        """Click on what downloads a file, and keep it."""
        with self.page.expect_download() as saving:
            self.page.get_by_role("button", name=re.compile(f"^.*{button}")).first.click()
        saving.value.save_as(self.folder / name)
