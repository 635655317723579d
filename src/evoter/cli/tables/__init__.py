"""Table files as the command line reads them, and tables that rules are applied to."""
