"""No frame of a whole game names a card that its viewer may not know (RULES section 4)."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.system.client import Client, Message
from tests.system.conftest import Connect
from tests.system.serving import Served
from tests.system.tables import playing, started

CARD = re.compile(r"(?:[6-9JQKA]|10)[SHDC]")
RANKS = ["6", "7", "8", "9", "10", "J", "Q", "K", "A"]
GAMES: dict[str, tuple[int, Message]] = {
    "classic, two": (2, {}),
    "classic, four": (4, {}),
    "classic, six": (6, {}),
    "discreet": (3, {"discreet": True}),
    "gameweave": (3, {"preset": "gameweave"}),
    "challenge": (2, {"preset": "challenge"}),
}


def cards_in(value: Any) -> Iterator[str]:
    """Every card that is named anywhere in a message."""
    if isinstance(value, str):
        if CARD.fullmatch(value):
            yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from cards_in(key)
            yield from cards_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from cards_in(inner)


def shown_to_all(events: dict[int, list[Message]]) -> dict[int, set[str]]:
    """By sequence number, the cards that it showed to everybody."""
    shown: dict[int, set[str]] = {}
    for seq, one in events.items():
        for event in one:
            fields = {name: value for name, value in event.items() if name not in ("hand", "cards")}
            shown.setdefault(seq, set()).update(cards_in(fields))
            if event["event"] == "bout_ended":
                shown[seq].update(event["cards"])
    return shown


def drawn(person: Client) -> dict[int, set[str]]:
    """By sequence number, the cards that this seat was dealt or drew, as it was told itself."""
    found: dict[int, set[str]] = {}
    for seq, one in person.events.items():
        for event in one:
            if event["event"] == "dealt" and event["hand"]:
                found[seq] = set(event["hand"])  # a redeal is another deal
            elif event["event"] == "drew" and event["cards"]:
                found.setdefault(seq, set()).update(event["cards"])
    return found


def check(viewer: Client, public: dict[int, set[str]], own: dict[int, set[str]]) -> None:
    """Every frame names only what was public, or the viewer's own, by then."""
    seq = 0
    for frame, message in zip(viewer.frames, viewer.told, strict=True):
        assert json.loads(frame) == message
        seq = max(seq, message.get("seq") or 0)
        known = set().union(*(cards for at, cards in (*public.items(), *own.items()) if at <= seq))
        assert set(cards_in(message)) <= known, (seq, message)


async def blunder(person: Client, rng: random.Random) -> None:
    """Ask for something at random, mostly illegal: the refusals are frames as well."""
    acts = ("lead", "throw", "beat")
    card = rng.choice("6789JQKA") + rng.choice("SHDC")
    await person.act({"act": rng.choice(acts), "card": card}, cid=f"blunder-{rng.random()}")


async def play_and_look(person: Client, others: list[Client], rng: random.Random) -> None:
    """Play at random, with blunders."""
    while playing(person):
        await person.until(lambda: not playing(person) or person.legal)
        if rng.random() < 0.2:
            await blunder(person, rng)
        if playing(person) and person.legal:
            await person.act(rng.choice(person.legal))


@pytest.mark.parametrize(("players", "game"), GAMES.values(), ids=GAMES.keys())
async def test_frames_of_a_whole_game(server: Served, connect: Connect, players: int, game: Message) -> None:
    rng = random.Random(players)
    names = [f"Player {number}" for number in range(players)]
    preset = game.get("preset", "classic")
    options = {name: value for name, value in game.items() if name != "preset"}
    if preset == "challenge":
        options["offer_ms"] = 200
    people, table = await started(connect, server, names, preset=preset, **options)
    eve = await connect(server, "Eve", table=table)
    await asyncio.gather(*(play_and_look(person, people, rng) for person in people))
    last = max(person.seq or 0 for person in people)
    late = [await connect(server, "Late", table=table), await connect(server, token=people[0].token, table=table)]
    await asyncio.gather(*(client.until(lambda client=client: (client.seq or 0) >= last) for client in (*people[1:], eve)))

    public = shown_to_all(late[0].events)
    own = [drawn(late[1]), *(drawn(person) for person in people[1:])]
    held = [set().union(*cards.values()) for cards in own]
    if not any(event.get("again") for one in late[0].events.values() for event in one):
        assert sum(map(len, held)) == len(set().union(*held)), "two seats were told of one card"
    assert sum(map(len, held)) == 36 or preset == "challenge"
    if preset == "challenge":  # the trump that decides who begins is shown until the lead (RULES 3.5)
        begun = max(seq for seq, one in late[0].events.items() if any(event["event"] == "dealt" for event in one))
        trump = late[1].game["trump"]
        trumps = [card for cards in own for card in cards[begun] if card.endswith(trump)]
        public[begun].update(sorted(trumps, key=lambda card: RANKS.index(card[:-1]))[:1])
    for viewer in (eve, late[0]):
        check(viewer, public, {})
        assert all(message["view"]["game"]["hand"] is None for message in viewer.told if message.get("view"))
    for person, cards in zip([late[1], *people[1:]], own, strict=True):
        check(person, public, cards)
