"""Prescriptors find the best policy that a predictor knows, keep guardrails, and explain themselves."""

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestRegressor
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from evoter import EvoterPrescriptor, RuleError, SchemaError, parse
from evoter.rules.interpreter import decide
from evoter.rules.model import Mode

QUICK: dict[str, Any] = {"population_size": 60, "generations": 10, "random_state": 0}
N = 400


def patients(seed: int = 0, n: int = N) -> tuple[pd.DataFrame, "pd.Series[str]", "pd.Series[str]"]:
    """Insulin cures the old, metformin young women and a diet young men; otherwise a fifth gets well by itself."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": rng.integers(20, 90, n),
            "creatinine": rng.gamma(4, 0.3, n).round(2),
            "sex": rng.choice(["female", "male"], n),
        }
    )
    drug = pd.Series(rng.choice(["metformin", "insulin", "diet"], n), name="drug")
    cured = pd.Series(np.where(rng.random(n) < 0.1 + 0.8 * (drug == best(table)), "yes", "no"), name="cured")
    return table, drug, cured


def best(table: pd.DataFrame) -> Any:
    return np.where(table.age > 60, "insulin", np.where(table.sex == "female", "metformin", "diet"))


def encoded(model: Any) -> Any:
    """A model behind columns of zeros and ones for categories."""
    texts = make_column_selector(dtype_exclude=np.number)
    return make_pipeline(make_column_transformer((OneHotEncoder(), texts), remainder="passthrough"), model)


def tree(**parameters: Any) -> Any:
    return encoded(DecisionTreeClassifier(min_samples_leaf=5, **parameters))


@pytest.fixture(scope="module")
def policy() -> EvoterPrescriptor:
    return EvoterPrescriptor(objectives={"cured": "maximise"}, **QUICK).fit(*patients())


def test_the_policy_is_the_one_that_cures(policy: EvoterPrescriptor) -> None:
    table, _, _ = patients(1)
    assert (policy.prescribe(table) == best(table)).mean() > 0.9
    assert np.array_equal(policy.predict(table), policy.prescribe(table))
    assert policy.value_["cured"] > policy.historical_value_["cured"] + 0.2
    assert policy.predicted_scores(patients()[0]).mean() == pytest.approx(policy.value_["cured"], abs=1e-6)


def test_what_a_reader_is_told_of_one_case(policy: EvoterPrescriptor) -> None:
    table, _, _ = patients(1)
    case = table[table.age > 75].iloc[:1]
    told = policy.explain(case)
    assert not isinstance(told, list)
    text = str(told)
    assert text.startswith("recommended: insulin\nrule ")
    assert {each.name for each in told.alternatives} == {"insulin", "metformin", "diet"}
    assert told.alternatives[0].name == "insulin"
    assert text.splitlines()[-4].split() == ["predicted", "cured", "↑"]
    assert policy.explain(dict(case.iloc[0])) == told == policy.explain(case.iloc[0])
    several = policy.explain(table[:3])
    assert isinstance(several, list)
    assert [each.name for each in several] == policy.prescribe(table[:3]).tolist()


def test_a_case_must_have_all_columns(policy: EvoterPrescriptor) -> None:
    with pytest.raises(ValueError, match="no value for 'creatinine'"):
        policy.explain({"age": 50, "sex": "male"})


def test_no_prescription_breaks_a_guardrail_and_the_rules_show_it() -> None:
    table, drug, cured = patients()
    rails: dict[str, Any] = {
        "forbidden": [("creatinine > 1.2", "metformin"), ("age > 80 AND sex = male", "insulin")],
        "pinned": ['"frail" : age > 85 -> diet'],
    }
    model = EvoterPrescriptor(tree(), objectives={"cured": "maximise"}, **QUICK, **rails).fit(table, drug, cured)
    cases = pd.concat([table, patients(2, 2_000)[0]])
    cases.loc[cases.index[:50], "creatinine"] = np.nan
    given = model.prescribe(cases)
    assert not ((cases.creatinine > 1.2) & (given == "metformin")).any()
    assert not ((cases.age > 80) & (cases.sex == "male") & (given == "insulin")).any()
    assert (given[cases.age > 85] == "diet").all()
    assert (given == "metformin").any()
    rules = parse(str(model.ruleset_))
    assert rules.rules[0].pinned
    assert rules.rules[0].name == "frail"
    case: dict[str, Any] = {"age": 30.0, "creatinine": 1.3, "sex": "female"}
    assert decide(rules, case).action != "metformin", "the rule set alone keeps the guardrails"
    told = model.explain(pd.DataFrame([case]))
    assert "metformin (not allowed)" in str(told)


def test_several_objectives_give_a_front_to_choose_from() -> None:
    table, drug, cured = patients()
    aims: dict[str, Any] = {"cured": {"yes": 1.0, "no": 0.0}, "complexity": "minimise"}
    model = EvoterPrescriptor(tree(), objectives=aims, action_costs={"insulin": 5.0, "metformin": 1.0}, **QUICK)
    model.fit(table, drug, cured)
    assert [each.name for each in model.front_.objectives] == ["cured", "cost", "complexity"]
    cheapest = model.with_ruleset(model.front_.select("best", objective="cost"))
    assert set(cheapest.prescribe(table)) == {"diet"}
    assert cheapest.value_["cost"] == 0.0
    assert model.front_.select("neighbours") in model.front_
    assert model.value_ != cheapest.value_, "the model itself stays as it was"
    assert model.predicted_scores(table).mean(axis=0) == pytest.approx(
        [model.value_["cured"], model.value_["cost"]], abs=1e-6
    )
    assert model.historical_value_["cost"] == pytest.approx((5.0 * (drug == "insulin") + (drug == "metformin")).mean())


def test_any_function_of_the_predictions_can_be_an_objective() -> None:
    table, drug, cured = patients()

    def harm(predictions: Mapping[str, Any]) -> Any:
        return 1.0 - predictions["cured"][:, 1]

    plain = EvoterPrescriptor(tree(random_state=0), objectives={"cured": "maximise"}, **QUICK).fit(table, drug, cured)
    turned = clone(plain).set_params(objectives={"harm": (harm, "minimise")}).fit(table, drug, cured)
    assert turned.ruleset_ == plain.ruleset_
    assert turned.value_["harm"] == pytest.approx(1.0 - plain.value_["cured"], abs=1e-6)


def test_several_actions_at_once() -> None:
    rng = np.random.default_rng(7)
    table = patients()[0]
    drugs = pd.DataFrame({name: rng.integers(0, 2, N) for name in ("metformin", "insulin", "statin")})
    health = drugs.metformin * (table.age > 50) - drugs.insulin + 0.5 * drugs.statin * (table.sex == "male")
    predictor = encoded(DecisionTreeRegressor())
    model = EvoterPrescriptor(
        predictor, several=True, forbidden=[("creatinine > 1.5", "metformin")], **{**QUICK, "generations": 40}
    ).fit(table, drugs, health)
    given = model.prescribe(table)
    assert given.shape == (N, 3)
    assert given.dtype == bool
    assert model.ruleset_.mode is Mode.ALL
    assert model.ruleset_.schema.actions == ("metformin", "insulin", "statin", "nothing")
    allowed = (table.age > 50) & (table.creatinine <= 1.5)
    assert (given[:, 0] == allowed).mean() > 0.8
    assert not given[table.creatinine > 1.5, 0].any()
    assert not given[:, 1].any()
    told = model.explain(table[:1])
    assert not isinstance(told, list)
    assert {"metformin", "insulin", "statin", "nothing"} <= {each.name for each in told.alternatives} | {told.name}
    report = model.evaluate(table, drugs, health)
    assert report.overlap is not None
    assert report.overlap.agreed.mean() == pytest.approx((given == drugs).all(axis=1).mean())


def test_amounts() -> None:
    rng = np.random.default_rng(7)
    table = patients()[0]
    doses = pd.DataFrame({"insulin": rng.random(N) * 40, "diet": rng.random(N)})
    health = -(((doses.insulin - np.where(table.age > 60, 30, 10)) / 10) ** 2)
    predictor = RandomForestRegressor(10, random_state=0)
    numbers = table[["age", "creatinine"]]
    for mode in (None, "first"):
        model = EvoterPrescriptor(
            predictor, actions={"insulin": (0, 40), "diet": (0, 1)}, mode=mode, **{**QUICK, "generations": 25}
        ).fit(numbers, doses, health)
        given = model.prescribe(numbers)
        assert abs(given[table.age > 65, 0].mean() - 30) < 5
        assert abs(given[table.age < 55, 0].mean() - 10) < 5
        assert model.ruleset_.mode is Mode(mode or "hardmax")
        assert model.explain(numbers[:1]).name.startswith("insulin ")  # type: ignore[union-attr]
        assert model.evaluate(numbers, doses, health).overlap is None


def test_interventions_change_the_case_itself() -> None:
    table = patients()[0]
    died = ((table.creatinine > 1.2) | (table.age > 70)).astype(int)
    actions: dict[str, Any] = {
        "dialysis": {"creatinine": 0.8},
        "rest": {"age": lambda age: np.minimum(age, 40)},
    }
    model = EvoterPrescriptor(
        DecisionTreeClassifier(random_state=0),
        objectives={"died": "minimise"},
        actions=actions,
        context=["age"],
        **QUICK,
    ).fit(table[["age", "creatinine"]], outcomes=died)
    assert model.ruleset_.schema.names == ("age",)
    assert model.value_["died"] < died.mean()
    assert set(model.prescribe(table[["age", "creatinine"]])) == {"dialysis", "rest"}
    with pytest.raises(ValueError, match="rules have none to read"):
        clone(model).set_params(context=None).fit(table[["age", "creatinine"]], outcomes=died)
    with pytest.raises(ValueError, match="no column 'creatinin'; did you mean 'creatinine'"):
        clone(model).set_params(actions={"a": {"creatinin": 1}, "b": {"age": 1}}).fit(table, outcomes=died)


def test_one_column_of_several_can_be_prescribed_where_history_combined_them() -> None:
    rng = np.random.default_rng(7)
    table = patients()[0]
    drugs = pd.DataFrame({name: rng.integers(0, 2, N) for name in ("metformin", "insulin", "statin")})
    health = drugs.metformin * (table.age > 50) + drugs.insulin * (table.age <= 50)
    predictor = encoded(DecisionTreeRegressor())
    model = EvoterPrescriptor(predictor, actions=["metformin", "insulin"], **QUICK).fit(table, drugs, health)
    assert (model.prescribe(table) == np.where(table.age > 50, "metformin", "insulin")).mean() > 0.9
    report = model.evaluate(table, drugs, health)
    alone = (drugs.sum(axis=1) == 1) & (drugs.to_numpy()[np.arange(N), (table.age <= 50).astype(int)] == 1)
    assert report.overlap is not None
    assert report.overlap.agreed.mean() == pytest.approx(alone.mean(), abs=0.03)


def test_arrays_and_frames_of_any_kind_will_do() -> None:
    table, drug, cured = patients()
    numbers = table[["age", "creatinine"]].to_numpy(float)
    predictor = DecisionTreeClassifier(max_depth=6, random_state=0)
    from_array = EvoterPrescriptor(predictor, **QUICK).fit(numbers, drug.to_numpy(), cured.to_numpy())
    assert from_array.prescribe(numbers[:5]).shape == (5,)
    assert str(from_array.explain(numbers[0])).startswith("recommended: ")
    with pytest.raises(ValueError, match="columns have no names"):
        from_array.explain({"age": 50})
    frame = pl.from_pandas(table)
    model = EvoterPrescriptor(objectives={"cured": "maximise"}, **QUICK)
    of_polars = clone(model).fit(frame, drug.to_numpy(), cured.to_numpy())
    of_pandas = clone(model).fit(table, drug.to_numpy(), cured.to_numpy())
    assert of_polars.ruleset_ == of_pandas.ruleset_


def test_fitted_predictors_are_taken_as_they_are() -> None:
    table, drug, cured = patients()
    fitted = tree().fit(table.assign(drug=drug), cured)
    model = EvoterPrescriptor(fitted, objectives={"cured": "maximise"}, **QUICK).fit(table, drug, cured)
    assert model.outcome_model_.members[0]["cured"] is fitted
    with pytest.warns(DeprecationWarning, match="outlook_ is now called outcome_model_"):
        assert model.outlook_ is model.outcome_model_
    unnamed = table.assign(action=drug)
    model = EvoterPrescriptor(tree().fit(unnamed, cured), actions=["diet", "insulin"], **QUICK).fit(table)
    assert set(model.prescribe(table)) == {"diet", "insulin"}
    assert np.isnan(model.historical_value_["outcome"])


def test_caution_prefers_what_predictors_agree_on() -> None:
    table, drug, cured = patients()
    bold = EvoterPrescriptor(tree(), objectives={"cured": "maximise"}, n_predictors=4, **QUICK).fit(table, drug, cured)
    careful = clone(bold).set_params(caution=1.0).fit(table, drug, cured)
    assert careful.value_["cured"] < bold.value_["cured"], "a cautious value is a lower one"
    less = clone(bold).set_params(caution=1.0, objectives={"cured": "minimise"}).fit(table, drug, cured)
    assert less.value_["cured"] > clone(less).set_params(caution=0.0).fit(table, drug, cured).value_["cured"]


def test_the_same_seed_gives_the_same_policy_and_models_can_be_kept() -> None:
    table, drug, cured = patients()
    model = EvoterPrescriptor(tree(), objectives={"cured": "maximise"}, **QUICK)
    first, second = clone(model).fit(table, drug, cured), clone(model).set_params(n_jobs=2).fit(table, drug, cured)
    assert first.ruleset_ == second.ruleset_
    assert np.array_equal(pickle.loads(pickle.dumps(first)).prescribe(table), first.prescribe(table))  # noqa: S301
    assert str(first.ruleset_.to_text("aligned", declarations=False)) in repr(first)
    assert first.times_decided_.sum() == N
    assert np.array_equal(
        np.bincount(first.deciding_rules(table), minlength=len(first.times_decided_)), first.times_decided_
    )


def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    table, drug, cured = patients()
    path = tmp_path / "run.npz"
    model = EvoterPrescriptor(
        tree(), objectives={"cured": "maximise"}, **{**QUICK, "random_state": None, "patience": None}
    )
    clone(model).set_params(generations=3, checkpoint=path).fit(table, drug, cured)
    resumed = clone(model).set_params(generations=9, checkpoint=path).fit(table, drug, cured)
    again = clone(model).set_params(generations=9, checkpoint=path).fit(table, drug, cured)
    assert resumed.history_.n_generations == 10
    assert again.ruleset_ == resumed.ruleset_


def test_a_watcher_can_end_a_run_and_what_is_found_is_kept() -> None:
    table, drug, cured = patients()
    model = EvoterPrescriptor(tree(), watchers=[lambda evolution, progress: evolution.generation == 2], **QUICK)
    assert model.fit(table, drug, cured).stop_reason_ == "stopped"


def test_ctrl_c_keeps_the_best_rules_so_far() -> None:
    def interrupt(evolution: Any, progress: float) -> None:
        if evolution.generation == 3:
            raise KeyboardInterrupt

    table, drug, cured = patients()
    model = EvoterPrescriptor(tree(), watchers=[interrupt], **QUICK)
    with pytest.warns(UserWarning, match="keeping the best rules of 4 generations"):
        model.fit(table, drug, cured)
    assert model.stop_reason_ == "interrupted"
    assert len(model.prescribe(table)) == N


def test_what_makes_no_sense_is_refused() -> None:
    table, drug, cured = patients()
    model = EvoterPrescriptor(tree(), **QUICK)
    cases: list[tuple[dict[str, Any], tuple[Any, ...], str]] = [
        ({}, (table,), "pass the actions taken in history"),
        ({"actions": ["diet", "insulin"]}, (table, None, cured), "outcomes without actions"),
        ({"actions": ["diet", "leeches"]}, (table, drug, cured), "'leeches' was never taken"),
        ({"actions": ["diet"]}, (table, drug, cured), "two actions to choose from"),
        ({}, (table, drug.where(drug != "diet"), cured), "of actions is missing"),
        ({"several": True}, (table, drug, cured), "need a table of them"),
        ({"actions": {"dose": (3, 1)}}, (table, drug, cured), "low < high"),
        ({"objectives": {"curd": "maximise"}}, (table, drug, cured), "no outcome; did you mean 'cured'"),
        ({"objectives": {"cured": {"yes": 1}}}, (table, drug, cured), "a score to each of the classes"),
        ({"objectives": {"cured": "up"}}, (table, drug, cured), "must be 'maximise', 'minimise'"),
        ({"objectives": {"complexity": "maximise"}}, (table, drug, cured), "can only be 'minimise'"),
        (
            {"action_costs": {"insuline": 1}},
            (table, drug, cured),
            "no action 'insuline' to cost anything; did you mean",
        ),
        ({"caution": 1.0, "n_predictors": 1}, (table, drug, cured), "predictors that can disagree"),
        ({"forbidden": ["age > 3"]}, (table, drug, cured), "forbidden takes texts such as"),
        ({"context": ["agee"]}, (table, drug, cured), "no column 'agee'; did you mean 'age'"),
        ({"caution": -1.0}, (table, drug, cured), "caution"),
    ]
    for parameters, arguments, message in cases:
        with pytest.raises(ValueError, match=message):
            clone(model).set_params(**parameters).fit(*arguments)
    with pytest.raises(RuleError, match="unknown feature"):
        clone(model).set_params(pinned=["agee > 3 -> diet"]).fit(table, drug, cured)
    with pytest.raises(NotFittedError):
        model.prescribe(table)
    with pytest.raises(ValueError, match="no candidates to switch between"):
        clone(model).fit(table, drug, cured).with_ruleset(0)


def test_linear_models_will_do_as_well() -> None:
    table, drug, cured = patients()
    numbers = table[["age", "creatinine"]].to_numpy(float)
    labels = EvoterPrescriptor(LogisticRegression(max_iter=1_000), **QUICK).fit(numbers, drug.to_numpy(), cured)
    values = EvoterPrescriptor(LinearRegression(), **QUICK).fit(
        numbers, drug.to_numpy(), (cured == "yes").astype(float)
    )
    assert labels.ruleset_.default == values.ruleset_.default


def test_columns_have_the_units_that_are_given() -> None:
    goal: dict[str, Any] = {"objectives": {"cured": "maximise"}}
    quick = QUICK | {"generations": 2, "population_size": 20}
    model = EvoterPrescriptor(**goal, **quick, units={"age": "years"}).fit(*patients(n=120))
    assert [feature.unit for feature in model.schema_.features] == ["years", "", ""]
    with pytest.raises(SchemaError, match="units: the table has no column 'agee'; did you mean 'age'"):
        EvoterPrescriptor(**goal, **quick, units={"agee": "years"}).fit(*patients(n=120))
