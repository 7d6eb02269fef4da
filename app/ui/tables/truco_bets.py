"""The bets of full Truco in words: what was said, what stands, what an answer costs."""

from collections.abc import Sequence

from app.match.moment import NOBODY
from app.match.seating import Seating
from app.ui.layout.wording import inside
from engine.game import Played
from engine.games.truco import BID_NAMES, FLOR_POINTS, HIGHEST_STAKE
from engine.games.truco_full import (
    ALL_FLORES,
    ALONE,
    ANSWERING_ENVIDO,
    ANSWERING_FLOR,
    ENVITE_AL_RESTO,
    ENVITE_FALTA,
    ENVITE_FLOR,
    ENVITE_REAL,
    ENVITES,
    PLAYED,
    RAISE,
    SON_BUENAS,
    WORDS,
    FullView,
)


def next_bid(view: FullView) -> str:
    return BID_NAMES[(view.bid or view.stake) + 1]


def calls_so_far(view: FullView) -> list[tuple[int, str]]:
    """What was said in this round in order, with the seats."""
    bids = iter(BID_NAMES.values())
    return [
        (seat, next(bids) if action == RAISE else WORDS[action])
        for seat, action in view.history
        if action < PLAYED
    ]


def what_was_told(seating: Seating, told: Sequence[Played]) -> str:
    """`You 27 · North son buenas`."""
    return " · ".join(
        [
            f"{seating.names[seat]} {'son buenas' if value == SON_BUENAS else value}"
            for seat, value in told
        ]
    )


def bet_line(seating: Seating, view: FullView) -> str:
    """The open bets and what accepting or refusing costs."""
    if view.phase == ANSWERING_ENVIDO:
        return _envido_line(seating, view) + (" The truco waits." if view.bid else "")
    if view.phase == ANSWERING_FLOR:
        return _flor_line(seating, view) + (" The truco waits." if view.bid else "")
    if view.bid:
        says = seating.does(view.raiser, "say", "says")
        return (
            f"{says} {BID_NAMES[view.bid]}: quiero plays for {view.bid}, "
            f"no quiero gives {view.stake}."
        )
    if view.raiser == NOBODY:
        return f"Worth {view.stake}; both sides may raise to {next_bid(view)}."
    accepted = f"{BID_NAMES[view.stake].capitalize()} accepted, worth {view.stake}"
    if view.stake == HIGHEST_STAKE:
        return f"{accepted}, the maximum."
    others = seating.together(view.sides[1 - (view.raiser & 1)])
    return f"{accepted}; {inside(others)} may raise to {next_bid(view)}."


def _envido_line(seating: Seating, view: FullView) -> str:
    says = f"{seating.does(view.caller, 'say', 'says')} {ENVITES[view.envite]}"
    refused = max(1, view.pot - {ENVITE_REAL: 2, ENVITE_FALTA: -1}.get(view.envite, 1))
    stands = f"{view.pot}"
    if view.envite == ENVITE_FALTA:
        stands = _resto_words(seating, view, view.pot)
    return f"{says}: quiero plays for {stands}, no quiero gives {refused}."


def _flor_line(seating: Seating, view: FullView) -> str:
    caller = view.caller & 1
    flores = len([seat for seat in view.sides[caller] if view.announced[seat]])
    if view.envite == ENVITE_FLOR:
        says = seating.does(view.caller, "announce", "announces")
        # A partner's flor still has to be announced: nobody can refuse then.
        refuse = "" if view.flor_first else f", no quiero gives {FLOR_POINTS * flores}"
        return f"{says} a flor: flor {_flores_words(view, flores)}, contraflor raises{refuse}."
    says = f"{seating.does(view.caller, 'say', 'says')} {ENVITES[view.envite]}"
    options = view.options.as_dict()
    stands = str(options["contraflor"])
    if view.envite == ENVITE_AL_RESTO:
        stands = _resto_words(seating, view, 0 if options["resto"] == ALONE else view.pot)
    return f"{says}: quiero plays for {stands}, no quiero gives {FLOR_POINTS * flores + 1}."


def _flores_words(view: FullView, flores: int) -> str:
    """What announcing one's own flor against so many plays for. The asked player's partners may
    hold more."""
    if view.options.as_dict()["flores"] != ALL_FLORES:
        return f"gives each side {FLOR_POINTS} for its own"
    more = "" if view.seats == 2 else " or more"
    return f"plays for {FLOR_POINTS * (flores + 1)}{more}"


def _resto_words(seating: Seating, view: FullView, besides: int) -> str:
    """What a falta or a resto is worth for each side."""
    points = [besides + view.falta(side) for side in (0, 1)]
    if points[0] == points[1]:
        return str(points[0])
    return " or ".join(
        [f"{points[side]} for {inside(seating.together(view.sides[side]))}" for side in (0, 1)]
    )
