"""EvoterPrescriptor: readable rules that recommend actions, evolved against a model of what actions bring about."""

import os
import time
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from numbers import Integral, Real
from operator import index
from typing import Any, ClassVar, Self, SupportsIndex

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from evoter.estimators.finalists import candidates_of, mark_chosen, unmark_chosen
from evoter.estimators.forms import TABLE_FORMS, Forms
from evoter.estimators.guardrails import Forbiddens, check_kept, guardrails_of, with_frequent_fallback
from evoter.estimators.inputs import encode_used, is_frame, read_table, rows_used
from evoter.estimators.objectives import (
    Select,
    make_secondary,
    read_constraints,
    select_candidate,
    select_finalist,
)
from evoter.estimators.prescription.edited_rules import match_policy
from evoter.estimators.prescription.goals import Aim, read_outcomes
from evoter.estimators.prescription.outcome_model import affordable_trees, fit_outcome_model
from evoter.estimators.prescription.policy_value import PolicyReport, value_policy
from evoter.estimators.prescription.recommendation import Alternative, Recommendation
from evoter.estimators.prescription.specification import (
    Actions,
    read_aims,
    read_costs,
    read_treatments,
)
from evoter.estimators.prescription.treatments import (
    ColumnTreatments,
    Interventions,
    LabelTreatments,
    as_table,
    choose_columns,
    column_names,
    name_levels,
    other_levels,
    single_levels,
    take_rows,
)
from evoter.estimators.run_parameters import GUARDRAIL_PARAMETERS, RUN_PARAMETERS, share_parameters
from evoter.estimators.search import (
    RandomState,
    count_threads,
    draw_seed,
    fair_parsimony,
    parsimony_is_free,
    refuse_unused,
    search,
    settings_of,
    warn_if_interrupted,
)
from evoter.evolution.engine import Watcher
from evoter.evolution.fronts.front import Candidate, Front
from evoter.evolution.problem import Objective
from evoter.evolution.stopping import GENERATIONS, PATIENCE
from evoter.execution.starting import Startable
from evoter.kernels.layout import Floats, Ints
from evoter.problems.deciding import TableDecisions, decide_columns, deciding_rules
from evoter.problems.guarding import allowed_actions
from evoter.problems.prescription.levels import levels_of
from evoter.problems.prescription.on_demand import OnDemandPrescription
from evoter.problems.prescription.problem import PrescriptionProblem
from evoter.renamed import renamed_to
from evoter.rules.answers.rule_counts import count_rules
from evoter.rules.explain import explain
from evoter.rules.files.sources import Rules, read_ruleset
from evoter.rules.guardrails.reading import Monotones, Pinned
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import Task, modes_for
from evoter.tables import encode, infer_schema

COST = "cost"
"""The objective that adds up what actions cost."""


@share_parameters(GUARDRAIL_PARAMETERS, RUN_PARAMETERS)
class EvoterPrescriptor(BaseEstimator):  # type: ignore[misc]
    """A policy that is a short list of IF-THEN rules: for each case, what to do.

    From a history of cases, actions and outcomes a predictor is learnt; rules are then evolved that do best by what it
    predicts. The rules read the case only.

    Parameters
    ----------
    predictor : estimator, mapping or None, default=None
        What predicts outcomes from the case and the action: any scikit-learn style classifier, regressor or pipeline; a
        mapping gives one for each outcome by name. Unfitted ones are copied and fitted, fitted ones taken as they are.
        It reads the columns of `X` with those of the actions behind them: one column of labels, which in arrays is a
        column of 0 and 1 for each label, or the columns of the table of actions. None is a
        forest of 200 trees, or of fewer where `max_seconds` is short for them.
    objectives : mapping or None, default=None
        What is wanted of each outcome, by its name: "maximise", "minimise", or a score for each of its classes, whose
        expected value is maximised. Under any other name, a function from a mapping of predictions (numbers, or
        probabilities of classes) to scores, or a pair of it and "maximise" or "minimise". "complexity", "rules" and
        "features" can be minimised beside them. Several objectives give a front. None maximises all outcomes.
    actions : sequence, mapping or None, default=None
        What may be prescribed. None: whatever was done in history. A sequence: only these labels or columns. A mapping
        from names to (low, high): amounts of one of them, in columns of these names. A mapping from names to mappings
        from columns of `X` to a value, or a function of the column: interventions that change the case itself.
    several : bool, default=False
        Whether several actions, in columns of 0 and 1, can be taken at once; the rules decide by mode all.
    mode : {"first", "hardmax"} or None, default=None
        How rules become one decision; None is first, but hardmax for amounts, where the deciding rule's certainty is
        the part of the range, and for the preset "paper".
    context : sequence or None, default=None
        The columns of `X` that rules may read; None is all but those that interventions change.
    action_costs : mapping or None, default=None
        What actions cost, by name; adds the objective "cost", the mean cost, to be minimised.
    caution : float, default=0.0
        How many standard deviations, by which predictors disagree, a score is taken to be worse than their mean, so
        that no policy exploits what the predictor does not know.
    n_predictors : int or None, default=None
        Number of predictors that are fitted, each on a sample of the rows, and whose mean is the prediction; None is 5
        if there is caution, else one on all rows. Of a fitted forest the trees are taken, so that no number is needed.
    fallback : str or None, default=None
        The default of policies whose own default is forbidden somewhere; None is the best on average of the others.
    constraints : mapping or None, default=None
        Upper limits of "complexity", "rules", "features" and "rare_rules", such as {"complexity": 8}. Policies that
        keep all constraints beat those that do not, whatever their scores.

    Attributes
    ----------
    ruleset_ : RuleSet
        The policy, guardrails included, over the features it reads.
    front_ : Front
        With several objectives only: the candidates with their predicted scores; the policy is marked as chosen.
    finalists_ : Front
        With one objective and `select` only: the rule sets that it chose from; the policy is marked as chosen.
    evolved_ruleset_ : RuleSet
        The rules as evolution left them.
    outcome_model_ : OutcomeModel
        The fitted predictors and the goals.
    value_ : dict
        The predicted score of the policy on the training cases, by objective.
    historical_value_ : dict
        The score of what was done in the training data, by objective; NaN where no outcomes were given.
    schema_, history_, stop_reason_, n_features_in_, feature_names_in_
        As for `EvoterClassifier`.
    times_applied_, times_decided_ : ndarray of shape (n_rules + 1,)
        Training rows on which each rule held, and which it decided; the default last.

    Examples
    --------
    >>> import numpy as np
    >>> from evoter import EvoterPrescriptor
    >>> rng = np.random.default_rng(0)
    >>> X, action = rng.random((500, 2)), rng.choice(["diet", "drug"], 500)
    >>> health = np.where((action == "drug") == (X[:, 0] > 0.5), 1.0, 0.0)
    >>> policy = EvoterPrescriptor(objectives={"health": "maximise"}, random_state=0).fit(X, action, health)
    >>> policy.prescribe([[0.9, 0.5], [0.1, 0.5]]).tolist()
    ['drug', 'diet']
    """

    _default_forms: ClassVar[tuple[str, ...]] = TABLE_FORMS
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "predictor": [HasMethods(["fit", "predict"]), HasMethods(["fit", "predict_proba"]), Mapping, None],
        "objectives": [Mapping, None],
        "actions": ["array-like", Mapping, None],
        "several": ["boolean"],
        "mode": [StrOptions({mode.value for mode in modes_for(Task.PRESCRIPTION, Task.AMOUNTS)}), None],
        "context": ["array-like", None],
        "action_costs": [Mapping, None],
        "caution": [Interval(Real, 0, None, closed="left")],
        "n_predictors": [Interval(Integral, 1, None, closed="left"), None],
        "fallback": [str, None],
        "constraints": [Mapping, None],
    }

    def __init__(
        self,
        predictor: Any = None,
        *,
        objectives: Mapping[str, Aim] | None = None,
        actions: Actions = None,
        several: bool = False,
        mode: str | None = None,
        context: Sequence[str | int] | None = None,
        action_costs: Mapping[str, float] | None = None,
        caution: float = 0.0,
        n_predictors: int | None = None,
        pinned: Pinned = (),
        forbidden_features: Sequence[str | int] = (),
        forbidden: Forbiddens = (),
        monotone: Monotones | None = None,
        monotone_order: Sequence[Any] | None = None,
        fallback: str | None = None,
        select: Select = None,
        constraints: Mapping[str, float] | None = None,
        preset: str = "default",
        generations: int = GENERATIONS,
        patience: int | None = PATIENCE,
        max_seconds: float | None = None,
        target_score: float | None = None,
        population_size: int | None = None,
        n_islands: int | None = None,
        max_rules: int | None = None,
        max_conditions: int | None = None,
        parsimony: float | None = None,
        forms: Forms = None,
        settings: Mapping[str, object] | None = None,
        categorical: str | Sequence[str | int] = "auto",
        units: Mapping[str, str] | None = None,
        initial_rulesets: Sequence[RuleSet] = (),
        checkpoint: str | os.PathLike[str] | None = None,
        watchers: Sequence[Watcher] = (),
        n_jobs: int | None = None,
        executor: str | Startable = "threads",
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        self.predictor = predictor
        self.objectives = objectives
        self.actions = actions
        self.several = several
        self.mode = mode
        self.context = context
        self.action_costs = action_costs
        self.caution = caution
        self.n_predictors = n_predictors
        self.pinned = pinned
        self.forbidden_features = forbidden_features
        self.forbidden = forbidden
        self.monotone = monotone
        self.monotone_order = monotone_order
        self.fallback = fallback
        self.select = select
        self.constraints = constraints
        self.preset = preset
        self.generations = generations
        self.patience = patience
        self.max_seconds = max_seconds
        self.target_score = target_score
        self.population_size = population_size
        self.n_islands = n_islands
        self.max_rules = max_rules
        self.max_conditions = max_conditions
        self.parsimony = parsimony
        self.forms = forms
        self.settings = settings
        self.categorical = categorical
        self.units = units
        self.initial_rulesets = initial_rulesets
        self.checkpoint = checkpoint
        self.watchers = watchers
        self.n_jobs = n_jobs
        self.executor = executor
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, actions: Any = None, outcomes: Any = None) -> Self:
        """Learn what actions bring about from cases `X`, what was done and what came of it, and evolve a policy.

        `actions` are labels, or a table with a column for each action; `outcomes` one column, or a table or mapping
        with one for each outcome. With a fitted predictor neither is needed, but then nothing is known of history.
        Ctrl-C ends the search and keeps the best rules so far.
        """
        begun = time.perf_counter()
        table, others, seed = self._learn(X, actions, outcomes)
        problem = self._problem(table, others)
        self._columns = problem.columns
        settings = settings_of(self)
        if parsimony_is_free(self):
            settings = settings.replace(parsimony=fair_parsimony(problem))
        result = search(self, problem, settings, seed=seed, begun=begun)
        warn_if_interrupted(result, "rules")
        self.history_ = result.history
        self.stop_reason_ = result.reason
        self.evolved_ruleset_ = result.best
        for name in ("front_", "finalists_"):  # of an earlier fit
            if hasattr(self, name):
                delattr(self, name)
        if result.front is not None:
            self.front_ = self._with_behaviour(result.front)
            self._choose(select_candidate(self.front_, self.select, settings.parsimony))
        elif result.finalists:
            finalists = candidates_of(
                result.finalists,
                problem,
                lambda each: problem.final_form(each.ruleset, each.times_decided),
                count_threads(self.n_jobs),
            )
            self.finalists_ = self._with_behaviour(finalists)
            self._choose(select_finalist(self.finalists_, self.select, settings.parsimony))
        else:
            self._become(
                problem.final_form(result.best, result.times_decided), {problem.objectives[0].name: result.score}
            )
        return self

    def _learn(self, X: Any, actions: Any, outcomes: Any) -> tuple[Any, Sequence[str], int]:
        """Learn what actions bring about; return the table, the secondary objectives and the seed of the run."""
        self._validate_params()
        self._check_parameters()
        table = read_table(self, X, reset=True)
        treatments = read_treatments(self.actions, actions, table, several=self.several)
        self._treatments = treatments
        aims, others = read_aims(self.objectives)
        named = None if outcomes is None else read_outcomes(outcomes, list(aims))
        aims = aims or dict.fromkeys(named or ("outcome",), "maximise")
        if named is not None and actions is None and not isinstance(treatments, Interventions):
            raise ValueError("outcomes without actions say nothing about what to do: pass the actions taken as well")
        logged = None if actions is None else treatments.read(actions)
        check_consistent_length(table, logged, *(named or {}).values())
        seed = draw_seed(self)
        factual = table if named is None else treatments.factual(table, logged)
        self.outcome_model_ = fit_outcome_model(
            self.predictor,
            factual,
            named,
            aims,
            caution=self.caution,
            n_members=self.n_predictors,
            seed=seed,
            n_trees=affordable_trees(self.max_seconds, len(table), len(treatments.names)),
        )
        self._costs = read_costs(self.action_costs, treatments.names)
        self._example = take_rows(table, np.array([0]))
        self.historical_value_ = self._historical_value(logged, named)
        return table, others, seed

    def _with_behaviour(self, front: Front) -> Front:
        """Return candidates that know what they prescribe on the training rows."""
        return replace(front, candidates=tuple(replace(c, behaviour=self._behaviour(c.ruleset)) for c in front))

    outlook_ = renamed_to("outcome_model_")

    def _check_parameters(self) -> None:
        """Refuse parameters that have no effect beside the others."""
        refuse_unused(self, "mode", used=not self.several, needs="one action at a time, but several is True")
        refuse_unused(self, "fallback", used=len(self.forbidden) > 0, needs="actions that are forbidden somewhere")
        named = isinstance(self.actions, Mapping)
        refuse_unused(
            self, "several", used=not named, needs="actions in columns of 0 and 1, not interventions or amounts"
        )
        if "feature_cost" in {*(self.objectives or ()), *(self.constraints or ())}:
            raise ValueError("'feature_cost' needs prices of features, which only classifiers take: leave it out")

    @property
    def _amounts(self) -> bool:
        return isinstance(self._treatments, ColumnTreatments) and self._treatments.amounts

    @property
    def goals_(self) -> tuple[Objective, ...]:
        """What outcomes are scored by, and the cost of actions if there is one."""
        cost = (Objective(COST, maximise=False),) if self._costs is not None else ()
        return (*(goal.objective for goal in self.outcome_model_.goals), *cost)

    def _problem(self, table: Any, others: Sequence[str]) -> PrescriptionProblem | OnDemandPrescription:
        names = self._treatments.names
        context = self._context(table)
        compares = settings_of(self).comparison_rate > 0.0
        schema = infer_schema(context, actions=names, categorical=self.categorical, units=self.units, scaled=compares)
        columns = encode(context, schema)
        mode = Mode.ALL if self.several else Mode(self.mode or ("hardmax" if self._hardmax else "first"))
        self.schema_ = schema
        limits = read_constraints(self.constraints)
        scored = make_secondary([*others, *limits], schema, columns, mode, None)
        scoring: dict[str, Any] = {
            "mode": mode,
            "secondary": [scored[name] for name in others],
            "limits": [(scored[name], most) for name, most in limits.items()],
        }
        labels = self._treatments.labels.tolist() if isinstance(self._treatments, LabelTreatments) else ()
        self.guardrails_ = guardrails_of(self, schema, mode, labels=labels, fallback=self.fallback)
        if self.monotone and self._amounts:
            raise ValueError("monotone is about which action is taken, and not about amounts of it: leave it out")
        if self._amounts or self.several:
            if self.several and self.fallback is None:
                self.guardrails_ = replace(self.guardrails_, fallback=names[-1])

            def ask(rows: Ints, levels: Floats) -> Floats:
                return self._scores(take_rows(table, rows), levels)

            return OnDemandPrescription(schema, columns, ask, self.goals_, guardrails=self.guardrails_, **scoring)
        outcomes = self._single_actions(table)
        if self.fallback is None:
            sign = 1.0 if self.goals_[0].maximise else -1.0
            self.guardrails_ = with_frequent_fallback(self.guardrails_, sign * outcomes[:, :, 0].mean(axis=0))
        return PrescriptionProblem(schema, columns, outcomes, self.goals_, guardrails=self.guardrails_, **scoring)

    @property
    def _hardmax(self) -> bool:
        return self._amounts or self.preset == "paper"

    def _context(self, table: Any) -> Any:
        """Return the part of a table that rules may read."""
        if self.context is not None:
            return choose_columns(table, list(self.context))
        if not isinstance(self._treatments, Interventions):
            return table
        changed = {str(column) for column in self._treatments.columns}
        kept = [name for name in column_names(table) if name not in changed]
        if not kept:
            raise ValueError("interventions change every column, so that rules have none to read: say so in context")
        return choose_columns(table, kept if is_frame(table) else [int(name) for name in kept])

    def _scores(self, table: Any, levels: Floats) -> Floats:
        """Return the predicted scores [row, goal] of what is prescribed."""
        scores = self.outcome_model_.scores(self._treatments.applied(table, levels))
        return scores if self._costs is None else np.column_stack([scores, levels @ self._costs])

    def _historical_value(self, logged: Any, outcomes: Mapping[str, NDArray[Any]] | None) -> dict[str, float]:
        names = [objective.name for objective in self.goals_]
        if outcomes is None:
            return dict.fromkeys(names, float("nan"))
        values = [*self.outcome_model_.actual_scores(outcomes).mean(axis=0).tolist()]
        if self._costs is not None:
            levels = self._treatments.logged_levels(logged)
            # Where history did what no policy can do, its cost is not known.
            values.append(float("nan") if levels is None else float((levels @ self._costs).mean()))
        return dict(zip(names, values, strict=True))

    def with_ruleset(self, candidate: Candidate | SupportsIndex | Rules, X: Any = None) -> Self:
        """Return a copy of the policy with other rules: a candidate of its front, another finalist, or edited rules.

        A candidate is given by itself or by its number. Edited rules are a rule set, text or the path of a file;
        features and actions are found by name, and rules that break a guardrail are refused. `value_` is their
        predicted score on the cases `X`, and NaN without them.
        """
        check_is_fitted(self)
        other = copy(self)
        if isinstance(candidate, RuleSet | str | os.PathLike):
            ruleset = match_policy(read_ruleset(candidate), self.schema_, self.guardrails_)
            other._become(ruleset, dict.fromkeys([goal.name for goal in self.goals_], float("nan")))
            if X is not None:
                scores = other.predicted_scores(X).mean(axis=0).tolist()
                other.value_ = dict(zip(other.value_, scores, strict=True))
            unmark_chosen(other)
            return other
        if X is not None:
            raise ValueError("X is for edited rules: the value of a candidate is known")
        other._choose(candidate if isinstance(candidate, Candidate) else index(candidate))
        return other

    @classmethod
    def from_ruleset(cls, ruleset: Rules, X: Any, actions: Any = None, outcomes: Any = None, **parameters: Any) -> Self:
        """Return a policy that is a given rule set: what actions bring about is learnt, and nothing evolves.

        `X`, `actions` and `outcomes` are those of `fit`, and `parameters` those of the class; those of the search take
        effect if `fit` is called, which evolves other rules.
        """
        policy = cls(**parameters)
        table, others, _ = policy._learn(X, actions, outcomes)
        policy._columns = policy._problem(table, others).columns
        policy.__dict__.update(policy.with_ruleset(ruleset, X).__dict__)
        return policy

    def _choose(self, candidate: Candidate | int) -> None:
        number = mark_chosen(self, candidate, needs='several objectives, or with select="neighbours",')
        if hasattr(self, "front_"):
            chosen, names = self.front_[number], [each.name for each in self.front_.objectives]
        else:
            chosen, names = self.finalists_[number], [self.finalists_.objectives[0].name]
        self._become(chosen.ruleset.replace(schema=self.schema_), {name: chosen.scores[name] for name in names})

    def _behaviour(self, ruleset: RuleSet) -> Ints:
        """Return a number for what is prescribed on each training row; different ones are different prescriptions."""
        levels = levels_of(ruleset, decide_columns(ruleset, self._columns), amounts=self._amounts)
        if self.several:
            return (levels > 0.0) @ (1 << np.arange(levels.shape[1]))
        behaviour: Ints = 101 * levels.argmax(axis=1) + np.rint(100.0 * levels.max(axis=1)).astype(np.int64)
        return behaviour

    def _become(self, ruleset: RuleSet, value: dict[str, float]) -> None:
        check_kept(self.guardrails_, ruleset)
        decisions = decide_columns(ruleset, self._columns)
        active = decisions.active
        self.times_applied_ = np.append(active.sum(axis=0), (~active.any(axis=1)).sum())
        self.times_decided_ = deciding_rules(ruleset, active, decisions.deciders).sum(axis=0)
        counts = count_rules("training rows", len(active), self.times_applied_, self.times_decided_)
        self.ruleset_ = ruleset.restricted().replace(counts=counts)
        self.value_ = value

    def prescribe(self, X: Any) -> NDArray[Any]:
        """Return what to do in each case: labels, or an array with a column for each action.

        Several actions at once are truth values; amounts are in the units of their ranges.
        """
        check_is_fitted(self)
        return self._treatments.shown(self._levels(read_table(self, X, reset=False)))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return what to do in each case, as `prescribe` does."""
        return self.prescribe(X)

    def predicted_scores(self, X: Any) -> Floats:
        """Return the predicted scores [row, goal] of what is prescribed in each case."""
        check_is_fitted(self)
        table = read_table(self, X, reset=False)
        return self._scores(table, self._levels(table))

    def predicted_outcomes(self, X: Any) -> Floats:
        """Return the predicted scores [row, action, goal] of each action alone, taken to the full, in each case."""
        check_is_fitted(self)
        return self._single_actions(read_table(self, X, reset=False))

    def _single_actions(self, table: Any) -> Floats:
        singles = single_levels(len(self._treatments.names), several=self.several)
        return np.stack([self._scores(table, np.tile(levels, (len(table), 1))) for levels in singles], axis=1)

    def deciding_rules(self, X: Any) -> Ints:
        """Return the index of the rule, from 0, that decides each case; for the default it is the number of rules."""
        check_is_fitted(self)
        return self._decide(read_table(self, X, reset=False)).deciders

    def _decide(self, table: Any) -> TableDecisions:
        context = self._context(table)
        return decide_columns(self.ruleset_, encode_used(context, self.schema_, self.ruleset_.schema))

    def _levels(self, table: Any) -> Floats:
        return levels_of(self.ruleset_, self._decide(table), amounts=self._amounts)

    def explain(self, X: Any) -> Recommendation | list[Recommendation]:
        """Explain for one case, or for each of several, what to do, which rule decides, and what alternatives bring.

        A one-dimensional row or a table of one row gives one recommendation, a longer table a list. A mapping, or a row
        of a data frame, is read as a table of one row, and must have all columns.
        """
        check_is_fitted(self)
        table = read_table(self, as_table(X, self._example), reset=False)
        context = self._context(table)
        levels, rows = self._levels(table), rows_used(context, self.schema_, self.ruleset_.schema)
        columns = encode(context, self.schema_)
        allowed = allowed_actions(self.guardrails_, partial(decide_columns, columns=columns)).T
        found = []
        for row, mine in enumerate(levels):
            alternatives = self._alternatives(take_rows(table, np.array([row])), mine, allowed[row])
            because = explain(self.ruleset_, rows[row])
            found.append(Recommendation(self._name(mine), because, self.goals_, alternatives))
        return found[0] if len(found) == 1 else found

    def _alternatives(self, case: Any, levels: Floats, allowed: NDArray[np.bool_]) -> tuple[Alternative, ...]:
        options = [levels, *other_levels(levels, several=self.several, amounts=self._amounts)]
        scores = self._scores(take_rows(case, np.zeros(len(options), np.int64)), np.array(options))
        found = [
            Alternative(self._name(each), tuple(score.tolist()), bool(allowed[each > 0.0].all()))
            for each, score in zip(options, scores, strict=True)
        ]
        sign = -1.0 if self.goals_[0].maximise else 1.0
        return (found[0], *sorted(found[1:], key=lambda each: sign * each.scores[0]))

    def _name(self, levels: Floats) -> str:
        return name_levels(levels, self._treatments, several=self.several, amounts=self._amounts)

    def evaluate(self, X: Any, actions: Any = None, outcomes: Any = None, *, groups: Any = None) -> PolicyReport:
        """Value the policy on cases that it was not evolved on, beside what was done there.

        A second predictor of the same kind is fitted on these cases alone, always on other rows, or with `groups` on
        other groups, than those it predicts. Where the logged policy can be modelled, off-policy estimates stand beside
        its figures, and how far the policy leaves what was done.
        """
        check_is_fitted(self)
        table = read_table(self, X, reset=False)
        if outcomes is None:
            raise ValueError("evaluate needs what came of the actions: pass outcomes")
        named = read_outcomes(outcomes, [objective.name for objective in self.goals_])
        logged = self._treatments.read(actions)
        check_consistent_length(table, *named.values())
        return value_policy(
            self.outcome_model_,
            self._treatments,
            table,
            encode(self._context(table), self.schema_),
            logged,
            named,
            self._levels(table),
            self._costs,
            groups=None if groups is None else np.asarray(groups),
        )

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        parameters = super().__repr__(N_CHAR_MAX)
        if not hasattr(self, "ruleset_"):
            return str(parameters)
        return f"{parameters}\n{self.ruleset_.to_text('aligned', declarations=False)}"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags
