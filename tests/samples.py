"""Two rule sets to print: one that uses the whole language, and one whose names try to act as markup."""

from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Kind, Schema

RULESET = RuleSet(
    (
        Rule((Condition(Term("petal length (cm)"), Operator.LE, 2.45),), "setosa"),
        Rule(
            (
                Condition(Term("velocity.of.cart", 0.11, power=3), Operator.LT, Term("angle.of.pole", 0.87, lag=2)),
                Condition(Term("race"), Operator.NE, "a|b"),
                Condition(Term("glucose", power=2), Operator.GE, 1e-7),
            ),
            "Left",
            certainty=0.59,
            name="safety limit",
            pinned=True,
        ),
        Rule((Condition(Term("glucose"), Operator.IS_MISSING), Condition(Term("anaemia"), Operator.EQ, True)), "Right"),
    ),
    "Right",
    Schema(
        [
            Feature("petal length (cm)", low=1, high=6.9, unit="cm", scaled=True, missing=True),
            Feature("velocity.of.cart"),
            Feature("angle.of.pole", low=-0.2, high=0.2),
            Feature("race", Kind.CATEGORICAL, categories=("Asian", "African American", "a|b"), missing=True),
            Feature("anaemia", Kind.BOOLEAN),
            Feature("glucose", low=0, unit="mg/dL"),
        ],
        actions=["setosa", "Left", "Right"],
        max_lag=2,
    ),
    default_certainty=0.13,
    mode=Mode.HARDMAX,
)

HOSTILE_NAMES = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style></div><b>",
    "&lt;b&gt; &amp;",
    "`code` ``more``",
    "`",
    "a | b \\| c \\",
    "[x](javascript:alert(1))",
    "![x](http://example.org/x.png)",
    "**bold** _it_ ~~gone~~ $x_1$",
    "https://example.org @someone #1",
    "\\input{secret} \\end{align*}",
    "100% & $x^2_i$ {~} # \\\\[9cm]",
    "unbalanced } {{",
    "line\nbreak\ttab\r\u2028\u202eesrever\x1b[31m",
    "x  y",
]


def hostile_ruleset() -> RuleSet:
    """Return a rule set that puts every hostile name in every place where a name can stand."""
    features = [Feature(name, low=0, high=1, unit=name) for name in HOSTILE_NAMES]
    choice = Feature("choice", Kind.CATEGORICAL, categories=tuple(HOSTILE_NAMES))
    rules = [
        Rule(
            (Condition(Term(name), Operator.LT, 0.5), Condition(Term("choice"), Operator.EQ, name)),
            name,
            0.5,
            name=name,
        )
        for name in HOSTILE_NAMES
    ]
    return RuleSet(tuple(rules), HOSTILE_NAMES[0], Schema([*features, choice], HOSTILE_NAMES))
