"""Why an action is not legal. Asked only after the kernel's sets have refused it, so every question here ends in a reason."""

from typing import assert_never

from durak.protocol.rules.actions import AnyAction, Beat, Finish, Forfeit, Keep, Lead, Leave, Pass, Redeal, Take, Throw
from durak.protocol.rules.bits import BEATERS, BIT, RANK_BIT, SEAT_BIT
from durak.protocol.rules.cards import INDEX
from durak.protocol.rules.errors import Reason
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import PACK_SIZE
from durak.protocol.rules.state import AFTER_TAKE_NONE, BOUT, DECIDE, LEAD, REDEAL


def why_refused(kernel: Kernel, seat: int, action: AnyAction) -> Reason:
    """The reason for which this action of an active seat is not legal now, in a game that is not over."""
    match action:
        case Redeal() | Keep():
            return Reason.NOT_OFFERED
        case Finish() | Forfeit():
            return Reason.NOT_YOUR_DECISION if kernel.phase == DECIDE else Reason.DECISION
        case Leave():
            return Reason.ALREADY_LEFT
        case Lead() | Throw() | Beat() | Take() | Pass():
            return why_no_play(kernel, seat, action)
        case _:
            assert_never(action)


def why_no_play(kernel: Kernel, seat: int, action: Lead | Throw | Beat | Take | Pass) -> Reason:
    """The reason for which a seat may not do this in a bout."""
    if kernel.phase == REDEAL:
        return Reason.OFFER
    if kernel.phase == DECIDE:
        return Reason.DECISION
    if isinstance(action, Lead):
        if kernel.phase == BOUT:
            return Reason.TABLE_NOT_EMPTY
        return Reason.NOT_YOUR_LEAD if seat != kernel.attacker else Reason.NOT_IN_HAND
    if kernel.phase == LEAD:
        return Reason.TABLE_EMPTY
    match action:
        case Throw(card=card):
            return why_no_throw(kernel, seat, INDEX[card])
        case Pass():
            return why_no_pass(kernel, seat)
        case Beat(card=card, target=target):
            return why_no_beat(kernel, seat, INDEX[card], target)
        case Take():
            if seat != kernel.defender:
                return Reason.NOT_YOUR_TAKE
            return Reason.ALREADY_TAKING if kernel.taking else Reason.NOTHING_TO_TAKE
        case _:
            assert_never(action)


def why_no_throw(kernel: Kernel, seat: int, card: int) -> Reason:
    """The reason for which a seat may not throw this card in."""
    if not kernel.throwers & SEAT_BIT[seat]:
        return Reason.NOT_YOUR_THROW_IN
    if not kernel.hands[seat] & BIT[card]:
        return Reason.NOT_IN_HAND
    if kernel.taking and kernel.after_take == AFTER_TAKE_NONE:
        return Reason.ALREADY_TAKING
    if not kernel.taking and kernel.open_cards and not kernel.throw_any_time:
        return Reason.UNANSWERED
    if kernel.passed & SEAT_BIT[seat]:
        return Reason.PASSED
    if kernel.attacks >= kernel.limit:
        return Reason.LIMIT
    assert not kernel.ranks & RANK_BIT[card]
    return Reason.RANK


def why_no_pass(kernel: Kernel, seat: int) -> Reason:
    """The reason for which a seat may not pass."""
    if not kernel.throwers & SEAT_BIT[seat]:
        return Reason.NOT_YOUR_PASS
    if not kernel.hands[seat]:
        return Reason.NO_CARDS
    if kernel.passed & SEAT_BIT[seat]:
        return Reason.ALREADY_PASSED
    return Reason.UNANSWERED


def why_no_beat(kernel: Kernel, seat: int, card: int, target: str | None) -> Reason:
    """The reason for which a seat may not beat with this card."""
    if seat != kernel.defender:
        return Reason.NOT_YOUR_DEFENCE
    if kernel.taking:
        return Reason.ALREADY_TAKING
    if not kernel.hands[seat] & BIT[card]:
        return Reason.NOT_IN_HAND
    open_cards = [kernel.attack_cards[slot] for slot in range(kernel.attacks) if kernel.beat_cards[slot] < 0]
    if target is not None and INDEX[target] not in open_cards:
        return Reason.BAD_TARGET
    if target is None and sum(1 for attack in open_cards if BEATERS[kernel.trump * PACK_SIZE + attack] & BIT[card]) > 1:
        return Reason.TARGET_NEEDED
    return Reason.DOES_NOT_BEAT if open_cards else Reason.BAD_TARGET
