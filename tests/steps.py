"""Three classes in a row: two cuts of one feature tell them apart, the other feature says nothing."""

import numpy as np
import pandas as pd

from evoter.experiments.classification.task import Labels

STEPS = pd.DataFrame({"x": np.arange(30.0), "noise": np.arange(30) % 2})
LEVELS: Labels = np.repeat(["low", "middle", "high"], 10)
