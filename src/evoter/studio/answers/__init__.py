"""Answers about rules on rows, ready for JSON: figures, cards, effects of edits, slices and cases."""
