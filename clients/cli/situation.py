"""The whole situation of a table, as lines: what `i` repeats, and what is said when a table is first seen."""

from collections.abc import Sequence

from durak.clients.cli.news import result_lines
from durak.clients.cli.turn import my_hand, now, waiting_line
from durak.clients.cli.who import Who
from durak.clients.words.filling import NO_BREAK
from durak.clients.words.speech import Speech
from durak.protocol.messages import ChairView, TableView
from durak.protocol.rules.ruleset import PRESETS, Ruleset
from durak.protocol.rules.view import GameView


def situation(view: TableView, watchers: int, speech: Speech, unknown: Sequence[str] = ()) -> list[str]:
    """The table, the game and what the viewer can do; `unknown` as `now` says."""
    who = Who(view, speech)
    lines = [_table(view, speech)]
    changed = _options(view.rules)
    if changed:
        lines.append(speech("see.options", options=", ".join(changed)))
    if view.game is None or view.status != "playing":
        chairs = [_chair(chair, who, speech) for chair in view.chairs]
        lines.append(speech("see.chairs", chairs=", ".join(chairs)))
    if watchers:
        lines.append(speech("see.watchers", count=watchers))
    if view.status == "open" and view.you.chair is not None:
        lines.append(speech("see.invite", table=view.table))
    if view.game is not None and view.status == "playing":
        lines += _game(view, view.game, who, speech)
    if view.game is not None and view.game.result is not None and view.status == "finished":
        lines += result_lines(view.game.result, view, speech)
    if view.clock is not None and view.clock.kind != "closing":
        lines.append(_clock(view, who, speech))
    can = now(view, speech, unknown)
    if can is None:
        waiting = waiting_line(view, speech)
        return lines if waiting is None else [*lines, waiting]
    if not can.hand and view.status == "playing" and view.game is not None and view.game.hand:
        lines.append(speech.hand(my_hand(view.game)))
    return [*lines, can.line]


def _table(view: TableView, speech: Speech) -> str:
    title = speech("see.title", name=view.name) if view.name else ""
    taken, chairs = len(view.chairs), view.rules.max_players
    return speech("see.table", table=view.table, title=title, preset=view.rules.preset, taken=taken, chairs=chairs)


def _options(rules: Ruleset) -> list[str]:
    """The options in which these rules differ from their preset, as they are typed."""
    preset = PRESETS[rules.preset]
    return [
        f"{option}={value_text(getattr(rules, option))}"
        for option in Ruleset.__struct_fields__
        if getattr(rules, option) != getattr(preset, option)
    ]


def value_text(value: object) -> str:
    """The value of an option as it is typed: on, off, none, a number, a range, a word."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return str(value)


def _chair(chair: ChairView, who: Who, speech: Speech) -> str:
    notes = [speech("note.you")] if chair.chair == who.chair else []
    if chair.host:
        notes.append(speech("note.host"))
    if chair.kind == "bot":
        notes.append(speech("note.bot", level=chair.level or "?"))
    if chair.left:
        notes.append(speech("note.left"))
    elif chair.away:
        notes.append(speech("note.away"))
    number, name = chair.chair + 1, who.on(chair.chair)
    if not notes:
        return speech("see.chair", number=number, name=name)
    return speech("see.chair.notes", number=number, name=name, notes=", ".join(notes))


def _game(view: TableView, game: GameView, who: Who, speech: Speech) -> list[str]:
    lines = [_trump(game, who, speech), speech("see.stock", stock=game.stock, discard=game.discard)]
    opening = game.opening_trump
    if opening is not None:
        lines.append(who.says("event.opening", opening.seat, card=speech.card(opening.card)))
    players = [_player(view, game, seat, who, speech) for seat in range(game.players)]
    lines.append(speech("see.players", players="; ".join(players)))
    if game.attacker is not None:
        lines.append(speech("see.limit", limit=game.limit))
        lines.append(_on_table(game, speech))
    return lines


def _trump(game: GameView, who: Who, speech: Speech) -> str:
    suit = speech(f"suit.{game.trump}")
    if game.shown_trump is not None:
        return who.says("see.trump_at", game.shown_trump.seat, suit=suit, card=speech.card(game.shown_trump.card))
    if game.trump_card is not None and game.stock:
        return speech("see.trump_card", suit=suit, card=speech.card(game.trump_card))
    return speech("see.trump", suit=suit)


def _player(view: TableView, game: GameView, seat: int, who: Who, speech: Speech) -> str:
    notes = [speech("note.cards", count=game.counts[seat])]
    chair = next((chair for chair in view.chairs if chair.seat == seat), None)
    if seat == game.attacker:
        notes.append(speech("note.attacks"))
    if seat == game.defender:
        notes.append(speech("note.takes" if game.taking else "note.defends"))
    if seat in game.passed:
        notes.append(speech("note.passed"))
    if any(seat in group for group in game.out):
        notes = [speech("note.out")]
    if seat in game.left or (chair is not None and chair.left):
        notes.append(speech("note.left"))
    elif chair is not None and chair.away:
        notes.append(speech("note.away"))
    return f"{who.named(seat)} {', '.join(notes)}"


def _on_table(game: GameView, speech: Speech) -> str:
    if not game.table:
        return speech("see.empty")
    pairs = []
    for pair in game.table:
        card = speech.card(pair.attack)
        if pair.beaten is not None:
            text = speech("see.pair", card=card, by=speech.card(pair.beaten))
        else:
            text = speech("see.taken" if game.taking else "see.open", card=card)
        pairs.append(text.replace(" ", NO_BREAK))
    return speech("see.on_table", pairs=", ".join(pairs))


def _clock(view: TableView, who: Who, speech: Speech) -> str:
    clock = view.clock
    assert clock is not None
    seconds = -(-clock.ms // 1000)
    if clock.seats:
        return speech("see.clock_of", seconds=seconds, names=who.several(clock.seats))
    return speech("see.clock", seconds=seconds)
