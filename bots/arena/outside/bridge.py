"""Lets a bot with an account play in the arena: to the bot a server with one table, to the arena a program that speaks lines.

    python -m durak.bots.arena.outside.bridge python account.py --server {url} --table {table}

The bot's program is started for each game, with the address and the table in place of the braces and its token in the environment,
and connects as it would to any server. A table in the arena has no clock: where a bot need not act, silence for a moment is its
waiting.
"""

import asyncio
import os
import shutil
import signal
import sys
import threading
from collections.abc import Awaitable, Sequence
from typing import Any, Final, TypeVar

from msgspec.structs import replace
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from durak.bots.arena.outside.lines import LINE_PROTOCOL, Choose, GameBegins, GameIsOver, Hello, Ready, decode_line, encode
from durak.protocol import messages as m
from durak.protocol.codec import BadFrame, Codec
from durak.protocol.rules.actions import AnyAction, Keep, Pass, Redeal, Throw
from durak.protocol.rules.ruleset import RULES_VERSION
from durak.protocol.rules.view import GameView

T = TypeVar("T")

TABLE: Final = "ARENA1"
TOKEN: Final = "arena"
QUIET_MS: Final = 50.0
QUIET_BUDGETS: Final = 2.0
"""A bot that need not act waits if it says nothing for so long, and so many budgets."""
FAREWELL_S: Final = 3.0
HEARTBEAT_MS: Final = 60_000


class Bridge:
    """One game after the other; `seq` counts what the bot has been told of the running one."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._url = ""
        self._program: asyncio.subprocess.Process | None = None
        self._peer: tuple[ServerConnection, Codec] | None = None  # attached to the table
        self._attached = asyncio.Event()
        self._game: GameBegins | None = None
        self._view: GameView | None = None
        self._history: list[m.SeqEvents] = []
        self._seq = 0
        self._question: asyncio.Future[AnyAction | None] | None = None

    async def run(self, lines: "asyncio.Queue[bytes]") -> None:
        """Answer the arena's lines, for ever."""
        protocols = [Subprotocol(m.SUBPROTOCOL_JSON), Subprotocol(m.SUBPROTOCOL_MSGPACK)]
        async with serve(self._connection, "127.0.0.1", 0, subprotocols=protocols, ping_interval=None) as server:
            self._url = f"http://127.0.0.1:{_port(server)}"
            while True:
                match decode_line(await lines.get()):
                    case Hello():
                        if shutil.which(self._command[0]) is None:
                            sys.exit(f"there is no program {self._command[0]}")
                        _answer(Ready(LINE_PROTOCOL))
                    case GameBegins() as game:
                        await self._begin(game)
                    case Choose(events=events, view=view):
                        _answer(await self._ask(events, view))
                    case GameIsOver(events=events, result=result) if self._view is not None:
                        await self._tell(events, replace(self._view, phase="over", legal=[], result=result))
                        await self._end()

    async def _begin(self, game: GameBegins) -> None:
        await self._end()
        self._game, self._view, self._history, self._seq = game, None, [], 0
        words = [word.replace("{url}", self._url).replace("{table}", TABLE) for word in self._command]
        self._program = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            env={**os.environ, "DURAK_TOKEN": TOKEN},
        )

    def kill(self) -> None:
        """End the bot's program, in whatever thread."""
        if self._program is not None:
            try:
                os.kill(self._program.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass

    async def _end(self) -> None:
        """Give the program a moment to go."""
        program, self._program = self._program, None
        if program is not None:
            try:
                await asyncio.wait_for(program.wait(), FAREWELL_S)
            except TimeoutError:
                program.kill()
                await program.wait()
        self._peer = None
        self._attached.clear()

    async def _ask(self, events: list[Any], view: GameView) -> AnyAction | None:
        """What the bot does, `None` if it waits. Ends this process if the bot's has ended."""
        self._question = asyncio.get_running_loop().create_future()
        need_not = all(isinstance(action, Throw | Pass) for action in view.legal)
        assert self._game is not None, "a game begins before the first decision"
        quiet_s = (QUIET_MS + QUIET_BUDGETS * (self._game.budget.ms or 0)) / 1000
        try:
            await self._tell(events, view)
            await self._unless_it_ends(self._attached.wait())
            return await self._unless_it_ends(asyncio.wait_for(self._question, quiet_s if need_not else None))
        except TimeoutError:
            return None
        finally:
            self._question = None

    async def _unless_it_ends(self, waiting: Awaitable[T]) -> T:
        assert self._program is not None, "a game begins before the first decision"
        wanted, ended = asyncio.ensure_future(waiting), asyncio.ensure_future(self._program.wait())
        try:
            await asyncio.wait((wanted, ended), return_when=asyncio.FIRST_COMPLETED)
            if not wanted.done():
                sys.exit(f"the bot's program has ended ({self._program.returncode}) in the middle of a game")
            return wanted.result()
        finally:
            wanted.cancel()
            ended.cancel()

    # ---------------------------------------------------------------- what the bot hears

    async def _tell(self, events: list[Any], view: GameView) -> None:
        self._view = view
        self._seq += 1
        self._history.append(m.SeqEvents(self._seq, events))
        if self._peer is not None:
            await self._send(m.Update(self._seq, events, m.ViewChange.to(self._table(view))))

    def _table(self, view: GameView) -> m.TableView:
        assert self._game is not None
        status = "playing" if view.result is None else "finished"
        you = m.YouView(self._game.seat, self._game.seat, False, [])
        return m.TableView(TABLE, "arena", status, True, self._game.ruleset, [], 1, 0, None, you, view)  # type: ignore[arg-type]

    async def _send(self, message: m.FromServer, peer: tuple[ServerConnection, Codec] | None = None) -> None:
        connection, codec = peer or self._peer or (None, None)
        if connection is not None and codec is not None:
            frame = codec.encode(message)
            try:
                await connection.send(frame if codec.binary else frame.decode())
            except ConnectionClosed:
                pass  # it comes back, or its program ends

    # ---------------------------------------------------------------- what the bot says

    async def _connection(self, connection: ServerConnection) -> None:
        codec = Codec(connection.subprotocol or m.SUBPROTOCOL_JSON)
        peer = connection, codec
        try:
            async for frame in connection:
                await self._hear(peer, codec.decode_from_client(frame.encode() if isinstance(frame, str) else frame))
        except BadFrame as bad:
            await connection.close(m.CloseCode.BAD_FRAME, bad.code)
        except ConnectionClosed:
            pass
        finally:
            if self._peer == peer:
                self._peer = None
                self._attached.clear()

    async def _hear(self, peer: tuple[ServerConnection, Codec], message: m.ClientMessage) -> None:
        match message:
            case m.Hello(token=token, table=table):
                if token != TOKEN:
                    await peer[0].close(m.CloseCode.BAD_TOKEN, "bad_token")
                    return
                welcome = m.Welcome("guest:arena", "bot", "person", "durak arena", m.PROTOCOL_VERSION, RULES_VERSION, HEARTBEAT_MS)
                await self._send(welcome, peer)
                if table == TABLE:
                    await self._attach(peer)
            case m.Join(cid=cid, table=table) | m.Watch(cid=cid, table=table):
                if table != TABLE:
                    await self._send(m.Error("no_such_table", cid=cid, params={"table": table}), peer)
                else:
                    await self._send(m.Ok(cid, TABLE, self._seq), peer)
                    await self._attach(peer)
            case m.Act(cid=cid):
                await self._send(self._act(message), peer)
            case _:
                await self._send(m.Error("not_allowed", cid=message.cid), peer)

    async def _attach(self, peer: tuple[ServerConnection, Codec]) -> None:
        self._peer = peer
        if self._view is not None:
            await self._send(m.TableState(self._seq, "snapshot", self._history, 0, self._table(self._view)))
            self._attached.set()

    def _act(self, act: m.Act) -> m.FromServer:
        """The answer to an action; an illegal one is the arena's to judge."""
        view, question = self._view, self._question
        if view is None or question is None or question.done() or act.bout != view.bout:
            return m.Error("stale", cid=act.cid, rule="1.16")
        if isinstance(act.action, Pass | Redeal | Keep) and act.epoch not in (None, view.epoch):
            return m.Error("stale", cid=act.cid, rule="1.16")
        question.set_result(act.action)
        return m.Ok(act.cid, TABLE, self._seq + 1)


def _answer(answer: Any) -> None:
    sys.stdout.buffer.write(encode(answer) + b"\n")
    sys.stdout.buffer.flush()


def _port(server: Server) -> int:
    port: int = next(iter(server.sockets)).getsockname()[1]
    return port


async def _main(command: Sequence[str]) -> None:
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    bridge = Bridge(command)

    def read() -> None:
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        bridge.kill()
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    await bridge.run(lines)


if __name__ == "__main__":
    try:
        asyncio.run(_main(sys.argv[1:]))
    except BaseException as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(1)  # an orderly end would wait for the thread, which waits for a line
