"""Running the studio: the address, the server in a thread, and `evoter.studio` for notebooks."""
