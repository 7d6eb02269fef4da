"""What a table says before a costly move is played, in a player's words.

The sentence tells why the move is costly but does not name the better one. It is based on the
view of the person who is asked, so it reveals nothing else.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from agents.agent import Scale
from app.match.moment import NOBODY, Thought
from app.study.costly import Costly
from app.ui.tables.sentences import Sentences
from engine.game import View

_ANY: Final = ""

_OWN_FLOR: Final = "own flor"
"""In place of the word `flor` if the player holds one."""
_WORTH_MORE: Final = "your cards are good for a higher stake"
_BIGGER: Final = "your cards are good for a bigger bet"
_ENVIDO_NOW: Final = "what your cards add up to is worth a bet"

_BIDS: Final[Mapping[tuple[str, str], str]] = {
    # Euchre
    ("pass", "order"): "your hand is good enough to make these trumps",
    ("pass", "call"): "your hand is good enough to name trumps",
    ("order", "pass"): "your hand is thin for these trumps, and a euchre costs two points",
    ("call", "pass"): "your hand is thin for these trumps, and a euchre costs two points",
    ("call", "call"): "another suit is stronger in your hand",
    ("alone", "with"): "alone you win more only if you take all five tricks",
    ("with", "alone"): "these cards can take all five tricks on their own",
    ("discard", "discard"): "this card is worth more in your hand",
    # Smear
    ("pass", "bet"): "your hand is good enough to name the trumps",
    ("bet", "pass"): "a bet that fails costs all its points",
    ("trump", "trump"): "another suit gives you more of low, high, jack and game",
    # Truco
    ("raise", _ANY): "your cards do not carry a higher stake now",
    ("accept", "raise"): _WORTH_MORE,
    ("accept", _ANY): "your cards are too weak for that stake",
    ("reject", _ANY): "your cards are too good to give up",
    ("play", "raise"): "this is the moment to make the round worth more",
    (_ANY, "flor"): "your three cards earn points if you name what they are",
    ("flor", _ANY): "you hold no flor",
    (_OWN_FLOR, "contraflor"): "your flor is good for a bigger bet",
    (_OWN_FLOR, "no"): "your flor is too low to compare with theirs",
    (_OWN_FLOR, _ANY): "here it pays to keep the flor quiet",
    ("contraflor", "flor"): "your cards are too low for that bet",
    ("contraflor", "contraflor"): "the size of that bet does not suit your cards",
    ("truco", _ANY): "your cards do not carry a higher stake now",
    ("retruco", _ANY): "your cards do not carry a higher stake now",
    ("vale", _ANY): "your cards do not carry a higher stake now",
    ("play", "truco"): "this is the moment to make the round worth more",
    ("play", "envido"): "your cards are worth a bet of their own, which is too late after this one",
    ("play", "real"): "your cards are worth a bet of their own, which is too late after this one",
    ("play", "falta"): "your cards are worth a bet of their own, which is too late after this one",
    ("play", "mazo"): "these cards can hardly win: leaving loses no more than the round",
    ("truco", "envido"): _ENVIDO_NOW,
    ("retruco", "envido"): _ENVIDO_NOW,
    ("envido", "real"): _BIGGER,
    ("envido", "falta"): _BIGGER,
    ("envido", _ANY): "your cards are too low for that bet",
    ("real", "falta"): _BIGGER,
    ("real", _ANY): "your cards are too low for that bet",
    ("falta", _ANY): "so much is at stake that you need better cards",
    ("quiero", "retruco"): _WORTH_MORE,
    ("quiero", "vale"): _WORTH_MORE,
    ("quiero", "envido"): _ENVIDO_NOW,
    ("quiero", "real"): _ENVIDO_NOW,
    ("quiero", "falta"): _ENVIDO_NOW,
    ("quiero", "contraflor"): "your flor is good for a bigger bet",
    ("quiero", _ANY): "your cards are too weak for that bet",
    ("no", "envido"): _ENVIDO_NOW,
    ("no", "real"): _ENVIDO_NOW,
    ("no", "falta"): _ENVIDO_NOW,
    ("no", _ANY): "your cards are too good to give up",
    ("mazo", _ANY): "leaving gives the points away, and your cards can still win",
    ("contraflor", _ANY): "your cards are too low for that bet",
    # Fodinha
    ("approve", "reject"): "this rank would not be among your cards",
    ("reject", "approve"): "this power card is good for you",
    # Notty
    ("pass", "group"): "you hold a group that you can still lay down",
    ("pass", _ANY): "you have moves left in this turn that cost nothing",
    ("draw", _ANY): "every card you draw is one more to get rid of",
    ("steal", _ANY): "the stolen card makes your hand longer, and theirs shorter",
    ("group", _ANY): "these cards are worth more in your hand for now",
    ("exchange", _ANY): "there is something better to do first",
}  # fmt: skip
"""Reasons by the first words of the move and of the better one; `_ANY` for every other."""


def nudge(table: Sentences[Any], view: View, costly: Costly, thought: Thought) -> str:
    """`That gives away 9 percentage points: North already wins this trick. …`"""
    reason = _reason(table, view, costly, thought)
    if costly.scale is Scale.CHANCE:
        lost = f"That gives away {100 * costly.cost:.0f} percentage points: {reason}."
    else:
        lost = f"That may be costly: {reason}."
    return f"{lost} Play it anyway? The same key or Enter does; ? shows a better move."


def _reason(table: Sentences[Any], view: View, costly: Costly, thought: Thought) -> str:
    verb, better = (view.label(action).split()[0] for action in (costly.action, costly.better))
    if verb == better == "play":
        return _of_card(table, view, costly)
    if verb == better and verb in ("bet", "call") and view.label(costly.action)[-1].isdigit():
        return _of_number(view, costly, thought)
    if verb == "flor" and getattr(view, "flor", NOBODY) != NOBODY:
        verb = _OWN_FLOR
    for key in ((verb, better), (_ANY, better), (verb, _ANY)):
        if key in _BIDS:
            return _BIDS[key]
    return "there is a better choice here"


def _of_number(view: View, costly: Costly, thought: Thought) -> str:
    """A bet or a call that is too high or too low."""
    more = costly.action > costly.better
    if thought.decision.reason:
        return thought.decision.reason.rstrip(".")[:1].lower() + thought.decision.reason[1:-1]
    return f"your cards are good for {'fewer' if more else 'more'} than that"


def _of_card(table: Sentences[Any], view: View, costly: Costly) -> str:
    """A card that is played at the wrong time."""
    side = next(side for side in view.sides if view.seat in side)
    ahead, after = getattr(view, "winner", NOBODY), _ahead_after(view, costly.action)
    better = _ahead_after(view, costly.better)
    if ahead != view.seat and ahead in side and after == view.seat:
        return f"{table.does_inside(ahead, 'win', 'wins')} this trick already"
    strong = getattr(table, "is_strong", lambda _view, _card: False)
    spends = [
        (card := table.card_of(view, action)) is not None and strong(view, card)
        for action in (costly.action, costly.better)
    ]
    if after == NOBODY or better == NOBODY or not _table_has_cards(view):
        if spends == [True, False]:
            return "that strong card does more for you later in the hand"
        return "another card is the better one to lead"
    if calls := _of_call(view, takes=after == view.seat):
        return calls
    if after not in side and better in side:
        return f"it leaves the trick to {table.object_of(after)}"
    if after in side and better not in side:
        return "winning this trick costs you a card that you need later"
    if spends == [True, False]:
        return "you do not need such a strong card here"
    return "you need this card more in a later trick"


def _of_call(view: View, takes: bool) -> str:
    """In a game in which tricks above a call cost as much as tricks below it."""
    calls, wins = getattr(view, "calls", ()), getattr(view, "wins", ())
    if not calls or not wins:
        return ""
    left = calls[view.seat] - wins[view.seat]
    if takes and left <= 0:
        return "you have all the tricks you called, and this card may take another"
    if not takes and left > 0:
        return f"you called {calls[view.seat]} and still need {left}"
    return ""


def _table_has_cards(view: View) -> bool:
    tricks = getattr(view, "tricks", ())
    open_trick = tricks[-1] if tricks and isinstance(tricks[-1], tuple) else ()
    return bool(getattr(view, "trick", open_trick))


def _ahead_after(view: View, action: int) -> int:
    """The seat that wins the trick so far once this card is played, as the rules say; NOBODY if
    the game does not say it before the trick is complete."""
    state = view.sample(Random(0))
    state.record_events()
    state.deals_on = False
    state.apply(action)
    for event in state.take_events():
        if event.kind == "trick":
            return event.seat
    return getattr(state.view(view.seat), "winner", NOBODY)
