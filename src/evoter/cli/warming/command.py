"""`evoter warm-up`: compile all kernels ahead of time, for images, CI and a first search without waiting."""

import time
from pathlib import Path

from evoter.cli.options import Json, Quiet
from evoter.cli.output import Failure, Streams
from evoter.cli.warming.bar import CompilationBar


def warm_up(json_: Json = False, quiet: Quiet = False) -> None:
    """Compile what searches of all kinds need, so that the first one does not wait.

    The machine code is kept beside the package or, where that cannot be written to, in the user's cache directory;
    NUMBA_CACHE_DIR names another directory. Run it when an image is built, or before tests that use several processes.
    """
    from evoter.kernels.machine_code import FOLDER_VARIABLE, cache_folder
    from evoter.problems.warming import SECONDS, second_process, warm_up_all

    folder = cache_folder()
    if folder is None:
        raise Failure(
            "there is no directory in which compiled kernels can be kept", f"set {FOLDER_VARIABLE} to one of your own"
        )
    streams = Streams(json_, quiet)
    begin, before = time.perf_counter(), _files(folder)
    with second_process(everything=True), CompilationBar(SECONDS, shown=not quiet):
        warm_up_all()
    seconds, n_compiled = time.perf_counter() - begin, len(_files(folder) - before)
    if json_:
        streams.write_json({"directory": str(folder), "compiled": n_compiled, "seconds": round(seconds, 1)})
    elif n_compiled:
        streams.remark(f"{n_compiled} kernels compiled in {seconds:.0f} s, in {folder}")
    else:
        streams.remark(f"all kernels were compiled already, in {folder}")


def _files(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*.kernel")}
