"""What every game's table has in common: how it is drawn and how it speaks.

A `Table` is pure: it turns moments and views into pictures and sentences. The screen
draws them, the loop tells them. A new game is one subclass.
"""

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar, cast

from textual.binding import Binding
from textual.content import Content

from app.match.moment import NOBODY, Moment
from app.match.seating import Seating
from app.ui.layout.faces import Face
from app.ui.layout.pictures import Choice, HeldCard, Laid, SeatPicture
from app.ui.tables.score_sheet import score_sheet
from engine.game import Event, Game, Played, View


def choice_key(key: str, id: str, description: str) -> Binding:
    """A key of its own for the choice that names this id."""
    return Binding(key, f"choice('{id}')", description, show=False, id=id)


V = TypeVar("V", bound=View)


class Table(Generic[V]):
    """How one game looks and speaks.

    hides_hands     whether persons at one keyboard must not see each other's hands
    rotates_start   whether the seat that starts moves on from match to match of a series
    one_hand        whether a match is a single hand: its end is shown as it is, since
                    no new deal covers it
    has_tricks      whether there is a last trick to look at
    hand_word       what players of this game call a hand
    stage_word      what a match is told by in its summary: its hands, or its turns where it
                    is a single hand
    standing_word   what the numbers of its summary are
    bindings        keys of this game for a person at the table; one with the id of
                    a key of the screen takes its place
    """

    hides_hands = True
    rotates_start = False
    one_hand = False
    has_tricks = True
    hand_word = "hand"
    stage_word = "hand"
    standing_word = "Score"
    bindings: Sequence[Binding] = ()

    def __init__(self, game: Game, seating: Seating) -> None:
        self.game = game
        self.seating = seating

    # For each game

    def facts(self, view: V) -> list[Content | str]:
        """The second status line: trump, dealer, tricks and the like."""
        raise NotImplementedError

    def seat(self, moment: Moment, seat: int) -> SeatPicture:
        """A player across the table."""
        raise NotImplementedError

    def felt(self, moment: Moment) -> list[Laid]:
        """The cards in the middle."""
        raise NotImplementedError

    def hand(self, moment: Moment) -> list[HeldCard]:
        """The hand of the seat the table is seen from."""
        raise NotImplementedError

    def choices(self, moment: Moment) -> list[Choice]:
        """The legal actions that are no cards of the hand."""
        raise NotImplementedError

    def question(self, view: V, legal: Sequence[int]) -> str:
        """What the person is asked, in one or two short sentences."""
        raise NotImplementedError

    def why_not(self, view: V, action: int) -> str:
        """Why that action is not allowed."""
        raise NotImplementedError

    def why_not_card(self, view: V, card: int) -> str:
        """Why that card of the hand cannot be chosen."""
        raise NotImplementedError

    def tell_action(self, view: V, seat: int, action: int) -> str:
        """An action in a sentence; `view` is from before it. May be given HIDDEN."""
        raise NotImplementedError

    def tell_event(self, view: V, event: Event) -> str:
        """An event in a sentence, empty if there is nothing to say; `view` is from after it."""
        raise NotImplementedError

    def opening(self, view: V) -> str:
        """The first line of the log."""
        raise NotImplementedError

    # With a sensible default

    def move_words(self, view: V, action: int) -> str:
        """A move in a few words, for lists and hints; `view` is its player's."""
        return view.label(action)

    def why_not_key(self, view: V, key: str) -> str:
        """Why the choice with that key is not offered now."""
        return "That is not possible now."

    def warning(self, view: V, action: int) -> str:
        """What to say before that legal action is taken: it is then asked for twice."""
        return ""

    def actions_for_marked(self, moment: Moment, cards: Sequence[int]) -> list[int]:
        """What taking the marked cards together means; empty if it means nothing."""
        return []

    def about_marked(self, moment: Moment, cards: Sequence[int]) -> str:
        """What the marked cards are good for, or why for nothing; may be empty."""
        return ""

    def about_card(self, view: V, card: int) -> str:
        """What is said of a card of the hand while it is chosen but not taken; may be empty."""
        return ""

    def groups(self, moment: Moment) -> list[tuple[int, ...]]:
        """Cards that can be marked at once, the best ones first."""
        return []

    def felt_lines(self, moment: Moment) -> list[Content | str]:
        """What is said in the middle, under the cards; the last line is the dearest."""
        return []

    def last_trick(self, view: V) -> str:
        """What `k` shows; empty where there is nothing to show."""
        return ""

    def side_name(self, side: Sequence[int]) -> str:
        return " + ".join([self.seating.names[seat] for seat in side])

    def shown_scores(self, view: V) -> list[str]:
        """How each side stands, as the scores tab says it."""
        return [str(score) for score in view.scores]

    def score_sheet(self, moment: Moment) -> Content:
        """What the scores tab shows; at the end of a hand, with its points."""
        view = cast(V, moment.scored)
        names = [self.side_name(side) for side in view.sides]
        return score_sheet(names, self.shown_scores(view), moment.results)

    def score_told(self, view: V) -> str:
        """The score as it is said at the end of a hand."""
        return f"{self.score_line(view)}."

    def score_line(self, view: V) -> str:
        """`You + dummy 6 : 7 West + East`, or one side after the other."""
        names = [self.side_name(side) for side in view.sides]
        if len(names) == 2:
            return f"{names[0]} {view.scores[0]} : {view.scores[1]} {names[1]}"
        return "  ".join(f"{name} {score}" for name, score in zip(names, view.scores, strict=True))

    # How a match is counted, for its summary

    def stage(self, view: V) -> int:
        """The number of the hand or turn."""
        return view.hand_no

    def standing(self, view: V) -> list[int]:
        """How each side stands, as a number that can be drawn."""
        return list(view.scores)

    def chances(self, view: V) -> list[float]:
        """How likely each side is to win, by the standing alone."""
        raise NotImplementedError

    def seats(self, moment: Moment) -> list[SeatPicture]:
        """Everybody but the seat the table is seen from, clockwise from the left."""
        count = len(self.seating.names)
        around = [(self.seating.home + step) % count for step in range(1, count + 1)]
        return [self.seat(moment, seat) for seat in around if seat != moment.view.seat]

    def hand_caption(self, moment: Moment) -> str:
        """Whose hand is at the bottom, where that is not plain; may have several lines."""
        name = self.seating.names[moment.view.seat]
        return "" if name == "You" else self.seating.title(moment.view.seat)

    # The same for every game

    def trick_by_seat(
        self,
        trick: Sequence[Played],
        faces: Sequence[Face],
        seats: Sequence[int],
        leader: int,
        taker: int = NOBODY,
        captions: Mapping[int, str] | None = None,
        struck: Sequence[int] = (),
    ) -> list[Laid]:
        """The cards of a trick where their seats are, and places for those to come.

        taker      who took the trick, if it is complete
        captions   what to say under a seat's card in place of its name
        struck     the cards that count for nothing
        """
        cards = dict(trick)
        said = {leader: self.seating.does(leader, "lead", "leads")}
        if taker != NOBODY:
            said[taker] = self.seating.does(taker, "take it", "takes it")
        said.update(captions or {})
        return [
            Laid(
                self.seating.place(seat),
                faces[cards[seat]] if seat in cards else None,
                said.get(seat, self.seating.names[seat]),
                bright=seat == taker,
                struck=cards.get(seat) in struck,
            )
            for seat in seats
        ]

    def title_line(self, view: V) -> str:
        return f"{self.game.title} · {self.hand_word} {view.hand_no}"

    def prompt(self, moment: Moment) -> str:
        """The line that says what is asked, or what is going on."""
        view = cast(V, moment.view)
        if moment.ending is not None:
            return moment.ending.sentence
        if moment.asked != NOBODY:
            question = self.question(view, moment.legal)
            name = self.seating.names[moment.asked]
            return question if name == "You" else f"{name}: {question}"
        if moment.paused:
            return "Paused."
        return self.seating.does(view.turn, "are thinking …", "is thinking …")
