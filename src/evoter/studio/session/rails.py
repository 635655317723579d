"""The guardrails of a session: whether versions keep them, and how they are changed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from evoter.rules.errors import RuleError
from evoter.rules.model import RuleSet
from evoter.studio.errors import StudioError
from evoter.studio.session.guardrails import Definition, rail_proof, rail_state, single_rails

if TYPE_CHECKING:
    from evoter.studio.session.session import Session


class SessionGuardrails:
    """Guardrails of an open project; `revision` counts their changes in this session."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self.revision = 1

    @property
    def definition(self) -> Definition:
        """The guardrails as people state them."""
        return Definition.of(self._session.project.guardrails)

    def describe(self, version: int | None = None) -> dict[str, Any]:
        """Return each guardrail and whether a version keeps it, by default the current one."""
        session, definition = self._session, self.definition
        rails = single_rails(definition, definition.read(session.rows.schema))
        active = None
        if version is not None or session.project.current is not None:
            active = session.edited(session.version(version)).active
        found: list[dict[str, Any]] = []
        for number, rail in enumerate(rails, start=1):
            described = {"number": number, "kind": rail.kind, "text": rail.text, "sentence": rail.sentence}
            if active is None:
                found.append(described | {"state": "unknown", "violation": None, "proof": None})
                continue
            proof = rail_proof(rail, active, session.proofs)
            broken = [str(each) for each in rail.guardrails.violations(active)]
            found.append(
                described
                | {"state": rail_state(proof), "violation": broken[0] if broken else None, "proof": proof.to_dict()}
            )
        return {
            "revision": self.revision,
            "guardrails": found,
            "kept": all(each["state"] == "proved" for each in found),
            "order": list(definition.order or session.classes),
            "definition": definition.to_dict(),
        }

    def replace(
        self, fields: Mapping[str, Any], *, revision: int, reason: str, author: str | None, tab: str = ""
    ) -> dict[str, Any]:
        """Replace the guardrails of the project."""
        session = self._session
        with session.lock:
            session.check_revision("guardrails", revision, self.revision)
            definition = Definition.of(fields)
            sentences = definition.read(session.rows.schema).sentences()
            try:
                session.project.set_guardrails(
                    definition.to_dict(), reason=reason, author=author or session.author, changes=sentences
                )
            except RuleError as error:
                raise StudioError("invalid", str(error), field="reason") from None
            self.revision += 1
        session.events.tell("guardrails", {"revision": self.revision, "tab": tab})
        return self.describe()

    def violations(self, ruleset: RuleSet) -> dict[str, Any]:
        """Return what rules break, as far as the rules themselves show it."""
        rails = self.definition.read(self._session.rows.schema)
        broken = [str(each) for each in rails.violations(ruleset)]
        return {"kept": not broken, "violations": broken}
