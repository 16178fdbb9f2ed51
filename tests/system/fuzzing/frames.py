"""Frames to throw at a server: recorded ones changed in their fields or bytes, others built from the schema, and rubbish."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import msgpack
import msgspec

from durak.protocol.messages import TableView
from durak.protocol.rules.cards import PACK
from durak.protocol.schema import json_schema

TRANSCRIPTS = Path(__file__).parents[3] / "protocol" / "transcripts"
EDGES: list[Any] = [
    *(0, 1, -1, 5, 6, 127, 128, 255, 256, 65_535, 2**31, 2**32, 2**53, 2**63 - 1, -(2**63), 2**64 - 1, 10**30),
    *(0.0, -0.5, 1e308, True, False, None),
    *("", "x", "0", "\0", "a" * 40, "a" * 41, "a" * 5_000, "🂡", "\u202e", "6S", "10H", "guest:x", "classic", "../..", "%s%n"),
    *([], {}, [[]], [None] * 100, {"": None}, {"t": "act"}),
]
"""Values at which programs break."""
DEEP = 1_500
TABLE_OF_ITS_OWN = {"t": "create", "cid": "", "bots": ["easy", "normal"], "start": True, "options": {"turn_clock_s": 15}}


def recorded() -> list[dict[str, Any]]:
    """What clients sent in the recorded games."""
    frames = []
    for path in sorted(TRANSCRIPTS.glob("*.jsonl")):
        lines = map(json.loads, path.read_text().splitlines())
        frames += [line["frame"] for line in lines if line["from"] == "client" and line["frame"]["t"] != "hello"]
    return frames


class Frames:
    """An endless supply, the same for the same random source. `tables` are ids that exist."""

    def __init__(self, rng: random.Random, tables: list[str]) -> None:
        self._rng = rng
        self._tables = tables
        self._recorded = recorded()
        self._definitions: dict[str, Any] = json_schema()["$defs"]
        self._number = 0

    def next(self, *, binary: bool, view: TableView | None = None) -> bytes:
        """Another frame; with a view, sometimes a legal action in it."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.03:
            return self._rubbish(binary)
        if kind < 0.15 and view is not None and view.game is not None and view.game.legal:
            action = msgspec.to_builtins(rng.choice(view.game.legal))
            message: Any = self._freshened(
                {"t": "act", "cid": "", "action": action, "bout": view.game.bout, "epoch": view.game.epoch}
            )
            if rng.random() < 0.7:
                return encoded(message, binary)
        elif kind < 0.16:
            return encoded(self._freshened(dict(TABLE_OF_ITS_OWN)), binary)
        elif kind < 0.5:
            message = self._freshened(copy.deepcopy(rng.choice(self._recorded)))
        else:
            message = self._freshened(self._built(self._definitions["ClientMessage"]))
        if rng.random() < 0.4:
            message = self._changed(message)
        frame = encoded(message, binary)
        if rng.random() < 0.2:
            frame = self._torn(frame)
            if not binary and rng.random() < 0.98:  # a text that is no UTF-8 ends the connection
                frame = frame.decode("utf-8", "replace").encode()
        return frame

    # ---------------------------------------------------------------- messages

    def _freshened(self, message: Any) -> Any:
        """With a command id of its own, mostly, and a table that exists, mostly."""
        if isinstance(message, dict):
            if "cid" in message and self._rng.random() < 0.95:
                self._number += 1
                message["cid"] = f"f{self._number}"
            if "table" in message and self._tables and self._rng.random() < 0.9:
                message["table"] = self._rng.choice(self._tables)
        return message

    def _built(self, schema: dict[str, Any]) -> Any:
        """A value that fits the schema."""
        rng = self._rng
        if "$ref" in schema:
            return self._built(self._definitions[schema["$ref"].rsplit("/", 1)[1]])
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                return self._built(rng.choice(schema[choice]))
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return rng.choice(schema["enum"])
        match schema.get("type"):
            case "object":
                return self._object(schema)
            case "array":
                items = schema.get("prefixItems")
                if items:
                    return [self._built(item) for item in items]
                size = rng.randint(schema.get("minItems", 0), min(8, schema.get("maxItems", 4)))
                return [self._built(schema.get("items") or {}) for _ in range(size)]
            case "integer":
                return rng.randint(schema.get("minimum", 0), min(100_000, schema.get("maximum", 12)))
            case "string":
                return self._text(schema)
            case "boolean":
                return rng.random() < 0.5
            case "null":
                return None
            case _:
                return rng.choice(EDGES)

    def _object(self, schema: dict[str, Any]) -> dict[str, Any]:
        required = schema.get("required", ())
        fields = schema.get("properties", {})
        chosen = {name: self._built(kind) for name, kind in fields.items() if name in required or self._rng.random() < 0.6}
        if not fields:  # options of a table, by name
            names = self._definitions["Ruleset"]["properties"]
            some = self._rng.sample(sorted(names), self._rng.randint(0, 4))
            chosen = {name: self._built(names[name]) for name in some}
        return chosen

    def _text(self, schema: dict[str, Any]) -> str:
        pattern = schema.get("pattern", "")
        if pattern.startswith("^(6|7"):
            return self._rng.choice(PACK)
        if pattern:
            return self._rng.choice(self._tables or ["AAAAAA"])
        return "x" * self._rng.randint(schema.get("minLength", 0), min(40, schema.get("maxLength", 40)))

    # ---------------------------------------------------------------- damage

    def _changed(self, value: Any) -> Any:
        """With one part of it, somewhere, not as it should be."""
        rng = self._rng
        if isinstance(value, dict) and value and rng.random() < 0.85:
            key = rng.choice(list(value))
            match rng.randrange(5):
                case 0:
                    del value[key]
                case 1:
                    value[rng.choice(("seat", "player", "t", "x" * 300, ""))] = rng.choice(EDGES)
                case 2:
                    value[key] = rng.choice(EDGES)
                case _:
                    value[key] = self._changed(value[key])
            return value
        if isinstance(value, list) and value and rng.random() < 0.7:
            place = rng.randrange(len(value))
            value[place] = self._changed(value[place])
            return value * rng.choice((1, 1, 2, 50))
        return rng.choice(EDGES)

    def _torn(self, frame: bytes) -> bytes:
        """With bytes lost, doubled, swapped or flipped."""
        rng = self._rng
        damaged = bytearray(frame)
        for _ in range(rng.randint(1, 4)):
            if not damaged:
                break
            at = rng.randrange(len(damaged))
            match rng.randrange(5):
                case 0:
                    damaged[at] ^= 1 << rng.randrange(8)
                case 1:
                    del damaged[at : at + rng.randint(1, 8)]
                case 2:
                    damaged[at:at] = rng.randbytes(rng.randint(1, 8))
                case 3:
                    damaged[at:at] = damaged[: rng.randint(1, 40)]
                case _:
                    del damaged[at:]
        return bytes(damaged)

    def _rubbish(self, binary: bool) -> bytes:
        rng = self._rng
        match rng.randrange(6):
            case 0:
                return rng.randbytes(rng.randrange(200))
            case 1:
                return b"\x91" * DEEP if binary else b"[" * DEEP
            case 2:
                return rng.randbytes(rng.choice((4_095, 4_096, 4_097, 20_000)))
            case 3:
                return b""
            case 4:
                return encoded({"t": "hello", "token": rng.choice(("", "x", "a.b.c", "x" * 2_001))}, binary)
            case _:
                return encoded(rng.choice(EDGES), not binary)


def encoded(message: Any, binary: bool) -> bytes:
    """The frame of anything; what MessagePack can't hold goes as text."""
    if binary:
        try:
            packed: bytes = msgpack.packb(message)
        except (OverflowError, ValueError):
            packed = msgpack.packb(str(message)[:1_000])
        return packed
    return json.dumps(message).encode("utf-8", "surrogatepass")
