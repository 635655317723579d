"""Watch evolution over several runs
=================================

Evolution is a matter of chance, so one run says little: the lines are means over six seeds, the bands their 95 %
intervals.
"""

from sklearn.datasets import load_wine

from evoter import EvolutionDisplay, EvoterClassifier

wine = load_wine(as_frame=True)
cultivar = wine.target_names[wine.target]

# %%
# The preset `paper` is the algorithm of the paper and nothing else. The default one also refines some children by exact
# moves, which find in one generation what chance needs many for, and charges a price for every condition, which keeps
# rules short. Scores are those that the search sees: on tables as small as this one, the default preset scores rows and
# noisy copies of them, which is why its best is not 1.
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
