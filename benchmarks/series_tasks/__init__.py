"""Tasks about series: what is fitted, on which data, and what is measured."""
