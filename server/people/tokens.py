"""Session tokens: who a connection belongs to. Signed, expiring, revocable."""

from collections.abc import Callable
from typing import Any

import msgspec
from itsdangerous import BadData, SignatureExpired, TimestampSigner, URLSafeTimedSerializer

from durak.protocol.messages import Kind, Level

DAY_S = 86_400
GUEST_TOKEN_LIFETIME_S = 90 * DAY_S


class Identity(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who holds a token. A bot's token is for one `table` at one `level`; a `host` may offer bots."""

    player: str
    name: str
    kind: Kind = "person"
    table: str | None = None
    level: Level | None = None


class BadToken(Exception):
    """A token that opens nothing: `code` is bad_token, expired_token or revoked_token."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Tokens:
    """Makes and reads tokens with one secret; `now_ms` gives the milliseconds since 1970."""

    def __init__(self, secret: bytes, now_ms: Callable[[], int]) -> None:
        class Signer(TimestampSigner):
            def get_timestamp(self) -> int:
                return now_ms() // 1_000

        self._signer = URLSafeTimedSerializer(secret, salt="durak.session", signer=Signer)
        self.revoked: set[str] = set()

    def make(self, identity: Identity) -> str:
        """A token for this identity."""
        return str(self._signer.dumps(msgspec.to_builtins(identity)))

    def read(self, token: str) -> Identity:
        """Who a token belongs to. Raises `BadToken`."""
        try:
            claims: Any = self._signer.loads(token, max_age=GUEST_TOKEN_LIFETIME_S)
            identity = msgspec.convert(claims, Identity)
        except SignatureExpired:
            raise BadToken("expired_token") from None
        except (BadData, msgspec.ValidationError, ValueError):
            raise BadToken("bad_token") from None
        if identity.player in self.revoked:
            raise BadToken("revoked_token")
        return identity
