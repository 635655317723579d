"""What is optimised: each task scores populations of rule sets on its data."""
