"""Record whole games, frame by frame: ``python tests/protocol/record_transcripts.py`` rewrites protocol/transcripts/.

A real server, two people on `durak.v1.json`; each always sends its first legal action. One line a frame:
``{"who": 0, "from": "client" | "server", "frame": {...}}``.
"""

import asyncio
import json
import sys
import urllib.request
from pathlib import Path
from typing import Any

import websockets

from durak.server.bench.processes import serving

FOLDER = Path(__file__).parents[2] / "protocol" / "transcripts"
PRESETS = ("classic", "gameweave", "challenge")
WITH_EPOCH = ("pass", "redeal", "keep")
Line = dict[str, Any]


class Player:
    """One connection that notes every frame."""

    def __init__(self, who: int, socket: websockets.ClientConnection, lines: list[Line]) -> None:
        self.who, self.socket, self.lines = who, socket, lines
        self.commands = 0

    async def send(self, frame: dict[str, Any]) -> None:
        """Send a frame; tokens are not written down."""
        await self.socket.send(json.dumps(frame))
        shown = {**frame, "token": "…"} if "token" in frame else frame
        self.lines.append({"who": self.who, "from": "client", "frame": shown})

    async def command(self, kind: str, **fields: Any) -> None:
        """Send a command with a new cid."""
        self.commands += 1
        await self.send({"t": kind, "cid": f"{self.who}-{self.commands}", **fields})

    async def receive(self) -> dict[str, Any]:
        """The next frame; heartbeats are left out."""
        while True:
            frame: dict[str, Any] = json.loads(await self.socket.recv())
            if frame["t"] != "heartbeat":
                self.lines.append({"who": self.who, "from": "server", "frame": frame})
                return frame

    async def until(self, kind: str) -> dict[str, Any]:
        """Receive until a frame of this type has come."""
        while (frame := await self.receive())["t"] != kind:
            pass
        return frame

    async def play(self) -> None:
        """Play the first legal action, always, until the game is over."""
        waiting: tuple[int, int] | None = None
        while True:
            frame = await self.receive()
            if frame["t"] != "update":
                continue
            game = frame["view"]["game"]
            if game is None:
                continue
            if game["result"]:
                return
            if game["legal"] and waiting != (frame["seq"], game["epoch"]):
                waiting = (frame["seq"], game["epoch"])
                action = game["legal"][0]
                epoch = {"epoch": game["epoch"]} if action["act"] in WITH_EPOCH else {}
                await self.command("act", bout=game["bout"], action=action, **epoch)


def guest(url: str, name: str) -> str:
    """A token."""
    request = urllib.request.Request(f"{url}/api/guest", json.dumps({"name": name}).encode(), method="POST")
    with urllib.request.urlopen(request) as response:
        return str(json.load(response)["token"])


async def game_of(url: str, preset: str) -> list[Line]:
    """Every frame of one game of a preset."""
    lines: list[Line] = []
    address = url.replace("http", "ws", 1) + "/ws"
    async with (
        websockets.connect(address, subprotocols=[websockets.Subprotocol("durak.v1.json")]) as first,
        websockets.connect(address, subprotocols=[websockets.Subprotocol("durak.v1.json")]) as second,
    ):
        players = [Player(0, first, lines), Player(1, second, lines)]
        for player, name in zip(players, ("Katya", "Anton"), strict=True):
            await player.send({"t": "hello", "token": guest(url, name)})
            await player.until("welcome")
        options = {"max_players": 2, "close_ms": 0} | ({"offer_ms": 100} if preset == "challenge" else {})
        await players[0].command("create", name="Kitchen table", preset=preset, options=options)
        table = (await players[0].until("table"))["view"]["table"]
        await players[1].command("join", table=table)
        await players[1].until("table")
        await players[0].command("start")
        await asyncio.gather(*(player.play() for player in players))
        for player in players:
            await player.command("leave")
            await player.until("detached")
    return lines


def record() -> dict[str, list[Line]]:
    """A transcript of each preset."""
    with serving() as (_, url):
        return {preset: asyncio.run(game_of(url, preset)) for preset in PRESETS}


def main() -> int:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for preset, lines in record().items():
        path = FOLDER / f"{preset}.jsonl"
        path.write_text("".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines))
        print(f"{path.name}: {len(lines)} frames")
    return 0


if __name__ == "__main__":
    sys.exit(main())
