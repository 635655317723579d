"""Prescription problems: actions scored by predicted outcomes, and guardrails around them."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.problems.prescription.on_demand import OnDemandPrescription
    from evoter.problems.prescription.problem import PrescriptionProblem

__all__ = ["PrescriptionProblem", "OnDemandPrescription"]

__getattr__, __dir__ = lazily(__name__, {"PrescriptionProblem": "problem", "OnDemandPrescription": "on_demand"})
