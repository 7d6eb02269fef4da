"""The words of a table: names of cards and moves, questions, log lines, the score.

Every method has a default that works for a game with cards, tricks and points. It reads the
view, the labels of the actions and the events. A game overrides what it says differently.
"""

from collections.abc import Sequence
from typing import Generic, TypeVar

from app.match.moment import NOBODY
from app.match.seating import Seating
from app.ui.layout.faces import Face, faces_of
from app.ui.layout.wording import listed, minus, signed, third_person
from engine.cards import Pack, cards_in
from engine.game import HIDDEN, Event, Game, Played, View

V = TypeVar("V", bound=View)


class Sentences(Generic[V]):
    """How a game speaks.

    pack        the cards of the game
    hand_word   what its players call a hand
    """

    pack: Pack
    hand_word = "hand"

    def __init__(self, game: Game, seating: Seating) -> None:
        self.game = game
        self.seating = seating
        self.faces: tuple[Face, ...] = faces_of(self.pack)
        self._cards = {code: card for card, code in enumerate(self.pack.codes)}

    # Cards and moves

    def the(self, card: int) -> str:
        """`the ten of hearts`."""
        return f"the {self.faces[card].words}"

    def chip(self, card: int) -> str:
        """`10♥`."""
        return self.faces[card].chip(ascii_only=False)

    def card_of(self, view: V, action: int) -> int | None:
        """The card that the label of an action names, as in `play AS`."""
        words = view.label(action).split() if action != HIDDEN else []
        return self._cards.get(words[1]) if len(words) == 2 else None

    def held(self, view: V) -> list[int]:
        """The cards of the seat whose view this is."""
        hand: int | Sequence[int] = getattr(view, "hand", ())
        return cards_in(hand) if isinstance(hand, int) else list(hand)

    def plays(self, view: V) -> list[Played]:
        """The cards played in this hand, with their seats."""
        named = [
            (seat, self.card_of(view, action))
            for seat, action in view.history
            if action != HIDDEN and view.label(action).startswith("play ")
        ]
        return [(seat, card) for seat, card in named if card is not None]

    def taken_trick(self, view: V) -> tuple[Sequence[Played], int]:
        """The last complete trick of this hand and the seat that took it, NOBODY if the view
        does not name it. No cards if there is no such trick yet."""
        plays = self.plays(view)
        done = plays[: len(plays) - len(getattr(view, "trick", ()))]
        trick = getattr(view, "last_trick", done[-len(self.seating.names) :])
        return (trick, getattr(view, "last_winner", NOBODY)) if done else ((), NOBODY)

    def move_words(self, view: V, action: int) -> str:
        """A move in a few words, for lists and hints; `view` is its player's."""
        card = self.card_of(view, action)
        label = view.label(action)
        return label if card is None else f"{label.split()[0]} {self.chip(card)}"

    def hint_for_several(self, view: V, actions: Sequence[int]) -> str:
        """`Hint: discard 9♠, 10♠ and 9♦.`"""
        moves = [self.move_words(view, action).split(maxsplit=1) for action in actions]
        return f"Hint: {moves[0][0]} {listed([move[-1] for move in moves])}."

    # Players inside a sentence

    def object_of(self, seat: int) -> str:
        """`you` or `West`."""
        name = self.seating.names[seat]
        return "you" if name == "You" else name

    def whose(self, seat: int) -> str:
        """`Your` or `West's`."""
        name = self.seating.names[seat]
        return "Your" if name == "You" else f"{name}'s"

    def does_inside(self, seat: int, you: str, other: str) -> str:
        """`you take` or `West takes`."""
        verb = you if self.seating.names[seat] == "You" else other
        return f"{self.object_of(seat)} {verb}"

    # Questions and refusals

    def question(self, view: V, legal: Sequence[int]) -> str:
        """What the person is asked, in one or two short sentences."""
        cards = {self.card_of(view, action) for action in legal}
        others = [view.label(action) for action in legal if self.card_of(view, action) is None]
        if cards == {None}:
            return f"You may {listed(others, 'or')}."
        leads = not getattr(view, "trick", ())
        sentence = f"{'You lead' if leads else 'Your turn'}: play a card"
        if others:
            sentence += f", or {listed(others, 'or')}"
        if cards.issuperset(self.held(view)):
            return f"{sentence}."
        return f"{sentence}. Dim cards are not allowed now."

    def why_not(self, view: V, action: int) -> str:
        """Why that action is not allowed."""
        return f"“{view.label(action).capitalize()}” is not possible now."

    def why_not_card(self, view: V, card: int) -> str:
        """Why that card of the hand cannot be chosen."""
        return f"{self.the(card).capitalize()} is not allowed now."

    def why_not_key(self, view: V, key: str) -> str:
        """Why the choice with that key is not offered now."""
        return "That is not possible now."

    def warning(self, view: V, action: int) -> str:
        """Shown before that legal action is taken, which then needs a second key press."""
        return ""

    def about_card(self, view: V, card: int) -> str:
        """Shown while the cursor is on a card of the hand; may be empty."""
        return ""

    # Narration

    def opening(self, view: V) -> str:
        """The first line of the log, and of each hand."""
        start = f"{self.hand_word.capitalize()} {view.hand_no}"
        if hasattr(view, "dealer"):
            return f"{start}: {self.seating.does(view.dealer, 'deal', 'deals')}."
        return f"{start}: {self.seating.does(view.turn, 'begin', 'begins')}."

    def tell_action(self, view: V, seat: int, action: int) -> str:
        """A log line for an action; `view` is from before it. The action may be HIDDEN."""
        if action == HIDDEN:
            return f"{self.seating.does(seat, 'make', 'makes')} a hidden move."
        verb, _, rest = view.label(action).partition(" ")
        card = self.card_of(view, action)
        if card is not None:
            rest = self.the(card)
            if verb == "play" and not getattr(view, "trick", ()):
                verb = "lead"
        return f"{self.seating.does(seat, verb, third_person(verb))} {rest}".rstrip() + "."

    def tell_event(self, view: V, event: Event) -> str:
        """A log line for an event, empty if it needs none; `view` is from after it."""
        if event.kind == "deal":
            return self.opening(view)
        if event.kind == "trick":
            return self.tell_trick(view, event)
        if event.kind == "hand":
            return self.tell_hand(view, event)
        if event.kind == "match":
            return self.tell_match(view, event)
        return ""

    def tell_trick(self, view: V, event: Event) -> str:
        if event.seat == NOBODY:
            return "Nobody takes the trick."
        return f"{self.seating.does(event.seat, 'take', 'takes')} the trick."

    def tell_hand(self, view: V, event: Event) -> str:
        """The points of each side, then the score."""
        points = [
            f"{self.side_name(side)} {signed(points)}"
            for side, points in zip(view.sides, event.points, strict=True)
            if points
        ]
        return f"{', '.join(points) or 'Nobody scores'}. {self.score_told(view)}"

    def tell_match(self, view: V, event: Event) -> str:
        best = max(event.points)
        winners = [
            side for side, share in zip(view.sides, event.points, strict=True) if share == best
        ]
        if len(winners) > 1:
            return f"{listed([self.side_name(side) for side in winners])} share the win."
        return f"{self.side_wins(winners[0])} the match."

    def last_trick(self, view: V) -> str:
        """The answer to the key `k`."""
        trick, winner = self.taken_trick(view)
        if not trick:
            return f"No trick has been taken in this {self.hand_word} yet."
        names = self.seating.names
        cards = ", ".join([f"{names[seat]} {self.chip(card)}" for seat, card in trick])
        return f"Last trick: {cards}. {self.took_it(winner)}".rstrip()

    def took_it(self, winner: int) -> str:
        return "" if winner == NOBODY else f"{self.seating.names[winner]} took it."

    # Sides and scores

    def side_name(self, side: Sequence[int]) -> str:
        return " + ".join([self.seating.names[seat] for seat in side])

    def side_wins(self, side: Sequence[int]) -> str:
        """`You win`, `West wins`, `You + North win`."""
        return self.side_does(side, "win", "wins")

    def side_does(self, side: Sequence[int], you: str, other: str) -> str:
        """`You get`, `West gets`, `You + North get`."""
        if len(side) == 1:
            return self.seating.does(side[0], you, other)
        return f"{self.side_name(side)} {you}"

    def title_line(self, view: V) -> str:
        return f"{self.game.title} · {self.hand_word} {view.hand_no}"

    def score_line(self, view: V) -> str:
        """`You + dummy 6 : 7 West + East`, or one side after the other."""
        names = [self.side_name(side) for side in view.sides]
        scores = [minus(str(score)) for score in view.scores]
        if len(names) == 2:
            return f"{names[0]} {scores[0]} : {scores[1]} {names[1]}"
        return "  ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))

    def score_told(self, view: V) -> str:
        """The score as a sentence at the end of a hand."""
        return f"{self.score_line(view)}."
