"""The engine: settings, the generational loop, stopping, history, checkpoints and results."""
