"""Rules and Effect in the browser: read, adjust, type, move, pin, switch off, undo, keep; two tabs at once."""

import re

from playwright.sync_api import BrowserContext, Page, expect

from evoter.rules.text import print_rule
from evoter.studio.running.serving import Studio
from studying import keep, open_view


def rule(page: Page, number: int) -> str:
    """Return the words of the conditions of a rule."""
    return " ".join(page.locator(f"[data-rule='{number}'] .condition-line .label-text").all_inner_texts())


def test_a_threshold_is_moved_over_its_histogram(page: Page, studio: Studio) -> None:
    open_view(page, "rules")
    before = len(studio.project.versions)
    card = page.locator("[data-rule='1']")
    assert rule(page, 1) == "the bmi is above 31.5 high"
    assert re.search(r"Right\s+[\d.]+ % \([\d.]+ to [\d.]+ %\) of \d+", card.inner_text())
    card.get_by_role("button", name="Adjust: bmi > 31.5").click()
    expect(card.get_by_role("img", name=re.compile("Distribution of bmi on 332 .* rows"))).to_be_visible()
    slider = card.get_by_role("slider", name="Threshold for bmi in rule 1")
    slider.focus()
    for _ in range(5):
        slider.press("ArrowLeft")
    unsaved = page.get_by_role("region", name="Unsaved changes")
    expect(unsaved).to_contain_text("1 unsaved edit")
    expect(unsaved).to_contain_text(re.compile(r"Validation accuracy .* decided otherwise|No decision .* changes"))
    expect(page.locator("[data-rule='1'] .label-text").first).to_have_text("the bmi is above 31")
    assert len(studio.project.versions) == before  # nothing is saved yet
    for _ in range(5):
        slider.press("ArrowRight")
    expect(unsaved).to_have_count(0)  # back where it was is no edit
    for _ in range(5):
        slider.press("ArrowLeft")
    expect(unsaved).to_contain_text("1 unsaved edit")
    expect(page.locator("[data-rule='1'] .label-text").first).to_have_text("the bmi is above 31")
    open_view(page, "effect")
    expect(page.get_by_role("heading", name="By group")).to_be_visible()
    expect(page.locator("[data-proof]")).to_be_visible()
    keep(page, "threshold of the guideline")
    assert studio.project.versions[-1].reason == "threshold of the guideline"
    assert studio.ruleset is not None
    assert "bmi > 31 " in studio.ruleset.to_text(declarations=False)
    expect(page.get_by_role("heading", level=1)).to_have_text("Effect")
    expect(page.get_by_text(f"Version {before + 1}, compared with version {before}")).to_be_visible()


def test_text_is_completed_and_errors_are_under_the_caret(page: Page) -> None:
    open_view(page, "rules")
    page.get_by_role("button", name="Edit rule 2 as text").click()
    field = page.get_by_role("textbox", name="Text of rule 2")
    field.fill("chol")
    expect(page.get_by_role("option", name="cholesterol feature")).to_be_visible()
    field.press("ArrowDown")
    field.press("Enter")
    expect(field).to_have_value("cholesterol ")
    field.press_sequentially("> 200 AMD sex = male -> low")
    problem = page.get_by_role("alert")
    expect(problem).to_be_visible()
    source, caret, *_ = problem.locator(".caret").inner_text().split("\n")
    assert "AMD" in source
    assert re.fullmatch(r" +\^", caret)
    field.fill("cholesterol > 200 AND sex = male -> low")
    expect(problem).to_have_count(0)
    field.press("Control+Enter")
    expect(page.locator("[data-rule='2'] .label-text").first).to_have_text("the cholesterol is above 200")
    page.get_by_role("button", name="Discard").click()
    expect(page.locator("[data-rule='2'] .label-text").first).to_have_text("the log triglycerides are at most 4.6")


def test_rules_are_moved_by_keyboard_and_by_dragging(page: Page) -> None:
    open_view(page, "rules")
    first = rule(page, 1)
    handle = page.get_by_role("button", name=re.compile("Rule 1 of 4: drag"))
    handle.press("ArrowDown")
    expect(page.locator("[data-rule='2'] .label-text").first).to_have_text(first.rpartition(" ")[0])
    expect(page.get_by_role("button", name=re.compile("Rule 2 of 4: drag"))).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("button", name=re.compile("Rule 1 of 4: drag"))).to_be_focused()
    expect(page.locator("[data-rule='1'] .label-text").first).to_have_text(first.rpartition(" ")[0])
    expect(page.locator("[data-rule='2'] .label-text").first).to_have_text("the log triglycerides are at most 4.6")
    page.get_by_role("button", name="Discard").click()
    grip = page.locator("[data-handle='3']").bounding_box()
    top = page.locator("[data-rule='1']").bounding_box()
    assert grip is not None
    assert top is not None
    page.mouse.move(grip["x"] + 5, grip["y"] + 5)
    page.mouse.down()
    page.mouse.move(top["x"] + 20, top["y"] + 30, steps=4)
    page.mouse.up()
    expect(page.locator("[data-rule='1'] .label-text").first).to_have_text("the HDL is at most 44")
    page.get_by_role("button", name="Discard").click()


def test_pin_switch_off_delete_and_take_it_all_back(page: Page) -> None:
    open_view(page, "rules")
    page.get_by_role("button", name="Pin rule 1").click()
    expect(page.locator("[data-rule='1'] .badge")).to_have_text("pinned")
    page.get_by_role("button", name="Switch rule 3 off").click()
    expect(page.locator("[data-rule='3'] .badge")).to_have_text("switched off, decides nothing")
    page.get_by_role("button", name="Delete rule 4").click()
    expect(page.locator("[data-rule]")).to_have_count(3)
    for n_rules in (4, 4, 4):
        page.keyboard.press("Control+z")
        expect(page.locator("[data-rule]")).to_have_count(n_rules)
        page.wait_for_timeout(50)
    expect(page.get_by_role("region", name="Unsaved changes")).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("[data-rule='1'] .badge")).to_have_text("pinned")
    page.get_by_role("button", name="Discard").click()


def test_editing_needs_the_keyboard_only(page: Page, studio: Studio) -> None:
    """From the address bar to a kept version with Tab, Enter, arrow keys and letters."""
    open_view(page, "rules")

    def tab_to(name: str) -> None:
        for _ in range(90):
            page.keyboard.press("Tab")
            label = page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.id")
            if label == name:
                return
        raise AssertionError(f"{name} cannot be reached with the Tab key")

    tab_to("Adjust: bmi <= 24.2")
    page.keyboard.press("Enter")
    tab_to("Threshold for bmi in rule 4")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("region", name="Unsaved changes")).to_be_visible()
    tab_to("draft-reason")
    page.keyboard.type("keyboard only")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Unsaved changes")).to_have_count(0)
    assert studio.project.versions[-1].reason == "keyboard only"


def test_two_tabs_at_once(context: BrowserContext, page: Page, studio: Studio) -> None:
    """The second tab is told, and loses nothing."""
    other = context.new_page()
    other.goto(studio.url)
    open_view(other, "rules")
    open_view(page, "rules")
    base = studio.project.current
    assert base is not None
    other.get_by_role("button", name="Pin rule 2").click()
    expect(other.get_by_role("region", name="Unsaved changes")).to_be_visible()
    page.get_by_role("button", name="Delete rule 3").click()
    keep(page, "rule 3 is not needed")
    told = other.get_by_role("alert").filter(has_text="while you were editing")
    expect(told).to_contain_text("rule 3 is not needed")
    expect(other.get_by_role("button", name="Keep", exact=True)).to_be_disabled()
    other.get_by_role("button", name=re.compile("Apply my edits to version")).click()
    expect(told).to_have_count(0)
    keep(other, "rule 2 comes from the guideline")
    assert [version.reason for version in studio.project.versions[-2:]] == [
        "rule 3 is not needed",
        "rule 2 comes from the guideline",
    ]
    assert studio.ruleset is not None
    assert [each.pinned for each in studio.ruleset.rules] == [False, True, False]
    expect(page.locator("[data-rule='2'] .badge")).to_have_text("pinned")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-rule='2'] .badge")).to_have_count(0)
    assert studio.project.current is not None
    assert studio.project.current.number == base.number + 1


def test_an_edit_in_a_conflict_reaches_its_rule_under_another_number(
    context: BrowserContext, page: Page, studio: Studio
) -> None:
    """One tab deletes rule 1; the other was typing rule 2, had moved a number of rule 3, and had pinned rule 1."""
    open_view(page, "rules")
    base = studio.project.current
    assert base is not None
    texts = [print_rule(rule, base.ruleset.schema) for rule in base.ruleset.rules]
    other = context.new_page()
    other.goto(studio.url)
    open_view(other, "rules")
    other.get_by_role("button", name="Edit rule 2 as text").click()
    typing = other.get_by_role("textbox", name=re.compile("^Text of rule"))
    typing.fill("age > 70 -> low")
    other.get_by_role("button", name="Pin rule 1").click()
    other.get_by_role("button", name="Switch rule 3 off").click()
    expect(other.get_by_role("region", name="Unsaved changes")).to_contain_text("2 unsaved edits")
    page.get_by_role("button", name="Delete rule 1").click()
    keep(page, "not needed")
    other.get_by_role("button", name=re.compile("Apply my edits to version")).click()
    told = other.get_by_role("alert").filter(has_text="1 edit cannot be made")
    expect(told).to_contain_text(f"{texts[0]} was changed or removed")
    expect(other.get_by_role("region", name="Unsaved changes")).to_contain_text("2 unsaved edits")  # nothing is lost
    told.get_by_role("button", name="Apply the other one").click()
    left = other.locator(".notice", has_text="not applied")
    expect(left).to_contain_text("is now pinned")
    expect(other.locator("[data-rule='2'] .badge")).to_have_text("switched off, decides nothing")
    # What was being typed is still there, on the rule that it was about, which is now the first.
    expect(other.locator("[data-rule='1']").get_by_role("textbox")).to_have_value("age > 70 -> low")
    keep(other, "switched off after all")
    current = studio.project.current
    assert current is not None
    assert [print_rule(rule, current.ruleset.schema) for rule in current.ruleset.rules] == texts[1:]
    assert current.off == (2,)
    expect(other.get_by_role("region", name="Edits that were not applied")).to_be_visible()
    other.close()
