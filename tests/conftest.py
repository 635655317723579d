"""Settings of every test: how many random cases the laws are tried on, compiled kernels, and that Ctrl-C works."""

import os
import signal
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, settings

# How fast a case is drawn or run says something about the machine, not about the law.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
repeatable = settings(untimed, derandomize=True, database=None)

settings.register_profile("default", repeatable, max_examples=30)
settings.register_profile("deep", repeatable, max_examples=100)
settings.register_profile("explore", untimed, max_examples=2_000)

# If the tests are started in the background, Ctrl-C may be ignored, and the processes that tests interrupt inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="try every law on up to ten times as many random cases")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the profile before the test modules are imported, whose decorators ask for it."""
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "deep" if config.getoption("--deep") else "default"))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the kernels in two processes before the workers start, which then load them from the disk.

    Otherwise the workers would wait for each other, and use one core at a time for what two can do.
    """
    config = session.config
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        subprocess.run([sys.executable, "-m", "evoter", "warm-up", "--quiet"], check=True)
