"""Behind a proxy that signs people in, nobody acts under another name."""

from pathlib import Path

import pytest

from evoter.studio.server.settings import ServerSettings
from studios import edit, open_session, rules, serve


def test_the_proxy_says_who_edits(tmp_path: Path) -> None:
    with open_session(tmp_path, rules()) as session, serve(session, user_header="X-Forwarded-User") as client:
        body = {"base": 1, "edits": [edit("drop", 2)], "reason": "try"}
        eve = {"X-Forwarded-User": "Eve"}
        assert client.post("/api/versions", json=body).status_code == 403
        assert client.post("/api/versions", json=body | {"author": "Ada"}, headers=eve).status_code == 403
        assert client.post("/api/versions", json=body, headers=eve).json()["version"]["author"] == "Eve"
        assert client.get("/api/project", headers=eve).json()["author"] == "Eve"
        assert client.get("/api/project", headers=eve | {"X-Evoter-Tab": "a b"}).status_code == 200
        undo = {"base": 2, "version": 1}
        assert client.post("/api/head", json=undo, headers=eve | {"X-Evoter-Tab": "a b"}).status_code == 422


def test_settings_that_protect_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="fewer than 16"):
        ServerSettings("short", ("127.0.0.1",))
    with pytest.raises(ValueError, match="hosts is empty"):
        ServerSettings("t" * 32, ())
    assert "tttt" not in repr(ServerSettings("t" * 32, ("127.0.0.1:1",)))
    assert ServerSettings("t" * 32, ("A:1",)).allowed_origins == {"http://a:1"}
