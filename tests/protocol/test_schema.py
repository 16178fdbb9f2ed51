"""The generated schema holds for recorded games and for a game played now, and the documentation names what there is."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec.inspect import StructType, type_info

from durak.protocol import messages
from durak.protocol.rules.errors import Reason
from durak.protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, asyncapi, json_schema
from tests.protocol.record_transcripts import FOLDER, PRESETS, Line, record

ROOT = Path(__file__).parents[2]
DOCUMENT = (ROOT / "protocol" / "PROTOCOL.md").read_text()
SCHEMA = json_schema()


def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


FROM = {"client": validator("ClientMessage"), "server": validator("ServerMessage")}


def check(lines: list[Line]) -> None:
    """Every frame fits the schema; each connection's sequence numbers have no gap; both end with the same result."""
    last: dict[int, int] = {}
    results: dict[int, Any] = {}
    for line in lines:
        frame = {**line["frame"], **({"token": "x"} if "token" in line["frame"] else {})}
        FROM[line["from"]].validate(frame)
        if frame["t"] in ("table", "update"):
            who, seq = line["who"], frame["seq"]
            assert frame["t"] == "table" or seq - last[who] in (0, 1), "a number is missing"
            last[who] = seq
            game = frame["view"]["game"]
            if game and game["result"]:
                results[who] = game["result"]
    assert results[0] == results[1]


@pytest.mark.parametrize("preset", PRESETS)
def test_the_transcripts_in_the_documentation_fit_the_schema(preset: str) -> None:
    check([json.loads(line) for line in (FOLDER / f"{preset}.jsonl").read_text().splitlines()])


@pytest.mark.timeout(120)
def test_a_game_played_now_fits_the_schema_and_shows_what_the_transcripts_show() -> None:
    for preset, lines in record().items():
        check(lines)
        recorded = [json.loads(line) for line in (FOLDER / f"{preset}.jsonl").read_text().splitlines()]
        for side in ("client", "server"):
            kinds = {line["frame"]["t"] for line in lines if line["from"] == side}
            assert kinds - {"error"} == {line["frame"]["t"] for line in recorded if line["from"] == side} - {"error"}


def test_asyncapi_names_every_message_once_and_resolves() -> None:
    document = asyncapi()
    sent = [message["name"] for message in document["channels"]["table"]["messages"].values()]
    assert len(sent) == len(set(sent)) == len(CLIENT_MESSAGES) + len(SERVER_MESSAGES)
    for reference in re.findall(r'"\$ref": ?"#/([^"]+)"', json.dumps(document)):
        place: Any = document
        for step in reference.split("/"):
            place = place[step]


def test_the_documentation_has_every_command() -> None:
    commands = {str(kind.tag) for kind in map(type_info, CLIENT_MESSAGES) if isinstance(kind, StructType)}
    assert {name for name in commands if f"`{name}`" not in DOCUMENT and f'"t":"{name}"' not in DOCUMENT} == set()


def test_the_documentation_has_every_close_code() -> None:
    codes = {value for name, value in vars(messages.CloseCode).items() if name.isupper()}
    assert {int(code) for code in re.findall(r"^\| (4\d\d\d) \|", DOCUMENT, re.MULTILINE)} == codes


def test_the_documentation_has_every_error_code() -> None:
    in_rules = {reason.code for reason in Reason}
    in_server: set[str] = set()
    for path in (ROOT / "server").rglob("*.py"):
        in_server |= set(re.findall(r'\b(?:Refused|Error)\(\s*"([a-z_]+)"', path.read_text()))
    missing = {code for code in in_rules | in_server if not re.search(rf"\b{code}\b", DOCUMENT)}
    assert missing == set()
