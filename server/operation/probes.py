"""What machines ask over HTTP: whether the process lives, whether it should get players, and its metrics."""

from aiohttp import web

from durak.server.operation.health import Health
from durak.server.operation.metrics import CONTENT_TYPE, Metrics


def livez() -> web.RouteDef:
    """The event loop turns."""

    async def answer(request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    return web.get("/livez", answer)


def readyz(health: Health) -> web.RouteDef:
    """Every check with its reason or what is worth knowing of it; 503 if one has failed."""

    async def answer(request: web.Request) -> web.Response:
        checks = await health.checks()
        ready = all(check.reason is None for check in checks)
        shown = {}
        for check in checks:
            words = {"reason": check.reason, "note": check.note}
            shown[check.name] = {"ok": check.reason is None, **{word: text for word, text in words.items() if text}}
        return web.json_response({"status": "ready" if ready else "not_ready", "checks": shown}, status=200 if ready else 503)

    return web.get("/readyz", answer)


def metrics(collected: Metrics) -> web.RouteDef:
    """All metrics, for Prometheus."""

    async def answer(request: web.Request) -> web.Response:
        return web.Response(body=collected.text(), headers={"Content-Type": CONTENT_TYPE})

    return web.get("/metrics", answer)
