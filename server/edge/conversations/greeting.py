"""The greeting: who is there, and the table they come back to."""

from durak.protocol.messages import PROTOCOL_VERSION, CloseCode, Error, Hello, Welcome
from durak.protocol.rules.ruleset import RULES_VERSION
from durak.server.edge.connection import Connection
from durak.server.edge.heartbeat import HEARTBEAT_MS
from durak.server.live.port import Viewer
from durak.server.live.registry import Registry
from durak.server.people.tokens import BadToken, Tokens


class GreetingHandler:
    """Turns a connection into somebody."""

    def __init__(self, tokens: Tokens, registry: Registry, server: str) -> None:
        self._tokens = tokens
        self._registry = registry
        self._server = server

    def hello(self, connection: Connection, hello: Hello) -> None:
        """Read the token; with a table in it, attach to that."""
        try:
            identity = self._tokens.read(hello.token)
        except BadToken as bad:
            connection.close(CloseCode.BAD_TOKEN, bad.code)
            return
        viewer = connection.viewer = Viewer(identity, connection)
        connection.send(
            Welcome(identity.player, identity.name, identity.kind, self._server, PROTOCOL_VERSION, RULES_VERSION, HEARTBEAT_MS)
        )
        if hello.table is not None:
            port = self._registry.find(hello.table)
            if port is None:
                connection.send(Error("no_such_table", params={"table": hello.table}))
            elif port.frozen:
                connection.send(Error("frozen", params={"table": hello.table}))
            else:
                port.attach(viewer, hello.seq)
