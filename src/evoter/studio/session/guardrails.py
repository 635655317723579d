"""Guardrails of a project: how people state them, what they are, and whether rules keep them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from evoter.proofs import prove_guardrails
from evoter.proofs.result import ProofResult
from evoter.rules.errors import RuleError
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.reading import read_guardrails
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Schema
from evoter.studio.errors import StudioError
from evoter.studio.session.proofs import GUARDRAIL, GUARDRAIL_SECONDS, Proof, ProofQueue

_STATES = {"proved": "proved", "refuted": "broken"}
"""What people call the state of a guardrail whose proof ended so; all else is as the proof says."""


@dataclass(frozen=True, slots=True)
class Definition:
    """Guardrails as people state them: rules, names, and texts such as "age < 18 -> never opioid"."""

    pinned: tuple[str, ...] = ()
    forbidden_features: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    monotone: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    """The classes from the lowest to the highest, which only monotone features ask about."""

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> "Definition":
        """Return the definition that a project keeps; nothing where it keeps none."""
        lists = {name: tuple(fields.get(name, ())) for name in ("pinned", "forbidden_features", "forbidden", "order")}
        return cls(**lists, monotone=dict(fields.get("monotone", {})))

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "pinned": list(self.pinned),
            "forbidden_features": list(self.forbidden_features),
            "forbidden": list(self.forbidden),
            "monotone": dict(self.monotone),
            "order": list(self.order),
        }

    def parameters(self) -> dict[str, Any]:
        """Return the guardrails as parameters of an estimator; those that are not used are left out."""
        given = self.to_dict() | {"monotone_order": list(self.order) if self.monotone else []}
        del given["order"]
        return {name: value for name, value in given.items() if value}

    def read(self, schema: Schema, mode: Mode = Mode.FIRST) -> Guardrails:
        """Return guardrails over a schema; refuse what does not fit it or contradicts itself."""
        try:
            return read_guardrails(
                schema,
                mode,
                pinned=list(self.pinned),
                forbidden_features=self.forbidden_features,
                forbidden=list(self.forbidden),
                monotone=dict(self.monotone),
                order=self.order if self.monotone and self.order else None,
            )
        except RuleError as error:
            raise StudioError.about_rule(error) from None


@dataclass(frozen=True, slots=True)
class Rail:
    """One guardrail of several, which can be checked alone."""

    kind: str
    text: str
    sentence: str
    guardrails: Guardrails


def single_rails(definition: Definition, guardrails: Guardrails) -> list[Rail]:
    """Return each guardrail on its own; pinned rules stay together, because their order matters."""
    alone = replace(guardrails, pinned=(), forbidden=(), forbidden_features=(), monotone=(), order=())
    sentences = list(guardrails.sentences())
    n_pinned = len(guardrails.pinned)
    rails = []
    if n_pinned:
        text, sentence = "; ".join(definition.pinned), "; ".join(sentences[:n_pinned])
        rails.append(Rail("pinned", text, sentence, replace(alone, pinned=guardrails.pinned)))
    rest = iter(sentences[n_pinned:])
    rails += [
        Rail("forbidden_feature", name, next(rest), replace(alone, forbidden_features=(name,)))
        for name in guardrails.forbidden_features
    ]
    rails += [
        Rail("forbidden", text, next(rest), replace(alone, forbidden=(each,)))
        for text, each in zip(definition.forbidden, guardrails.forbidden, strict=True)
    ]
    rails += [
        Rail(
            "monotone",
            f"{each.feature}: {each.direction.value}",
            next(rest),
            replace(alone, monotone=(each,), order=guardrails.order),
        )
        for each in guardrails.monotone
    ]
    return rails


def rail_proof(rail: Rail, ruleset: RuleSet, queue: ProofQueue) -> Proof:
    """Ask for the proof of one guardrail."""
    work = partial(settle_rail, rail.guardrails, ruleset)
    return queue.ask(rail.sentence, work, key=("rail", rail, ruleset), urgency=GUARDRAIL)


def settle_rail(guardrails: Guardrails, ruleset: RuleSet) -> ProofResult:
    """Return what is known about guardrails of one kind: of several results, the worst."""
    results = prove_guardrails(ruleset, guardrails, max_seconds=GUARDRAIL_SECONDS)
    worst = next((each for each in results if each.refuted), None)
    worst = worst or next((each for each in results if not each.proved), None)
    return worst or results[0]


def rail_state(proof: Proof) -> str:
    """Return what people call the state of a guardrail: proved, broken, unknown or running."""
    return _STATES.get(proof.state, proof.state)
