"""A real Ray on this machine, of two nodes with one processor each, for all tests of a session."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from evoter.evolution.executor import Executor
from evoter.execution import RayExecutor
from evoter.execution.ray_connection import import_ray
from evoter.execution.ray_executor import RayEvaluation
from evoter.kernels.threads import Threads

STORE = 80 * 2**20
"""The memory of the object store of a node, nearly the least that Ray allows."""

NODE = {"num_cpus": 1, "object_store_memory": STORE}


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    import_ray()  # which sets variables that the nodes inherit
    from ray.cluster_utils import Cluster

    made: Any = Cluster(initialize_head=True, head_node_args={**NODE, "include_dashboard": False})
    made.add_node(**NODE)
    yield made
    made.shutdown()
    assert "RAY_ADDRESS" not in os.environ


@pytest.fixture(scope="session")
def evaluation(cluster: Any) -> Iterator[RayEvaluation]:
    """An executor with two workers."""
    executor = RayExecutor(cluster.address, n_workers=2, least_work=0).start(Threads(1))
    checked: Executor = executor
    yield executor
    checked.close()


@pytest.fixture(scope="session")
def spare(cluster: Any, evaluation: RayEvaluation) -> Any:
    """The same cluster with a processor that is free; tests that lose nodes come before those that use it."""
    return cluster.add_node(**NODE)
