"""Where populations are evaluated: threads of this process, worker processes, or the machines of a Ray cluster."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.execution.errors import ClusterError
    from evoter.execution.processes import ProcessExecutor
    from evoter.execution.ray_executor import RayExecutor

__all__ = ["ClusterError", "ProcessExecutor", "RayExecutor"]

# Loaded on first use: Ray is slow to import, and may be absent.
__getattr__, __dir__ = lazily(
    __name__,
    {"ClusterError": "errors", "ProcessExecutor": "processes", "RayExecutor": "ray_executor"},
)
