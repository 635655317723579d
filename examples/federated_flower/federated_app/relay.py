"""The relay of a site: it passes requests on to the process that has the rows, which Flower's processes never see.

Flower starts a process for each message; the site's own process stays, so that its table is read once.
"""

from pathlib import Path

from flwr.app import Context, Message
from flwr.clientapp import ClientApp

from federated_app.records import pack, unpack
from federated_app.sockets import ask

app = ClientApp()


@app.query()  # type: ignore[untyped-decorator]
def answer(message: Message, context: Context) -> Message:
    """Pass a request on and the answer back."""
    answered = ask(Path(str(context.node_config["socket"])), unpack(message.content))
    return Message(pack(answered), reply_to=message)
