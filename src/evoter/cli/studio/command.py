"""`evoter studio`: read, edit, prove and sign rules in the browser."""

import importlib.util
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli import signals
from evoter.cli.completion import complete_column
from evoter.cli.options import COLUMNS, Encoding, Identifier, Json, Missing, NoHeader, Quiet, Sheet, Target
from evoter.cli.output import Failure, Streams, say

if TYPE_CHECKING:
    from evoter.studio.running.serving import Studio

SERVER = "Server"
_NEEDED = ("fastapi", "uvicorn", "polars")


def studio(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RULES|PROJECT] TABLE",
            help="A rule file or a project, if there is one, and the table. Without rules you evolve some first.",
            show_default=False,
        ),
    ] = None,
    target: Target = None,
    protected: Annotated[
        list[str] | None,
        typer.Option(
            "--protected",
            metavar="COLUMN",
            help="Compare the groups of this column; repeat it for several.",
            rich_help_panel=COLUMNS,
            autocompletion=complete_column,
        ),
    ] = None,
    identifier: Identifier = None,
    favourable: Annotated[
        str | None,
        typer.Option(
            "--favourable",
            metavar="CLASS",
            help="The decision that is favourable when groups are compared; it can also be chosen in the browser.",
            rich_help_panel=COLUMNS,
        ),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option(
            "--project",
            metavar="FILE",
            help="The project file, which keeps all edits; by default named after the rules or the table. One that "
            "exists is continued.",
        ),
    ] = None,
    import_: Annotated[
        str | None,
        typer.Option(
            "--import",
            metavar="FILE",
            help="First take in another project file: all its entries if it continues this project, else its rules.",
        ),
    ] = None,
    author: Annotated[
        str | None,
        typer.Option("--author", metavar="NAME", help="Who edits, for the log; by default your login name."),
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Use built-in data and rules, without files.")] = False,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            metavar="N",
            help="The port to listen on; 0 takes one that is free. By default 8765, or another if that is taken.",
            rich_help_panel=SERVER,
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="The address to listen at; others than 127.0.0.1 can be reached from the network.",
            rich_help_panel=SERVER,
        ),
    ] = "127.0.0.1",
    public_url: Annotated[
        str | None,
        typer.Option(
            "--public-url",
            metavar="URL",
            help="Where a reverse proxy makes the studio known, such as https://studio.example.org.",
            rich_help_panel=SERVER,
        ),
    ] = None,
    user_header: Annotated[
        str | None,
        typer.Option(
            "--user-header",
            metavar="NAME",
            help="The header in which a reverse proxy names the user who is logged in; nobody can edit as another.",
            rich_help_panel=SERVER,
        ),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser.", rich_help_panel=SERVER)
    ] = False,
    json_: Json = False,
    quiet: Quiet = False,
    missing: Missing = None,
    no_header: NoHeader = False,
    sheet: Sheet = None,
    encoding: Encoding = None,
) -> None:
    """Read, edit, prove and sign rules in the browser, together with a table that shows what they do.

    Every edit is kept in the project file with its author, time and reason; `evoter verify` checks it. Rows are divided
    into training, validation and test rows, and test rows stay closed until sign-off. Ctrl-C ends the studio.
    """
    if absent := [name for name in _NEEDED if importlib.util.find_spec(name) is None]:
        from evoter.studio.running.serving import INSTALL

        raise Failure(f"the studio needs {' and '.join(absent)}", INSTALL)
    if user_header is not None and public_url is None:
        raise Failure(
            "--user-header has no effect without a reverse proxy, which sets it",
            "say where the proxy is, with --public-url",
        )
    from evoter.cli.tables.files import ReadingOptions

    reading = ReadingOptions.given(missing, no_header=no_header, sheet=sheet, encoding=encoding)
    streams = Streams(json_, quiet)
    names = list(files or ())
    folder: Path | None = None
    with ExitStack() as resources:
        if demo:
            said: dict[str, object] = {
                "--target": target,
                "--protected": protected,
                "--id": identifier,
                "--missing": missing,
            }
            said |= {"--no-header": no_header, "--sheet": sheet, "--encoding": encoding, "a file": names}
            for option in (option for option, value in said.items() if value):
                raise Failure(f"--demo brings its own rules and table: {option} has no effect", f"leave out {option}")
            from evoter.cli.studio.demonstration import PROTECTED, TARGET, write_demonstration

            folder = Path(resources.enter_context(tempfile.TemporaryDirectory(prefix="evoter-studio-")))
            names = [str(path) for path in write_demonstration(folder)]
            target, protected = TARGET, list(PROTECTED)
            project = project or str(folder / "diabetes")
        from evoter.cli.studio.files import Given, import_project, open_files
        from evoter.studio.running.address import bind, is_loopback
        from evoter.studio.running.serving import Studio
        from evoter.studio.session.session import Session

        given = Given.read(names, project)
        address = bind(host, port, public_url)
        resources.callback(address.listener.close)
        opened = open_files(
            given, reading, target=target, protected=protected or (), identifier=identifier, author=author
        )
        resources.enter_context(opened.project)
        if import_ is not None:
            streams.remark(import_project(opened.project, import_, author))
        try:
            session = Session(opened.table, opened.project, favourable=favourable, author=author)
        except BaseException:
            if not opened.continued:  # a project that never began is in the way of the next try
                opened.project.close()
                opened.project.path.unlink(missing_ok=True)
            raise
        resources.callback(session.close)
        if not is_loopback(host) and public_url is None:
            streams.warn(
                "others on the network can reach this address, and what is sent is not encrypted: put the studio "
                "behind a reverse proxy, see docs/studio_deployment.md"
            )
        _serve(
            resources.enter_context(Studio(session, address, user_header=user_header)),
            streams,
            continued=opened.continued,
            browser=not no_browser,
            kept=given.project_path.parent != folder,
        )


def _serve(studio: "Studio", streams: Streams, *, continued: bool, browser: bool, kept: bool) -> None:
    """Run the studio until Ctrl-C, and say where it is and whether the project is kept."""
    from evoter.cli.studio.browser import browser_opened

    path = studio.project.path
    with signals.raising():
        try:
            studio.start()
            if streams.as_json:
                streams.write_json({"url": studio.url, "project": str(path), "continued": continued})
            else:
                streams.write(studio.url)
            sys.stdout.flush()
            streams.remark(
                "open the address above in a browser, and end with Ctrl-C; whoever has the address can edit",
                f"{'continues' if continued else 'begins'} the project {path}"
                if kept
                else "edits are lost when it ends; --project FILE keeps them",
            )
            with ExitStack() as opened:
                if browser:
                    opened.enter_context(browser_opened(studio.url))
                studio.wait()
        except KeyboardInterrupt:
            say(f"evoter: the studio has ended{f'; all edits are in {path}' if kept else ''}", "dim")
