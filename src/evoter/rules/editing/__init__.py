"""Rules changed by people: single edits, differences between rule sets, and a log of who changed what and why."""
