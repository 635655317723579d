"""What can go wrong with a cluster, said with the remedy."""


class ClusterError(RuntimeError):
    """A cluster cannot be reached, lacks workers, or runs other software than this process."""
