"""The web client's types say what the schema says: the same fields, and null exactly where the server may send it."""

import re
from pathlib import Path
from typing import Any

import pytest

from durak.protocol.schema import json_schema

TYPES = (Path(__file__).parents[3] / "clients" / "web" / "types.js").read_text()
SCHEMA = json_schema()["$defs"]
IN_SCHEMA = {"Rules": "Ruleset"}
"""Names that differ."""
BLOCKS = dict(re.findall(r"@typedef \{object\} (\w+).*?\n((?: \* @property [^\n]*\n)+)", TYPES))
SHARED = sorted(name for name in BLOCKS if IN_SCHEMA.get(name, name) in SCHEMA)


def allows_null(field: dict[str, Any]) -> bool:
    """True if the schema lets this field be null."""
    return "null" in (field.get("type"), *(choice.get("type") for choice in field.get("anyOf", ())))


def test_the_important_types_are_compared() -> None:
    assert {"TableView", "GameView", "ChairView", "ClockView", "YouView", "Rules", "Pair", "GameResult", "TableListing"} <= set(
        SHARED
    )


@pytest.mark.parametrize("name", SHARED)
def test_a_type_of_the_web_client_is_the_schemas(name: str) -> None:
    written = {
        field.strip("[]"): "null" in kind for kind, field in re.findall(r"@property \{([^\n]*?)\} (\[?\w+\]?)", BLOCKS[name])
    }
    properties = SCHEMA[IN_SCHEMA.get(name, name)]["properties"]
    assert written == {field: allows_null(schema) for field, schema in properties.items()}
