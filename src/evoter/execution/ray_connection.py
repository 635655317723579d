"""The connection to Ray: an existing cluster or one on this machine, and errors that say what to do."""

import logging
import os
from types import ModuleType
from typing import Any, Final

from evoter.execution.errors import ClusterError

AUTO: Final = "auto"
"""The address that means the cluster this machine belongs to."""

LOCAL: Final = "local"
"""The address that means a new cluster of this machine alone."""

_QUIET: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is reported to anyone
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # what will become the default; without it there is a warning
    # Ray would print a dozen lines to standard output where evoter warns in one.
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^A worker died or was killed while executing a task",
}


def import_ray() -> ModuleType:
    """Return Ray, or say how to install it."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    try:
        import ray
    except ImportError as error:
        raise ImportError("evaluation on a cluster needs Ray; install it with pip install 'evoter[cluster]'") from error
    return ray


def connect(address: str | None) -> tuple[ModuleType, bool]:
    """Connect to a cluster, and return Ray and whether it was this call that connected.

    Without an address, it is the cluster that this process is connected to, or that of `RAY_ADDRESS`, or a new one on
    this machine for as long as it is needed.
    """
    ray = import_ray()
    if ray.is_initialized():
        return ray, False
    logging.getLogger("ray").setLevel(logging.ERROR)
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": False}
    if address is None and "RAY_ADDRESS" not in os.environ:
        address = LOCAL
    if address == LOCAL:
        options["include_dashboard"] = False
    try:
        ray.init(address, **options)
    except ConnectionError as error:
        where = "on this machine" if address in (None, AUTO) else f"at {address}"
        raise ClusterError(
            f"no Ray cluster was found {where} ({_first_line(error)}); start one with `ray start --head`, or give the "
            "address that it printed, and if it asks for a token, set RAY_AUTH_MODE=token"
        ) from error
    except RuntimeError as error:
        if "ersion" not in str(error):
            raise
        raise ClusterError(
            f"the Ray cluster runs another version of Ray or Python than this process, which has Ray {ray.__version__} "
            f"({_first_line(error)}); install the same versions on all machines"
        ) from error
    return ray, True


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")


def check_versions(own: dict[str, str], theirs: dict[str, str], where: str) -> None:
    """Refuse a worker with other software: its results could differ.

    >>> check_versions({"numpy": "2.3"}, {"numpy": "2.2"}, "process 7")
    Traceback (most recent call last):
    evoter.execution.errors.ClusterError: the worker in process 7 has numpy 2.2, this process has 2.3; ...
    """
    for name, version in own.items():
        if theirs.get(name) != version:
            raise ClusterError(
                f"the worker in {where} has {name} {theirs.get(name, 'missing')[:12]}, this process has "
                f"{version[:12]}; install the same versions on all machines"
            )
