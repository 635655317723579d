"""`evoter edit` and `evoter verify`: rules changed by people, with a log."""
