"""Rules about time series, with lags
==================================

Lags evolve like everything else in a rule: `pressure[10]` is the pressure ten steps before the decision.
"""

import numpy as np

from evoter import EvoterTimeSeriesClassifier, SeriesDisplay

# %%
# Synthetic patients: an alarm is due if the pressure has fallen below its value ten minutes ago and the pulse was
# high four minutes ago. Evolution has to find out which steps matter.
rng = np.random.default_rng(0)
pressure = 90 + np.cumsum(rng.normal(0.0, 1.5, size=(500, 40)), axis=1)
pulse = 75 + 10 * rng.standard_normal((500, 40))
alarm = (pressure[:, -1] < pressure[:, -11]) & (pulse[:, -5] > 75)
X = np.stack([pressure, pulse], axis=1)
y = np.where(alarm, "alarm", "calm")
model = EvoterTimeSeriesClassifier(
    channels=["pressure", "pulse"],
    units={"pressure": "mmHg", "pulse": "bpm"},
    max_lag=12,
    generations=40,
    random_state=0,
).fit(X[:350], y[:350])
print(model.ruleset_.to_text("aligned", declarations=False, time_step=(1, "min")))
print(f"accuracy on other patients: {model.score(X[350:], y[350:]):.3f}")

# %%
# One decision, as a person would check it: the points that the rule used, and the threshold it compared them with.
patient = X[[350 + int(np.flatnonzero(y[350:] == "alarm")[0])]]
display = SeriesDisplay.from_estimator(model, patient, time_step=(1, "min"))
