"""A bot's program: started, asked with patience, killed when it is silent or talks nonsense."""

import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import IO, Final

import msgspec

from durak.bots.arena.match import Fault
from durak.bots.arena.outside.lines import LINE_PROTOCOL, LONGEST_LINE, AnyLine, Hello, decode_ready, encode
from durak.protocol.rules.ruleset import RULES_VERSION

START_S: Final = 30.0
"""For the answer to the first line, since a program may have much to load."""
UNASKED_CHUNKS: Final = 16
SHOWN: Final = 80


class Program:
    """A running program that speaks the line protocol. Raises `Fault` crashed, timed_out or rubbish if it does not."""

    def __init__(self, command: Sequence[str]) -> None:
        self._chunks: queue.Queue[bytes] = queue.Queue(UNASKED_CHUNKS)  # of its output; an empty one is its end
        self._complaints: deque[str] = deque(maxlen=20)
        self.stopped = False
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise Fault("crashed", f"it cannot be started: {getattr(error, 'strerror', None) or error}: {command[0]}") from None
        self._listeners = [
            threading.Thread(target=self._listen, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._hear_complaints, args=(self._process.stderr,), daemon=True),
        ]
        for thread in self._listeners:
            thread.start()
        try:
            self._greet()
        except BaseException:
            self.stop()
            raise

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    def tell(self, line: AnyLine) -> None:
        """Send a line that has no answer; that the program has ended shows at the next question."""
        try:
            assert self._process.stdin is not None
            self._process.stdin.write(encode(line) + b"\n")
            self._process.stdin.flush()
        except OSError:
            pass

    def ask(self, line: AnyLine, patience_ms: float) -> bytes:
        """Send a line and return the one that answers it."""
        if not self._chunks.empty():
            stray = self._chunks.get_nowait()
            raise Fault("rubbish", f"a line that nobody asked for: {_shown(stray)}") if stray else self._ended()
        return self._answer(line, patience_ms)

    def _answer(self, line: AnyLine, patience_ms: float) -> bytes:
        self.tell(line)
        until = time.monotonic() + patience_ms / 1000
        answer = b""
        while b"\n" not in answer:
            try:
                chunk = self._chunks.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise Fault("timed_out", f"no answer within {patience_ms:.0f} ms") from None
            answer += chunk
            if not answer:
                raise self._ended()
            if not chunk or len(answer) > LONGEST_LINE:
                raise Fault("rubbish", f"no end of the line: {_shown(answer)}")
        if not answer.endswith(b"\n") or answer.count(b"\n") > 1:
            raise Fault("rubbish", f"more than one line: {_shown(answer)}")
        return answer

    def stop(self) -> None:
        """Kill it, with all that it has started, if that has not been done."""
        if self.stopped:
            return
        self.stopped = True
        try:
            if self._process.returncode is not None:
                pass  # its number may be another's by now
            elif hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        except (ProcessLookupError, PermissionError):
            pass
        self._process.wait()
        for thread in self._listeners:
            thread.join(1)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                assert pipe is not None
                pipe.close()
            except OSError:
                pass  # what was still to be written

    def _greet(self) -> None:
        answer = self._answer(Hello(LINE_PROTOCOL, RULES_VERSION), 1000 * START_S)
        try:
            ready = decode_ready(answer)
        except msgspec.DecodeError:
            raise Fault("rubbish", f'hello is answered with {{"protocol": {LINE_PROTOCOL}}}, not {_shown(answer)}') from None
        if ready.protocol != LINE_PROTOCOL:
            raise Fault("rubbish", f"it speaks line protocol {ready.protocol}, this arena speaks {LINE_PROTOCOL}")

    def _listen(self, pipe: IO[bytes]) -> None:
        try:
            while True:
                chunk = os.read(pipe.fileno(), LONGEST_LINE)
                self._chunks.put_nowait(chunk)
                if not chunk:
                    break
        except (queue.Full, OSError, ValueError):
            pass  # it says far more than it is asked, or is stopped; the next question finds out

    def _hear_complaints(self, pipe: IO[bytes]) -> None:
        try:
            while line := pipe.readline(LONGEST_LINE):
                if line.strip():
                    self._complaints.append(_shown(line))
        except (OSError, ValueError):
            pass

    def _ended(self) -> Fault:
        try:
            status = self._process.wait(2)
        except subprocess.TimeoutExpired:
            return Fault("crashed", "it has closed its output")
        self._listeners[1].join(1)
        last = f": {self._complaints[-1]}" if self._complaints else ""
        return Fault("crashed", f"{f'signal {-status}' if status < 0 else f'exit status {status}'}{last}")


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace").strip()
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
