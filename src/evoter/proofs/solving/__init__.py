"""Proofs by the solver z3: the space of a problem and decisions as formulas, and how they are solved."""
