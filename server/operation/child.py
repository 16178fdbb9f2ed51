"""The server's own bot host: a child process that is started again when it dies and ends with its parent."""

import asyncio
import logging
import os
import sys

logger = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 10.0
STEADY_S = 30.0
"""A host that has lived this long starts again without a pause."""
END_TIMEOUT_S = 5.0
WITHOUT_WORKERS = "easy,normal"
"""The levels that think on the host's event loop."""


class BotHostProcess:
    """Keeps `durak bots` running against this server."""

    def __init__(self, url: str, token: str, *, seats: int, workers: int, think_ms: int, log_format: str) -> None:
        self._arguments = ["--server", url, "--seats", str(seats), "--until-stdin-closes"]
        self._arguments += ["--workers", str(workers), "--think-ms", str(think_ms)] if workers else ["--levels", WITHOUT_WORKERS]
        self._variables = {"DURAK_HOST_TOKEN": token, "DURAK_LOG_FORMAT": log_format}
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int | None:
        """The process that plays now."""
        return None if self._process is None else self._process.pid

    def start(self) -> None:
        """Start it, and again whenever it dies."""
        self._task = asyncio.create_task(self._keep_running())

    async def stop(self) -> None:
        """End it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        process = self._process
        if process is not None and process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), END_TIMEOUT_S)
            except TimeoutError:
                process.kill()
                await process.wait()

    async def _keep_running(self) -> None:
        loop = asyncio.get_running_loop()
        pause_s = FIRST_PAUSE_S
        while True:
            begun = loop.time()
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "durak.clients.dispatch",
                "bots",
                *self._arguments,
                stdin=asyncio.subprocess.PIPE,
                env={**os.environ, **self._variables},
            )
            status = await self._process.wait()
            pause_s = FIRST_PAUSE_S if loop.time() - begun > STEADY_S else min(LONGEST_PAUSE_S, pause_s * 2)
            logger.warning("the bot host ended with status %s and is started again in %.1f s", status, pause_s)
            await asyncio.sleep(pause_s)
