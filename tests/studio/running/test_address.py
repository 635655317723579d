"""Where the studio listens, and by which names it may be called."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from evoter.studio.running import address as addresses
from evoter.studio.running.address import AddressError, bind, is_loopback


def test_the_loopback_has_two_names() -> None:
    address = bind(port=0)
    with address.listener:
        port = address.port
        assert address.hosts == (f"127.0.0.1:{port}", f"localhost:{port}")
        assert address.origins == (f"http://127.0.0.1:{port}", f"http://localhost:{port}")
        assert address.listener.getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    with bind(port=0).listener as listener:
        port = listener.getsockname()[1]
        with pytest.raises(AddressError, match=f"port {port} is taken by another program.*--port 0"):
            bind(port=port)
        monkeypatch.setattr(addresses, "DEFAULT_PORT", port)
        with bind().listener as other:
            assert other.getsockname()[1] != port, "the usual port is taken, so that another is found"


def test_a_public_address_is_added() -> None:
    address = bind(port=0, public_url="https://Studio.Example.org/")
    with address.listener:
        assert address.base == "https://studio.example.org"
        assert address.hosts[-1] == "studio.example.org"
        assert address.origins[-1] == "https://studio.example.org"


@pytest.mark.parametrize(
    "url", ["studio.example.org", "ftp://a.b", "https://a.b/path", "https://u:p@a.b", "https://a.b/?x=1", "https://"]
)
def test_what_is_no_public_address_is_refused(url: str) -> None:
    with pytest.raises(AddressError):
        bind(port=0, public_url=url)


def test_all_addresses_need_a_public_one() -> None:
    with pytest.raises(AddressError, match="--public-url"):
        bind("0.0.0.0", port=0)
    address = bind("0.0.0.0", port=0, public_url="http://studio.example.org:8765")
    with address.listener:
        assert address.hosts == ("studio.example.org:8765",)


def test_other_mistakes_are_explained() -> None:
    with pytest.raises(AddressError, match="port 70000 is out of range"):
        bind(port=70_000)
    with pytest.raises(AddressError, match="cannot listen at 203\\.0\\.113\\.1"):
        bind("203.0.113.1", port=0)
    assert not is_loopback("example.org")
    assert is_loopback("::1")


def test_children_do_not_inherit_the_listener() -> None:
    with bind(port=0).listener as listener:
        assert isinstance(listener, socket.socket)
        assert not listener.get_inheritable()


def test_answers_are_sent_at_once() -> None:
    """Without TCP_NODELAY, the body of each answer comes 40 ms after its headers."""
    found = []

    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = writer.get_extra_info("socket")
        found.append(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    async def ask() -> None:
        address = bind(port=0)
        async with await asyncio.start_server(answer, sock=address.listener):
            reader, writer = await asyncio.open_connection("127.0.0.1", address.port)
            await reader.read()
            writer.close()
            await writer.wait_closed()

    with ThreadPoolExecutor(1) as pool:  # tests in a browser may have left a loop in this thread
        pool.submit(lambda: asyncio.run(ask())).result()
    assert found
    assert found[0]
