"""What has happened, as sentences: one event, one line."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from durak.clients.cli.who import Who
from durak.clients.words.speech import Speech, in_order
from durak.protocol.messages import (
    AutoPassSet,
    CameBack,
    Created,
    HostIs,
    Rose,
    Sat,
    Started,
    TableView,
    TimedOut,
    ViewerEvent,
    Voided,
    Voted,
    WentAway,
)
from durak.protocol.rules.cards import PACK
from durak.protocol.rules.events import (
    Answered,
    Attacked,
    Beaten,
    BoutBegan,
    BoutEnded,
    Deciding,
    GameOver,
    GameResult,
    Left,
    Passed,
    Took,
    WentOut,
    tag_of,
)
from durak.protocol.rules.layout import MOST_ATTACKS
from durak.protocol.rules.view import DealtSeen, DrewSeen


def lines_of(events: Iterable[ViewerEvent], view: TableView, speech: Speech) -> list[str]:
    """The lines for these events, which have led to this view."""
    who = Who(view, speech)
    trump = None if view.game is None else view.game.trump
    lines: list[str] = []
    drawn: list[DrewSeen] = []
    for event in events:
        if isinstance(event, DrewSeen):
            drawn.append(event)
            continue
        lines += _drawn(drawn, trump, who, speech)
        drawn = []
        lines += _lines(event, view, who, speech)
    return lines + _drawn(drawn, trump, who, speech)


def result_lines(result: GameResult, view: TableView, speech: Speech) -> list[str]:
    """How a game has ended."""
    who = Who(view, speech)
    if result.durak is not None:
        lines = [who.says("result.durak", result.durak)]
    else:
        lines = [speech("result.draw" if result.draw else "result.nobody")]
    place = 1
    places = []
    for group in result.places:
        places.append(f"{place} {who.several(group)}")
        place += len(group)
    lines.append(speech("result.places", places=", ".join(places)))
    if result.forfeits:
        lines.append(speech("result.forfeits", names=who.several(result.forfeits)))
    if result.giver is not None and result.durak is not None:
        lines.append(speech("result.epaulettes", giver=who.named(result.giver), durak=who.named(result.durak)))
    if view.rules.series:
        lines.append(speech("result.score", scores=_scores(view, who, speech)))
    return lines


def _scores(view: TableView, who: Who, speech: Speech) -> str:
    key = "result.score.pairs" if view.rules.epaulettes else "result.score.one"
    return "; ".join(
        speech(
            key,
            name=speech("who.you") if chair.chair == who.chair else who.on(chair.chair),
            wins=chair.score.wins,
            losses=chair.score.losses,
            epaulettes=chair.score.epaulettes,
        )
        for chair in view.chairs
        if chair.seat is not None
    )


def _lines(event: ViewerEvent, view: TableView, who: Who, speech: Speech) -> list[str]:
    match event:
        case Created():
            return [speech("event.created")]
        case Sat(chair=chair, name=name):
            key = "event.sat.you" if chair == who.chair else "event.sat"
            return [speech(key, name=name, chair=chair + 1)]
        case Rose(name=name):
            return [speech("event.rose", name=name)]
        case HostIs(chair=chair):
            return [who.says_of_chair("event.host", chair)]
        case Started(game=game, chairs=chairs):
            names = [speech("who.you") if chair == who.chair else who.on(chair) for chair in chairs]
            return [speech("event.started", game=game, names=", ".join(names))]
        case WentAway(chair=chair):
            return [who.says_of_chair("event.away", chair)]
        case CameBack(chair=chair):
            return [who.says_of_chair("event.back", chair)]
        case Voted(chair=chair):
            votes = sum(other.vote for other in view.chairs) or view.persons  # a game that begins clears the votes
            return [who.says_of_chair("event.voted", chair, votes=votes, persons=view.persons)]
        case TimedOut(seat=seat):
            return [who.says("event.timed_out", seat)]
        case Voided():
            return [speech("event.voided")]
        case AutoPassSet(on=on):
            return [speech("event.auto_on" if on else "event.auto_off")]
        case DealtSeen():
            return _dealt(event, view, who, speech)
        case Answered(redeal=redeal):
            return [speech("event.redeal" if redeal else "event.keep")]
        case BoutBegan():
            return _bout(event, view, who, speech)
        case Attacked(seat=seat, card=card):
            return [who.says(f"event.{tag_of(event)}", seat, card=speech.card(card))]
        case Beaten(seat=seat, target=target, card=card):
            return [who.says("event.beaten", seat, target=speech.card(target), card=speech.card(card))]
        case Took(seat=seat):
            return [who.says("event.took", seat)]
        case Passed(seat=seat):
            return [who.says("event.finished" if view.rules.throw_in == "attacker_only" else "event.passed", seat)]
        case Deciding(seat=seat):
            return [] if seat == who.seat else [who.says("event.deciding", seat)]
        case BoutEnded(outcome=outcome, seat=seat, cards=cards):
            if outcome == "beaten":
                return [speech("event.discarded", count=len(cards))]
            return [who.says("event.picked_up", seat, count=len(cards), cards=speech.cards(cards))]
        case DrewSeen():
            return _drawn([event], None, who, speech)
        case WentOut(seats=seats):
            return [who.says("event.out", seat, place=_place(view, seat)) for seat in seats]
        case Left(seat=seat, loss=loss):
            return [who.says("event.left" if loss else "event.excused", seat)]
        case GameOver(result=result):
            return result_lines(result, view, speech)
        case _:
            assert_never(event)


def _dealt(event: DealtSeen, view: TableView, who: Who, speech: Speech) -> list[str]:
    lines = [speech("event.redealt")] if event.again else []
    trump = {"suit": speech(f"suit.{event.trump}"), "card": speech.card(event.trump_card)}
    shown = None if view.game is None else view.game.shown_trump
    if shown is not None and shown.card == event.trump_card:
        lines.append(who.says("event.dealt_shown", shown.seat, **trump))
    else:
        lines.append(speech("event.dealt_out" if sum(event.counts) == len(PACK) else "event.dealt", **trump))
    if view.rules.redeal and view.rules.offer_ms:
        lines.append(speech("event.offer"))
    return lines


def _bout(event: BoutBegan, view: TableView, who: Who, speech: Speech) -> list[str]:
    lines = []
    opening = None if view.game is None else view.game.opening_trump
    if event.bout == 1 and opening is not None:
        lines.append(who.says("event.opening", opening.seat, card=speech.card(opening.card)))
    names = {"bout": event.bout, "attacker": who.at(event.attacker), "defender": who.at(event.defender)}
    mine = ".i_attack" if event.attacker == who.seat else ".me" if event.defender == who.seat else ""
    lines.append(speech(f"event.bout{mine}", **names))
    if event.limit < MOST_ATTACKS:
        lines.append(speech("event.limit", bout=event.bout, limit=event.limit))
    return lines


def _drawn(draws: Sequence[DrewSeen], trump: str | None, who: Who, speech: Speech) -> list[str]:
    """Draws that follow each other: the others' in one line, the viewer's own with its cards."""
    others = [draw for draw in draws if draw.seat != who.seat]
    own = [draw for draw in draws if draw.seat == who.seat]
    lines = []
    if others:
        parts = [
            speech("event.drew.more" if place else "event.drew.one", name=who.at(draw.seat), count=draw.count)
            for place, draw in enumerate(others)
        ]
        lines.append(speech("event.drew", names=", ".join(parts)))
    for draw in own:
        cards = draw.cards or []
        lines.append(speech("event.drew.you", cards=speech.cards(in_order(cards, trump) if trump else cards)))
    return lines


def _place(view: TableView, seat: int) -> int:
    """The place of a seat that is out: one more than the number of seats that went out before its group."""
    groups = [] if view.game is None else view.game.out
    before = 0
    for group in groups:
        if seat in group:
            break
        before += len(group)
    return before + 1
