"""Messages over local sockets: eight bytes of length, then the message."""

import socket
import struct
from pathlib import Path

MAX_BYTES = 128 * 2**20
_LENGTH = struct.Struct(">Q")


def ask(path: Path, request: bytes) -> bytes:
    """Return the answer of the site that listens at a path."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(str(path))
        send(connection, request)
        return receive(connection)


def send(connection: socket.socket, message: bytes) -> None:
    """Send a message."""
    connection.sendall(_LENGTH.pack(len(message)) + message)


def receive(connection: socket.socket) -> bytes:
    """Return a message; refuse one that is too long or incomplete."""
    (length,) = _LENGTH.unpack(_exactly(connection, _LENGTH.size))
    if length > MAX_BYTES:
        raise ValueError(f"a message of {length:,} bytes is too long")
    return _exactly(connection, length)


def _exactly(connection: socket.socket, length: int) -> bytes:
    parts = []
    while length > 0:
        part = connection.recv(min(length, 2**20))
        if not part:
            raise ConnectionError("the connection ended before the message did")
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
