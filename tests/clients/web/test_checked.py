"""Types and pure parts of the web client, checked where Node (and, by `npm ci` in this folder, TypeScript) is found."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import lacking

HERE = Path(__file__).parent
WEB = HERE.parents[2] / "clients" / "web"
OLDEST_NODE = (20, 19)
"""The first one that sees by itself that a file is a module."""


@pytest.fixture(scope="module")
def node() -> str:
    """The path of a Node that is new enough."""
    found = shutil.which("node") or lacking("no node here")
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    numbers = tuple(int(number) for number in re.findall(r"\d+", version))
    if numbers[:2] < OLDEST_NODE:
        lacking(f"node {version} is too old: {'.'.join(map(str, OLDEST_NODE))} or later is needed")
    return found


def checked(*command: str | Path) -> None:
    """Run a check in this folder; what it says if it fails is what the test says."""
    done = subprocess.run(list(map(str, command)), cwd=HERE, capture_output=True, text=True, timeout=150, check=False)
    if done.returncode:
        pytest.fail(f"{done.stdout}\n{done.stderr}", pytrace=False)


def test_the_units_of_the_page(node: str) -> None:
    units = sorted(HERE.glob("unit/*.test.js"))
    assert len(units) >= 5
    checked(node, "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test-reporter=dot", "--test", *units)


@pytest.mark.timeout(180)
def test_the_types_of_the_page_and_its_units(node: str) -> None:
    tsc = HERE / "node_modules" / "typescript" / "bin" / "tsc"
    if not tsc.is_file():
        lacking(f"no TypeScript here: npm ci in {HERE}")
    checked(node, tsc)


def test_what_checks_the_page_is_pinned_and_names_no_host() -> None:
    lock = (HERE / "package-lock.json").read_text()
    assert "resolved" not in lock
    assert lock.count('"integrity": "sha512-') == lock.count('"node_modules/')


def test_the_rooms_of_the_page_are_not_too_large() -> None:
    for file in WEB.rglob("*.js"):
        assert file.read_text().count("\n") <= 450, file
