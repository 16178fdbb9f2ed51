"""The schema of the wire as TypeScript declarations: messages, events and actions as closed unions that their tag narrows.

``python -m durak.protocol.typescript`` prints them; the web client keeps them in clients/web/core/wire.d.ts.
"""

import textwrap
from collections.abc import Iterator
from typing import Any

from durak.protocol.schema import json_schema

Schema = dict[str, Any]

HEADER = """\
/**
 * What travels between server and browser, as types. Generated from the server's message schema, never edited:
 * python -m durak.protocol.typescript > clients/web/core/wire.d.ts
 */
"""
UNIONS = {"event": "ViewerEvent", "act": "Action"}
"""The unions that occur inside of messages: their tag, and what they are called."""
TAGS = ("t", *UNIONS)
WORDS = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def declarations() -> str:
    """The whole file: an interface for each type of the schema, then the unions."""
    definitions: dict[str, Schema] = json_schema()["$defs"]
    structs = {name: one for name, one in definitions.items() if "properties" in one}
    unions = {name: [_name(member) for member in one["oneOf"]] for name, one in definitions.items() if "oneOf" in one}
    for struct in structs.values():
        for tag, members in _tagged_unions(struct):
            assert unions.setdefault(UNIONS[tag], members) == members, f"two unions with the tag {tag}"
    return "\n".join(
        [
            HEADER,
            *(_interface(name, struct) for name, struct in structs.items()),
            *(f"export type {name} =\n{_wrapped(' | '.join(members))};\n" for name, members in sorted(unions.items())),
        ]
    )


def _interface(name: str, struct: Schema) -> str:
    text = struct.get("description", name)
    text = f"\n{textwrap.indent(text, ' * ', lambda line: True)}\n".replace(" * \n", " *\n") if "\n" in text else f" {text}"
    fields = " ".join(
        f"{field}{'?' if _may_be_missing(struct, field) else ''}: {_type(schema)};"
        for field, schema in struct["properties"].items()
    )
    return f"/**{text} */\nexport interface {name} {{\n{_wrapped(fields)}\n}}\n"


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, initial_indent="  ", subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _may_be_missing(struct: Schema, field: str) -> bool:
    """A message, an event or an action leaves out what has its default; other types do so only with what has none."""
    tagged = any(tag in struct["properties"] for tag in TAGS)
    return field not in struct["required"] and (tagged or "default" not in struct["properties"][field])


def _tagged_unions(schema: Any) -> Iterator[tuple[str, list[str]]]:
    """The tag and the members of each union inside."""
    if isinstance(schema, dict):
        if "discriminator" in schema:
            yield schema["discriminator"]["propertyName"], [_name(member) for member in schema["anyOf"]]
        for inner in schema.values():
            yield from _tagged_unions(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _tagged_unions(inner)


def _name(reference: Schema) -> str:
    name: str = reference["$ref"].rpartition("/")[2]
    return name


def _type(schema: Schema) -> str:
    match schema:
        case {"$ref": _}:
            return _name(schema)
        case {"discriminator": {"propertyName": tag}}:
            return UNIONS[tag]
        case {"anyOf": choices}:
            return " | ".join(_type(choice) for choice in choices)
        case {"enum": values}:
            return " | ".join(f"'{value}'" if isinstance(value, str) else str(value) for value in values)
        case {"type": "array", "prefixItems": items}:
            return f"[{', '.join(_type(item) for item in items)}]"
        case {"type": "array", "items": item}:
            inner = _type(item)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case {"type": "object"}:
            inner = _type(schema["additionalProperties"]) if "additionalProperties" in schema else "unknown"
            return f"Record<string, {inner}>"
        case {"type": word}:
            return WORDS[word]
    raise AssertionError(f"no TypeScript for {schema}")


if __name__ == "__main__":
    print(declarations(), end="")
