"""Plain words on the command line: their options, and what commands write with them."""
