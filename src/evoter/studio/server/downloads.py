"""Answers that are files to keep."""

import re

from starlette.responses import Response

_PLAIN = re.compile(r"[^A-Za-z0-9._-]+")


def download(content: bytes, name: str, kind: str) -> Response:
    r"""Return a file under a name that is safe in a header.

    >>> download(b"", 'a"b\r\n.evoter', "text/plain").headers["content-disposition"]
    'attachment; filename="a-b-.evoter"'
    """
    plain = _PLAIN.sub("-", name) or "file"
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{plain}"'})
