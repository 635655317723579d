"""A site as a process of its own: it reads its table, listens on a local socket, and answers requests with counts.

python serve_site.py north.csv --target malignant --name north --socket north.sock
"""

import argparse
import os
import socketserver
from pathlib import Path

import pandas as pd
from federated_app.sockets import receive, send

from evoter.federated import PairwiseMasks, Site


def main() -> None:
    """Serve one table until the process is ended."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", type=Path, help="a CSV file with the rows of the site")
    parser.add_argument("--target", required=True, help="the column with the classes")
    parser.add_argument("--name", required=True, help="what the others call the site")
    parser.add_argument("--socket", required=True, type=Path, help="where the relay finds the site")
    parser.add_argument("--min-cell-count", type=int, default=5, help="smaller counts are suppressed")
    parser.add_argument("--key-file", type=Path, help="mask counts, and keep the key here")
    options = parser.parse_args()
    table = pd.read_csv(options.table)
    masks = None if options.key_file is None else PairwiseMasks(path=options.key_file)
    site = Site(
        table.drop(columns=options.target),
        table[options.target],
        name=options.name,
        min_cell_count=options.min_cell_count,
        masks=masks,
    )

    class Handler(socketserver.BaseRequestHandler):
        """Answers one request."""

        def handle(self) -> None:
            """Read it, answer it, and hang up."""
            send(self.request, site.answer(receive(self.request)))

    options.socket.unlink(missing_ok=True)
    before = os.umask(0o177)  # nobody else on this machine may ask
    try:
        server = socketserver.UnixStreamServer(str(options.socket), Handler)
    finally:
        os.umask(before)
    with server:
        print(f"{options.name} serves {options.table} at {options.socket}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
