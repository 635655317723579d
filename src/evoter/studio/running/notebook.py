"""`evoter.studio`: the studio from a notebook, on a model and the rows that it is judged on."""

import os
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from evoter.rules.files.sources import read_ruleset
from evoter.rules.model import RuleSet
from evoter.studio.project import Project, ProjectError, Setup
from evoter.studio.project.database import SUFFIX
from evoter.studio.running.address import LOOPBACK, bind
from evoter.studio.running.serving import INSTALL, Studio

_UNSAVED = "Edits are lost when it stops; project='file.evoter' keeps them."


def studio(
    model: Any,
    X: Any,
    y: Sequence[Any],
    *,
    target: str = "target",
    protected: Iterable[str] = (),
    identifier: str | None = None,
    project: str | os.PathLike[str] | None = None,
    author: str | None = None,
    port: int = 0,
    random_state: int = 0,
) -> Studio:
    """Open the studio on a model and rows, in a browser on this machine.

    The server runs in a thread until `stop` is called on the result, or Python ends. A notebook shows the result as a
    link; elsewhere, print its `url`.

    Parameters
    ----------
    model : RuleSet, str, path, fitted estimator or None
        The rules to work on; None begins without rules, to evolve some.
    X : data frame or array of shape (n_samples, n_features)
        The rows. They are divided into training, validation and test rows; test rows stay closed until sign-off.
    y : sequence of length n_samples
        The class of each row.
    target : str, default="target"
        What the classes are called.
    protected : iterable of str, default=()
        The columns whose groups are compared.
    identifier : str or None, default=None
        The column that tells which rows belong together.
    project : path or None, default=None
        The project file. One that exists is continued, if the model is one of its versions or None. None keeps edits
        until the studio is stopped.
    author : str or None, default=None
        Who edits; None is the name of the user who is logged in.
    port : int, default=0
        The port to listen on; 0 takes one that is free.
    random_state : int, default=0
        The seed by which rows are divided.

    Returns
    -------
    Studio
        Has `url`, `ruleset` (the rules as they are now), `project` and `stop`.
    """
    try:
        import fastapi  # noqa: F401
        import polars  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise ImportError(f"the studio needs {error.name}: {INSTALL}") from None
    from evoter.studio.session.session import Session
    from evoter.studio.table.columns import StudioTable

    ruleset = _ruleset_of(model)
    setup = Setup(target, "table", tuple(protected), identifier)
    with ExitStack() as resources:
        if project is None:
            folder = resources.enter_context(tempfile.TemporaryDirectory())
            path = Path(folder) / f"studio{SUFFIX}"
        else:
            path = Path(project).expanduser()
        opened = resources.enter_context(open_project(path, setup, ruleset, author=author))
        current = opened.current.active if opened.current else None
        table = StudioTable.from_frame(X, y, target=target, identifier=identifier, ruleset=current)
        session = Session(table, opened, author=author, seed=random_state)
        resources.callback(session.close)
        address = bind(LOOPBACK, port)
        resources.callback(address.listener.close)
        running = Studio(session, address, note=_UNSAVED if project is None else "").start()
        return running.at_end(resources.pop_all())


def open_project(path: Path, setup: Setup, ruleset: RuleSet | None, *, author: str | None = None) -> Project:
    """Open a project file or create it; refuse one that is about something else, or does not have the rules."""
    if not path.exists():
        return Project.create(path, setup, ruleset, author=author)
    project = Project.open(path)
    try:
        if project.setup.target != setup.target:
            raise ProjectError(
                f"{path.name} is a project about {project.setup.target!r}, and not {setup.target!r}; name another file"
            )
        if ruleset is not None and ruleset not in [version.active for version in project.versions]:
            raise ProjectError(
                f"{path.name} is a project with other rules; name another file, or leave out the rules to continue it"
            )
    except BaseException:
        project.close()
        raise
    return project


def _ruleset_of(model: Any) -> RuleSet | None:
    if model is None:
        return None
    fitted = getattr(model, "ruleset_", model)
    if not isinstance(fitted, RuleSet | str | os.PathLike):
        kind = type(model).__name__
        raise TypeError(f"the studio takes a rule set, rule text, a path or a fitted estimator, not {kind}")
    return read_ruleset(fitted)
