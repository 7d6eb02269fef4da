"""The line protocol: a decision as one line of JSON, and the answer as another.

A line asks for one decision and says all that the seat may know, in words and card codes:

    {"game": "truco", "seat": 1, "legal": ["play 7O", "raise"], "view": {...}}

The answer is the label of a legal action, by itself or as `{"action": "play 7O"}`.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from engine.cards import SUIT_NAMES, Pack, cards_in
from engine.game import HIDDEN, Played, View
from engine.games import euchre, fodinha, notty, smear, truco
from engine.games.euchre import EuchreView
from engine.games.fodinha import FodinhaView
from engine.games.notty import NottyView
from engine.games.smear import SmearView
from engine.games.truco import TrucoView

Words = dict[str, Any]

PROTOCOL: Final = 1
"""Goes up when a line changes its meaning; what is only added does not count."""


class BadAnswer(ValueError):
    """A line that is no legal action; the message says why."""


def ask(game: str, view: View, legal: Sequence[int]) -> str:
    """The line that asks the seat of a view for a decision."""
    return _line(
        {
            "type": "decide",
            "protocol": PROTOCOL,
            "game": game,
            "seat": view.seat,
            "legal": [view.label(action) for action in legal],
            "view": describe(game, view),
        }
    )


def tell_result(game: str, scores: Sequence[float], returns: Sequence[float]) -> str:
    """The line that ends a match: the score of each side, and each seat's share of the win."""
    return _line(
        {
            "type": "over",
            "protocol": PROTOCOL,
            "game": game,
            "scores": list(scores),
            "returns": list(returns),
        }
    )


def tell_mistake(sentence: str) -> str:
    """The line that says why an answer was not taken; the question is asked again."""
    return _line({"type": "error", "protocol": PROTOCOL, "message": sentence})


def _line(words: Words) -> str:
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


def answer(line: str, view: View, legal: Sequence[int]) -> int:
    """The action a line asks for. Raises BadAnswer."""
    text = line.strip()
    if text.startswith("{"):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadAnswer(f"{text[:80]!r} is no JSON.") from error
        wanted = found.get("action") if isinstance(found, dict) else None
        if not isinstance(wanted, str):
            raise BadAnswer('An answer is {"action": "…"} or the action by itself.')
        text = wanted
    labels = {view.label(action).lower(): action for action in legal}
    action = labels.get(" ".join(text.lower().split()))
    if action is None:
        raise BadAnswer(f"{text[:80]!r} is not possible now; choose one of: {', '.join(labels)}.")
    return action


def describe(game: str, view: View) -> Words:
    """A view in words and card codes. Seats are numbers; null stands for what is not settled."""
    common = {
        "hand_no": view.hand_no,
        "turn": view.turn,
        "scores": list(view.scores),
        "sides": [list(side) for side in view.sides],
        "options": view.options.as_dict(),
        "history": [[seat, _told(view, action)] for seat, action in view.history],
    }
    return common | _DESCRIBERS[game](view)


def _told(view: View, action: int) -> str:
    return "hidden" if action == HIDDEN else view.label(action)


def _settled(number: int) -> int | None:
    return number if number >= 0 else None


def _suit(suit: int) -> str | None:
    return SUIT_NAMES[suit] if suit >= 0 else None


def _codes(pack: Pack, cards: Iterable[int]) -> list[str]:
    return [pack.codes[card] for card in cards]


def _plays(pack: Pack, played: Iterable[Played]) -> list[list[object]]:
    return [[seat, pack.codes[card] if card < len(pack.codes) else None] for seat, card in played]


_EUCHRE_PHASES = (
    "order up or pass",
    "call or pass",
    "dealer discards",
    "alone or with partner",
    "discard for the dummy",
    "play",
    "over",
)


def _euchre(view: EuchreView) -> Words:
    pack = euchre.PACK
    return {
        "phase": _EUCHRE_PHASES[view.phase],
        "dealer": view.dealer,
        "up_card": pack.codes[view.up_card],
        "ordered_up": view.ordered_up,
        "trump": _suit(view.trump),
        "maker": _settled(view.maker),
        "alone": view.alone,
        "hand": _codes(pack, cards_in(view.hand)),
        "dummy": _codes(pack, cards_in(view.dummy)),
        "dummy_taken": view.dummy_taken,
        "sits_out": _settled(view.sits_out),
        "hand_sizes": list(view.hand_sizes),
        "trick": _plays(pack, view.trick),
        "winner": _settled(view.winner),
        "last_trick": _plays(pack, view.last_trick),
        "tricks": list(view.tricks),
        "played": _codes(pack, cards_in(view.played)),
    }


def _smear(view: SmearView) -> Words:
    pack = smear.PACK
    return {
        "phase": ("bet", "name trump", "play", "over")[view.phase],
        "dealer": view.dealer,
        "bets": [_settled(bet) for bet in view.bets],
        "bet": view.bet,
        "bettor": _settled(view.bettor),
        "trump": _suit(view.trump),
        "hand": _codes(pack, cards_in(view.hand)),
        "follows": _codes(pack, cards_in(view.follows)),
        "hand_sizes": list(view.hand_sizes),
        "trick": _plays(pack, view.trick),
        "winner": _settled(view.winner),
        "last_trick": _plays(pack, view.last_trick),
        "taken": [_codes(pack, cards_in(side)) for side in view.taken],
        "played": _codes(pack, cards_in(view.played)),
    }


def _truco(view: TrucoView) -> Words:
    pack = truco.PACK
    return {
        "phase": ("play", "answer a bid", "over")[view.phase],
        "mano": view.mano,
        "muestra": pack.codes[view.muestra],
        "hand": _codes(pack, view.hand),
        "hand_sizes": list(view.hand_sizes),
        "tricks": [_plays(pack, trick) for trick in view.tricks],
        "results": [_settled(result) for result in view.results],
        "stake": view.stake,
        "bid": view.bid,
        "raiser": _settled(view.raiser),
        "flor_called": list(view.flor_called),
        "flor_open": view.flor_open,
    }


def _fodinha(view: FodinhaView) -> Words:
    pack = fodinha.PACK
    return {
        "phase": ("approve or reject the power card", "call", "play", "over")[view.phase],
        "dealer": view.dealer,
        "size": view.size,
        "blind": view.blind,
        "hand": _codes(pack, view.hand),
        "hands": [_codes(pack, hand) for hand in view.hands],
        "hand_sizes": list(view.hand_sizes),
        "turned": _codes(pack, view.turned),
        "power": fodinha.RANK_NAMES[view.power] if view.power >= 0 else None,
        "calls": [_settled(call) for call in view.calls],
        "wins": list(view.wins),
        "carry": view.carry,
        "leader": _settled(view.leader),
        "trick": _plays(pack, view.trick),
        "last_trick": _plays(pack, view.last_trick),
        "out_in": list(view.out_in),
    }


def _notty(view: NottyView) -> Words:
    pack = notty.PACK
    return {
        "hand": _codes(pack, view.hands[view.seat]),
        "hands": [_codes(pack, hand) for hand in view.hands],
        "deck": {pack.codes[kind]: count for kind, count in enumerate(view.deck) if count},
        "drew": view.drew,
        "stole": view.stole,
        "exchanged": view.exchanged,
        "exchanging": view.exchanging,
        "turns": view.turns,
    }


_DESCRIBERS: Final[dict[str, Callable[[Any], Words]]] = {
    "euchre": _euchre,
    "smear": _smear,
    "truco": _truco,
    "fodinha": _fodinha,
    "notty": _notty,
}
