"""The table of a project: what its columns are, how its rows are divided, and what rules decide on them."""
