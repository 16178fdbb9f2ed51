"""docs/your-bot.md, followed to the letter: its examples are the files it names, and its commands work."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from durak.protocol.rules.record import read_record, replay
from tests.system.serving import DURAK, Served, environment, serving

PAGE = Path("docs/your-bot.md")
BLOCKS = re.findall(r"(?:<!-- (\S+) -->\n)?```(\w+)\n(.*?)```", PAGE.read_text(), re.DOTALL)
EXAMPLES = {name: text for name, kind, text in BLOCKS if kind == "python"}
COMMANDS = [line for _, kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_the_examples_on_the_page_are_the_files(name: str) -> None:
    assert EXAMPLES[name] == Path(name).read_text()


def test_every_example_is_on_the_page() -> None:
    files = {*Path("bots/examples").glob("*.py"), *Path("clients/bot/examples").glob("*.py")}
    assert {str(file) for file in files} == set(EXAMPLES)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """The server in the other terminal, with bots."""
    with serving(tmp_path, "--dev", "--bot-seats", "10") as server:
        yield server


@pytest.mark.timeout(180)
def test_the_page_from_its_beginning_to_its_end(tmp_path: Path, served: Served) -> None:
    for name in EXAMPLES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(name, tmp_path / name)
    here = tmp_path
    began = time.monotonic()
    told: dict[str, str] = {}
    for line in COMMANDS:
        program, *words = shlex.split(line)
        if program == "cd":
            here = here / words[0]
            continue
        if program == "python":
            words += ["--server", served.url]  # the page has the default port, which may be taken here
        words = [word.replace("account:python", f"account:{sys.executable}") for word in words]
        command = (*DURAK, *words) if program == "durak" else (sys.executable, *words)
        ended = subprocess.run(command, cwd=here, env=environment(), capture_output=True, text=True, timeout=60, check=False)
        assert (ended.returncode, ended.stderr) == (0, ""), (line, ended.stderr)
        told[line] = ended.stdout
        if "lowest:Lowest" in line and len(told) == 2:
            assert time.monotonic() - began < 60, "the first result of one's own bot is there within a minute"
    assert len(told) == 8
    assert all("Lowest" in out for line, out in told.items() if " lowest:Lowest" in line)
    work = tmp_path / "bots" / "examples"
    assert (work / "arena.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (work / "arena.svg").read_text()
    records = sorted((work / "games").iterdir())
    assert len(records) == 40
    assert all(replay(read_record(record.read_text())).result for record in records)
    assert told["python account.py --against normal --quick"].strip() in ("not the durak", "lost: the durak", "a draw")
