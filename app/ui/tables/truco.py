"""The Truco table: the muestra and the tricks, bids by their words, points in fives."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from textual.content import Content

from app.match.moment import NOBODY, Moment
from app.ui.layout.faces import spanish_face
from app.ui.layout.pictures import Choice, HeldCard, Laid, SeatPicture
from app.ui.tables.base import Table, choice_key
from app.ui.tables.chances import race
from app.ui.tables.truco_sheet import counted, finished_round, truco_sheet
from engine.cards import SPANISH_SUIT_NAMES
from engine.game import Event, Played
from engine.games.truco import (
    ACCEPT,
    ANSWERING_TRUCO,
    BID_NAMES,
    CARDS,
    FLOR,
    FLOR_POINTS,
    HAND,
    HIGHEST_STAKE,
    LOWEST_PIEZA,
    NUMBERS,
    PACK,
    PLAYED,
    RAISE,
    RANKS,
    REJECT,
    REY,
    VALUES,
    RoundSummary,
    Score,
    TrucoView,
    has_flor,
)

FACES = tuple([spanish_face(code) for code in PACK.codes])
_PICTURE_CARDS = {10: "sota", 11: "caballo", REY: "rey"}
_A_THREE = PACK.card("3O")
"""Of all that is no mata and no pieza, the threes are the strongest."""

_ORDINALS = ("1st", "2nd", "3rd")
_FLOR = "flor"
_ANSWERS = {ACCEPT: "quiero", REJECT: "no quiero"}
_KEYS = {
    ACCEPT: "truco.accept",
    REJECT: "truco.reject",
    RAISE: "truco.raise",
    FLOR: "truco.flor",
}
"""The keys of the choices, in the order of the bar."""

Phrase = list[str | tuple[str, str]]
"""Text in which cards have their colours, for `Content.assemble`."""


def the(card: int) -> str:
    return f"the {FACES[card].words}"


def chip(card: int) -> tuple[str, str]:
    return FACES[card].code, FACES[card].style


class TrucoTable(Table[TrucoView]):
    hand_word = stage_word = "round"
    bindings = (
        choice_key("a", _KEYS[ACCEPT], "Quiero"),
        choice_key("x", _KEYS[REJECT], "No quiero"),
        choice_key("t", _KEYS[RAISE], "Raise"),
        choice_key("f", _KEYS[FLOR], "Flor"),
    )

    # Drawing

    def facts(self, view: TrucoView) -> list[Content | str]:
        face = FACES[view.muestra]
        return [
            Content.assemble("muestra ", (face.words, face.style)),
            f"mano {self.seating.names[view.mano]}",
            f"worth {view.stake}",
            f"to {view.target()}",
        ]

    def seat(self, moment: Moment, seat: int) -> SeatPicture:
        view = cast(TrucoView, moment.view)
        own = cast(TrucoView | None, moment.view_of(seat))
        words = ["mano"] * (seat == view.mano) + ["flor"] * view.flor_called[seat]
        said = [word for who, word in _said(moment) if who == seat and word != _FLOR]
        words += [f"says {word}" for word in said[-1:]]
        played = _last_card(moment)
        return SeatPicture(
            self.seating.title(seat),
            cards=tuple([FACES[card] for card in _held(moment, own)]) if own else (),
            backs=0 if own else view.hand_sizes[seat] - (played is not None and played[0] == seat),
            note=", ".join(words),
            active=seat == view.turn and moment.ending is None,
        )

    def felt(self, moment: Moment) -> list[Laid]:
        """The muestra and the trick, which lies there until the next one is led."""
        view = cast(TrucoView, moment.view)
        tricks, results = _tricks(moment)
        trick: tuple[Played, ...] = tricks[-1] if tricks else ()
        complete = len(trick) == len(view.sides)
        taker = results[-1] if complete else NOBODY
        seats = (1 - view.seat, view.seat)
        laid = self.trick_by_seat(
            trick,
            FACES,
            seats,
            trick[0][0] if trick else view.to_play,
            taker,
            dict.fromkeys(seats, "tied") if complete and taker == NOBODY else None,
        )
        places = ("top", "bottom")
        return [
            Laid("left", FACES[view.muestra], "muestra"),
            *[replace(card, place=place) for card, place in zip(laid, places, strict=True)],
        ]

    def felt_lines(self, moment: Moment) -> list[Content | str]:
        """Which cards are piezas, the tricks so far, what was said, and what is at stake or,
        at the end, what it came to."""
        view = cast(TrucoView, moment.view)
        lines: list[Content | str] = [self._piezas(view.muestra)]
        tricks, results = _tricks(moment)
        if tricks:
            open_ones = [NOBODY] * (len(tricks) - len(results))
            told = [
                Content.assemble(f"{ordinal} ", *self._trick(trick, winner))
                for ordinal, trick, winner in zip(
                    _ORDINALS, tricks, [*results, *open_ones], strict=False
                )
            ]
            lines.append(Content(" · ").join(told))
        said = [f"{self.seating.names[seat]} {word}" for seat, word in _said(moment)]
        if said:
            lines.append(f"Said: {' · '.join(said)}")
        if moment.ending is None:
            lines.append(self._stake(view))
        else:
            lines.append(" · ".join(counted(self.seating.names, moment.results[-1])))
        return lines

    def _piezas(self, muestra: int) -> Content:
        values = VALUES[muestra]
        piezas = [card for card in range(CARDS) if values[card] >= LOWEST_PIEZA]
        if muestra in piezas:
            piezas.remove(muestra)
        piezas.sort(key=values.__getitem__, reverse=True)
        style = FACES[muestra].style
        suit = SPANISH_SUIT_NAMES[PACK.suit(muestra)]
        parts: Phrase = ["Piezas of ", (suit, style), ", highest first:"]
        for card in piezas:
            parts.append((f" {FACES[card].rank}", style))
            if NUMBERS[card % RANKS] == REY:
                parts.append(f" (as the {FACES[muestra].rank})")
        return Content.assemble(*parts)

    def _trick(self, trick: Sequence[Played], winner: int) -> Phrase:
        if len(trick) == 1:
            seat, card = trick[0]
            return [f"{self.seating.does(seat, 'lead', 'leads')} ", chip(card)]
        if winner == NOBODY:
            return ["tied, ", chip(trick[0][1]), " with ", chip(trick[1][1])]
        cards = dict(trick)
        name = self.seating.names[winner]
        return [f"{name}, ", chip(cards[winner]), " over ", chip(cards[1 - winner])]

    def _stake(self, view: TrucoView) -> str:
        if view.bid:
            says = self.seating.does(view.raiser, "say", "says")
            return f"{says} {BID_NAMES[view.bid]}: worth {view.bid} if accepted, else {view.stake}."
        if view.raiser == NOBODY:
            return f"Worth {view.stake}; either may raise to {BID_NAMES[view.stake + 1]}."
        accepted = f"{BID_NAMES[view.stake].capitalize()} accepted, worth {view.stake}"
        if view.stake == HIGHEST_STAKE:
            return f"{accepted}, the most there is."
        other = self.seating.names[1 - view.raiser]
        return f"{accepted}; {other} may raise to {BID_NAMES[view.stake + 1]}."

    def hand(self, moment: Moment) -> list[HeldCard]:
        view = cast(TrucoView, moment.view)
        return [
            HeldCard(card, FACES[card], place if place in moment.legal else None)
            for place, card in enumerate(_held(moment, view))
        ]

    def choices(self, moment: Moment) -> list[Choice]:
        view = cast(TrucoView, moment.view)
        return [
            Choice(self._choice_text(view, action), action, key=key)
            for action, key in _KEYS.items()
            if action in moment.legal
        ]

    def _choice_text(self, view: TrucoView, action: int) -> str:
        if action == RAISE:
            return f"{_next_bid(view).capitalize()} (raise)"
        if action == FLOR:
            return f"Flor {'+' if has_flor(view.hand, view.muestra) else '−'}{FLOR_POINTS}"
        return "Quiero (accept)" if action == ACCEPT else "No quiero (reject)"

    def move_words(self, view: TrucoView, action: int) -> str:
        return view.label(action) if action < HAND else self._choice_text(view, action).lower()

    def last_trick(self, view: TrucoView) -> str:
        done = [trick for trick in view.tricks if len(trick) == len(view.sides)]
        if done:
            return f"Last trick: {self._told(done[-1], view.results[-1])}"
        before = view.last_round
        if before is None or not before.results:
            return "No trick has been played yet."
        trick = before.tricks()[len(before.results) - 1]
        return f"Last trick of the round before: {self._told(trick, before.results[-1])}"

    def _told(self, trick: Sequence[Played], winner: int) -> str:
        names = self.seating.names
        cards = ", ".join(f"{names[seat]} {FACES[card].words}" for seat, card in trick)
        end = "It was tied." if winner == NOBODY else f"{names[winner]} took it."
        return f"{cards}. {end}"

    def score_sheet(self, moment: Moment) -> Content:
        """After the end of a round, with its points."""
        return truco_sheet(self.seating.names, cast(TrucoView, moment.scored), moment.results)

    def chances(self, view: TrucoView) -> list[float]:
        return race([view.target() - score for score in view.scores])

    # Asking

    def question(self, view: TrucoView, legal: Sequence[int]) -> str:
        if view.phase == ANSWERING_TRUCO:
            sentence = self._answering(view, legal)
        else:
            sentence = "You lead: play any card"
            if view.tricks and len(view.tricks[-1]) == 1:
                seat, card = view.tricks[-1][0]
                sentence = f"{self.seating.names[seat]} led {the(card)}: play any card"
            if RAISE in legal:
                sentence += f", or first raise to {_next_bid(view)} (worth {view.stake + 1})"
        if FLOR in legal and has_flor(view.hand, view.muestra):
            return f"{sentence}. Your flor is worth {FLOR_POINTS}."
        return f"{sentence}."

    def _answering(self, view: TrucoView, legal: Sequence[int]) -> str:
        other = self.seating.names[view.raiser]
        sentence = (
            f"{other} says {BID_NAMES[view.bid]}: quiero plays for {view.bid}, "
            f"no quiero gives {view.stake} to {other}"
        )
        if RAISE in legal:
            sentence += f", {_next_bid(view)} asks for {view.bid + 1}"
        return sentence

    def about_card(self, view: TrucoView, card: int) -> str:
        values = VALUES[view.muestra]
        number = NUMBERS[card % RANKS]
        what = the(card).capitalize()
        if number in _PICTURE_CARDS:
            what += f" ({_PICTURE_CARDS[number]})"
        if values[card] >= LOWEST_PIEZA:
            what += ", a pieza"
        elif values[card] > values[_A_THREE]:
            what += ", a mata"
        if not view.tricks or len(view.tricks[-1]) == len(view.sides):
            return f"{what}. Enter leads it."
        led = view.tricks[-1][0][1]
        ahead = values[card] - values[led]
        end = "would take this trick" if ahead > 0 else "would lose" if ahead else "would tie"
        return f"{what}: it {end}. Enter plays it."

    def warning(self, view: TrucoView, action: int) -> str:
        if action != FLOR or has_flor(view.hand, view.muestra):
            return ""
        other = self.seating.names[1 - view.seat]
        return (
            f"You hold no flor: a false one gives {FLOR_POINTS} points to {other}. "
            "Choose it again to call it all the same."
        )

    def why_not(self, view: TrucoView, action: int) -> str:
        return f"“{view.label(action).capitalize()}” is not possible now."

    def why_not_card(self, view: TrucoView, card: int) -> str:
        other = self.seating.names[view.raiser]
        return f"First answer {other}'s {BID_NAMES[view.bid]}."

    def why_not_key(self, view: TrucoView, key: str) -> str:
        if key == _KEYS[FLOR]:
            if view.flor_called[view.seat]:
                return "You have called your flor already."
            return "A flor has to be called before your first card."
        if key != _KEYS[RAISE]:
            return "There is no bid to answer."
        if HIGHEST_STAKE in (view.stake, view.bid):
            return "Nothing stands above vale 4."
        return (
            f"You made the last raise; the next one is up to {self.seating.names[1 - view.seat]}."
        )

    # Narration

    def tell_action(self, view: TrucoView, seat: int, action: int) -> str:
        """The card that completes a trick is told with it, in `tell_event`."""
        does = self.seating.does
        says = does(seat, "say", "says")
        if action == RAISE:
            accepted = f", which accepts the {BID_NAMES[view.bid]}" if view.bid else ""
            return f"{says} {_next_bid(view)}{accepted}."
        if action in _ANSWERS:
            worth = f": the round is worth {view.bid}" if action == ACCEPT else ""
            return f"{says} {_ANSWERS[action]}{worth}."
        if action == FLOR:
            return f"{does(seat, 'call', 'calls')} a flor."
        if view.tricks and len(view.tricks[-1]) == 1:
            return ""
        return f"{does(seat, 'lead', 'leads')} {the(action - PLAYED)}."

    def tell_event(self, view: TrucoView, event: Event) -> str:
        """Flors are told with the round, since that is when they are counted."""
        does = self.seating.does
        if event.kind == "deal":
            return self.opening(view)
        if event.kind == "trick":
            trick = view.tricks[-1] if view.results else finished_round(view).tricks()[-1]
            seat, card = trick[1]
            plays = f"{does(seat, 'play', 'plays')} {the(card)}"
            if event.seat == NOBODY:
                return f"{plays}: the trick is tied."
            return f"{plays}: {self._mid(event.seat, 'take', 'takes')} the trick."
        if event.kind == "hand":
            return self._tell_round(view)
        if event.kind == "match":
            winner = event.points.index(max(event.points))
            won, lost = view.scores[winner], view.scores[1 - winner]
            return f"{does(winner, 'win', 'wins')} the match, {won} to {lost}."
        return ""

    def _tell_round(self, view: TrucoView) -> str:
        finished = finished_round(view)
        sentences = [f"{self._why(finished, step)}." for step in finished.steps]
        if max(view.scores) < view.target():
            sentences.append(self.score_told(view))
        return " ".join(sentences)

    def _why(self, finished: RoundSummary, step: Score) -> str:
        """One step of the count: what for, how much and to whom."""
        gain = f"{step.points} for {self._object(step.seat)}"
        if step.reason == "flor":
            return f"{self._whose(step.seat)} flor: {gain}"
        if step.reason == "false flor":
            return f"{self._whose(1 - step.seat)} false flor: {gain}"
        does, winner = self.seating.does, finished.winner
        if finished.note == "rejected":
            refused = BID_NAMES[finished.stake + 1]
            return f"{does(1 - winner, 'refuse', 'refuses')} the {refused}: {gain}"
        if finished.results.count(winner) > 1:
            how = f"{does(winner, 'take', 'takes')} two tricks"
        elif winner not in finished.results:
            how = f"All three tricks tie and {self._mid(winner, 'are', 'is')} mano"
        elif finished.results[0] == winner:
            how = f"{does(winner, 'took', 'took')} the first trick, which breaks the tie"
        else:
            how = f"{does(winner, 'take', 'takes')} the first trick that is not tied"
        stake = f" ({BID_NAMES[finished.stake]})" if finished.stake in BID_NAMES else ""
        return f"{how}: {gain}{stake}"

    def opening(self, view: TrucoView) -> str:
        mano = self.seating.does(view.mano, "are", "is")
        return f"Round {view.hand_no}: {mano} mano; the muestra is {the(view.muestra)}."

    def _object(self, seat: int) -> str:
        name = self.seating.names[seat]
        return "you" if name == "You" else name

    def _whose(self, seat: int) -> str:
        name = self.seating.names[seat]
        return "Your" if name == "You" else f"{name}'s"

    def _mid(self, seat: int, you: str, other: str) -> str:
        """Like `Seating.does`, in the middle of a sentence."""
        verb = you if self.seating.names[seat] == "You" else other
        return f"{self._object(seat)} {verb}"


def _next_bid(view: TrucoView) -> str:
    return BID_NAMES[(view.bid or view.stake) + 1]


def _last_card(moment: Moment) -> Played | None:
    """The card that ended the round; the view shown then is from before it."""
    if moment.ending is None or moment.last is None or HAND <= moment.last[1] < PLAYED:
        return None
    trick = [event for event in moment.events if event.kind == "trick"][-1]
    return moment.last[0], trick.cards[1]


def _tricks(moment: Moment) -> tuple[list[tuple[Played, ...]], list[int]]:
    """The tricks of the round as they lie on the table, and who took the complete ones."""
    view = cast(TrucoView, moment.view)
    tricks, results = list(view.tricks), list(view.results)
    played = _last_card(moment)
    if played is not None:
        tricks[-1] = (*tricks[-1], played)
        results.append([event.seat for event in moment.events if event.kind == "trick"][-1])
    return tricks, results


def _held(moment: Moment, view: TrucoView) -> list[int]:
    """A seat's cards; one that ended the round has left them."""
    played = _last_card(moment)
    return [card for card in view.hand if played != (view.seat, card)]


def _said(moment: Moment) -> list[tuple[int, str]]:
    """What was said in this round, by whom, in order."""
    view = cast(TrucoView, moment.view)
    history = list(view.history)
    if moment.ending is not None and moment.last is not None and moment.last[1] == REJECT:
        history.append(moment.last)
    said = []
    bids = iter(BID_NAMES.values())
    for seat, action in history:
        if action == RAISE:
            said.append((seat, next(bids)))
        elif action == FLOR:
            said.append((seat, _FLOR))
        elif action in _ANSWERS:
            said.append((seat, _ANSWERS[action]))
    return said


TABLE = TrucoTable
