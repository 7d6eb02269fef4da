"""The Notty table: all hands face up, and cards that are marked and discarded as a group."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from textual.binding import Binding
from textual.content import Content

from agents.notty.rules import hand_of, outlook_of
from app.match.moment import Moment
from app.ui.layout.faces import Face
from app.ui.layout.pictures import Choice, HeldCard, Laid, SeatPicture, Tally
from app.ui.layout.wording import counted, listed
from app.ui.tables.base import Table, choice_key
from app.ui.tables.reminders import Reminder, card_chips, row
from engine.cards import NOTTY_COLOUR_NAMES
from engine.game import OVER, Event
from engine.games.notty import (
    DEAL,
    DISCARD,
    DRAW,
    EXCHANGE,
    GROUP,
    GROUPS,
    HAND_LIMIT,
    MOST_DRAWN,
    PACK,
    PASS,
    SHORTEST_RUN,
    SMALLEST_SET,
    STEAL,
    NottyView,
)

_GROUP_ACTIONS = {cards: action for action, cards in enumerate(GROUPS, GROUP)}
_DRAW_KEYS = ("notty.draw-1", "notty.draw-2", "notty.draw-3")
_STEAL_KEYS = ("notty.steal-left", "notty.steal-right")
_WHAT_GROUPS_ARE = (
    "A run is three or more consecutive numbers of one colour, "
    "a set four or five different colours of one number."
)
_CAPTIONS = {"draw": "drawn", "steal": "stolen", "discard": "discarded", "group": "discarded"}

Phrase = list[str | tuple[str, str]]
"""Text in which cards have their colours, for `Content.assemble`."""


def cards_counted(count: int) -> str:
    return counted(count, "card", "cards")


def group_words(cards: Sequence[int]) -> str:
    """`the red run 3–5`, `the set of 7s in red, green, blue and black`."""
    colours = [NOTTY_COLOUR_NAMES[PACK.suit(card)] for card in cards]
    first, last = [PACK.codes[card][1:] for card in (cards[0], cards[-1])]
    if colours[0] == colours[-1]:
        return f"the {colours[0]} run {first}–{last}"
    return f"the set of {first}s in {listed(colours)}"


class NottyTable(Table[NottyView]):
    pack = PACK
    hides_hands = False
    rotates_start = True
    one_hand = True
    has_tricks = False
    stage_word = "turn"
    standing_word = "Cards"
    bindings = (
        Binding("space", "mark", "Mark", key_display="Space", id="play.mark"),
        Binding("g", "mark_group", "Group", id="notty.group"),
        Binding("1", "place(1)", "Mark 1", show=False, id="table.place-1"),
        Binding("enter", "take", "Take", show=False, key_display="Enter", id="table.take"),
        choice_key("a", _DRAW_KEYS[0], "Draw 1"),
        choice_key("b", _DRAW_KEYS[1], "Draw 2"),
        choice_key("c", _DRAW_KEYS[2], "Draw 3"),
        choice_key("t", _STEAL_KEYS[0], "Steal on the left"),
        choice_key("y", _STEAL_KEYS[1], "Steal on the right"),
        choice_key("x", "notty.exchange", "Exchange"),
        choice_key("p", "notty.pass", "Pass"),
        Binding("X", "explore", "What they know", show=False, id="table.explore"),
    )

    # Drawing

    def title_line(self, view: NottyView) -> str:
        turn = min(self.stage(view), view.turn_limit())
        return f"{self.game.title} · turn {turn} of {view.turn_limit()}"

    def score_line(self, view: NottyView) -> str:
        names = self.seating.names
        counts = [f"{name}: {len(hand)}" for name, hand in zip(names, view.hands, strict=True)]
        return f"{'  '.join(counts)} cards"

    def shown_scores(self, view: NottyView) -> list[str]:
        return [cards_counted(len(hand)) for hand in view.hands]

    def stage(self, view: NottyView) -> int:
        return view.turns + 1

    def standing(self, view: NottyView) -> list[int]:
        return [len(hand) for hand in view.hands]

    def chances(self, view: NottyView) -> list[float]:
        """In proportion to the chance to go out in a turn."""
        outlook = outlook_of(view.deck)
        rates = [1 / max(1.0, outlook.prospect(hand_of(hand)).turns) for hand in view.hands]
        return [rate / sum(rates) for rate in rates]

    def facts(self, view: NottyView) -> list[Content | str]:
        deck = f"deck {cards_counted(sum(view.deck))}"
        if view.turn == OVER:
            return [deck]
        return [deck, f"{self.whose(view.turn)} turn"]

    def seat(self, moment: Moment, seat: int) -> SeatPicture:
        hand = cast(NottyView, moment.view).hands[seat]
        cards = tuple([self.faces[card] for card in hand])
        return replace(self.plate(moment, seat), cards=cards)

    def note(self, moment: Moment, seat: int) -> str:
        hand = cast(NottyView, moment.view).hands[seat]
        full = ", a full hand" if len(hand) == HAND_LIMIT else ""
        return f"{cards_counted(len(hand))}{full}"

    def plate(self, moment: Moment, seat: int) -> SeatPicture:
        cards = cards_counted(len(cast(NottyView, moment.view).hands[seat]))
        return replace(super().plate(moment, seat), brief=cards)

    def reminders(self, view: NottyView) -> list[Reminder]:
        run, colours = [
            card_chips([self.faces[PACK.card(code)] for code in group.split()])
            for group in ("G6 G7 G8", "R2 Y2 B2 K2")
        ]
        return [
            Reminder(
                "Groups to discard",
                [
                    row("run", run),
                    row("", f"{SHORTEST_RUN} or more of one colour"),
                    row("set", colours),
                    row("", f"{SMALLEST_SET} or 5 of one number"),
                ],
            ),
            Reminder(
                "Once each turn",
                [
                    row("draw", f"1 to {MOST_DRAWN} cards"),
                    row("steal", "chance picks the card"),
                    row("exchange", "draw one, discard one"),
                ],
            ),
            Reminder("The first empty hand wins", ["even if its last card was stolen."]),
        ]

    def tallies(self, moment: Moment) -> list[Tally]:
        """The plates show the numbers of cards."""
        return []

    def felt(self, moment: Moment) -> list[Laid]:
        """The deck, and the cards that moved last."""
        view = cast(NottyView, moment.view)
        count = str(sum(view.deck))
        laid = [Laid("row", Face(count, count, "▒", "", "the deck"), "deck", back=True)]
        moved = [event for event in moment.events if event.cards]
        if moved:
            caption = _CAPTIONS[moved[-1].kind]
            laid += [Laid("row", self.faces[card], caption) for card in moved[-1].cards]
        return laid

    def felt_lines(self, moment: Moment) -> list[Content | str]:
        """The last turn of every player, and what is left of this one."""
        view = cast(NottyView, moment.view)
        *earlier, (seat, events) = _turns(moment.events, view)
        lines: list[Content | str] = [self._turn_told(*turn, passed=True) for turn in earlier]
        if events:
            lines.append(self._turn_told(seat, events, passed=False))
        if view.turn != OVER:
            lines.append(self._allowances(view))
        return lines

    def _turn_told(self, seat: int, events: Sequence[Event], passed: bool) -> Content:
        moves = [self._move(event) for event in events]
        if passed:
            moves.append(["passed"])
        parts: Phrase = [self.seating.names[seat]]
        for number, move in enumerate(moves):
            parts += [", " if number else " ", *move]
        return Content.assemble(*parts, ".")

    def _move(self, event: Event) -> Phrase:
        verb = {"draw": "drew", "steal": "stole"}.get(event.kind, "discarded")
        move: Phrase = [verb]
        for card in event.cards:
            move += [" ", (self.faces[card].code, self.faces[card].style)]
        if event.kind == "steal":
            move.append(f" from {self.object_of(event.other)}")
        if event.note == "exchange":
            move.append(" in exchange")
        return move

    def _allowances(self, view: NottyView) -> Content:
        parts: Phrase = [f"{self.whose(view.turn)} turn: "]
        full = len(view.hands[view.turn]) == HAND_LIMIT
        allowances = (
            ("draw", view.drew, full),
            (" · steal", view.stole, full),
            (" · exchange", view.exchanged, False),
        )
        for what, used, no_room in allowances:
            state = "used" if used else "full" if no_room else "open"
            parts += [f"{what} ", (state, "bold $text-success" if state == "open" else "dim")]
        return Content.assemble(*parts)

    # Choosing

    def hand(self, moment: Moment) -> list[HeldCard]:
        view = cast(NottyView, moment.view)
        asked = moment.asked == view.seat
        held = []
        for card in view.hands[view.seat]:
            discard = DISCARD + card if DISCARD + card in moment.legal else None
            held.append(self.held_card(view, card, discard, asked and not view.exchanging))
        return held

    def choices(self, moment: Moment) -> list[Choice]:
        view = cast(NottyView, moment.view)
        choices = []
        for action in moment.legal:
            if action < STEAL:
                choices.append(Choice(f"Draw {action - DRAW + 1}", action, key=_DRAW_KEYS[action]))
            elif action < EXCHANGE:
                choices.append(self._steal(view, action))
            elif action == EXCHANGE:
                choices.append(Choice("Exchange", action, key="notty.exchange"))
        if any(action >= GROUP for action in moment.legal):
            choices.append(Choice("Group", command="mark_group", key="notty.group"))
            choices.append(Choice("Discard", command="take_marked", key="table.take"))
        if PASS in moment.legal:
            choices.append(Choice("Pass", PASS, key="notty.pass"))
        return choices

    def _steal(self, view: NottyView, action: int) -> Choice:
        victim = action - STEAL
        steps = (victim - view.seat) % len(view.hands)
        name = self.seating.names[victim]
        return Choice(f"Steal from {name}", action, key=_STEAL_KEYS[steps - 1])

    def move_words(self, view: NottyView, action: int) -> str:
        if STEAL <= action < EXCHANGE:
            return f"steal from {self.object_of(action - STEAL)}"
        if action >= GROUP:
            codes = [self.faces[card].code for card in GROUPS[action - GROUP]]
            return f"discard {' '.join(codes)}"
        return view.label(action)

    def groups(self, moment: Moment) -> list[tuple[int, ...]]:
        """The largest first: they empty the hand soonest."""
        held = [GROUPS[action - GROUP] for action in moment.legal if action >= GROUP]
        return sorted(held, key=lambda cards: -len(cards))

    def actions_for_marked(self, moment: Moment, cards: Sequence[int]) -> list[int]:
        view = cast(NottyView, moment.view)
        if view.exchanging:
            return [DISCARD + cards[0]] if len(cards) == 1 else []
        action = _GROUP_ACTIONS.get(tuple(sorted(cards)))
        return [action] if action in moment.legal and action is not None else []

    def about_marked(self, moment: Moment, cards: Sequence[int]) -> str:
        if self.actions_for_marked(moment, cards):
            what = self.the(cards[0]) if len(cards) == 1 else group_words(sorted(cards))
            return f"Enter discards {what}."
        if cast(NottyView, moment.view).exchanging:
            return "An exchange discards exactly one card."
        if len(set(cards)) < len(cards):
            return "A group holds no card twice."
        return _WHAT_GROUPS_ARE

    # Asking

    def question(self, view: NottyView, legal: Sequence[int]) -> str:
        if view.exchanging:
            return "Choose the card to discard in exchange, the one you drew or another."
        kinds = {
            "draw": any(action < STEAL for action in legal),
            "steal": any(STEAL <= action < EXCHANGE for action in legal),
            "exchange": EXCHANGE in legal,
            "discard a group": any(action >= GROUP for action in legal),
        }
        possible = [what for what, legal_now in kinds.items() if legal_now]
        if not possible:
            return "Nothing is left to do: pass ends your turn."
        return f"You may {listed(possible, 'or')}; pass ends your turn."

    def why_not_key(self, view: NottyView, key: str) -> str:
        used = {"notty.exchange": (view.exchanged, "exchanged a card")}
        used |= dict.fromkeys(_DRAW_KEYS, (view.drew, "drawn"))
        used |= dict.fromkeys(_STEAL_KEYS, (view.stole, "stolen"))
        gone, done = used.get(key, (False, ""))
        if view.exchanging:
            return "First discard a card to complete the exchange."
        if gone:
            return f"You have already {done} in this turn."
        if key == _STEAL_KEYS[1] and len(view.hands) == 2:
            return "There is only one other player here."
        return f"A hand holds at most {HAND_LIMIT} cards."

    def why_not_card(self, view: NottyView, card: int) -> str:
        return "You do not need a card now."

    # Narration

    def opening(self, view: NottyView) -> str:
        begins = self.seating.does(view.turn, "begin", "begins")
        return f"{DEAL} cards each, all face up. {begins}."

    def tell_action(self, view: NottyView, seat: int, action: int) -> str:
        """Draws and steals are logged by their events, which name the cards."""
        discards = self.seating.does(seat, "discard", "discards")
        if action == PASS:
            return super().tell_action(view, seat, action)
        if action >= GROUP:
            return f"{discards} {group_words(GROUPS[action - GROUP])}."
        if action >= DISCARD:
            return f"{discards} {self.the(action - DISCARD)} in exchange."
        return ""

    def tell_event(self, view: NottyView, event: Event) -> str:
        does = self.seating.does
        if event.kind == "draw":
            purpose = " to exchange a card" if event.note == "exchange" else ""
            cards = listed([self.the(card) for card in event.cards])
            return f"{does(event.seat, 'draw', 'draws')} {cards}{purpose}."
        if event.kind == "steal":
            steals = does(event.seat, "steal", "steals")
            return f"{steals} {self.the(event.cards[0])} from {self.object_of(event.other)}."
        return super().tell_event(view, event)

    def tell_hand(self, view: NottyView, event: Event) -> str:
        if event.note == "out":
            winner = event.points.index(max(event.points))
            return f"{self.seating.does(winner, 'have', 'has')} no cards left."
        hands = [
            f"{self.seating.does(seat, 'have', 'has')} {cards_counted(len(hand))}"
            for seat, hand in enumerate(view.hands)
        ]
        return f"The {view.turn_limit()} turns are over, the fewest cards win: {listed(hands)}."


def _turns(events: Sequence[Event], view: NottyView) -> list[tuple[int, list[Event]]]:
    """The last turn of each seat, the current one last: the seat and its events with cards."""
    seats = len(view.hands)
    turns: list[tuple[int, list[Event]]] = []
    for event in events:
        if event.kind == "turn":
            if not turns:
                turns.append(((event.seat - 1) % seats, []))
            turns.append((event.seat, []))
        elif event.cards:
            if not turns:
                turns.append((event.seat, []))
            turns[-1][1].append(event)
    return turns[-seats:] or [(view.turn, [])]


TABLE = NottyTable
