"""Pages are files of the package and tell nothing about a project."""

import httpx

from evoter.studio.server.pages import page_names


def test_the_first_page_and_what_it_loads_need_no_token_and_tell_nothing(client: httpx.Client) -> None:
    with httpx.Client(base_url=client.base_url, timeout=30) as stranger:
        first = stranger.get("/")
        assert first.status_code == 200
        assert first.headers["content-type"] == "text/html; charset=utf-8"
        assert "patients" not in first.text
        assert "risk" not in first.text
        for name in page_names():
            found = stranger.get(f"/pages/{name}")
            assert found.status_code == 200
            assert "token=" not in found.headers.get("location", "")
        assert stranger.get("/pages/nothing.js").status_code == 404
        assert stranger.post("/").status_code == 405


def test_no_source_is_among_the_pages() -> None:
    assert page_names()
    assert not [name for name in page_names() if name.endswith((".py", ".pyc"))]
