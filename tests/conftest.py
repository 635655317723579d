"""Settings of every test: how many random cases the laws are tried on, whether they repeat, and that Ctrl-C works."""

import os
import signal

from hypothesis import HealthCheck, settings

# How fast a case is drawn or run says something about the machine, not about the law.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)

settings.register_profile("repeatable", untimed, derandomize=True, database=None)
settings.register_profile("explore", untimed, max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

# Who starts the tests in the background may have had Ctrl-C ignored, which the processes that tests interrupt inherit.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
