"""An endpoint that speaks OpenAI's protocol: where it is, and one request to it with limits on everything."""

import ipaddress
import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from evoter.rules.errors import RuleError

KEY_VARIABLE = "EVOTER_REWRITING_KEY"
"""The environment variable that has the key of the endpoint, if it needs one; there is no other way to give it."""

MAX_ANSWER = 1_000_000
"""Longer answers (in bytes) are refused."""

_CHUNK = 65_536
_LOCAL = ("localhost",)


class RewritingError(RuleError):
    """A language model gave no usable answer."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a language model is asked: the address up to `/v1` or the like, and the name of the model.

    The whole exchange may take `timeout` seconds. Other hosts than this computer are asked by https only.

    >>> Endpoint("http://localhost:11434/v1", "llama3").url
    'http://localhost:11434/v1/chat/completions'
    """

    base_url: str
    model: str
    timeout: float = 60.0

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise RuleError(f"base_url must be an address such as https://host/v1, not {self.base_url!r}")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise RuleError(
                f"base_url must have no user, password, query or fragment; the key belongs in {KEY_VARIABLE}"
            )
        if parts.scheme == "http" and not self.is_local:
            raise RuleError(f"base_url: {parts.hostname} is another computer; use https, so that nobody reads along")
        if not self.model:
            raise RuleError("model must be the name of a model")
        if not 0.0 < self.timeout <= 3600.0:
            raise RuleError(f"timeout must be a number of seconds up to 3600, not {self.timeout!r}")

    @property
    def is_local(self) -> bool:
        """Whether the endpoint is on this computer."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host in _LOCAL

    @property
    def url(self) -> str:
        """The address that is asked."""
        return f"{self.base_url.rstrip('/')}/chat/completions"

    def headers(self, *, secret: bool) -> dict[str, str]:
        """Return the headers of a request; unless `secret`, with the name of the variable instead of the key."""
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "evoter"}
        key = os.environ.get(KEY_VARIABLE, "")
        if key:
            if not (key.isascii() and key.isprintable()):
                raise RewritingError(f"the key in {KEY_VARIABLE} has characters that a header cannot have")
            headers["Authorization"] = f"Bearer {key if secret else f'${KEY_VARIABLE}'}"
        return headers

    def ask(self, body: Mapping[str, Any]) -> str:
        """Send a request and return what the model wrote; everything that goes wrong is a `RewritingError`."""
        answer: list[bytes | BaseException] = []

        def exchange() -> None:
            try:
                answer.append(_exchange(self, encoded(body)))
            except BaseException as error:
                answer.append(error)

        # The time-out of a socket begins anew with every byte, so that a slow answer could take forever.
        thread = threading.Thread(target=exchange, daemon=True)
        thread.start()
        thread.join(self.timeout)
        if not answer:
            raise RewritingError(f"the endpoint did not answer within {self.timeout:g} seconds")
        if isinstance(answer[0], RewritingError):
            raise answer[0]
        if isinstance(answer[0], BaseException):
            raise RewritingError(f"the endpoint could not be asked: {answer[0]}") from answer[0]
        return _content(answer[0])


def encoded(body: Mapping[str, Any]) -> bytes:
    """Return the bytes of a request, which a dry run shows as well."""
    return json.dumps(body, ensure_ascii=False, indent=2).encode("utf-8")


def _exchange(endpoint: Endpoint, body: bytes) -> bytes:
    from urllib.error import HTTPError
    from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

    class NoRedirects(HTTPRedirectHandler):
        """Refuses to send rules, and a key, anywhere else."""

        def redirect_request(self, *arguments: Any) -> None:
            return None

    opener = build_opener(NoRedirects, *([ProxyHandler({})] if endpoint.is_local else []))
    request = Request(endpoint.url, data=body, headers=endpoint.headers(secret=True), method="POST")
    try:
        with opener.open(request, timeout=endpoint.timeout) as response:
            received = bytearray()
            while chunk := response.read1(_CHUNK):
                received += chunk
                if len(received) > MAX_ANSWER:
                    raise RewritingError(f"the answer has more than {MAX_ANSWER:,} bytes")
            return bytes(received)
    except HTTPError as error:
        error.close()
        if 300 <= error.code < 400:
            raise RewritingError("the endpoint sends on to another address, which is not followed") from None
        raise RewritingError(f"the endpoint answered with the status {error.code}") from None


def _content(answer: bytes) -> str:
    """Return the text in an answer that has the form of the protocol and is complete."""
    try:
        choice = json.loads(answer)["choices"][0]
        text, reason = choice["message"]["content"], choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise RewritingError("the answer does not have the form of the protocol") from None
    if not isinstance(text, str):
        raise RewritingError("the answer has no text")
    if reason not in ("stop", None):
        raise RewritingError(f"the answer is not complete ({str(reason)[:40]!r})")
    return text
