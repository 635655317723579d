"""The data sets of the paper that scikit-learn does not bring: fetched when asked for, never before."""

from evoter.datasets.activity import fetch_human_activity, fetch_human_activity_signals
from evoter.datasets.catalogue import DATASETS
from evoter.datasets.contraception import fetch_contraceptive_choice
from evoter.datasets.credit import fetch_credit_approval
from evoter.datasets.dataset import Dataset, DatasetError, DatasetInfo
from evoter.datasets.diabetes import fetch_diabetes
from evoter.datasets.heart_failure import fetch_heart_failure
from evoter.datasets.intensive_care import fetch_hypotension_2009, fetch_vital_signs_2019

__all__ = [
    "DATASETS",
    "fetch_credit_approval",
    "fetch_contraceptive_choice",
    "fetch_human_activity",
    "fetch_human_activity_signals",
    "fetch_heart_failure",
    "fetch_diabetes",
    "fetch_hypotension_2009",
    "fetch_vital_signs_2019",
    "Dataset",
    "DatasetError",
    "DatasetInfo",
]
