"""Watch evolution over several runs
=================================

Evolution is stochastic, so one run says little: the lines are means over six seeds, the bands their 95 % confidence
intervals.
"""

from sklearn.datasets import load_wine

from evoter import EvolutionDisplay, EvoterClassifier

wine = load_wine(as_frame=True)
cultivar = wine.target_names[wine.target]

# %%
# The preset `paper` is exactly the algorithm of the paper. The default preset also refines some children by exact
# moves, which find in one generation what random variation needs many for, and penalises every condition, which keeps
# rules short. Scores are those used by the search: the default preset scores rows by the probabilities of their
# classes, which is why its best is not 1.
runs = {
    preset: [
        EvoterClassifier(
            preset=preset,
            generations=40,
            patience=None,
            population_size=150,
            random_state=seed,
        ).fit(wine.data, cultivar)
        for seed in range(6)
    ]
    for preset in ("default", "paper")
}
display = EvolutionDisplay.from_estimators(runs)
