"""An open project: its state, edits, proofs, guardrails, evolution and sign-off, without HTTP."""
