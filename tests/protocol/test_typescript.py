"""The web client's types of the wire are those of the schema."""

from pathlib import Path

import msgspec

from durak.protocol import typescript
from durak.protocol.rules.result import Score
from durak.protocol.rules.ruleset import PRESETS
from durak.protocol.schema import json_schema

WIRE = Path(__file__).parents[2] / "clients" / "web" / "core" / "wire.d.ts"


def test_the_web_clients_types_are_generated_from_the_schema() -> None:
    assert WIRE.read_text() == typescript.declarations(), (
        "the schema has changed: python -m durak.protocol.typescript > clients/web/core/wire.d.ts"
    )


def test_a_message_says_by_its_tag_what_it_is() -> None:
    text = typescript.declarations()
    for union in ("ServerMessage", "ClientMessage", "ViewerEvent", "Action"):
        assert f"export type {union} =\n  " in text
    assert "export interface Beaten {\n  event: 'beaten'; seat: number; target: string; card: string;\n}" in text


def test_what_has_a_default_and_no_tag_is_always_sent() -> None:
    """As the types say: rules and scores are whole, also where an option is as usual."""
    for value in (*PRESETS.values(), Score(0, 0, 0)):
        fields = json_schema()["$defs"][type(value).__name__]["properties"]
        assert set(msgspec.to_builtins(value)) == set(fields)
