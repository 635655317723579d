"""Models that the command line is to imitate: loaded from a file or imported, which runs code, so only if trusted."""

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from evoter.cli.fit.column_roles import AUTO, CLASSES, NUMBERS
from evoter.cli.output import Failure
from evoter.rules.values import category_name, plain_value

if TYPE_CHECKING:
    import polars as pl

    from evoter.distillation.black_boxes import BlackBox

SAFE_WAY = (
    "if you trust where it comes from, add --trust-model; else let its owner add a column with its answers, and use "
    "--predictions or --probabilities, which run nothing"
)


def load_model(name: str, *, trusted: bool) -> Any:
    """Return the object in a joblib or pickle file, or the function or model `module:name`."""
    module, colon, attribute = name.rpartition(":")
    is_file = Path(name).expanduser().is_file()
    if not is_file and not (colon and module and attribute.isidentifier()):
        raise Failure(f"there is no file {name!r}", "name a joblib or pickle file, or a function as module:function")
    if not trusted:
        what = "loading a pickle" if is_file else "importing a module"
        raise Failure(f"{what} runs code that it brings along, so {name} was not touched", SAFE_WAY)
    return _unpickle(Path(name).expanduser()) if is_file else _imported(module, attribute)


def _unpickle(path: Path) -> Any:
    import joblib

    try:
        return joblib.load(path)
    except Exception as error:  # a pickle may raise anything
        raise Failure(
            f"{path.name} cannot be loaded: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}",
            "it must be a joblib or pickle file, written with the packages that are installed here",
        ) from None


def _imported(module: str, attribute: str) -> Any:
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise Failure(f"{module}:{attribute} cannot be imported: {error}", "is the module in this folder?") from None
    finally:
        sys.path.remove(here)
    return found


def black_box_of(model: Any, name: str, columns: list[str], task: str = AUTO) -> "BlackBox":
    """Return a loaded model as a black box that is asked with the columns it was trained on.

    `task` says whether its answers are classes or numbers, where they could be either.
    """
    from evoter.distillation.black_boxes import BlackBox, read_black_box
    from evoter.estimators.labels import action_names

    wanted = [str(column) for column in getattr(model, "feature_names_in_", columns)]
    missing = [column for column in wanted if column not in columns]
    if missing:
        raise Failure(
            f"the model was trained on the column {missing[0]!r}, which rules do not read here",
            f"let them read it with --numeric or --category; they read {', '.join(columns[:8])}",
        )
    try:
        box = read_black_box(model)
    except (TypeError, ValueError) as error:
        raise Failure(str(error)) from None
    named = hasattr(model, "feature_names_in_") or not hasattr(model, "n_features_in_")
    ask = _asking(box.ask, wanted, named=named)
    if task == NUMBERS and box.classes is not None:
        raise Failure(f"{name} is a classifier, and --task numbers is about predicted numbers", "omit --task")
    if task == CLASSES and box.is_regressor:
        raise Failure(f"{name} is a regressor, and --task classes is about classes", "omit --task")
    if box.classes is not None:
        return BlackBox(name, ask, box.soft, np.array(action_names(box.classes)))
    if task == NUMBERS or box.is_regressor:
        return BlackBox(name, ask, False, is_regressor=True)
    return BlackBox(name, lambda frame: _as_answers(ask(frame), name, numbers=task == AUTO), box.soft)


def _as_answers(labels: NDArray[Any], name: str, *, numbers: bool) -> NDArray[Any]:
    """Return classes as rules call them; probabilities stay as they are, and numbers with decimals where allowed."""
    if labels.ndim > 1 and labels.shape[1] > 1:
        return labels
    if numbers and labels.dtype.kind == "f" and not (labels == np.floor(labels)).all():
        if labels.min() >= 0.0 and labels.max() <= 1.0:
            hint = "for amounts, add --task numbers; for probabilities, return a column for each class"
            raise Failure(f"{name} answers with numbers from 0 to 1, such as {labels.ravel()[0]:.4g}", hint)
        return labels.ravel()
    return np.array([category_name(plain_value(label)) or str(label) for label in labels.ravel().tolist()])


def _asking(ask: Callable[[Any], Any], columns: list[str], *, named: bool) -> Callable[["pl.DataFrame"], Any]:
    """Return a function that asks with a frame of pandas, or with an array where a model was trained on one."""

    def asked(frame: "pl.DataFrame") -> Any:
        chosen = frame.select(columns)
        return ask(chosen.to_pandas() if named else chosen.to_numpy())

    return asked
