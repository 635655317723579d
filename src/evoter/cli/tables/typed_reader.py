"""A program that reads a Parquet or Excel file from standard input and writes it to standard output as Arrow.

It runs in a process of its own, because the libraries that read these formats end the process they run in where a file
is damaged in some ways or asks for too much memory. It imports nothing of EVOTER, so that it starts quickly.
"""

import io
import json
import sys
from typing import Any, NoReturn

import polars as pl


def main() -> None:
    """Read as the JSON object in the first argument says; write a line of JSON, and then the table, if there is one."""
    request = json.loads(sys.argv[1])
    _limit_memory(request["max_memory"])
    content = sys.stdin.buffer.read()
    try:
        answer, frame = (
            _read_parquet(content, request) if request["kind"] == "parquet" else _read_sheet(content, request)
        )
        if frame.estimated_size() > request["max_bytes"]:
            _refuse({"n_bytes": frame.estimated_size()})
        table = io.BytesIO()
        frame.write_ipc_stream(table)
    except SystemExit:
        raise
    except BaseException as error:
        _refuse({"error": (str(error) or type(error).__name__).splitlines()[0]})
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
    sys.stdout.buffer.write(table.getbuffer())


def _read_parquet(content: bytes, request: dict[str, Any]) -> tuple[dict[str, Any], pl.DataFrame]:
    n_columns = len(pl.read_parquet_schema(io.BytesIO(content)))
    n_rows = pl.scan_parquet(io.BytesIO(content)).select(pl.len()).collect().item()
    if n_rows * n_columns > request["max_cells"]:
        _refuse({"n_rows": n_rows, "n_columns": n_columns})
    return {}, pl.read_parquet(io.BytesIO(content))


def _read_sheet(content: bytes, request: dict[str, Any]) -> tuple[dict[str, Any], pl.DataFrame]:
    import fastexcel

    sheets = fastexcel.read_excel(content).sheet_names
    if request["sheet"] is not None and request["sheet"] not in sheets:
        _refuse({"sheets": sheets})
    if not sheets:
        _refuse({"error": "it has no cells"})
    chosen = request["sheet"] or sheets[0]
    frame = pl.read_excel(io.BytesIO(content), sheet_name=chosen, has_header=request["has_header"])
    if frame.height * frame.width > request["max_cells"]:
        _refuse({"n_rows": frame.height, "n_columns": frame.width})
    return {"others": [each for each in sheets if each != chosen]}, frame


def _limit_memory(n_bytes: int) -> None:
    """Let the operating system refuse more memory than a table of the allowed size needs."""
    try:
        import resource
    except ImportError:  # on Windows
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    allowed = n_bytes if most == resource.RLIM_INFINITY else min(n_bytes, most)
    resource.setrlimit(resource.RLIMIT_AS, (allowed, most))


def _refuse(reason: dict[str, Any]) -> NoReturn:
    sys.stdout.buffer.write(json.dumps({"refused": reason}).encode() + b"\n")
    sys.stdout.buffer.flush()
    raise SystemExit(0)


if __name__ == "__main__":
    main()
