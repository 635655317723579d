"""One person takes a table to a signed model in a real browser, from `evoter studio` to `evoter verify`."""

import hashlib
import sys
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from commands import run
from evoter.proofs import prove
from evoter.studio.project import Project, verify_project
from story import REASONS, Story, started


def test_from_a_table_to_a_signed_model(
    tmp_path: Path, context: BrowserContext, capsys: pytest.CaptureFixture[str]
) -> None:
    expect.set_options(timeout=30_000)
    context.set_default_timeout(30_000)
    with started(tmp_path) as studio:
        page = context.new_page()
        problems: list[str] = []
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(studio.url)
        page.get_by_role("heading", level=1).wait_for()
        story = Story(page, tmp_path)
        try:
            story.tell_all()
        finally:
            expect.set_options(timeout=5_000)
        page.close()
        assert problems == []
        assert "all edits are in loans.evoter" in studio.end()
    with capsys.disabled():
        took = ", ".join(f"{name} {seconds:.1f}" for name, seconds in story.seconds.items())
        sys.stdout.write(f"\nseconds of each step: {took}\n")
    with Project.open(studio.project) as project:
        assert project.columns["rates_paid"]["to"] == "drop"
        assert project.favourable == "approve"
        assert [(each.origin, each.reason) for each in project.versions] == [
            ("evolve", REASONS["pick"]),
            ("edit", REASONS["threshold"]),
            ("edit", REASONS["bias"]),
            ("edit", REASONS["repair"]),
        ]
        first, last = project.versions[0].active, project.versions[-1].active
        assert "part_time" in first.features_used
        assert "part_time" not in last.features_used
        assert "debt_ratio" in str(project.versions[1].changes)
        assert "45" in str(project.versions[1].changes)
        assert prove(last, "income < 15 -> never approve").proved
        assert [(each.version, each.author, each.opening) for each in project.sign_offs] == [(4, "Ada Byron", 1)]
        assert project.sign_offs[0].proved == ("income < 15 -> never approve",)
        report = hashlib.sha256((tmp_path / "report.html").read_bytes()).hexdigest()
        assert project.sign_offs[0].report_sha256 == report
    assert verify_project(studio.project, rules=tmp_path / "rules.json").passed
    said = run("verify", str(studio.project), "--rules", str(tmp_path / "rules.json"))
    assert "rules.json is version 4, signed by Ada Byron" in said.output
