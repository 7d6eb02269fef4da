"""The Truco table: the muestra, the tricks, the bids and what is at stake."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from textual.binding import Binding
from textual.content import Content

from app.match.moment import NOBODY, Moment
from app.ui.layout.pictures import Badge, Choice, Laid, Pips, SeatPicture, Tally
from app.ui.tables.base import Table, choice_key
from app.ui.tables.reminders import Reminder, row
from app.ui.tables.truco_cards import piezas_line, strongest_first
from app.ui.tables.truco_sheet import finished_round, steps_of, truco_sheet
from engine.game import Event, Played
from engine.games.truco import (
    ACCEPT,
    ANSWERING_TRUCO,
    BID_NAMES,
    FLOR,
    FLOR_POINTS,
    HAND,
    HIGHEST_STAKE,
    LOWEST_MATA,
    LOWEST_PIEZA,
    NUMBERS,
    PACK,
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

_PICTURE_CARDS = {10: "sota", 11: "caballo", REY: "rey"}
_ORDINALS = ("1st", "2nd", "3rd")
_FLOR = "flor"
_GOLD = "bold $plate-lit"
_UNRAISED = "unraised"
_ANSWERS = {ACCEPT: "quiero", REJECT: "no quiero"}
_KEYS = {
    ACCEPT: "truco.accept",
    REJECT: "truco.reject",
    RAISE: "truco.raise",
    FLOR: "truco.flor",
}
"""The keys of the choices, in the order in which they are shown."""

Phrase = list[str | tuple[str, str]]
"""Text in which cards have their colours, for `Content.assemble`."""


class TrucoTable(Table[TrucoView]):
    pack = PACK
    hand_word = stage_word = "round"
    of_next_hand = ("hand_no", "phase", "mano")
    bindings = (
        choice_key("a", _KEYS[ACCEPT], "Quiero"),
        choice_key("x", _KEYS[REJECT], "No quiero"),
        choice_key("t", _KEYS[RAISE], "Raise"),
        choice_key("f", _KEYS[FLOR], "Flor"),
        Binding("X", "explore", "What they know", show=False, id="table.explore"),
    )

    # Drawing

    def facts(self, view: TrucoView) -> list[Content | str]:
        face = self.faces[view.muestra]
        return [
            Content.assemble("muestra ", (face.words, face.style)),
            f"mano {self.seating.names[view.mano]}",
            f"worth {view.stake}",
            f"to {view.target()}",
        ]

    def note(self, moment: Moment, seat: int) -> str:
        view = cast(TrucoView, moment.view)
        words = ["mano"] * (seat == view.mano) + [_FLOR] * view.flor_called[seat]
        bids = [word for who, word in _said(view) if who == seat and word != _FLOR]
        return ", ".join(words + [f"says {word}" for word in bids[-1:]])

    def felt(self, moment: Moment) -> list[Laid]:
        """The trick, which stays until the next one is led."""
        view = cast(TrucoView, moment.view)
        trick = view.tricks[-1] if view.tricks else ()
        complete = len(trick) == len(view.sides)
        taker = view.results[-1] if complete else NOBODY
        seats = (1 - view.seat, view.seat)
        tied = dict.fromkeys(seats, "tied") if complete and taker == NOBODY else None
        top, bottom = self.trick_by_seat(moment, trick, taker, seats, view.to_play, tied)
        return [replace(top, place="top"), replace(bottom, place="bottom")]

    def badges(self, moment: Moment) -> list[Badge]:
        view = cast(TrucoView, moment.view)
        words = BID_NAMES.get(view.stake, _UNRAISED)
        worth = Badge("worth", f"{words:^{len(_UNRAISED)}}", str(view.stake), _GOLD)
        return [Badge("muestra", face=self.faces[view.muestra]), worth]

    def tallies(self, moment: Moment) -> list[Tally]:
        view = cast(TrucoView, moment.view)
        return [
            replace(tally, target=view.target(), kind="sticks") for tally in super().tallies(moment)
        ]

    def tricks_of(self, moment: Moment, seat: int) -> Pips | None:
        return Pips(cast(TrucoView, moment.view).results.count(seat), 2)

    def plate(self, moment: Moment, seat: int) -> SeatPicture:
        plate = super().plate(moment, seat)
        view = cast(TrucoView, moment.view)
        return replace(plate, dealer=seat != view.mano)

    def is_strong(self, view: TrucoView, card: int) -> bool:
        return VALUES[view.muestra][card] >= LOWEST_PIEZA

    def label_of(self, view: TrucoView, card: int) -> str:
        value = VALUES[view.muestra][card]
        return "pieza" if value >= LOWEST_PIEZA else "mata" if value >= LOWEST_MATA else ""

    def felt_lines(self, moment: Moment) -> list[Content | str]:
        """The piezas, the finished tricks, the bids, and what the question does not say about
        the stake; at the end the points."""
        view = cast(TrucoView, moment.view)
        lines: list[Content | str] = [piezas_line(self.faces, view.muestra)]
        if view.results:
            told = [
                Content.assemble(f"{ordinal} ", *self._trick(trick, taker))
                for ordinal, trick, taker in zip(_ORDINALS, view.tricks, view.results, strict=False)
            ]
            lines.append(Content(" · ").join(told))
        said = [f"{self.seating.names[seat]} {word}" for seat, word in _said(view)]
        if said:
            lines.append(f"Said: {' · '.join(said)}")
        if moment.ending is not None:
            lines.append(" · ".join(steps_of(self.seating.names, moment.results[-1])))
        elif not (moment.legal and view.bid):
            lines.append(self._stake(view))
        return lines

    def _trick(self, trick: Sequence[Played], taker: int) -> Phrase:
        chips = {seat: (self.faces[card].code, self.faces[card].style) for seat, card in trick}
        if taker == NOBODY:
            first, second = trick
            return ["tied, ", chips[first[0]], " with ", chips[second[0]]]
        return [f"{self.seating.names[taker]}, ", chips[taker], " over ", chips[1 - taker]]

    def _stake(self, view: TrucoView) -> str:
        if view.bid:
            says = self.seating.does(view.raiser, "say", "says")
            return f"{says} {BID_NAMES[view.bid]}: worth {view.bid} if accepted, else {view.stake}."
        if view.raiser == NOBODY:
            return f"Worth {view.stake}; both may raise to {BID_NAMES[view.stake + 1]}."
        accepted = f"{BID_NAMES[view.stake].capitalize()} accepted, worth {view.stake}"
        if view.stake == HIGHEST_STAKE:
            return f"{accepted}, the maximum."
        may_raise = self.does_inside(1 - view.raiser, "may raise", "may raise")
        return f"{accepted}; {may_raise} to {BID_NAMES[view.stake + 1]}."

    def reminders(self, view: TrucoView) -> list[Reminder]:
        return [
            strongest_first(self.faces, view.muestra),
            Reminder(
                "The round is worth",
                [
                    row(_UNRAISED, "1"),
                    *[
                        row(BID_NAMES[stake], f"{stake}, refused {stake - 1}")
                        for stake in range(2, HIGHEST_STAKE + 1)
                    ],
                ],
            ),
            Reminder(
                f"A flor is worth {FLOR_POINTS}",
                ["three of one suit, or one pieza and", "two of one suit, or two piezas"],
            ),
        ]

    def choices(self, moment: Moment) -> list[Choice]:
        view = cast(TrucoView, moment.view)
        return [
            Choice(self.choice_text(view, action), action, key=key)
            for action, key in _KEYS.items()
            if action in moment.legal
        ]

    def choice_text(self, view: TrucoView, action: int) -> str:
        if action == RAISE:
            return f"{_next_bid(view).capitalize()} (raise)"
        if action == FLOR:
            return f"Flor {'+' if has_flor(view.hand, view.muestra) else '−'}{FLOR_POINTS}"
        return "Quiero (accept)" if action == ACCEPT else "No quiero (reject)"

    def move_words(self, view: TrucoView, action: int) -> str:
        return view.label(action) if action < HAND else self.choice_text(view, action).lower()

    def last_trick(self, view: TrucoView) -> str:
        done = [trick for trick in view.tricks if len(trick) == len(view.sides)]
        if done:
            return f"Last trick: {self._told(done[-1], view.results[-1])}"
        before = view.last_round
        if before is None or not before.results:
            return "No trick has been played yet."
        trick = before.tricks()[len(before.results) - 1]
        return f"Last trick of the round before: {self._told(trick, before.results[-1])}"

    def _told(self, trick: Sequence[Played], taker: int) -> str:
        names = self.seating.names
        cards = ", ".join([f"{names[seat]} {self.faces[card].words}" for seat, card in trick])
        return f"{cards}. {self.took_it(taker) or 'It was tied.'}"

    def score_sheet(self, moment: Moment) -> Content:
        names = self.seating.names
        view = cast(TrucoView, moment.view)
        return truco_sheet(names, view, moment.results, partial(steps_of, names))

    # Asking

    def question(self, view: TrucoView, legal: Sequence[int]) -> str:
        if view.phase == ANSWERING_TRUCO:
            sentence = self._answering(view, legal)
        else:
            sentence = "You lead: play any card"
            if view.tricks and len(view.tricks[-1]) == 1:
                seat, card = view.tricks[-1][0]
                sentence = f"{self.seating.names[seat]} led {self.the(card)}: play any card"
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
        what = self.the(card).capitalize()
        if number in _PICTURE_CARDS:
            what += f" ({_PICTURE_CARDS[number]})"
        if values[card] >= LOWEST_PIEZA:
            what += ", a pieza"
        elif values[card] >= LOWEST_MATA:
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
            "Choose it again to call it anyway."
        )

    def why_not_card(self, view: TrucoView, card: int) -> str:
        return f"First answer {self.whose(view.raiser)} {BID_NAMES[view.bid]}."

    def why_not_key(self, view: TrucoView, key: str) -> str:
        if key == _KEYS[FLOR]:
            if view.flor_called[view.seat]:
                return "You have called your flor already."
            return "A flor has to be called before your first card."
        if key != _KEYS[RAISE]:
            return "There is no bid to answer."
        if HIGHEST_STAKE in (view.stake, view.bid):
            return "Vale 4 is the highest bid."
        return (
            f"You made the last raise; the next one is up to {self.seating.names[1 - view.seat]}."
        )

    # Narration

    def opening(self, view: TrucoView) -> str:
        mano = self.seating.does(view.mano, "are", "is")
        return f"Round {view.hand_no}: {mano} mano; the muestra is {self.the(view.muestra)}."

    def tell_action(self, view: TrucoView, seat: int, action: int) -> str:
        """The second card of a trick is part of `tell_trick`."""
        says = self.seating.does(seat, "say", "says")
        if action == RAISE:
            accepted = f", which accepts the {BID_NAMES[view.bid]}" if view.bid else ""
            return f"{says} {_next_bid(view)}{accepted}."
        if action in _ANSWERS:
            worth = f": the round is worth {view.bid}" if action == ACCEPT else ""
            return f"{says} {_ANSWERS[action]}{worth}."
        if action == FLOR:
            return f"{self.seating.does(seat, 'call', 'calls')} a flor."
        if view.tricks and len(view.tricks[-1]) == 1:
            return ""
        return super().tell_action(view, seat, action)

    def tell_trick(self, view: TrucoView, event: Event) -> str:
        trick = view.tricks[-1] if view.results else finished_round(view).tricks()[-1]
        seat, card = trick[1]
        plays = f"{self.seating.does(seat, 'play', 'plays')} {self.the(card)}"
        if event.seat == NOBODY:
            return f"{plays}: the trick is tied."
        return f"{plays}: {self.does_inside(event.seat, 'take', 'takes')} the trick."

    def tell_hand(self, view: TrucoView, event: Event) -> str:
        """Each step of the count, flors included, then the score."""
        finished = finished_round(view)
        sentences = [f"{self._why(finished, step)}." for step in finished.steps]
        if max(view.scores) < view.target():
            sentences.append(self.score_told(view))
        return " ".join(sentences)

    def tell_match(self, view: TrucoView, event: Event) -> str:
        won = super().tell_match(view, event).rstrip(".")
        return f"{won}, {max(view.scores)} to {min(view.scores)}."

    def _why(self, finished: RoundSummary, step: Score) -> str:
        """One step of the count: the reason, the points and the player."""
        gain = f"{step.points} for {self.object_of(step.seat)}"
        if step.reason == "flor":
            return f"{self.whose(step.seat)} flor: {gain}"
        if step.reason == "false flor":
            return f"{self.whose(1 - step.seat)} false flor: {gain}"
        does, winner = self.seating.does, finished.winner
        if finished.note == "rejected":
            refused = BID_NAMES[finished.stake + 1]
            return f"{does(1 - winner, 'refuse', 'refuses')} the {refused}: {gain}"
        if finished.results.count(winner) > 1:
            how = f"{does(winner, 'take', 'takes')} two tricks"
        elif winner not in finished.results:
            how = f"All three tricks tie and {self.does_inside(winner, 'are', 'is')} mano"
        elif finished.results[0] == winner:
            how = f"{does(winner, 'took', 'took')} the first trick, which breaks the tie"
        else:
            how = f"{does(winner, 'take', 'takes')} the first trick that is not tied"
        stake = f" ({BID_NAMES[finished.stake]})" if finished.stake in BID_NAMES else ""
        return f"{how}: {gain}{stake}"


def _next_bid(view: TrucoView) -> str:
    return BID_NAMES[(view.bid or view.stake) + 1]


def _said(view: TrucoView) -> list[tuple[int, str]]:
    """The bids, answers and flors of this round in order, with their seats."""
    said = []
    bids = iter(BID_NAMES.values())
    for seat, action in view.history:
        if action == RAISE:
            said.append((seat, next(bids)))
        elif action == FLOR:
            said.append((seat, _FLOR))
        elif action in _ANSWERS:
            said.append((seat, _ANSWERS[action]))
    return said


TABLE = TrucoTable
