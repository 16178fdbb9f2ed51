"""Why an action is not legal. Asked only after the kernel's sets have refused it, so every question here ends in a reason."""

from durak.protocol.rules.actions import AnyAction, Beat, Finish, Forfeit, Keep, Lead, Leave, Pass, Redeal, Take, Throw
from durak.protocol.rules.bits import BEATERS, BIT, RANK_BIT, SEAT_BIT
from durak.protocol.rules.cards import INDEX
from durak.protocol.rules.errors import Reason
from durak.protocol.rules.kernel import AFTER_TAKE_NONE, BOUT, LEAD, Kernel


def why_refused(kernel: Kernel, seat: int, action: AnyAction) -> Reason:
    """The reason for which this action of an active seat is not legal now."""
    match action:
        case Redeal() | Keep():
            return Reason.NOT_OFFERED
        case Finish() | Forfeit():
            return Reason.WRONG_PHASE
        case Leave():
            return Reason.WRONG_PHASE
    if kernel.phase not in (LEAD, BOUT):
        return Reason.WRONG_PHASE
    match action:
        case Lead(card=card):
            if kernel.phase == BOUT:
                return Reason.TABLE_NOT_EMPTY
            return Reason.NOT_YOUR_ROLE if seat != kernel.attacker else Reason.NOT_IN_HAND
        case _ if kernel.phase == LEAD:
            return Reason.TABLE_EMPTY
        case Throw(card=card):
            return why_no_throw(kernel, seat, INDEX[card])
        case Pass():
            return why_no_pass(kernel, seat)
        case Beat(card=card, target=target):
            return why_no_beat(kernel, seat, INDEX[card], target)
        case Take():
            if seat != kernel.defender:
                return Reason.NOT_YOUR_ROLE
            return Reason.ALREADY_TAKING if kernel.taking else Reason.NOTHING_TO_TAKE


def is_attacker(kernel: Kernel, seat: int) -> bool:
    """True if the seat may add cards in this bout (RULES 1.6, option throw_in)."""
    return seat == kernel.attacker or (kernel.throw_all and seat != kernel.defender)


def why_no_throw(kernel: Kernel, seat: int, card: int) -> Reason:
    """The reason for which a seat may not throw this card in."""
    if not is_attacker(kernel, seat):
        return Reason.NOT_YOUR_ROLE
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
    if not is_attacker(kernel, seat):
        return Reason.NOT_YOUR_ROLE
    if not kernel.hands[seat]:
        return Reason.NO_CARDS
    if kernel.passed & SEAT_BIT[seat]:
        return Reason.ALREADY_PASSED
    return Reason.UNANSWERED


def why_no_beat(kernel: Kernel, seat: int, card: int, target: str | None) -> Reason:
    """The reason for which a seat may not beat with this card."""
    if seat != kernel.defender:
        return Reason.NOT_YOUR_ROLE
    if kernel.taking:
        return Reason.ALREADY_TAKING
    if not kernel.hands[seat] & BIT[card]:
        return Reason.NOT_IN_HAND
    open_cards = [kernel.attack_cards[slot] for slot in range(kernel.attacks) if kernel.beat_cards[slot] < 0]
    if target is not None and INDEX[target] not in open_cards:
        return Reason.BAD_TARGET
    if target is None and sum(1 for attack in open_cards if BEATERS[kernel.trump * 36 + attack] & BIT[card]) > 1:
        return Reason.TARGET_NEEDED
    return Reason.DOES_NOT_BEAT if open_cards else Reason.BAD_TARGET
