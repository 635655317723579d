"""Runs the command line as `python -m evoter`."""

from evoter.cli import main

if __name__ == "__main__":
    main()
