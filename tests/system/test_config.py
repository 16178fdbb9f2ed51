"""`durak config check`, and a server that runs with a file."""

from __future__ import annotations

import json
from pathlib import Path

from tests.system.client import fetch
from tests.system.serving import run_durak, serving

SECRET = "correct-horse-battery-staple"


def test_it_prints_every_setting_with_its_source(tmp_path: Path) -> None:
    file = tmp_path / "durak.toml"
    file.write_text(f'max_tables = 7\nsecret = "{SECRET}"\n')
    done = run_durak("config", "check", "--config", str(file), "--dev", DURAK_BOT_SEATS="5")
    assert (done.returncode, done.stderr) == (0, "")
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    assert rows["max_tables"] == ["7", str(file)]
    assert rows["bot_seats"] == ["5", "DURAK_BOT_SEATS"]
    assert rows["dev"] == ["on", "--dev"]
    assert rows["port"] == ["8080", "default"]
    assert rows["secret"] == ["********", str(file)]
    assert SECRET not in done.stdout


def test_what_is_wrong_is_one_line_with_a_code(tmp_path: Path) -> None:
    file = tmp_path / "durak.toml"
    file.write_text("max_table = 7\n")
    done = run_durak("config", "check", DURAK_CONFIG=str(file))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("durak config: unknown_setting: ")
    assert "Did you mean max_tables?" in done.stderr
    refused = run_durak("serve", "--config", str(file), "--data", str(tmp_path / "data"))
    assert refused.returncode == 2
    assert refused.stderr.startswith("durak serve: unknown_setting: ")
    assert not (tmp_path / "data").exists()


def test_a_server_with_a_file(tmp_path: Path) -> None:
    file = tmp_path / "durak.toml"
    file.write_text('metrics = true\nlog_format = "json"\n')
    with serving(tmp_path, "--config", str(file)) as served:
        assert fetch(f"{served.url}/metrics")[0] == 200
        assert served.terminate() == 0
    assert [json.loads(line)["message"] for line in served.log().splitlines()] == ["stopping"]
