"""Tasks on real series, the models that EVOTER is compared with, and the measurements."""
