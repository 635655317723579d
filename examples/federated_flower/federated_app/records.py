"""Requests and answers as the records of Flower's messages."""

from flwr.app import ConfigRecord, RecordDict

RECORD = "evoter"
FIELD = "bytes"


def pack(message: bytes) -> RecordDict:
    """Return the content of a Flower message that holds some bytes."""
    return RecordDict({RECORD: ConfigRecord({FIELD: message})})


def unpack(content: RecordDict) -> bytes:
    """Return the bytes that a Flower message holds."""
    return bytes(content[RECORD][FIELD])
