"""`evoter datasets`: data sets to try, built-in ones and those of the paper, listed, described and downloaded."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from evoter.cli.completion import complete_dataset
from evoter.cli.options import Command, Group, Json, Output, Quiet, refuse_ignored
from evoter.cli.output import Failure, Streams, bare_table, nearest

if TYPE_CHECKING:
    import polars as pl

datasets = typer.Typer(cls=Group, help="List, describe and fetch data sets to try.", no_args_is_help=False)
Name = Annotated[str, typer.Argument(metavar="NAME", help="A data set.", autocompletion=complete_dataset)]
TARGET = "target"


@dataclass(frozen=True, slots=True)
class DatasetEntry:
    """A data set in the list; `table` is false for data sets of signals, which are not tables."""

    name: str
    title: str
    description: str
    rows: int | None
    features: int
    classes: tuple[str, ...]
    licence: str
    source: str
    citation: str
    embedded: bool = False
    table: bool = True


_SKLEARN = "comes with scikit-learn (UCI Machine Learning Repository)"
_EMBEDDED = (
    DatasetEntry("iris", "Iris", "three kinds of iris, by the size of their flowers", 150, 4,
          ("setosa", "versicolor", "virginica"), "CC BY 4.0", _SKLEARN,
          "R. A. Fisher (1936). The use of multiple measurements in taxonomic problems. Annals of Eugenics 7.", True),
    DatasetEntry("breast_cancer", "Breast Cancer Wisconsin (Diagnostic)", "tumours, by the look of their cells",
          569, 30, ("benign", "malignant"), "CC BY 4.0", _SKLEARN,
          "W. Wolberg, O. Mangasarian, N. Street and W. Street (1995). UCI Machine Learning Repository, "
          "doi:10.24432/C5DW2B.", True),
    DatasetEntry("wine", "Wine", "wines of three growers, by their chemistry", 178, 13,
          ("class_0", "class_1", "class_2"), "CC BY 4.0", _SKLEARN,
          "S. Aeberhard and M. Forina (1992). Wine. UCI Machine Learning Repository, doi:10.24432/C5PC7J.", True),
)  # fmt: skip
_NO_TABLES = ("human_activity_signals", "hypotension_2009")


def known_datasets() -> dict[str, DatasetEntry]:
    """Return all data sets by name, those that need no download first."""
    from evoter.datasets import DATASETS

    fetched = [
        DatasetEntry(
            info.name, info.title, info.description, info.n_rows, info.n_features, info.classes, info.licence,
            info.source, info.citation, table=info.name not in _NO_TABLES,
        )
        for info in DATASETS.values()
    ]  # fmt: skip
    return {each.name: each for each in (*_EMBEDDED, *fetched)}


@datasets.callback(invoke_without_command=True)
def _list_by_default(context: typer.Context, json_: Json = False, quiet: Quiet = False) -> None:
    """List, describe and fetch data sets to try."""
    if context.invoked_subcommand is None:
        list_(json_, quiet)
    else:
        name = context.invoked_subcommand
        refuse_ignored(
            context, ("json_", "quiet"), f"before {name!r}", f"write it at the end: evoter datasets {name} ..."
        )


@datasets.command("list", cls=Command)
def list_(json_: Json = False, quiet: Quiet = False) -> None:
    """List all data sets with their sizes and licences."""
    streams = Streams(json_, quiet)
    known = known_datasets()
    if json_:
        streams.write_json([_described(each) for each in known.values()])
        return
    table = bare_table()
    table.add_column("name", style="bold", no_wrap=True)
    for heading in ("rows", "features", "classes"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("what it is", overflow="fold")
    table.add_column("licence", overflow="fold")
    for each in known.values():
        rows = "-" if each.rows is None else f"{each.rows:,}"
        what = each.description + (" (built in)" if each.embedded else "")
        table.add_row(each.name, rows, f"{each.features}", f"{len(each.classes)}", what, each.licence)
    streams.show(table, fold=True)
    streams.remark(
        "", "evoter datasets show NAME   describes a data set", "evoter datasets fetch NAME  writes it to NAME.csv"
    )


@datasets.command("show", cls=Command)
def show(name: Name, json_: Json = False, quiet: Quiet = False) -> None:
    """Describe a data set: what it is, where it comes from, and its licence."""
    streams = Streams(json_, quiet)
    each = find_dataset(name)
    if json_:
        streams.write_json(_described(each))
        return
    rows = "unknown" if each.rows is None else f"{each.rows:,}"
    lines = {
        "what": each.description,
        "rows": rows,
        "features": str(each.features),
        "classes": ", ".join(each.classes),
        "licence": each.licence,
        "source": each.source,
        "to cite": each.citation,
    }
    from rich.markup import escape

    console = streams.console()
    console.print(f"[bold]{escape(each.title)}[/bold]")
    for label, text in lines.items():
        console.print(f"  [dim]{label:<9}[/dim] {escape(text)}", soft_wrap=True)


@datasets.command("fetch", cls=Command)
def fetch(name: Name, output: Output = None, json_: Json = False, quiet: Quiet = False) -> None:
    """Write a data set to a table, by default NAME.csv; the classes are in the column `target`.

    Data sets that are not built in are downloaded once from their publisher, or read from $EVOTER_DATA.
    """
    from evoter.cli.predict import check_table_path, write_table

    streams = Streams(json_, quiet)
    each = find_dataset(name)
    if not each.table:
        function = f"evoter.datasets.fetch_{name}()"
        raise Failure(f"{name} holds signals and is not a table", f"use it from Python: {function}")
    path = output or f"{name}.csv"
    check_table_path(path)
    frame = load_frame(each)
    write_table(frame, path)
    size = {"file": path, "rows": len(frame), "columns": len(frame.columns), "target": TARGET}
    if json_:
        streams.write_json(size)
    else:
        streams.remark(f"wrote {path}: {len(frame):,} rows, {len(frame.columns)} columns")
        streams.remark(f"next: evoter fit {path} --target {TARGET}")


def find_dataset(name: str) -> DatasetEntry:
    """Return a data set by name."""
    known = known_datasets()
    if name not in known:
        raise Failure(f"there is no data set {name!r}", nearest(name, known, "evoter datasets lists them"))
    return known[name]


def load_frame(each: DatasetEntry) -> "pl.DataFrame":
    """Return a data set as a frame with the classes in the column `target` and the subjects, if any, in `group`."""
    import polars as pl

    if each.embedded:
        import sklearn.datasets

        loaded: Any = getattr(sklearn.datasets, f"load_{each.name}")()
        columns = {name: loaded.data[:, column] for column, name in enumerate(loaded.feature_names)}
        return pl.DataFrame(columns | {TARGET: loaded.target_names[loaded.target].tolist()})
    import evoter.datasets

    fetch_one: Callable[[], Any] = getattr(evoter.datasets, f"fetch_{each.name}")
    dataset = fetch_one()
    columns = {
        str(name): dataset.data[name].astype(object).where(dataset.data[name].notna(), None).tolist()
        for name in dataset.data.columns
    }
    if dataset.groups is not None:
        columns["group"] = dataset.groups.tolist()
    frame = pl.DataFrame(columns | {TARGET: dataset.target.tolist()}, infer_schema_length=None)
    whole = [column.name for column in frame if column.dtype.is_float() and bool((column == column.round()).all())]
    return frame.with_columns(pl.col(whole).cast(pl.Int64))


def _described(each: DatasetEntry) -> Mapping[str, object]:
    return {name: getattr(each, name) for name in DatasetEntry.__slots__}
