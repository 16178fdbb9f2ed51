"""What a seat may do: the kernel's sets as actions, an action as a move of the kernel, and why it is not legal.

`why_refused` is asked only after the kernel's sets have refused an action, so every question there ends in a reason.
"""

from typing import assert_never

from durak.protocol.rules.actions import (
    BEATS,
    LEADS,
    THROWS,
    AnyAction,
    Beat,
    Finish,
    Forfeit,
    Keep,
    Lead,
    Leave,
    Pass,
    Redeal,
    Take,
    Throw,
)
from durak.protocol.rules.bits import BEATERS, BIT, RANK_BIT, SEAT_BIT
from durak.protocol.rules.cards import INDEX, PACK, cards_of
from durak.protocol.rules.errors import Reason
from durak.protocol.rules.kernel import Kernel
from durak.protocol.rules.layout import (
    BEAT_CODE,
    FINISH_CODE,
    FORFEIT_CODE,
    KEEP_CODE,
    PACK_SIZE,
    PASS_CODE,
    REDEAL_CODE,
    SEAT_SHIFT,
    TAKE_CODE,
    THROW_CODE,
)
from durak.protocol.rules.state import AFTER_TAKE_NONE, BOUT, DECIDE, LEAD, REDEAL


def legal_actions(kernel: Kernel, seat: int) -> list[AnyAction]:
    """Every legal action of a seat, targets named; empty when it can only wait. Leaving is not listed."""
    actions: list[AnyAction] = []
    if kernel.phase == BOUT:
        if seat == kernel.defender:
            for slot in range(kernel.attacks):
                beats = BEATS[PACK[kernel.attack_cards[slot]]]
                actions += [beats[card] for card in cards_of(kernel.beating(slot))]
            if kernel.may_take():
                actions.append(Take())
        else:
            actions += [THROWS[card] for card in cards_of(kernel.throwable(seat))]
            if kernel.may_pass(seat):
                actions.append(Pass())
    elif kernel.phase == LEAD:
        if seat == kernel.attacker:
            actions += [LEADS[card] for card in cards_of(kernel.hands[seat])]
    elif kernel.phase == DECIDE:
        if seat == kernel.defender:
            actions += [Finish(), Forfeit()]
    elif kernel.phase == REDEAL and kernel.offers & SEAT_BIT[seat]:
        actions += [Redeal(), Keep()]
    return actions


def legal_move(kernel: Kernel, seat: int, action: AnyAction) -> int | None:
    """The kernel's move for an action, or None if it is not legal. This and `legal_actions` ask the same sets."""
    slot = 0
    match action:
        case Lead(card=card):
            legal = kernel.phase == LEAD and seat == kernel.attacker and kernel.hands[seat] & BIT[INDEX[card]] != 0
        case Throw(card=card):
            legal = kernel.throwable(seat) & BIT[INDEX[card]] != 0
        case Beat(card=card, target=target):
            slots = [slot for slot in range(kernel.attacks) if kernel.beating(slot) & BIT[INDEX[card]]]
            if target is not None:
                slots = [slot for slot in slots if kernel.attack_cards[slot] == INDEX[target]]
            legal = seat == kernel.defender and len(slots) == 1
            slot = slots[0] if legal else 0
        case Take():
            legal = seat == kernel.defender and kernel.may_take()
        case Pass():
            legal = kernel.may_pass(seat)
        case Finish() | Forfeit():
            legal = kernel.phase == DECIDE and seat == kernel.defender
        case Redeal() | Keep():
            legal = kernel.phase == REDEAL and kernel.offers & SEAT_BIT[seat] != 0
        case Leave():
            legal = False  # it is no move of the kernel
        case _:
            assert_never(action)
    return move_of(seat, action, slot) if legal else None


def move_of(seat: int, action: AnyAction, slot: int = 0) -> int:
    """An action of a seat as a move of the kernel (layout.py); of a `Beat`, `slot` is its target's place on the table."""
    match action:
        case Lead(card=card):
            code = INDEX[card]
        case Throw(card=card):
            code = int(THROW_CODE) + INDEX[card]
        case Beat(card=card):
            code = int(BEAT_CODE) + int(PACK_SIZE) * slot + INDEX[card]
        case Take():
            code = int(TAKE_CODE)
        case Pass():
            code = int(PASS_CODE)
        case Finish():
            code = int(FINISH_CODE)
        case Forfeit():
            code = int(FORFEIT_CODE)
        case Redeal():
            code = int(REDEAL_CODE)
        case Keep():
            code = int(KEEP_CODE)
        case Leave():
            raise AssertionError("leaving is no move of the kernel")
        case _:
            assert_never(action)
    return seat << int(SEAT_SHIFT) | code


# ---------------------------------------------------------------- why not


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
