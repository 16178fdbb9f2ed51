"""A bare aiohttp fan-out: for each frame one reply to its sender and one frame to each member of its group. No game, no store.

``python -m durak.server.bench.fanout REPLY_BYTES UPDATE_BYTES``; prints its address.
"""

import asyncio
import sys
from collections import defaultdict

from aiohttp import WSMsgType, web

from durak.protocol.messages import SUBPROTOCOL_MSGPACK


async def main(reply_bytes: int, update_bytes: int) -> None:
    """Serve until killed."""
    reply, update = b"r" * reply_bytes, b"u" * update_bytes
    groups: dict[str, list[web.WebSocketResponse]] = defaultdict(list)

    async def fan(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(protocols=(SUBPROTOCOL_MSGPACK,), compress=False)
        await socket.prepare(request)
        group = groups[request.match_info["group"]]
        group.append(socket)
        async for message in socket:
            if message.type is WSMsgType.BINARY:
                await socket.send_bytes(reply)
                for member in group:
                    await member.send_bytes(update)
        return socket

    app = web.Application()
    app.add_routes([web.get("/fan/{group}", fan)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    import uvloop

    uvloop.run(main(int(sys.argv[1]), int(sys.argv[2])))
