"""A connection that survives the network: it comes back by itself, asks for what it missed, and repeats what was not answered."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Concatenate, Final, ParamSpec, Self

from durak.clients.link.backoff import Backoff, retry_after_s
from durak.clients.link.dial import dial
from durak.clients.link.errors import CannotConnect, LinkClosed, LinkError, Refused
from durak.clients.link.newer import LeftOut
from durak.clients.link.position import Gap, Position
from durak.clients.link.socket import Dial, Socket, SocketClosed
from durak.clients.link.wire import UnreadableFrame, Wire
from durak.protocol.messages import (
    SUBPROTOCOL_MSGPACK,
    AnyCommand,
    Error,
    Heartbeat,
    Hello,
    Ok,
    ServerMessage,
    TableView,
    Welcome,
)

P = ParamSpec("P")

HEARTBEATS_OF_SILENCE: Final = 2.4
WELCOME_S: Final = 10.0
FOR_GOOD: Final = range(4100, 4200)


class Lost(Exception):
    """The connection is lost and may come back; `why` is what a person is told."""

    def __init__(self, why: LinkError, retry_after_s: float = 0.0) -> None:
        super().__init__(str(why))
        self.why = why
        self.retry_after_s = retry_after_s


class Question:
    """A command that waits for its answer; `asked_on` is the number of the connection it was last sent on."""

    __slots__ = ("answer", "asked_on", "frame")

    def __init__(self, frame: str | bytes, answer: asyncio.Future[Ok]) -> None:
        self.frame = frame
        self.answer = answer
        self.asked_on = 0


class Link:
    """A player's connection to a server.

    >>> async with Link("http://127.0.0.1:8080", token) as link:        # doctest: +SKIP
    ...     await link.command(Join, table="K7P2QX")                     # the link adds the command id
    ...     async for message in link:
    ...         ...                                                      # Welcome, TableState, Update, …

    Iterating gives every message but heartbeats and answers to commands, each once and in order, also over a loss: then there is
    a new `Welcome` and a `TableState` whose `missed` holds just what is new. `view`, `seq` and `table` are those of the last
    message that has *arrived*. One reader only; unread messages are kept. What a newer server says that this version does not know
    is left out; of what, a `LeftOut` before the message tells.

    `patient`: a server that cannot be reached at first is waited for as well. `on_connection` is called with `None` when the
    server has greeted, and with the reason when the connection is lost. `dial` opens the connections. Time is the event loop's and
    `sleep`'s.
    """

    def __init__(
        self,
        url: str,
        token: str,
        table: str | None = None,
        *,
        subprotocol: str = SUBPROTOCOL_MSGPACK,
        patient: bool = False,
        rng: random.Random | None = None,
        dial: Dial = dial,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        on_connection: Callable[[LinkError | None], None] | None = None,
    ) -> None:
        self.url = url
        self.welcome: Welcome | None = None
        self._token = token
        self._wire = Wire(subprotocol)
        self._patient = patient
        self._rng = random.Random() if rng is None else rng
        self._dial = dial
        self._sleep = sleep
        self._on_connection = on_connection
        self._position = Position(table)
        self._inbox: asyncio.Queue[ServerMessage | LeftOut | None] = asyncio.Queue()
        self._questions: dict[str, Question] = {}
        self._cid_prefix = f"{self._rng.getrandbits(60):x}"
        self._cids = 0
        self._sending = asyncio.Lock()
        self._socket: Socket | None = None  # after the greeting only
        self._connections = 0
        self._task: asyncio.Task[None] | None = None
        self._greeted: asyncio.Future[None] | None = None
        self._greeted_at: float | None = None  # by the loop's clock; of the present connection
        self._end: LinkError | None = None

    # ---------------------------------------------------------------- for its user

    @property
    def table(self) -> str | None:
        """The table the link is attached to, or asks for."""
        return self._position.table

    @property
    def view(self) -> TableView | None:
        """The table as the server last showed it."""
        return self._position.view

    @property
    def seq(self) -> int | None:
        """The last sequence number of the table."""
        return self._position.seq

    @property
    def connected(self) -> bool:
        """True between a greeting and the loss of the connection."""
        return self._socket is not None

    async def open(self) -> None:
        """Connect, and return when the server has greeted. Raises `CannotConnect` or `LinkClosed`; `async with` calls it."""
        assert self._task is None, "a link is opened once"
        self._greeted = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._run())
        try:
            await asyncio.shield(self._greeted)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Close the connection; iterating ends, commands without an answer raise `LinkClosed`."""
        if self._end is None:
            while not self._inbox.empty():
                self._inbox.get_nowait()
            self._finish(LinkClosed(1000))
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> ServerMessage | LeftOut:
        if self._end is None or not self._inbox.empty():
            message = await self._inbox.get()
            if message is not None:
                return message
        assert self._end is not None
        if isinstance(self._end, LinkClosed) and self._end.close_code == 1000:
            raise StopAsyncIteration
        raise self._end

    async def command(self, make: Callable[Concatenate[str, P], AnyCommand], *args: P.args, **kwargs: P.kwargs) -> Ok:
        """Send `make(cid, …)`, e.g. `command(Join, table="K7P2QX")`, and return the server's `ok`.

        A command that was not answered when the connection was lost is repeated; the server knows it by its id.
        Raises `Refused` with the server's error, `LinkClosed` when there will be no answer, `ValueError` for a message too large.
        """
        if self._end is not None:
            raise self._end
        self._cids += 1
        cid = f"{self._cid_prefix}-{self._cids}"
        question = Question(self._wire.encode(make(cid, *args, **kwargs)), asyncio.get_running_loop().create_future())
        self._questions[cid] = question
        try:
            await self._ask([question])
            return await question.answer
        finally:
            del self._questions[cid]
            if question.answer.done() and not question.answer.cancelled():
                question.answer.exception()  # seen, even if we are called off while the question is still on its way out

    # ---------------------------------------------------------------- one connection after the other

    async def _run(self) -> None:
        backoff = Backoff(self._rng)
        try:
            while True:
                self._greeted_at = None
                try:
                    await self._connection()
                except CannotConnect as error:
                    if self.welcome is None and not (self._patient and error.temporary):
                        raise
                    lost = Lost(error, error.retry_after_s)
                except Lost as loss:
                    lost = loss
                if self._has_stood():
                    backoff.reset()
                if self._on_connection is not None:
                    self._on_connection(lost.why)
                await self._sleep(backoff.next_s(lost.retry_after_s))
        except LinkError as error:
            self._finish(error)
        except asyncio.CancelledError:
            raise
        except BaseException:
            self._finish(LinkError("bug", "the link has failed"))
            raise

    def _has_stood(self) -> bool:
        """True if the connection just lost had lasted, so that its loss is no failure to connect."""
        if self._greeted_at is None or self.welcome is None:
            return False
        return asyncio.get_running_loop().time() - self._greeted_at > self.welcome.heartbeat_ms / 1000

    async def _connection(self) -> None:
        """One connection from its first to its last frame. Raises `CannotConnect`, `Lost` or `LinkClosed`."""
        socket = await self._dial(self.url, self._wire.subprotocol)
        try:
            position = self._position
            await socket.send(self._wire.encode(Hello(self._token, position.table, position.seq)))
            await self._listen(socket)
        except TimeoutError:
            socket.abort()  # nobody is there to shake hands with
            if self.welcome is None:
                raise CannotConnect("silent", f"{self.url} accepts connections but does not greet", temporary=True) from None
            raise Lost(LinkError("silent", "the server has fallen silent")) from None
        except SocketClosed as closed:
            code, reason = closed.code, closed.reason
            if code in FOR_GOOD:
                raise LinkClosed(code, reason) from None
            raise Lost(
                LinkError("lost", f"the connection is lost ({code} {reason})".replace(" )", ")")), retry_after_s(reason)
            ) from None
        except Gap as gap:
            raise Lost(LinkError("gap", f"an event is missing: {gap}")) from None
        except UnreadableFrame as error:
            raise LinkError("unreadable", f"the server sent what this version cannot read: {error}") from None
        finally:
            self._socket = None
            await socket.close()

    async def _listen(self, socket: Socket) -> None:
        now = asyncio.get_running_loop().time
        silence_s = WELCOME_S
        async with asyncio.timeout(silence_s) as silence:
            while True:
                message, left_out = self._wire.decode(await socket.recv())
                if isinstance(message, Welcome):
                    silence_s = HEARTBEATS_OF_SILENCE * message.heartbeat_ms / 1000
                    await self._begin(socket, message)
                elif message is not None:
                    self._hear(message, left_out)
                silence.reschedule(now() + silence_s)

    async def _begin(self, socket: Socket, welcome: Welcome) -> None:
        self.welcome = welcome
        self._socket = socket
        self._connections += 1
        self._greeted_at = asyncio.get_running_loop().time()
        self._inbox.put_nowait(welcome)
        if self._on_connection is not None:
            self._on_connection(None)
        assert self._greeted is not None
        if not self._greeted.done():
            self._greeted.set_result(None)
        await self._ask(list(self._questions.values()))

    async def _ask(self, questions: list[Question]) -> None:
        """Send these in order, unless this connection has carried them already; without a connection the next one will."""
        async with self._sending:
            for question in questions:
                socket = self._socket
                if socket is None:
                    return
                if question.asked_on == self._connections or question.answer.done():
                    continue
                question.asked_on = self._connections
                try:
                    await socket.send(question.frame)
                except SocketClosed:
                    return  # whoever receives learns of it as well, and reconnects

    def _hear(self, message: ServerMessage, left_out: LeftOut | None) -> None:
        match message:
            case Ok(cid=cid) | Error(cid=str(cid)):
                question = self._questions.get(cid)
                if question is None or question.answer.done():
                    return  # the second answer to a command sent twice, or nobody waits for it any more
                if isinstance(message, Ok):
                    question.answer.set_result(message)
                else:
                    question.answer.set_exception(Refused(message))
            case Heartbeat():
                pass
            case _:
                news = self._position.take(message)
                if news is not None:
                    if left_out is not None:
                        self._inbox.put_nowait(left_out)
                    self._inbox.put_nowait(news)

    def _finish(self, end: LinkError) -> None:
        """There will be no more messages."""
        self._end = end
        self._inbox.put_nowait(None)
        if self._greeted is not None and not self._greeted.done():
            self._greeted.set_exception(end)
            self._greeted.exception()  # seen, even if nobody waits for it any more
        for question in self._questions.values():
            if not question.answer.done():
                question.answer.set_exception(end)
