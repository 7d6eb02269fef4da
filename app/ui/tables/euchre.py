"""The Euchre table: for three with an open dummy hand, or for four."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from textual.content import Content

from app.match.moment import NOBODY, Moment
from app.ui.layout.faces import one_of, suit_words
from app.ui.layout.pictures import Badge, Choice, HeldCard, Laid, Pips, SeatPicture, Tally
from app.ui.layout.wording import counted, in_words
from app.ui.tables.base import Table, choice_key
from app.ui.tables.chances import race
from app.ui.tables.reminders import Reminder, card_chips, row
from app.ui.tables.trumps import (
    BIDDING_KEYS,
    PASS_KEY,
    SUIT_KEYS,
    trump_badge,
    trump_fact,
    trumps_first,
    were_led,
)
from engine.cards import SUIT_NAMES, cards_in
from engine.game import HIDDEN, Event
from engine.games.euchre import (
    ALONE,
    CALL,
    CALLING,
    CARDS,
    DEALER_DISCARD,
    DISCARD,
    DUMMY_DISCARD,
    GOING_ALONE,
    ORDER_UP,
    ORDERING,
    PACK,
    PASS,
    PLAYING,
    SOLOIST,
    TARGET,
    TRICKS,
    TRUMP_LOOKUPS,
    WITH_PARTNER,
    EuchreView,
    left_bower,
)
from engine.tricks import NO_SUIT

_BIDDING = (ORDERING, CALLING)
_KEYS = {
    PASS: PASS_KEY,
    ORDER_UP: "euchre.order-up",
    ALONE: "euchre.alone",
    WITH_PARTNER: "euchre.together",
} | {CALL + suit: key for suit, key in enumerate(SUIT_KEYS)}
_OUTCOMES = {
    "made": ("make it", "makes it"),
    "march": ("take all five tricks", "takes all five tricks"),
    "alone march": ("take all five tricks alone", "takes all five tricks alone"),
    "euchred": ("are euchred, short of three tricks", "is euchred, short of three tricks"),
}
"""For each result of a hand, what the maker does: for `You` and for a name."""


class EuchreTable(Table[EuchreView]):
    pack = PACK
    bindings = (
        *BIDDING_KEYS,
        choice_key("y", _KEYS[ORDER_UP], "Order up"),
        choice_key("a", _KEYS[ALONE], "Go alone"),
        choice_key("t", _KEYS[WITH_PARTNER], "Together"),
    )

    # Drawing

    def facts(self, view: EuchreView) -> list[Content | str]:
        names = self.seating.names
        dealer = f"dealer {names[view.dealer]}"
        if view.trump == NO_SUIT:
            return ["no trump yet", dealer]
        ours, theirs = view.tricks
        maker = f"maker {names[view.maker]}{_how(view)}"
        return [trump_fact(view.trump), maker, dealer, f"tricks {ours} – {theirs}"]

    def side_name(self, side: Sequence[int]) -> str:
        name = super().side_name(side)
        return f"{name} + dummy" if side == (SOLOIST,) else name

    def side_wins(self, side: Sequence[int]) -> str:
        return f"{self.side_name(side)} win"

    def seats(self, moment: Moment) -> list[SeatPicture]:
        pictures = super().seats(moment)
        view = cast(EuchreView, moment.view)
        if view.dummy:
            pictures.insert(1, self._dummy(view))
        return pictures

    def _dummy(self, view: EuchreView) -> SeatPicture:
        owner = self.object_of(SOLOIST)
        if view.dummy_taken:
            return SeatPicture("Dummy", note=f"taken by {owner}", brief="taken")
        note, brief = f"plays for {owner}", "yours" if owner == "you" else f"for {owner}"
        if view.maker != NOBODY and (view.maker != SOLOIST or view.alone):
            note, brief = "not in play", "out"
        cards = self.in_order(view, cards_in(view.dummy))
        faces = tuple([self.faces[card] for card in cards])
        return SeatPicture("Dummy", faces, note=note, brief=brief)

    def note(self, moment: Moment, seat: int) -> str:
        view = cast(EuchreView, moment.view)
        return "sits out" if seat == view.sits_out else _last_bid(view, seat)

    def plate(self, moment: Moment, seat: int) -> SeatPicture:
        view = cast(EuchreView, moment.view)
        brief = "out" if seat == view.sits_out else ""
        if seat == view.maker:
            brief = "alone" if view.alone else "maker"
        return replace(super().plate(moment, seat), brief=brief)

    def tricks_of(self, moment: Moment, seat: int) -> Pips | None:
        view = cast(EuchreView, moment.view)
        if view.phase != PLAYING or seat == view.sits_out:
            return None
        side = next(number for number, side in enumerate(view.sides) if seat in side)
        return Pips(view.tricks[side], 3)

    def badges(self, moment: Moment) -> list[Badge]:
        view = cast(EuchreView, moment.view)
        return [trump_badge(view.trump)] if view.trump != NO_SUIT else []

    def tallies(self, moment: Moment) -> list[Tally]:
        return [replace(tally, target=TARGET) for tally in super().tallies(moment)]

    def is_strong(self, view: EuchreView, card: int) -> bool:
        return view.trump != NO_SUIT and TRUMP_LOOKUPS[view.trump].suit_of[card] == view.trump

    def label_of(self, view: EuchreView, card: int) -> str:
        return "left bower" if view.trump != NO_SUIT and card == left_bower(view.trump) else ""

    def felt(self, moment: Moment) -> list[Laid]:
        view = cast(EuchreView, moment.view)
        if view.phase in _BIDDING:
            caption = "up-card" if view.phase == ORDERING else "turned down"
            return [Laid("centre", self.faces[view.up_card], caption)]
        if view.phase < PLAYING:
            return []
        trick, taker = self.trick_on_table(moment)
        seats = [seat for seat in range(len(view.hand_sizes)) if seat != view.sits_out]
        return self.trick_by_seat(moment, trick, taker, seats, to_lead=view.turn)

    def in_order(self, view: EuchreView, cards: Sequence[int]) -> list[int]:
        if view.trump == NO_SUIT:
            return trumps_first(cards, NO_SUIT, PACK.suit, PACK.rank)
        lookup = TRUMP_LOOKUPS[view.trump]
        suit_of = lookup.suit_of
        return trumps_first(
            cards,
            view.trump,
            lambda card: suit_of[card],
            lambda card: lookup.strength[suit_of[card]][card],
        )

    def reminders(self, view: EuchreView) -> list[Reminder]:
        order = [Content("the jacks of its colour, A K Q 10 9")]
        if view.trump != NO_SUIT:
            cards = [card for card in range(CARDS) if self.is_strong(view, card)]
            order = [card_chips([self.faces[card] for card in self.in_order(view, cards)])]
        return [
            Reminder("Trumps, highest first", order),
            Reminder(
                "The makers take",
                [
                    row("3 or 4", "1 point"),
                    row("all five", "2 points, alone 4"),
                    row("fewer", "2 points for the others"),
                ],
            ),
        ]

    def choice_text(self, view: EuchreView, action: int) -> str:
        if action == WITH_PARTNER:
            return "Take the dummy" if _may_take_dummy(view) else f"With {self._partner(view)}"
        if action == ALONE:
            return "Go alone"
        if CALL <= action < ALONE:
            return f"Call {suit_words(action - CALL)[0]}"
        return super().choice_text(view, action)

    def key_of(self, action: int) -> str:
        return _KEYS.get(action, "")

    def hand(self, moment: Moment) -> list[HeldCard]:
        """When several cards are discarded together, they are marked first."""
        held = super().hand(moment)
        if moment.asked == NOBODY or self.takes_together(cast(EuchreView, moment.view)) == 1:
            return held
        return [replace(card, action=None, marks=True) for card in held]

    def choices(self, moment: Moment) -> list[Choice]:
        count = self.takes_together(cast(EuchreView, moment.view))
        if moment.asked == NOBODY or count == 1:
            return super().choices(moment)
        return [Choice(f"Discard {in_words(count)}", command="take_marked", key="table.take")]

    def takes_together(self, view: EuchreView) -> int:
        return view.hand.bit_count() - TRICKS if view.phase == DUMMY_DISCARD else 1

    def move_words(self, view: EuchreView, action: int) -> str:
        if action < PASS:
            return super().move_words(view, action)
        text = self.choice_text(view, action)
        text = text[0].lower() + text[1:]
        return f"play {text}" if text.startswith("with ") else text

    def _partner(self, view: EuchreView) -> str:
        side = next(side for side in view.sides if view.seat in side)
        return self.seating.together([seat for seat in side if seat != view.seat])

    def actions_for_marked(self, moment: Moment, cards: Sequence[int]) -> list[int]:
        view = cast(EuchreView, moment.view)
        if view.phase != DUMMY_DISCARD:
            return super().actions_for_marked(moment, cards)
        if len(cards) != self.takes_together(view):
            return []
        return [DISCARD + card for card in cards]

    def about_marked(self, moment: Moment, cards: Sequence[int]) -> str:
        view = cast(EuchreView, moment.view)
        if view.phase != DUMMY_DISCARD:
            return super().about_marked(moment, cards)
        wanted = self.takes_together(view)
        exactly = f"mark exactly {in_words(wanted)} to discard"
        if len(cards) != wanted:
            count = in_words(len(cards)).capitalize()
            return f"{count} {'card is' if len(cards) == 1 else 'cards are'} marked: {exactly}."
        return f"Enter discards {' '.join([self.chip(card) for card in cards])}."

    def chances(self, view: EuchreView) -> list[float]:
        return race([TARGET - score for score in view.scores])

    # Asking

    def question(self, view: EuchreView, legal: Sequence[int]) -> str:
        if view.phase == ORDERING:
            return self._ordering(view)
        if view.phase == CALLING:
            turned_down = SUIT_NAMES[PACK.suit(view.up_card)]
            if PASS in legal:
                return (
                    f"{turned_down.capitalize()} were turned down: "
                    "name another suit as trump, or pass."
                )
            return f"You deal, so you are stuck: name any trump suit but {turned_down}."
        if view.phase == DEALER_DISCARD:
            return f"You picked up {self.the(view.up_card)}: choose a card to discard."
        if view.phase == GOING_ALONE:
            return f"{SUIT_NAMES[view.trump].capitalize()} are trump: {self._alone(view)}"
        if view.phase == DUMMY_DISCARD:
            left = self.takes_together(view)
            if left == 1:
                return "You took the dummy's cards: choose one more card to discard."
            return (
                f"You took the dummy's cards: mark {in_words(left)} to discard, then press Enter."
            )
        return self._following(view, legal)

    def _ordering(self, view: EuchreView) -> str:
        suit = SUIT_NAMES[PACK.suit(view.up_card)]
        picks_up = "you pick it up"
        if view.dealer != view.seat:
            picks_up = f"{self.seating.names[view.dealer]} picks it up"
        rank = self.faces[view.up_card].words.split()[0]
        return f"Make {suit} trump? Order up the {rank} ({picks_up}), or pass."

    def _alone(self, view: EuchreView) -> str:
        if _may_take_dummy(view):
            return "take the dummy's five cards and discard five, or go alone for 4 points?"
        return f"play with {self._partner(view)}, or go alone for 4 points?"

    def _following(self, view: EuchreView, legal: Sequence[int]) -> str:
        if not view.trick:
            return "You lead: play any card."
        led = _led(view)
        if all(TRUMP_LOOKUPS[view.trump].suit_of[card] != led for card in legal):
            return f"{were_led(led)} and you have none: play any card."
        bower = left_bower(view.trump)
        counts = led == view.trump and bower in legal
        return self._follow(led) + (self._counts_as(bower, led) if counts else "")

    def _follow(self, led: int) -> str:
        return f"{were_led(led)}: follow with {one_of(led)}."

    def _counts_as(self, bower: int, suit: int) -> str:
        return f" {self.the(bower).capitalize()} counts as {one_of(suit)}."

    def why_not_card(self, view: EuchreView, card: int) -> str:
        if view.phase == GOING_ALONE:
            return "First decide whether to go alone."
        if view.phase != PLAYING or not view.trick:
            return "Trump is not made yet: bid or pass first."
        sentence = self._follow(_led(view))
        if card == left_bower(view.trump):
            sentence += self._counts_as(card, view.trump)
        return sentence

    def why_not_key(self, view: EuchreView, key: str) -> str:
        if view.phase == PLAYING:
            return "Trump is made: play a card."
        if view.phase in (DEALER_DISCARD, DUMMY_DISCARD):
            return "First discard."
        if view.phase == GOING_ALONE:
            sentence = self._alone(view)
            return sentence[0].upper() + sentence[1:]
        turned = SUIT_NAMES[PACK.suit(view.up_card)]
        if view.phase == ORDERING:
            return f"{turned.capitalize()} are offered first: order up or pass."
        if key == PASS_KEY:
            return "You deal, so you are stuck and may not pass."
        return f"{turned.capitalize()} were turned down: name another suit."

    # Narration

    def opening(self, view: EuchreView) -> str:
        deals = self.seating.does(view.dealer, "deal and turn up", "deals and turns up")
        return f"Hand {view.hand_no}: {deals} {self.the(view.up_card)}."

    def tell_action(self, view: EuchreView, seat: int, action: int) -> str:
        does = self.seating.does
        if action == HIDDEN:
            return f"{does(seat, 'discard', 'discards')} a card."
        if action == ORDER_UP:
            suit = SUIT_NAMES[PACK.suit(view.up_card)]
            orders_up = does(seat, "order up", "orders up")
            return f"{orders_up} {self.the(view.up_card)}: {suit} are trump."
        if action == ALONE:
            return f"{does(seat, 'go', 'goes')} alone."
        if action == WITH_PARTNER:
            if view.dummy and seat == SOLOIST:
                return f"{does(seat, 'take', 'takes')} the dummy's cards."
            return f"{does(seat, 'do', 'does')} not go alone."
        return super().tell_action(view, seat, action)

    def tell_event(self, view: EuchreView, event: Event) -> str:
        if event.kind == "turned down":
            return f"{self.the(event.cards[0]).capitalize()} is turned down."
        return super().tell_event(view, event)

    def tell_hand(self, view: EuchreView, event: Event) -> str:
        points = int(max(event.points))
        side = view.sides[event.points.index(points)]
        winners = self.side_name(side)
        what = self.seating.does(event.seat, *_OUTCOMES[event.note])
        gain = counted(points, "point", "points")
        if event.note == "march" and len(side) > 1:
            # Partners share their tricks.
            return f"{winners} {_OUTCOMES['march'][0]}: {gain}. {self.score_told(view)}"
        return f"{what}: {gain} for {winners}. {self.score_told(view)}"


def _how(view: EuchreView) -> str:
    if view.alone:
        return " (alone)"
    return " (with dummy)" if view.dummy_taken else ""


def _may_take_dummy(view: EuchreView) -> bool:
    return bool(view.dummy) and view.seat == SOLOIST


def _led(view: EuchreView) -> int:
    return TRUMP_LOOKUPS[view.trump].suit_of[view.trick[0][1]]


def _last_bid(view: EuchreView, seat: int) -> str:
    """A seat's last bid in words; passes are dropped once trump is made."""
    bid = ""
    for who, action in view.history:
        if who != seat:
            continue
        if action == PASS:
            bid = "passed" if view.phase in _BIDDING else ""
        elif action == ORDER_UP:
            bid = "ordered up"
        elif CALL <= action < ALONE:
            bid = f"called {SUIT_NAMES[action - CALL]}"
        elif action == ALONE:
            bid += ", alone"
    return bid


TABLE = EuchreTable
