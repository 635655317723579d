"""Federated runs: rules evolved on rows that stay at their sites, which answer with counts."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.federated.classifier import FederatedClassifier
    from evoter.federated.errors import (
        FederationError,
        FederationWarning,
        MessageError,
        RefusedError,
        SiteRefusalError,
        SiteUnavailableError,
    )
    from evoter.federated.protection.masks import PairwiseMasks
    from evoter.federated.protection.noise import LaplaceNoise
    from evoter.federated.site import Site
    from evoter.federated.transport import InProcess, Transport

__all__ = [
    "Site",
    "FederatedClassifier",
    "LaplaceNoise",
    "PairwiseMasks",
    "Transport",
    "InProcess",
    "FederationError",
    "FederationWarning",
    "MessageError",
    "RefusedError",
    "SiteRefusalError",
    "SiteUnavailableError",
]

__getattr__, __dir__ = lazily(
    __name__,
    {
        "FederatedClassifier": "classifier",
        "FederationError": "errors",
        "FederationWarning": "errors",
        "InProcess": "transport",
        "LaplaceNoise": "protection.noise",
        "MessageError": "errors",
        "PairwiseMasks": "protection.masks",
        "RefusedError": "errors",
        "Site": "site",
        "SiteRefusalError": "errors",
        "SiteUnavailableError": "errors",
        "Transport": "transport",
    },
)
