"""The Euchre table: for three with the dummy face up, or for four."""

from collections.abc import Sequence
from typing import cast

from textual.content import Content

from app.match.moment import NOBODY, Moment
from app.ui.layout.faces import SUITS_BY_COLOUR, Face, french_face, one_of, suit_words
from app.ui.layout.pictures import Choice, HeldCard, Laid, SeatPicture
from app.ui.tables.base import Table
from app.ui.tables.chances import race
from engine.cards import SUIT_NAMES, cards_in
from engine.game import HIDDEN, Event
from engine.games.euchre import (
    ALONE,
    CALL,
    CALLING,
    DEALER_DISCARD,
    DISCARD,
    DUMMY_DISCARD,
    FINISHED,
    GOING_ALONE,
    ORDER_UP,
    ORDERING,
    PACK,
    PASS,
    PLAYING,
    SOLOIST,
    TARGET,
    TRICKS,
    TRUMP_TABLES,
    WITH_PARTNER,
    EuchreView,
    left_bower,
)
from engine.tricks import NO_SUIT

FACES = tuple([french_face(code) for code in PACK.codes])
_BIDDING = (ORDERING, CALLING)
_OUTCOMES = {
    "made": ("make it with three or four tricks", "makes it with three or four tricks"),
    "march": ("take all five tricks", "takes all five tricks"),
    "alone march": ("take all five tricks alone", "takes all five tricks alone"),
    "euchred": ("are euchred, short of three tricks", "is euchred, short of three tricks"),
}
"""How a hand can end for the maker, of you and of others."""


def the(card: int) -> str:
    return f"the {FACES[card].words}"


class EuchreTable(Table[EuchreView]):
    # Drawing

    def facts(self, view: EuchreView) -> list[Content | str]:
        names = self.seating.names
        if view.trump == NO_SUIT:
            return ["no trump yet", f"dealer {names[view.dealer]}"]
        words, style = suit_words(view.trump)
        ours, theirs = view.tricks
        return [
            Content.assemble("trump ", (words, style)),
            f"maker {names[view.maker]}{self._with(view)}",
            f"dealer {names[view.dealer]}",
            f"tricks {ours} – {theirs}",
        ]

    def _with(self, view: EuchreView) -> str:
        if view.alone:
            return " (alone)"
        return " (with dummy)" if view.dummy_taken else ""

    def side_name(self, side: Sequence[int]) -> str:
        name = super().side_name(side)
        return f"{name} + dummy" if side == (SOLOIST,) else name

    def seats(self, moment: Moment) -> list[SeatPicture]:
        pictures = super().seats(moment)
        view = cast(EuchreView, moment.view)
        if view.dummy:
            pictures.insert(1, self._dummy(view))
        return pictures

    def _dummy(self, view: EuchreView) -> SeatPicture:
        owner = self.seating.names[SOLOIST]
        if view.dummy_taken:
            return SeatPicture("Dummy", note=f"taken by {owner}")
        note = f"plays for {owner}"
        if view.maker != NOBODY and (view.maker != SOLOIST or view.alone):
            note = "not in play"
        return SeatPicture("Dummy", _faces(view.dummy), note=note)

    def seat(self, moment: Moment, seat: int) -> SeatPicture:
        view = cast(EuchreView, moment.view)
        own = cast(EuchreView | None, moment.view_of(seat))
        words = ["dealer"] if seat == view.dealer and view.phase < PLAYING else []
        said = self._said(view, seat)
        if seat == view.sits_out:
            words.append("sits out")
        elif said:
            words.append(said)
        return SeatPicture(
            self.seating.title(seat),
            cards=_faces(own.hand) if own else (),
            backs=0 if own else view.hand_sizes[seat],
            note=", ".join(words),
            active=seat == view.turn and moment.ending is None,
        )

    def _said(self, view: EuchreView, seat: int) -> str:
        """A seat's last bid; passes are forgotten once trump is made."""
        said = ""
        for who, action in view.history:
            if who != seat:
                continue
            if action == PASS:
                said = "passed" if view.phase in _BIDDING else ""
            elif action == ORDER_UP:
                said = "ordered up"
            elif CALL <= action < ALONE:
                said = f"called {SUIT_NAMES[action - CALL]}"
            elif action == ALONE:
                said += ", alone"
        return said

    def felt(self, moment: Moment) -> list[Laid]:
        view = cast(EuchreView, moment.view)
        if view.phase == ORDERING:
            return [Laid("centre", FACES[view.up_card], "up-card")]
        if view.phase == CALLING:
            return [Laid("centre", FACES[view.up_card], "turned down")]
        if view.phase not in (PLAYING, FINISHED):
            return []
        trick, winner = view.trick, view.winner
        if moment.ending is not None and moment.last is not None:
            trick = (*trick, moment.last)
        taken = not trick and sum(view.tricks) > 0
        if taken:
            trick, winner = view.last_trick, view.last_winner
        leader = trick[0][0] if trick else view.turn
        seats = [seat for seat in range(len(view.hand_sizes)) if seat != view.sits_out]
        return self.trick_by_seat(trick, FACES, seats, leader, winner if taken else NOBODY)

    def hand(self, moment: Moment) -> list[HeldCard]:
        view = cast(EuchreView, moment.view)
        discarding = view.phase in (DEALER_DISCARD, DUMMY_DISCARD)
        held = []
        cards = view.hand
        if moment.ending is not None and moment.last is not None and moment.last[0] == view.seat:
            cards &= ~(1 << moment.last[1])
        for card in _in_order(cards_in(cards), view.trump):
            action = DISCARD + card if discarding else card
            held.append(HeldCard(card, FACES[card], action if action in moment.legal else None))
        return held

    def choices(self, moment: Moment) -> list[Choice]:
        view = cast(EuchreView, moment.view)
        return [
            Choice(self._choice_text(view, action), action)
            for action in moment.legal
            if action >= PASS
        ]

    def _choice_text(self, view: EuchreView, action: int) -> str:
        if action == WITH_PARTNER:
            if view.dummy and view.seat == SOLOIST:
                return "Take the dummy"
            return f"With {self._partner(view)}"
        if action == ALONE:
            return "Go alone"
        if CALL <= action < ALONE:
            return f"Call {suit_words(action - CALL)[0]}"
        return view.label(action).capitalize()

    def move_words(self, view: EuchreView, action: int) -> str:
        if action < DISCARD:
            return f"play {FACES[action].chip(False)}"
        if action < PASS:
            return f"discard {FACES[action - DISCARD].chip(False)}"
        text = self._choice_text(view, action)
        text = text[0].lower() + text[1:]
        return f"play {text}" if text.startswith("with ") else text

    def _partner(self, view: EuchreView) -> str:
        side = next(side for side in view.sides if view.seat in side)
        return self.seating.together([seat for seat in side if seat != view.seat])

    def actions_for_marked(self, moment: Moment, cards: Sequence[int]) -> list[int]:
        view = cast(EuchreView, moment.view)
        most = {DUMMY_DISCARD: view.hand.bit_count() - TRICKS, DEALER_DISCARD: 1, PLAYING: 1}
        if len(cards) > most.get(view.phase, 0):
            return []
        offset = 0 if view.phase == PLAYING else DISCARD
        return [offset + card for card in cards]

    def last_trick(self, view: EuchreView) -> str:
        if not sum(view.tricks):
            return "No trick has been taken in this hand yet."
        names = self.seating.names
        cards = ", ".join(f"{names[seat]} {FACES[card].words}" for seat, card in view.last_trick)
        return f"Last trick: {cards}. {self.seating.does(view.last_winner, 'took', 'took')} it."

    def chances(self, view: EuchreView) -> list[float]:
        return race([TARGET - score for score in view.scores])

    # Asking

    def question(self, view: EuchreView, legal: Sequence[int]) -> str:
        if view.phase == ORDERING:
            return self._ordering(view)
        if view.phase == CALLING:
            turned_down = SUIT_NAMES[PACK.suit(view.up_card)].capitalize()
            if PASS in legal:
                return f"{turned_down} were turned down: name another suit as trump, or pass."
            return f"You are the dealer and stuck: name a suit as trump, but not {turned_down}."
        if view.phase == DEALER_DISCARD:
            return f"You picked up {the(view.up_card)}: choose a card to discard."
        if view.phase == GOING_ALONE:
            return f"{SUIT_NAMES[view.trump].capitalize()} are trump: {self._alone(view)}"
        if view.phase == DUMMY_DISCARD:
            left = view.hand.bit_count() - TRICKS
            many = " Space marks several." if left > 1 else ""
            return f"You took the dummy's cards: discard {left} more.{many}"
        return self._following(view, legal)

    def _ordering(self, view: EuchreView) -> str:
        suit = SUIT_NAMES[PACK.suit(view.up_card)]
        whose = "you pick it up"
        if view.dealer != view.seat:
            whose = f"{self.seating.names[view.dealer]} picks it up"
        rank = FACES[view.up_card].words.split()[0]
        return f"Shall {suit} be trump? Order up the {rank} ({whose}), or pass."

    def _alone(self, view: EuchreView) -> str:
        if view.dummy and view.seat == SOLOIST:
            return "take the dummy's five cards and discard five, or go alone for 4 points?"
        return f"play with {self._partner(view)}, or go alone for 4 points?"

    def _following(self, view: EuchreView, legal: Sequence[int]) -> str:
        if not view.trick:
            return "You lead: play any card."
        led = self._led(view)
        suit = SUIT_NAMES[led]
        if any(TRUMP_TABLES[view.trump].suit_of[card] == led for card in legal):
            bower = left_bower(view.trump)
            counts = ""
            if led == view.trump and bower in legal:
                counts = f" {the(bower).capitalize()} counts as {one_of(led)}."
            return f"{suit.capitalize()} were led: follow with {one_of(led)}.{counts}"
        return f"{suit.capitalize()} were led and you have none: play any card."

    def _led(self, view: EuchreView) -> int:
        return TRUMP_TABLES[view.trump].suit_of[view.trick[0][1]]

    def why_not(self, view: EuchreView, action: int) -> str:
        return f"“{view.label(action).capitalize()}” is not possible now."

    def why_not_card(self, view: EuchreView, card: int) -> str:
        if view.phase == GOING_ALONE:
            return "First say whether you go alone."
        if view.phase != PLAYING or not view.trick:
            return "No card is played before trump is made: bid or pass first."
        led = self._led(view)
        sentence = f"{SUIT_NAMES[led].capitalize()} were led: follow with {one_of(led)}."
        if card == left_bower(view.trump):
            sentence += f" {the(card).capitalize()} counts as {one_of(view.trump)}."
        return sentence

    # Narration

    def tell_action(self, view: EuchreView, seat: int, action: int) -> str:
        does = self.seating.does
        if action == HIDDEN:
            return f"{does(seat, 'discard', 'discards')} a card."
        if action < DISCARD:
            verb = ("play", "plays") if view.trick else ("lead", "leads")
            return f"{does(seat, *verb)} {the(action)}."
        if action < PASS:
            return f"{does(seat, 'discard', 'discards')} {the(action - DISCARD)}."
        if action == PASS:
            return f"{does(seat, 'pass', 'passes')}."
        if action == ORDER_UP:
            suit = SUIT_NAMES[PACK.suit(view.up_card)]
            return f"{does(seat, 'order up', 'orders up')} {the(view.up_card)}: {suit} are trump."
        if action < ALONE:
            return f"{does(seat, 'call', 'calls')} {SUIT_NAMES[action - CALL]}."
        if action == ALONE:
            return f"{does(seat, 'go', 'goes')} alone."
        if view.dummy and seat == SOLOIST:
            return f"{does(seat, 'take', 'takes')} the dummy's cards."
        return f"{does(seat, 'do', 'does')} not go alone."

    def tell_event(self, view: EuchreView, event: Event) -> str:
        does = self.seating.does
        if event.kind == "deal":
            return self.opening(view)
        if event.kind == "turned down":
            return f"{the(event.cards[0]).capitalize()} is turned down."
        if event.kind == "trick":
            return f"{does(event.seat, 'take', 'takes')} the trick."
        if event.kind == "hand":
            return self._tell_hand(view, event)
        winner = view.sides[event.points.index(max(event.points))]
        verb = "win" if len(winner) > 1 or view.dummy else "wins"
        return f"{self.side_name(winner)} {verb} the match."

    def _tell_hand(self, view: EuchreView, event: Event) -> str:
        points = int(max(event.points))
        gains = self.side_name(view.sides[event.points.index(max(event.points))])
        what = self.seating.does(event.seat, *_OUTCOMES[event.note])
        plural = "point" if points == 1 else "points"
        return f"{what}: {points} {plural} for {gains}. {self.score_told(view)}"

    def opening(self, view: EuchreView) -> str:
        deals = self.seating.does(view.dealer, "deal and turn up", "deals and turns up")
        return f"Hand {view.hand_no}: {deals} {the(view.up_card)}."


def _in_order(cards: Sequence[int], trump: int) -> list[int]:
    """Trumps first, then suits in alternating colours, each from the highest down."""
    if trump == NO_SUIT:
        return sorted(cards, key=lambda card: (SUITS_BY_COLOUR[PACK.suit(card)], -PACK.rank(card)))
    tables = TRUMP_TABLES[trump]

    def order(card: int) -> tuple[bool, int, int]:
        suit = tables.suit_of[card]
        return suit != trump, SUITS_BY_COLOUR[suit], -tables.strength[suit][card]

    return sorted(cards, key=order)


def _faces(mask: int) -> tuple[Face, ...]:
    return tuple([FACES[card] for card in _in_order(cards_in(mask), NO_SUIT)])


TABLE = EuchreTable
