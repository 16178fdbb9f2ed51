"""What a seat may ask for: imperative, one closed union."""

from typing import Final

import msgspec

from durak.protocol.rules.cards import PACK, Card


class Action(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="act"):
    """One action of one seat; the seat is never part of it."""


class CardAction(Action, frozen=True):
    """An action that plays a card of the seat's hand."""

    card: Card


class Lead(CardAction, frozen=True, tag="lead"):
    """Play the first card of a bout (RULES 1.5)."""


class Throw(CardAction, frozen=True, tag="throw"):
    """Throw a card in (RULES 1.6)."""


class Beat(CardAction, frozen=True, tag="beat"):
    """Beat an open card; the target may be left out when only one is possible (RULES 1.9)."""

    target: Card | None = None


class Take(Action, frozen=True, tag="take"):
    """Take all cards on the table (RULES 1.10)."""


class Pass(Action, frozen=True, tag="pass"):
    """Add nothing more, until a new rank or a take (RULES 1.12); the attacker's "finish the bout" of RULES 2.3."""


class Finish(Action, frozen=True, tag="finish"):
    """Discard the beaten cards and attack next (RULES 3.3)."""


class Forfeit(Action, frozen=True, tag="forfeit"):
    """Take everything although all is beaten (RULES 3.3)."""


class Redeal(Action, frozen=True, tag="redeal"):
    """Ask for a new deal (RULES 3.4)."""


class Keep(Action, frozen=True, tag="keep"):
    """Decline the redeal (RULES 3.4)."""


class Leave(Action, frozen=True, tag="leave"):
    """Leave the started game (RULES 1.22). Always possible for an active seat, so never listed among the legal actions."""


AnyAction = Lead | Throw | Beat | Take | Pass | Finish | Forfeit | Redeal | Keep | Leave

LEADS: Final = {card: Lead(card) for card in PACK}
THROWS: Final = {card: Throw(card) for card in PACK}
BEATS: Final = {target: {card: Beat(card, target) for card in PACK} for target in PACK}
"""By the card to beat, then by the card that beats it. Lists of legal actions are made all the time, their actions once."""
