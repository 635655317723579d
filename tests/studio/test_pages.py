"""The files of the studio's pages: readable, complete, shipped, and the bundle as its command makes it."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from evoter.studio.pages import page_files
from project import ROOT

PAGES = Path(str(page_files()))
MODULES = sorted((PAGES / "modules").rglob("*.js"))
NODE_MODULES = Path(sys.prefix) / "javascript" / "node_modules"
ESBUILD = NODE_MODULES / ".bin" / "esbuild"


def test_modules_are_short_and_start_with_a_sentence() -> None:
    for path in MODULES:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 600, path
        assert re.fullmatch(r"// [A-Z].*\.", lines[0]), path


def test_names_become_text_and_never_markup() -> None:
    forbidden = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|style=")
    assert not [path.name for path in MODULES if forbidden.search(path.read_text(encoding="utf-8"))]


def test_every_import_and_every_link_leads_to_a_file() -> None:
    for path in MODULES:
        for target in re.findall(r'from "(\.[^"]+)"', path.read_text(encoding="utf-8")):
            assert (path.parent / target).resolve().is_file(), (path, target)
    index = (PAGES / "index.html").read_text(encoding="utf-8")
    linked = re.findall(r'(?:src|href)="/pages/([^"]+)"', index)
    assert len(linked) > 5
    assert all((PAGES / target).is_file() for target in linked)
    assert not re.search(r"https?://", index)


def test_the_wheel_has_the_pages(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    shipped = set(zipfile.ZipFile(wheel).namelist())
    kept = [path for path in PAGES.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {f"evoter/studio/pages/{path.relative_to(PAGES).as_posix()}" for path in kept} <= shipped


@pytest.mark.skipif(not ESBUILD.exists(), reason="esbuild is not installed: `make test` installs it with npm")
def test_the_bundle_is_what_its_command_makes(tmp_path: Path) -> None:
    command = re.search(
        r"^esbuild (.*)--outfile=preact.js$", (PAGES / "vendor" / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert command is not None
    made = tmp_path / "preact.js"
    arguments = [str(ESBUILD), *command[1].split(), "--log-level=warning", f"--outfile={made}"]
    subprocess.run(
        arguments, check=True, cwd=PAGES / "vendor", env={"NODE_PATH": str(NODE_MODULES), "PATH": "/usr/bin:/bin"}
    )
    assert made.read_bytes() == (PAGES / "vendor" / "preact.js").read_bytes()
