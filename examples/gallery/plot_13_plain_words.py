"""Say rules in plain words
========================

Rules and explanations become sentences, in several languages, with the names that people use for things.
"""

from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from evoter import CoverageDisplay, EvoterClassifier
from evoter.language import parse_plain

wine = load_wine(as_frame=True)
cultivar = wine.target_names[wine.target]
X_train, X_test, y_train, y_test = train_test_split(
    wine.data, cultivar, test_size=0.3, stratify=cultivar, random_state=0
)
model = EvoterClassifier(constraints={"complexity": 5}, generations=20, random_state=0).fit(
    X_train, y_train
)
rules = model.ruleset_.restricted()
print(rules.to_text("aligned", declarations=False))

# %%
# The same rules as sentences. Names of columns are said as words, and numbers as they are: rounding them could change a
# decision.
print(rules.to_text("plain"))

# %%
# Labels say what people call things. German keeps names in the nominative, so that they need not be inflected.
german = {
    "shared": True,
    "decision": "die Sorte",
    "features": {
        "color_intensity": "die Farbintensität",
        "flavanoids": "der Gehalt an Flavanoiden",
        "proline": "der Gehalt an Prolin",
        "alcohol": "der Alkoholgehalt",
        "hue": "der Farbton",
        "malic_acid": "der Gehalt an Apfelsäure",
        "od280/od315_of_diluted_wines": "das Verhältnis OD280/OD315",
    },
    "actions": {"class_0": "A", "class_1": "B", "class_2": "C"},
}
words = rules.to_text("plain", language="de", labels=german)
print(words)

# %%
# What is said is the rule set: the sentences are read back, and decide alike on every wine.
again = parse_plain(words, rules.schema, language="de", labels=german)
same = model.with_ruleset(again).predict(X_test) == model.predict(X_test)
print(f"{same.sum()} of {len(same)} decisions are the same")

# %%
# Explanations are sentences, too: the rule that decided, the values that made it hold, and what did not hold.
print(model.explain(X_test.iloc[[0]]).to_text("plain"))

# %%
# The rules that the sentences are about, on the wines that they have not seen.
display = CoverageDisplay.from_ruleset(rules, X_test, y_test, rows="unseen")
