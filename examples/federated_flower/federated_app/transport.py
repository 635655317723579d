"""The transport of a federated run over Flower: requests and answers as records of bytes."""

from collections.abc import Mapping, Sequence

from flwr.app import Message, MessageType
from flwr.serverapp import Grid

from federated_app.records import pack, unpack


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
        replies = self._grid.send_and_receive(messages, timeout=self._answer_seconds)
        return {str(reply.metadata.src_node_id): unpack(reply.content) for reply in replies if reply.has_content()}
