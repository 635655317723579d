"""The transport of a federated run over Flower: requests and answers as records of bytes."""

import time
from collections.abc import Mapping, Sequence

from flwr.app import Message, MessageType
from flwr.serverapp import Grid

from federated_app.records import pack, unpack

PAUSE = 0.1
"""Seconds between two looks for answers; `Grid.send_and_receive` waits three seconds each time."""


class FlowerTransport:
    """Carries requests to the nodes of a Flower grid; what is not connected, or too slow, does not answer."""

    def __init__(self, grid: Grid, answer_seconds: float) -> None:
        self._grid = grid
        self._answer_seconds = answer_seconds

    def addresses(self) -> Sequence[str]:
        """Return the numbers of the nodes that are connected."""
        return [str(node) for node in self._grid.get_node_ids()]

    def ask(self, request: bytes, addresses: Sequence[str]) -> Mapping[str, bytes]:
        """Send a request to some nodes and wait for their answers."""
        messages = [
            Message(pack(request), dst_node_id=int(address), message_type=MessageType.QUERY, ttl=self._answer_seconds)
            for address in addresses
        ]
        waiting = set(self._grid.push_messages(messages))
        deadline = time.monotonic() + self._answer_seconds
        answers: dict[str, bytes] = {}
        while waiting and time.monotonic() < deadline:
            for reply in self._grid.pull_messages(waiting):
                waiting.discard(reply.metadata.reply_to_message_id)
                if reply.has_content():
                    answers[str(reply.metadata.src_node_id)] = unpack(reply.content)
            if waiting:
                time.sleep(PAUSE)
        return answers
