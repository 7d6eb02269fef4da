"""What all tables have in common: how a game is drawn.

A `Table` is pure: it turns moments and views into pictures and sentences. The screen draws
them and the loop logs them. A new game is a subclass that names its pack; everything else has a
default for a game of tricks with cards, which reads these fields of the view if they exist:

hand         the cards of the seat
hand_sizes   the number of cards of each seat; without it all hands are equal
trick        the (seat, card) pairs of the current trick
last_trick, last_winner   the last complete trick; without them the history shows it
dealer       the seat that dealt
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar, cast

from textual.binding import Binding
from textual.content import Content

from app.match.moment import NOBODY, Moment
from app.ui.layout.faces import Face
from app.ui.layout.pictures import Badge, Choice, HeldCard, Laid, Pips, SeatPicture, Tally
from app.ui.layout.wording import minus
from app.ui.tables.chances import race, shares
from app.ui.tables.facts import facts_of
from app.ui.tables.reminders import Reminder
from app.ui.tables.score_sheet import score_sheet
from app.ui.tables.sentences import Sentences
from engine.game import Played, View

V = TypeVar("V", bound=View)


def choice_key(key: str, id: str, description: str) -> Binding:
    """A key of its own for the choice that names this id."""
    return Binding(key, f"choice('{id}')", description, show=False, id=id)


def place_id(number: int) -> str:
    """The id of the key that chooses a numbered card."""
    return f"table.place-{number}"


def is_picked_by(choice: Choice, number: int) -> bool:
    """True if the key of that card picks the choice: its digit, or the letter after the digits."""
    return choice.digit == number % 10 if number <= 10 else choice.key == place_id(number)


class Table(Sentences[V]):
    """How one game looks and speaks.

    hides_hands     whether persons at one keyboard must not see each other's hands
    rotates_start   whether the seat that starts moves on from match to match of a series
    one_hand        whether a match is a single hand
    of_next_hand    fields of the state that are about the next hand as soon as a hand is over
    has_tricks      whether there is a last trick to look at
    stage_word      the unit of the summary: hands, or turns where a match is a single hand
    standing_word   what the numbers of the summary are
    bindings        keys of this game for a person at the table; one with the id of a key of
                    the screen replaces it
    """

    hides_hands = True
    rotates_start = False
    one_hand = False
    of_next_hand: Sequence[str] = ("hand_no", "phase", "dealer")
    has_tricks = True
    stage_word = "hand"
    standing_word = "Score"
    bindings: Sequence[Binding] = ()

    # The seats

    def seats(self, moment: Moment) -> list[SeatPicture]:
        """All seats but the one the table is seen from, clockwise from the left."""
        return [self.seat(moment, seat) for seat in self.around(moment.view)[:-1]]

    def around(self, view: View) -> list[int]:
        """The seats clockwise, the one of the view at the bottom of the table last."""
        count = len(self.seating.names)
        return [(view.seat + step) % count for step in range(1, count + 1)]

    def seat(self, moment: Moment, seat: int) -> SeatPicture:
        """A player across the table."""
        own = cast(V | None, moment.view_of(seat))
        return replace(
            self.plate(moment, seat),
            cards=self._faces(own, self.held(own)) if own else (),
            backs=0 if own else self._backs(moment, seat),
        )

    def plate(self, moment: Moment, seat: int) -> SeatPicture:
        """A player without cards: the name plate, also of the seat at the bottom."""
        view = cast(V, moment.view)
        return SeatPicture(
            self.seating.title(seat),
            note=self.note(moment, seat),
            active=seat == view.turn and moment.ending is None,
            dealer=seat == getattr(view, "dealer", NOBODY),
            tricks=self.tricks_of(moment, seat),
            sign=self.seating.sign(seat),
        )

    def tricks_of(self, moment: Moment, seat: int) -> Pips | None:
        """The tricks of a seat or its side, if the game counts them."""
        return None

    def note(self, moment: Moment, seat: int) -> str:
        """The text under a seat: its last bid of this hand."""
        view = cast(V, moment.view)
        bids = [
            view.label(action)
            for who, action in view.history
            if who == seat and action >= 0 and self.card_of(view, action) is None
        ]
        return bids[-1] if bids else ""

    def _backs(self, moment: Moment, seat: int) -> int:
        """How many cards a seat holds. Without `hand_sizes`, seats hold equally many between
        tricks."""
        view = cast(V, moment.view)
        sizes = getattr(view, "hand_sizes", None)
        if sizes is not None:
            return int(sizes[seat])
        in_trick = [who for who, _ in getattr(view, "trick", ())]
        return len(self.held(view)) + (view.seat in in_trick) - (seat in in_trick)

    def _faces(self, view: V, cards: Sequence[int]) -> tuple[Face, ...]:
        return tuple([self.faces[card] for card in self.in_order(view, cards)])

    # The middle

    def facts(self, view: V) -> list[Content | str]:
        """The second status line: trump, dealer, tricks and the like."""
        return list(facts_of(view, self.seating.names, self.faces))

    def felt(self, moment: Moment) -> list[Laid]:
        """The cards in the middle."""
        trick, taker = self.trick_on_table(moment)
        seats = range(len(self.seating.names))
        return self.trick_by_seat(moment, trick, taker, seats, to_lead=moment.view.turn)

    def badges(self, moment: Moment) -> list[Badge]:
        """What holds for the whole hand, shown next to the trick."""
        return []

    def tallies(self, moment: Moment) -> list[Tally]:
        """The score of each side as players keep it; empty if seats show it."""
        view = cast(V, moment.view)
        target = view.options.as_dict().get("target", 0)
        return [
            Tally(self.side_name(side), score, target if isinstance(target, int) else 0, "pegs")
            for side, score in zip(view.sides, view.scores, strict=True)
        ]

    def is_strong(self, view: V, card: int) -> bool:
        """Whether a card is a trump or has another special power in this hand."""
        return False

    def label_of(self, view: V, card: int) -> str:
        """A word about a card that its face does not show, such as `left bower`."""
        return ""

    def felt_lines(self, moment: Moment) -> list[Content | str]:
        """Text under the cards in the middle; the last line is kept when room is short."""
        return []

    def trick_on_table(self, moment: Moment) -> tuple[Sequence[Played], int]:
        """The cards in the middle, and the seat that took them: NOBODY while cards are to come.

        A complete trick stays until the next lead.
        """
        view = cast(V, moment.view)
        trick: Sequence[Played] = getattr(view, "trick", ())
        if trick:
            return trick, self._taker(moment, trick)
        trick, taker = self.taken_trick(view)
        return trick, taker if taker != NOBODY else self._taker(moment, trick)

    def _taker(self, moment: Moment, trick: Sequence[Played]) -> int:
        """The seat that took exactly these cards, by the latest events."""
        cards = sorted([card for _, card in trick])
        for event in reversed(moment.events):
            if event.kind == "trick" and sorted(event.cards) == cards:
                return event.seat
        return NOBODY

    def trick_by_seat(
        self,
        moment: Moment,
        trick: Sequence[Played],
        taker: int,
        seats: Sequence[int],
        to_lead: int,
        captions: Mapping[int, str] | None = None,
        struck: Sequence[int] = (),
    ) -> list[Laid]:
        """The cards of a trick at their seats, and empty places for cards to come.

        taker      the seat that took the trick, NOBODY if it is not complete
        to_lead    the seat that leads if there is no card yet
        captions   for some seats, the text under the card in place of the name
        struck     the cards that count for nothing
        """
        view = cast(V, moment.view)
        cards = dict(trick)
        leader = trick[0][0] if trick else to_lead
        under = {leader: self.seating.does(leader, "lead", "leads")}
        if taker != NOBODY:
            under[taker] = self.seating.does(taker, "take it", "takes it")
        under.update(captions or {})
        return [
            Laid(
                self.seating.place(seat, view.seat),
                self.faces[cards[seat]] if seat in cards else None,
                under.get(seat, self.seating.names[seat]),
                bright=seat == taker,
                struck=cards.get(seat) in struck,
                fresh=bool(trick) and trick[-1][0] == seat and taker == NOBODY,
                trump=seat in cards and self.is_strong(view, cards[seat]),
                label=self.label_of(view, cards[seat]) if seat in cards else "",
            )
            for seat in seats
        ]

    # The hand and the choices

    def hand(self, moment: Moment) -> list[HeldCard]:
        """The hand of the seat the table is seen from."""
        view = cast(V, moment.view)
        actions = self._actions_by_card(moment)
        cards = self.in_order(view, self.held(view))
        return [self.held_card(view, card, actions.get(card)) for card in cards]

    def held_card(self, view: V, card: int, action: int | None, marks: bool = False) -> HeldCard:
        """A card of the hand with its marks."""
        strong, label = self.is_strong(view, card), self.label_of(view, card)
        return HeldCard(card, self.faces[card], action, marks, strong, label)

    def in_order(self, view: V, cards: Sequence[int]) -> list[int]:
        """Cards of a hand in the order in which they are shown."""
        return list(cards)

    def _actions_by_card(self, moment: Moment) -> dict[int, int]:
        """For each card that can be chosen, the legal action that names it."""
        view = cast(V, moment.view)
        named = [(self.card_of(view, action), action) for action in moment.legal]
        held = self.held(view)
        return {card: action for card, action in named if card is not None and card in held}

    def own_plate(self, moment: Moment) -> SeatPicture:
        """The name plate of the seat at the bottom, lit while a person there has to decide."""
        plate = self.plate(moment, moment.view.seat)
        return replace(plate, active=plate.active or moment.asked == moment.view.seat)

    def choices(self, moment: Moment) -> list[Choice]:
        """The legal actions that are not cards of the hand."""
        view = cast(V, moment.view)
        of_cards = self._actions_by_card(moment).values()
        return [
            Choice(
                self.choice_text(view, action),
                action,
                key=self.key_of(action),
                digit=self.digit_of(action),
            )
            for action in moment.legal
            if action not in of_cards
        ]

    def key_of(self, action: int) -> str:
        """The id of the binding that takes an action; empty if it has none. An action keeps its
        key for the whole game."""
        return ""

    def digit_of(self, action: int) -> int | None:
        """The digit that takes an action, such as the number of a bet."""
        return None

    def choice_text(self, view: V, action: int) -> str:
        return view.label(action).capitalize()

    def actions_for_marked(self, moment: Moment, cards: Sequence[int]) -> list[int]:
        """The actions that take the marked cards together; empty if none does."""
        actions = self._actions_by_card(moment)
        return [actions[card] for card in cards if card in actions] if len(cards) == 1 else []

    def takes_together(self, view: V) -> int:
        """How many cards the question asks for at once; they are marked and taken together."""
        return 1

    def about_marked(self, moment: Moment, cards: Sequence[int]) -> str:
        """What the marked cards are good for, or why they are not; may be empty."""
        return ""

    def groups(self, moment: Moment) -> list[tuple[int, ...]]:
        """Cards that can be marked together, the best first."""
        return []

    def prompt(self, moment: Moment) -> str:
        """What the person is asked, or what is happening."""
        view = cast(V, moment.view)
        if moment.ending is not None:
            return moment.ending.sentence
        if moment.asked != NOBODY:
            question = self.question(view, moment.legal)
            name = self.seating.names[moment.asked]
            if name == "You":
                return question
            if question.startswith("You"):
                return f"{name}, y{question[1:]}"
            return f"{name}: {question}"
        if moment.paused:
            return "Paused."
        if moment.decided:
            return f"The result of this {self.hand_word} is certain, so it is played out."
        if moment.forced:
            return f"{self.whose(view.turn)} only legal card is played."
        return self.seating.does(view.turn, "are thinking …", "is thinking …")

    def reminders(self, view: V) -> list[Reminder]:
        """The order of the cards and the points, for the side panel."""
        return []

    # Scores and the summary of a match

    def shown_scores(self, view: V) -> list[str]:
        """The score of each side, as the scores tab shows it."""
        return [minus(str(score)) for score in view.scores]

    def score_sheet(self, moment: Moment) -> Content:
        """What the scores tab shows."""
        view = cast(V, moment.view)
        names = [self.side_name(side) for side in view.sides]
        word = "" if self.one_hand else self.hand_word
        return score_sheet(names, self.shown_scores(view), moment.results, word)

    def stage(self, view: V) -> int:
        """The number of the hand or turn."""
        return view.hand_no

    def standing(self, view: V) -> list[int]:
        """A number for each side that shows how it stands."""
        return list(view.scores)

    def chances(self, view: V) -> list[float]:
        """Each side's chance to win, by the standing alone.

        Two sides race to the option `target`; otherwise the score decides.
        """
        target = view.options.as_dict().get("target")
        if len(view.scores) == 2 and isinstance(target, int):
            return race([target - score for score in view.scores])
        lowest = min(view.scores)
        return shares([score - lowest + 1 for score in view.scores])
