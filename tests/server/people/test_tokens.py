"""Tokens: they say who holds them, can't be made or changed without the secret, expire, and can be revoked."""

from __future__ import annotations

import time

import pytest
from itsdangerous import URLSafeTimedSerializer

from durak.server.people.tokens import GUEST_TOKEN_LIFETIME_S, BadToken, Identity, Tokens
from tests.server.shell import HandClock

SECRET = b"a secret for tests"
ANN = Identity("guest:1", "Анна")
BOT = Identity("bot:1", "Boris", "bot", "ABCDEF", "hard")


def tokens_of(secret: bytes) -> Tokens:
    """Those of a server with this secret, now."""
    return Tokens(secret, lambda: int(time.time() * 1_000))


def code_of(tokens: Tokens, token: str) -> str:
    """How a token is refused."""
    with pytest.raises(BadToken) as bad:
        tokens.read(token)
    return bad.value.code


@pytest.mark.parametrize("identity", [ANN, BOT, Identity("host:own", "bot host", "host")])
def test_a_token_says_who_holds_it(identity: Identity) -> None:
    assert tokens_of(SECRET).read(tokens_of(SECRET).make(identity)) == identity


def test_another_secret_reads_nothing() -> None:
    assert code_of(tokens_of(b"another secret, too"), tokens_of(SECRET).make(ANN)) == "bad_token"


def test_every_character_counts() -> None:
    tokens = tokens_of(SECRET)
    token = tokens.make(ANN)
    for at, character in enumerate(token[:-1]):  # the last one of a base64 text carries spare bits
        changed = token[:at] + ("A" if character != "A" else "B") + token[at + 1 :]
        assert code_of(tokens, changed) == "bad_token"


def test_the_salt_keeps_other_signatures_out() -> None:
    foreign = URLSafeTimedSerializer(SECRET, salt="something else").dumps({"player": "guest:1", "name": "Ann"})
    assert code_of(tokens_of(SECRET), str(foreign)) == "bad_token"


def test_tokens_expire() -> None:
    clock = HandClock()
    tokens = Tokens(SECRET, clock.now_ms)
    token = tokens.make(ANN)
    lifetime_ms = GUEST_TOKEN_LIFETIME_S * 1_000
    clock._now_ms += lifetime_ms - 5_000
    assert tokens.read(token) == ANN
    clock._now_ms += 10_000
    assert code_of(tokens, token) == "expired_token"


def test_tokens_of_the_future_are_bad() -> None:
    clock = HandClock(10_000_000)
    tokens = Tokens(SECRET, clock.now_ms)
    token = tokens.make(ANN)
    clock._now_ms -= 3_600_000
    assert code_of(tokens, token) == "expired_token"


def test_players_can_be_revoked() -> None:
    tokens = tokens_of(SECRET)
    token = tokens.make(ANN)
    tokens.revoked.add(ANN.player)
    assert code_of(tokens, token) == "revoked_token"


@pytest.mark.parametrize("claims", [None, [], 7, {}, {"player": 7, "name": "Ann"}, {"player": "x", "name": "y", "kind": "king"}])
def test_claims_of_another_form_are_bad(claims: object) -> None:
    token = URLSafeTimedSerializer(SECRET, salt="durak.session").dumps(claims)
    assert code_of(tokens_of(SECRET), str(token)) == "bad_token"


@pytest.mark.parametrize("token", ["", ".", "..", "a.b.c", "\0", "é", "x" * 5000])
def test_rubbish_is_bad(token: str) -> None:
    assert code_of(tokens_of(SECRET), token) == "bad_token"
