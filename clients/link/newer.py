"""What a newer server says, as this version can read it: what is unknown is left out, or read as what comes closest to it.

PROTOCOL.md, "Versions that differ", is the table of it. Asked only for a message that cannot be read as it is.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, get_args

import msgspec

from durak.protocol.messages import ChairKind, ClockKind, DetachReason, Kind, Level, Status, ViewerEvent
from durak.protocol.rules.actions import AnyAction
from durak.protocol.rules.ruleset import Ruleset
from durak.protocol.rules.standing import Phase

Raw = Mapping[str, Any]
MOST_NAMED: Final = 40
"""Letters of an unknown name that are kept."""


class LeftOut(NamedTuple):
    """What of the message that follows this version cannot read: names of its events, and of legal actions in its view."""

    events: tuple[str, ...]
    actions: tuple[str, ...]


class Reader:
    """Reads one message. Any of its methods raises `AttributeError`, `KeyError` or `TypeError` for what is no message at all."""

    def __init__(self) -> None:
        self._events: list[str] = []
        self._actions: list[str] = []

    @property
    def left_out(self) -> LeftOut | None:
        """What was left out, if anything."""
        return LeftOut(tuple(self._events), tuple(self._actions)) if self._events or self._actions else None

    def message(self, raw: Raw) -> dict[str, Any]:
        """The message, as far as it is known."""
        known = dict(raw)
        match raw["t"]:
            case "welcome":
                known["kind"] = _known(raw["kind"], Kind, "person")
            case "error":
                known["params"] = {key: value for key, value in raw.get("params", {}).items() if type(value) in (str, int)}
                if raw.get("legal") is not None:
                    known["legal"] = self._readable(raw["legal"], AnyAction, "act", self._actions)
            case "table":
                known["missed"] = [{**one, "events": self._events_of(one)} for one in raw["missed"]]
                known["view"] = self._view(raw["view"])
            case "update":
                known["events"] = self._events_of(raw)
                known["view"] = self._view(raw["view"])
            case "lobby":
                known["tables"] = [{**line, "status": _known(line["status"], Status, "playing")} for line in raw["tables"]]
            case "detached":
                known["reason"] = _known(raw["reason"], DetachReason, "closed")
        return known

    def _events_of(self, raw: Raw) -> list[Any]:
        return self._readable(raw["events"], ViewerEvent, "event", self._events)

    def _view(self, raw: Raw) -> dict[str, Any]:
        known = dict(raw)
        game = raw["game"]
        if game is not None:
            known["game"] = self._game(game)
        if raw["clock"] is not None:
            known["clock"] = {**raw["clock"], "kind": _known(raw["clock"]["kind"], ClockKind, _clock(raw["clock"]))}
        if "status" in raw:
            status = "open" if game is None else "finished" if game["result"] is not None else "playing"
            known["status"] = _known(raw["status"], Status, status)
        if "rules" in raw:
            known["rules"] = {option: value for option, value in raw["rules"].items() if _is({option: value}, Ruleset)}
        if "chairs" in raw:
            known["chairs"] = [
                {**chair, "kind": _known(chair["kind"], ChairKind, "person"), "level": _known(chair["level"], Level, None)}
                for chair in raw["chairs"]
            ]
        return known

    def _game(self, raw: Raw) -> dict[str, Any]:
        legal = self._readable(raw["legal"], AnyAction, "act", self._actions)
        return {**raw, "legal": legal, "phase": _known(raw["phase"], Phase, _phase(raw))}

    def _readable(self, things: list[Raw], kind: Any, tag: str, left_out: list[str]) -> list[Raw]:
        """Those that this version can read; the names of the others are noted."""
        left_out += [str(thing[tag])[:MOST_NAMED] for thing in things if not _is(thing, kind)]
        return [thing for thing in things if _is(thing, kind)]


def _is(raw: Any, kind: Any) -> bool:
    try:
        msgspec.convert(raw, kind)
    except msgspec.ValidationError:
        return False
    return True


def _known(word: Any, words: Any, otherwise: str | None) -> Any:
    return word if word in get_args(words) else otherwise


def _clock(raw: Raw) -> str:
    """A clock with seats is read as theirs to play by, another one as everybody's."""
    return "turn" if raw["seats"] else "window"


def _phase(raw: Raw) -> str:
    """The phase of the rules as they were that has such actions."""
    if raw["result"] is not None:
        return "over"
    if raw["attacker"] is None:
        return "redeal"
    acts = {action["act"] for action in raw["legal"]}
    return "lead" if "lead" in acts else "decide" if acts & {"finish", "forfeit"} else "bout"
