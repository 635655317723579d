"""Proofs about rule sets: what they can and cannot decide, on every input."""

from evoter.lazy import lazily

TYPE_CHECKING = False  # as in the package itself
if TYPE_CHECKING:
    from evoter.proofs.guardrails import prove_guardrails
    from evoter.proofs.questions import (
        GapsAndOverlaps,
        covered,
        equivalent,
        gaps_and_overlaps,
        implies,
        monotone,
        never,
        prove,
        unreachable_rules,
    )
    from evoter.proofs.regions import Difference, differences
    from evoter.proofs.result import ProofResult, Status
    from evoter.proofs.simplification import simplify

__all__ = [
    "ProofResult",
    "Status",
    "prove",
    "prove_guardrails",
    "equivalent",
    "implies",
    "never",
    "monotone",
    "unreachable_rules",
    "covered",
    "gaps_and_overlaps",
    "GapsAndOverlaps",
    "differences",
    "Difference",
    "simplify",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "Difference": "regions",
        "GapsAndOverlaps": "questions",
        "ProofResult": "result",
        "Status": "result",
        "covered": "questions",
        "differences": "regions",
        "equivalent": "questions",
        "gaps_and_overlaps": "questions",
        "implies": "questions",
        "monotone": "questions",
        "never": "questions",
        "prove": "questions",
        "prove_guardrails": "guardrails",
        "simplify": "simplification",
        "unreachable_rules": "questions",
    },
)
