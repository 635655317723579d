"""The whole story over HTTP: doubt, evolution, edit, proof, bias, counterexample as a case, sign-off, report, verify."""

import hashlib
import time
from pathlib import Path
from typing import Any

import httpx

from evoter import loads
from evoter.studio.project import verify_project
from studios import edit, open_session, serve


class Page:
    """What a page of the studio does: it sends JSON and expects an answer."""

    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def get(self, path: str, **query: Any) -> Any:
        """Load something."""
        answer = self.client.get(f"/api/{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, status: int = 200, **body: Any) -> Any:
        """Ask for something, or change something."""
        answer = self.client.post(f"/api/{path}", json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def settled(self, proof: dict[str, Any]) -> dict[str, Any]:
        """Wait for a proof."""
        until = time.monotonic() + 60
        while proof["state"] == "running" and time.monotonic() < until:
            time.sleep(0.05)
            proof = self.get(f"proofs/{proof['id']}")
        return proof


def test_from_a_doubtful_column_to_a_signed_version(tmp_path: Path) -> None:
    with open_session(tmp_path) as session, serve(session) as client:
        page = Page(client)
        assert page.get("project")["head"] is None
        evolve(page)
        edit_and_prove(page)
        find_and_repair_bias(page)
        look_at_a_counterexample(page)
        sign(page)
    found = verify_project(tmp_path / "patients.evoter")
    assert found.passed


def evolve(page: Page) -> None:
    """Correct a column, set a guardrail, evolve, and pick."""
    columns = page.get("table")
    assert next(each for each in columns["columns"] if each["name"] == "ward")["kind"] == "number"
    corrected = page.post(
        "table/corrections", column="ward", to="category", reason="wards have no order", revision=columns["revision"]
    )
    assert next(each for each in corrected["columns"] if each["name"] == "ward")["kind"] == "category"
    assert page.get("columns", column="ward")["categories"]
    definition = {"forbidden_features": ["sex"], "monotone": {"age": "increasing"}, "order": ["low", "high"]}
    rails = page.post("guardrails", definition=definition, revision=1, reason="law")
    assert [each["state"] for each in rails["guardrails"]] == ["unknown", "unknown"]
    page.post("evolution", 202, generations=15, population=60, max_rules=4)
    until = time.monotonic() + 120
    while (run := page.get("evolution"))["state"] not in ("finished", "failed") and time.monotonic() < until:
        time.sleep(0.1)
    assert run["state"] == "finished", run["message"]
    assert page.get("evolution/candidates/0")["rules"]["cards"]
    picked = page.post("evolution/pick", 201, number=0, base=None, reason="the most accurate")
    assert picked["version"]["id"] == 1
    assert picked["version"]["kind"] == "evolve"


def edit_and_prove(page: Page) -> None:
    """Replace the rules by what an expert writes, move a threshold, and see effect and proof."""
    text = "age > 72 -> high; pressure > 140 AND smoker = yes -> high; Default -> low"
    page.post("versions", 201, base=1, edits=[edit("rewrite", text)], reason="as the guideline says", author="Eve")
    moved = page.post("effect", base=2, edits=[edit("replace_condition", 1, 1, "age > 68")])
    assert moved["effect"]["validation"]["before"]["interval"]
    assert moved["guardrails"]["kept"]
    assert moved["effect"]["changed"]["rows"] > 0
    assert moved["proof"]["state"] == "refuted"
    half = page.post("effect", base=2, edits=[edit("replace_condition", 1, 1, "age > 72.5")])
    assert half["effect"]["changed"]["rows"] == 0
    assert page.settled(half["proof"])["state"] == "refuted"
    saved = page.post("versions", 201, base=2, edits=[edit("replace_condition", 1, 1, "age > 68")], reason="earlier")
    assert saved["version"]["id"] == 3
    conflict = page.post("versions", 409, base=2, edits=[edit("drop", 2)], reason="another tab")
    assert conflict["error"]["head"]["id"] == 3
    assert conflict["error"]["rules"]["version"] == 3
    assert page.post("head", base=3, version=2)["head"] == 2
    assert page.post("head", base=2, version=3)["head"] == 3
    assert page.get("compare", a=2, b=3)["text"]


def find_and_repair_bias(page: Page) -> None:
    """Find by a slice that a rule treats smokers otherwise, and take the condition back."""
    groups = page.post("audit", columns=["smoker"], favourable="high", part="open")
    found = {each["rate"]: each for each in groups["columns"][0]["disparities"]}
    assert found["selection_rate"]["difference"] > 0
    slice_of = page.post("slice", conditions="smoker = yes", part="open")
    difference = slice_of["difference"]["selected"]
    assert difference["interval"][1] < 0  # smokers are clearly less often decided low, the second class in order
    listed = page.post("rows", conditions="smoker = yes", wrong=True, limit=5)
    assert listed["total"] >= len(listed["rows"])
    page.post("versions", 201, base=3, edits=[edit("drop_condition", 2, 2)], reason="smokers are not to be told apart")
    again = page.post("slice", conditions="smoker = yes", part="open")
    assert again["difference"]["selected"]["value"] > difference["value"]


def look_at_a_counterexample(page: Page) -> None:
    """Load the counterexample of a broken guardrail as a case, and keep within it."""
    broken = page.post("guardrails", definition={"forbidden": ["age < 30 -> never high"]}, revision=2, reason="law")
    (rail,) = broken["guardrails"]
    proof = page.settled(rail["proof"])
    assert proof["state"] == "refuted"
    case = page.post("case", values=proof["counterexample"])
    assert case["decision"] == "high"
    assert case["nearest"]
    assert case["rule"] == 2
    assert page.post("signoffs", 409, version=4, statement="too early")["error"]["kind"] == "closed"
    page.post("versions", 201, base=4, edits=[edit("add_condition", 2, "age >= 30")], reason="keep the law")
    (rail,) = page.get("guardrails")["guardrails"]
    assert page.settled(rail["proof"])["state"] == "proved"


def sign(page: Page) -> None:
    """Open the test rows, sign, take the report, the rules and the project along."""
    assert page.post("openings", 409, version=4, reason="an older one")["error"]["kind"] == "conflict"
    opened = page.post("openings", 201, version=5, reason="for the committee", author="Ada")
    assert opened["open"]["figures"]["rows"] == opened["test_rows"]
    assert len(opened["openings"]) == 1
    signed = page.post("signoffs", 201, version=5, statement="fit for use in 2027", name="Ada")
    (entry,) = signed["signoffs"]
    report = page.client.get("/api/signoffs/1/report")
    assert hashlib.sha256(report.content).hexdigest() == entry["report_sha256"]
    file = page.client.get("/api/rules/file", params={"version": 5})
    assert hashlib.sha256(file.content).hexdigest() == entry["rules_sha256"]
    assert len(loads(file.text).rules) == 2
    assert page.client.get("/api/export").content.startswith(b"SQLite format 3")
    assert page.get("verify")["passed"]
    assert page.get("project")["signed"] == [5]
