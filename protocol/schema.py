"""The machine-readable schema of the wire, generated from messages/: JSON Schema and AsyncAPI."""

from typing import Any, get_args

import msgspec

from durak.protocol.messages import PROTOCOL_VERSION, SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK, ClientMessage, ServerMessage

CLIENT_MESSAGES: tuple[type, ...] = get_args(ClientMessage)
SERVER_MESSAGES: tuple[type, ...] = get_args(ServerMessage)


def json_schema() -> dict[str, Any]:
    """JSON Schema 2020-12: every message by the name of its type, and the two unions ClientMessage and ServerMessage."""
    types = (*CLIENT_MESSAGES, *SERVER_MESSAGES)
    _, components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    unions = {"ClientMessage": CLIENT_MESSAGES, "ServerMessage": SERVER_MESSAGES}
    for name, members in unions.items():
        components[name] = {"oneOf": [{"$ref": f"#/$defs/{member.__name__}"} for member in members]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Durak protocol {PROTOCOL_VERSION}",
        "$defs": dict(sorted(components.items())),
    }


def asyncapi() -> dict[str, Any]:
    """AsyncAPI 3: the channel /ws with both directions."""
    schema = json_schema()

    def message(member: type) -> dict[str, Any]:
        return {"name": member.__name__, "payload": {"$ref": f"#/components/schemas/{member.__name__}"}}

    def action(direction: str, members: tuple[type, ...]) -> dict[str, Any]:
        return {
            "action": direction,
            "channel": {"$ref": "#/channels/table"},
            "messages": [{"$ref": f"#/channels/table/messages/{member.__name__}"} for member in members],
        }

    text = msgspec.json.encode(schema["$defs"]).decode().replace("#/$defs/", "#/components/schemas/")
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Durak table server",
            "version": str(PROTOCOL_VERSION),
            "description": f"Subprotocols {SUBPROTOCOL_MSGPACK} (binary) and {SUBPROTOCOL_JSON} (text), the same messages.",
        },
        "channels": {
            "table": {
                "address": "/ws",
                "messages": {member.__name__: message(member) for member in CLIENT_MESSAGES + SERVER_MESSAGES},
            }
        },
        "operations": {"toServer": action("send", CLIENT_MESSAGES), "fromServer": action("receive", SERVER_MESSAGES)},
        "components": {"schemas": msgspec.json.decode(text)},
    }
