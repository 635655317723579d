"""The other views in the browser, each as what a person does there; tests follow one another on one project."""

import hashlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from evoter.proofs import prove_guardrails
from evoter.proofs.result import ProofResult, Status
from evoter.studio.project import verify_project
from evoter.studio.running.serving import Studio
from evoter.studio.session import guardrails
from studying import keep, open_view, study, violations


def test_table_a_doubtful_column_is_corrected(page: Page, studio: Studio) -> None:
    open_view(page, "table")
    expect(page.get_by_role("row", name=re.compile("^sex protected feature category"))).to_be_visible()
    with page.expect_response("**/api/table/corrections"):
        page.get_by_label("Take record as").select_option("drop")
    expect(page.get_by_role("row", name=re.compile("^record left out"))).to_be_visible()
    assert studio.project.columns["record"]["to"] == "drop"
    page.get_by_role("button", name="bmi", exact=True).click()
    expect(
        page.get_by_role("img", name=re.compile("Distribution of bmi where the target is high: 1.. rows"))
    ).to_be_visible()
    page.get_by_label("Take bmi as").select_option("drop")  # the rules read it
    expect(page.get_by_role("alert")).to_contain_text("bmi")


def test_slices_groups_are_compared_with_intervals(page: Page, studio: Studio) -> None:
    open_view(page, "slices")
    page.get_by_label("Conditions").fill("age > 55 AND sex = male")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", name="In this slice")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^\d+ of 111 rows: age > 55 AND sex = male$"))).to_be_visible()
    expect(
        page.get_by_text(re.compile(r"Difference [+−±].* pp \(.* to .* pp\): (clear|may be chance)\."))
    ).to_be_visible()
    groups = page.get_by_role("region", name="Groups")
    expect(groups.get_by_text("low is assumed")).to_be_visible()
    groups.get_by_role("group", name="Favourable decision").get_by_role("button", name="high").click()
    expect(groups.get_by_role("heading", name="sex: high")).to_be_visible()
    expect(groups.get_by_text("is assumed")).to_have_count(0)
    assert studio.project.favourable == "high"
    expect(groups.get_by_text(re.compile(r"^\d+ of \d+$")).first).to_be_visible()
    expect(groups.get_by_role("row", name=re.compile(r"Chosen .* pp \(.*\) (clear|may be chance)"))).to_be_visible()
    page.get_by_label("Conditions").fill("age >")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".caret")).to_contain_text("^")


def test_case_a_row_is_read_and_its_values_are_moved(page: Page) -> None:
    open_view(page, "case")
    page.get_by_label("patient", exact=True).fill("P0001")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("heading", name="P0001 (row 1)")).to_be_visible()
    decision = page.locator(".verdict-name")
    expect(decision).to_have_text("high")
    expect(page.get_by_role("heading", name="What would change it")).to_be_visible()
    page.get_by_role("button", name="Try it").first.click()
    expect(decision).to_have_text("low")
    expect(page.get_by_text("was high")).to_be_visible()
    page.get_by_role("button", name="Values of the row").click()
    expect(decision).to_have_text("high")


def test_case_test_rows_stay_closed(page: Page, studio: Studio) -> None:
    open_view(page, "case")
    closed = int(studio.session.parts.test[0]) + 1
    page.get_by_role("button", name="Row number").click()
    page.get_by_label("Row number").last.fill(str(closed))
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("test")
    expect(page.locator(".verdict-name")).to_have_count(0)


def test_guardrails_a_counterexample_is_loaded_as_a_case(page: Page, studio: Studio) -> None:
    open_view(page, "guardrails")
    expect(page.get_by_role("heading", name="No guardrails yet")).to_be_visible()
    page.get_by_label("Where").fill("bmi < 20")
    page.get_by_label("Never decide").select_option("high")
    page.get_by_label("Reason").fill("too thin for this disease")
    page.get_by_role("button", name="Set guardrail").click()
    broken = page.locator(".guardrail[data-state=broken]")
    expect(broken).to_contain_text("bmi < 20")
    broken.get_by_role("link", name="Open the counterexample as a case").click()
    expect(page.get_by_role("heading", name="An input of your own")).to_be_visible()
    expect(page.locator(".verdict-name")).to_have_text("high")
    open_view(page, "rules")
    page.get_by_role("button", name="Edit rule 1 as text").click()
    field = page.get_by_role("textbox", name="Text of rule 1")
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Add a rule").click()
    field = page.get_by_role("textbox", name="Text of rule 5")
    field.fill("bmi < 20 -> low")
    field.press("Control+Enter")
    expect(page.locator("[data-rule]")).to_have_count(5)
    handle = page.get_by_role("button", name=re.compile("Rule 5 of 5: drag"))
    handle.press("Home")
    expect(page.locator("[data-rule='1'] .label-text").first).to_have_text("the bmi is below 20")
    keep(page, "the guardrail asks for it")
    open_view(page, "guardrails")
    expect(page.locator(".guardrail[data-state=proved]")).to_have_count(1)
    page.get_by_label("Statement").fill("bmi > 40 -> never low")
    page.get_by_role("button", name="Prove or refute").click()
    expect(page.locator("[data-proof=proved], [data-proof=refuted]")).to_be_visible()


def test_history_versions_are_compared_and_branched(page: Page, studio: Studio) -> None:
    open_view(page, "history")
    expect(page.locator("[data-version]")).to_have_count(2)
    expect(page.locator("[data-version='2']")).to_contain_text("the guardrail asks for it")
    expect(page.locator("[data-version='2']")).to_contain_text("Ada Byron")
    page.get_by_label("Compare version 1").check()
    page.get_by_label("Compare version 2").check()
    expect(page.locator(".side-text")).to_have_count(2)
    assert page.locator(".side-text .differs").count() >= 1
    page.get_by_role("button", name="Meaning").click()
    expect(page.locator("[data-proof]")).to_be_visible()
    page.get_by_role("button", name="Make current version 1").click()
    expect(page.locator("[data-version='1'] .badge").first).to_have_text("current")
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("[data-version='2'] .badge").first).to_have_text("current")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save the project file").click()
    saved = Path(saving.value.path())
    assert verify_project(saved).passed
    page.get_by_role("button", name="Import a project file").click()
    dialog = page.get_by_role("dialog", name="Import a project file")
    dialog.get_by_label("File").set_input_files({"name": "x.evoter", "mimeType": "", "buffer": b"no project"})
    dialog.get_by_label("Reason").fill("from Bob")
    dialog.get_by_role("button", name="Import", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("is not a project file")
    dialog.get_by_label("File").set_input_files(saved)
    dialog.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_text("has nothing that is not here already")).to_be_visible()
    expect(dialog).to_have_count(0)
    # A studio that was just started on the same table continues where the file was.
    with study(None) as fresh, page.context.new_page() as other:
        other.goto(fresh.url)
        open_view(other, "history")
        other.get_by_role("button", name="Import a project file").click()
        other.get_by_label("File", exact=True).set_input_files(saved)
        other.get_by_label("Reason", exact=True).fill("from my own machine")
        other.get_by_role("button", name="Import", exact=True).click()
        expect(other.locator("[data-version]")).to_have_count(2)
        expect(other.locator("[data-version='2'] .badge").first).to_have_text("current")
        open_view(other, "guardrails")
        expect(other.locator(".guardrail[data-state=proved]")).to_have_count(1)
        assert fresh.project.export() == saved.read_bytes()


def test_signing_needs_the_keyboard_only(page: Page, studio: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    """One guardrail cannot be settled, and is accepted by name."""
    unknown = [ProofResult("", Status.UNKNOWN, reason="the time was over")]
    settle = prove_guardrails
    monkeypatch.setattr(
        guardrails,
        "prove_guardrails",
        lambda ruleset, rails, **limits: settle(ruleset, rails, **limits) if rails.forbidden else unknown,
    )
    session = studio.session
    session.guardrails.replace(
        session.guardrails.definition.to_dict() | {"forbidden_features": ["age"]},
        revision=session.guardrails.revision,
        reason="age does not count",
        author=None,
    )
    open_view(page, "signoff")
    page.get_by_label("Reason for opening the test rows").focus()
    page.keyboard.type("last look before use")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="On the test rows")).to_be_visible()
    expect(page.locator(".figure").first).to_contain_text(
        re.compile(r"Test accuracy\s*[\d.]+ %.* of 110 rows", re.DOTALL)
    )
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "sign-name":
            break
    page.keyboard.press("Control+a")
    page.keyboard.type("Dr Grace Hopper")
    expect(page.get_by_role("button", name="Sign version 2")).to_be_disabled()
    for _ in range(2):
        page.keyboard.press("Tab")
    expect(page.get_by_label(re.compile("I accept without a proof: .*age.*the time was over"))).to_be_focused()
    page.keyboard.press("Space")
    assert violations(page) == []
    for _ in range(2):
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Version 2 was signed by Dr Grace Hopper")).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Verify now").click()
    expect(page.get_by_text("The record is intact.").first).to_be_visible()
    assert [(each.version, each.author) for each in studio.project.sign_offs] == [(2, "Dr Grace Hopper")]
    (unproved,) = studio.project.sign_offs[0].unproved
    assert "age" in unproved
    expect(page.get_by_text(f"Accepted without a proof: {unproved}")).to_be_visible()
    assert len(studio.project.openings) == 1
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save the report of version 2").click()
    report = Path(saving.value.path()).read_bytes()
    assert hashlib.sha256(report).hexdigest() == studio.project.sign_offs[0].report_sha256
