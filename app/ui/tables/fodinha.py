"""The Fodinha table: power cards, calls, tricks in which cards cancel, and lives."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from textual.content import Content

from app.match.moment import NOBODY, HandResult, Moment
from app.ui.layout.faces import Face
from app.ui.layout.pictures import Badge, Choice, HeldCard, Laid, Pips, SeatPicture, Tally
from app.ui.layout.wording import counted, listed
from app.ui.tables.base import Table, choice_key, place_id
from app.ui.tables.chances import shares
from app.ui.tables.fodinha_sheet import FEW, lives_sheet
from app.ui.tables.reminders import Reminder, card_chips, row
from engine.game import OVER, Event, Played
from engine.games.fodinha import (
    APPROVE,
    CALL,
    CALLING,
    CARDS,
    NO_CALL,
    PACK,
    PLAY_HIDDEN,
    PLAYING,
    REJECT,
    STRENGTH,
    TURNING,
    FodinhaView,
    cancelled,
    winner_of,
)

_APPROVE_KEY, _REJECT_KEY = "fodinha.approve", "fodinha.turn"
BACK = Face("??", "▒▒▒", "▒", "", "a card face down")
UNSEEN = -1
"""A card that its own player may not see."""


def lives_counted(lives: int) -> str:
    return counted(lives, "life", "lives")


class FodinhaTable(Table[FodinhaView]):
    pack = PACK
    hand_word = stage_word = "round"
    standing_word = "Lives"
    bindings = (
        choice_key("a", _APPROVE_KEY, "Approve"),
        choice_key("t", _REJECT_KEY, "Turn another"),
    )
    of_next_hand = ("hand_no", "phase", "dealer", "size", "rising")

    def ranks(self, rank: int) -> str:
        """`eights`, `sixes`."""
        word = self.faces[rank].words.split()[0]
        return f"{word}es" if word == "six" else f"{word}s"

    # Drawing

    def title_line(self, view: FodinhaView) -> str:
        return f"{super().title_line(view)} · {counted(view.size, 'card', 'cards')}"

    def score_line(self, view: FodinhaView) -> str:
        names = self.seating.names
        if len(names) > FEW:
            own = "out" if view.out_in[view.seat] else lives_counted(view.scores[view.seat])
            return f"{names[view.seat]} {own} · {sum(view.alive)} of {len(names)} alive"
        lives = [
            f"{name} {'out' if view.out_in[seat] else view.scores[seat]}"
            for seat, name in enumerate(names)
        ]
        return f"Lives: {'  '.join(lives)}"

    def score_sheet(self, moment: Moment) -> Content:
        return lives_sheet(self.seating.names, cast(FodinhaView, moment.view), moment.results)

    def facts(self, view: FodinhaView) -> list[Content | str]:
        power = "candidate" if view.phase == TURNING else "power"
        facts: list[Content | str] = [
            Content.assemble(f"{power} ", (self.ranks(view.power), "bold"))
        ]
        if view.carry and any(view.hand_sizes):
            facts.append(f"this trick counts {1 + view.carry}")
        call = view.calls[view.seat]
        if call != NO_CALL:
            said = f"called {call}" if view.phase == CALLING else _won(view, view.seat)
            facts.append(f"{self.seating.names[view.seat]} {said}")
        if view.phase != TURNING:
            facts.append(f"calls {_called(view)}/{view.size}")
        facts.append(f"dealer {self.seating.names[view.dealer]}")
        return facts

    def seat(self, moment: Moment, seat: int) -> SeatPicture:
        view = cast(FodinhaView, moment.view)
        cards = _seen(moment, seat)
        return replace(
            self.plate(moment, seat),
            cards=tuple([self.faces[card] for card in self.in_order(view, cards)]),
            backs=0 if cards else view.hand_sizes[seat],
        )

    def plate(self, moment: Moment, seat: int) -> SeatPicture:
        view = cast(FodinhaView, moment.view)
        return replace(
            super().plate(moment, seat),
            brief=self._brief(moment, seat),
            out=bool(view.out_in[seat]),
            lives=view.scores[seat],
        )

    def tricks_of(self, moment: Moment, seat: int) -> Pips | None:
        """Wins of those called, once the round is played."""
        view = cast(FodinhaView, moment.view)
        if view.phase != PLAYING or view.calls[seat] == NO_CALL:
            return None
        return Pips(view.wins[seat], view.calls[seat])

    def tallies(self, moment: Moment) -> list[Tally]:
        """The plates show the lives."""
        return []

    def badges(self, moment: Moment) -> list[Badge]:
        view = cast(FodinhaView, moment.view)
        title = "candidate" if view.phase == TURNING else "power"
        return [Badge(title, self.ranks(view.power), self.faces[view.power].rank, "bold $win")]

    def is_strong(self, view: FodinhaView, card: int) -> bool:
        return view.phase != TURNING and PACK.rank(card) == view.power

    def reminders(self, view: FodinhaView) -> list[Reminder]:
        ranks = [self.faces[rank].rank for rank in range(view.rules.range)]
        power = [PACK.card(f"{ranks[view.power]}{suit}") for suit in "SHCD"]
        others = [rank for at, rank in enumerate(ranks) if at != view.power]
        return [
            Reminder(
                "Highest first",
                [
                    row("power", card_chips([self.faces[card] for card in power])),
                    row("others", " ".join(reversed(others))),
                    "Suits do not matter otherwise.",
                    "Equal cards cancel each other.",
                ],
            ),
            Reminder("Lives", ["Lose one for each trick above or", "below your call."]),
            Reminder("The dealer calls last", ["and may not make the calls add up."]),
        ]

    def note(self, moment: Moment, seat: int) -> str:
        view = cast(FodinhaView, moment.view)
        if moment.ending is not None and view.calls[seat] != NO_CALL:
            return _outcome(moment.results[-1], seat)
        if view.out_in[seat]:
            return f"out since round {view.out_in[seat]}"
        if view.calls[seat] == NO_CALL:
            return ""
        return f"calls {view.calls[seat]}"

    def _brief(self, moment: Moment, seat: int) -> str:
        """The note in fewer characters."""
        view = cast(FodinhaView, moment.view)
        if moment.ending is not None and view.calls[seat] != NO_CALL:
            return _outcome(moment.results[-1], seat, "{}/{}")
        if view.out_in[seat]:
            return "out"
        if view.calls[seat] == NO_CALL:
            return ""
        return f"{view.wins[seat]}/{view.calls[seat]}"

    def felt(self, moment: Moment) -> list[Laid]:
        view = cast(FodinhaView, moment.view)
        if view.phase in (TURNING, CALLING):
            *earlier, latest = [self.faces[card] for card in view.turned]
            caption = "candidate" if view.phase == TURNING else "turned"
            rejected = [Laid("row", face, "rejected", struck=True) for face in earlier]
            return [*rejected, Laid("row", latest, caption)]
        trick, taker = self.trick_on_table(moment)
        seats = [seat for seat in self.around(view) if view.calls[seat] != NO_CALL]
        void = cancelled(tuple(trick), view.power, view.rules.pairs)
        captions = {}
        if len(view.alive) > FEW:
            captions = dict(enumerate(self.seating.names))
            captions.pop(taker, None)
        return self.trick_by_seat(moment, trick, taker, seats, view.turn, captions, void)

    def trick_on_table(self, moment: Moment) -> tuple[Sequence[Played], int]:
        """The view also has the last trick of the round before, which is not on the table."""
        view = cast(FodinhaView, moment.view)
        begun = view.phase == PLAYING and view.history[-1][1] < CARDS
        if begun and not view.trick:
            return view.last_trick, view.last_winner
        return view.trick, NOBODY

    def felt_lines(self, moment: Moment) -> list[Content | str]:
        view = cast(FodinhaView, moment.view)
        ranks = self.ranks(view.power)
        if view.phase == TURNING:
            return [f"{self.the(view.turned[-1]).capitalize()} makes the {ranks} the candidates."]
        if view.phase == CALLING:
            return [f"{self.the(view.turned[-1]).capitalize()} was turned: {ranks} are power."]
        return []

    # Choosing

    def hand(self, moment: Moment) -> list[HeldCard]:
        view = cast(FodinhaView, moment.view)
        cards = _seen(moment, view.seat)
        if not cards:
            action = PLAY_HIDDEN if PLAY_HIDDEN in moment.legal else None
            return [HeldCard(UNSEEN, BACK, action, back=True)] * view.hand_sizes[view.seat]
        return [
            self.held_card(view, card, card if card in moment.legal else None)
            for card in self.in_order(view, cards)
        ]

    def in_order(self, view: FodinhaView, cards: Sequence[int]) -> list[int]:
        """The strongest first."""
        return sorted(cards, key=lambda card: (-STRENGTH[view.power][card], card))

    def choices(self, moment: Moment) -> list[Choice]:
        view = cast(FodinhaView, moment.view)
        if APPROVE in moment.legal:
            ranks = self.ranks(view.power)
            return [
                Choice(f"Approve {ranks}", APPROVE, key=_APPROVE_KEY),
                Choice("Turn another", REJECT, key=_REJECT_KEY),
            ]
        if not any(action >= CALL for action in moment.legal):
            return []
        calls = []
        for call in range(view.size + 1):
            action = CALL + call
            barred = "" if action in moment.legal else self.why_not(view, action)
            if call < 10:
                calls.append(Choice(str(call), action, digit=call, barred=barred))
            else:
                calls.append(Choice(str(call), action, key=place_id(call + 1), barred=barred))
        return calls

    def move_words(self, view: FodinhaView, action: int) -> str:
        if action in (APPROVE, REJECT):
            return f"{view.label(action)} {self.ranks(view.power)}"
        if action == PLAY_HIDDEN:
            return "play the hidden card"
        return super().move_words(view, action)

    def last_trick(self, view: FodinhaView) -> str:
        if not view.last_trick:
            return "No trick has been taken yet."
        void = view.last_cancelled()
        names = self.seating.names
        cards = ", ".join(
            f"{names[seat]} {self.chip(card)}{' void' if card in void else ''}"
            for seat, card in view.last_trick
        )
        return f"Last trick: {cards}. {self.took_it(view.last_winner) or 'Nobody took it.'}"

    def standing(self, view: FodinhaView) -> list[int]:
        return [max(0, lives) for lives in view.scores]

    def chances(self, view: FodinhaView) -> list[float]:
        return shares(view.scores)

    # Asking

    def prompt(self, moment: Moment) -> str:
        view = cast(FodinhaView, moment.view)
        prompt = super().prompt(moment)
        if moment.ending is not None:
            return f"{self._own_outcome(moment)} {prompt} {self._spared(moment)}".strip()
        if view.out_in[view.seat] and moment.asked == NOBODY and not moment.views:
            return f"{self.seating.does(view.seat, 'are', 'is')} out of the match. {prompt}"
        return prompt

    def _own_outcome(self, moment: Moment) -> str:
        """The result of the seat the table is seen from, if the ending does not name it."""
        result, seat = moment.results[-1], moment.view.seat
        after = cast(FodinhaView, result.view)
        named = len(after.alive) <= FEW and result.points[seat]
        if moment.views or named or after.last_calls[seat] == NO_CALL:
            return ""
        outcome = _outcome(result, seat, "called {1} and won {0}")
        return f"{self.seating.names[seat]} {outcome}."

    def _spared(self, moment: Moment) -> str:
        """The players who keep one life because nobody would be left."""
        view, result = cast(FodinhaView, moment.view), moment.results[-1]
        before = [view.rules.lives] * view.seats
        if len(moment.results) > 1:
            before = list(moment.results[-2].view.scores)
        spared = [
            seat
            for seat, lives in enumerate(before)
            if view.scores[seat] > max(0, lives + result.points[seat])
        ]
        if not spared:
            return ""
        return f"Nobody would be left: {self.seating.together(spared)} stay with 1 life each."

    def question(self, view: FodinhaView, legal: Sequence[int]) -> str:
        if view.phase == TURNING:
            left = counted(view.rules.tries - len(view.turned), "more card", "more cards")
            return (
                f"Make {self.ranks(view.power)} power? Approve, or reject and turn another: "
                f"{left} at most, and the last one counts."
            )
        if view.phase == CALLING:
            return self._calling(view, legal)
        counts = f" It counts {1 + view.carry}." if view.carry else ""
        if view.blind:
            return f"Play your card without seeing it.{counts}"
        if not view.trick:
            return f"You lead: play any card.{counts}"
        return f"{self._standing(view)} Play any card.{counts}"

    def _calling(self, view: FodinhaView, legal: Sequence[int]) -> str:
        ask = f"How many of the {view.size} tricks will you win?"
        if view.size == 1:
            ask = "Will you win the trick, 1 or 0?"
        called = _called(view)
        parts = [ask]
        if view.blind:
            parts.append("You see every card but your own.")
        if called or view.seat == view.dealer:
            parts.append(f"{called} called so far.")
        parts += [
            f"As the dealer you may not call {call}: the calls would add up to {view.size}."
            for call in range(view.size + 1)
            if CALL + call not in legal
        ]
        return " ".join(parts)

    def _standing(self, view: FodinhaView) -> str:
        """The card that is winning the trick so far."""
        winner = winner_of(view.trick, view.power, view.rules.pairs)
        if winner == NOBODY:
            return "Every card so far is cancelled."
        card = dict(view.trick)[winner]
        return f"{self.whose(winner)} {self.faces[card].words} is winning."

    def why_not(self, view: FodinhaView, action: int) -> str:
        call = action - CALL
        if view.phase == CALLING and 0 <= call <= view.size:
            return f"The dealer may not call {call}: the calls would add up to {view.size}."
        return super().why_not(view, action)

    def why_not_card(self, view: FodinhaView, card: int) -> str:
        if view.phase == TURNING:
            return "You see your cards once the power rank is settled."
        return "Call first: the play begins when everyone has called."

    def why_not_key(self, view: FodinhaView, key: str) -> str:
        return "The power rank is settled for this round."

    # Narration

    def opening(self, view: FodinhaView) -> str:
        cards = counted(view.size, "card", "cards")
        deals = self.seating.does(view.dealer, "deal and turn", "deals and turns")
        turned = self.the(view.turned[-1])
        return f"Round {view.hand_no}, {cards}: {deals} {turned}. {self._power(view)}"

    def _power(self, view: FodinhaView) -> str:
        ranks = self.ranks(view.power).capitalize()
        return f"{ranks} are {'candidates' if view.phase == TURNING else 'power'}."

    def tell_action(self, view: FodinhaView, seat: int, action: int) -> str:
        does = self.seating.does
        if action == APPROVE:
            ranks = self.ranks(view.power)
            return f"{does(seat, 'approve', 'approves')}: {ranks} are power."
        if action == REJECT:
            return f"{does(seat, 'reject', 'rejects')} the {self.ranks(view.power)}."
        if action == PLAY_HIDDEN:
            if not view.hands[seat]:
                return f"{does(seat, 'turn', 'turns')} over the hidden card."
            action = view.hands[seat][0]
        return super().tell_action(view, seat, action)

    def tell_event(self, view: FodinhaView, event: Event) -> str:
        """A player who is out is named at the end of the round."""
        if event.kind == "power" and len(view.turned) > 1:
            last = "" if view.phase == TURNING else ", the last one"
            turned = self.the(view.turned[-1]).capitalize()
            return f"{turned} is turned{last}. {self._power(view)}"
        return super().tell_event(view, event)

    def tell_trick(self, view: FodinhaView, event: Event) -> str:
        cards = " ".join([self.chip(card) for card in event.cards])
        if event.seat != NOBODY:
            return f"{self.seating.does(event.seat, 'take', 'takes')} the trick {cards}."
        more = f" The next one counts {1 + view.carry}." if view.carry and view.turn != OVER else ""
        return f"Every card of the trick {cards} is cancelled: nobody takes it.{more}"

    def tell_hand(self, view: FodinhaView, event: Event) -> str:
        names = self.seating.names
        losers = []
        for seat, points in enumerate(event.points):
            if points:
                why = f" (called {view.last_calls[seat]}, won {view.last_wins[seat]})"
                losers.append(f"{names[seat]} {-points:g}{why if len(names) <= FEW else ''}")
        told = f"Lives lost: {', '.join(losers)}." if losers else "Nobody loses a life."
        number = view.hand_no if view.turn == OVER else view.hand_no - 1
        out = [seat for seat, round_no in enumerate(view.out_in) if round_no == number]
        if not out:
            return told
        are = "are" if len(out) > 1 or names[out[0]] == "You" else "is"
        return f"{told} {listed([names[seat] for seat in out])} {are} out."


def _called(view: FodinhaView) -> int:
    return sum([call for call in view.calls if call != NO_CALL])


def _outcome(result: HandResult, seat: int, form: str = "won {} of {}") -> str:
    """A seat's result of a round; `form` shows the tricks won and called."""
    after = cast(FodinhaView, result.view)
    lost = -int(result.points[seat])
    end = ", out" if after.out_in[seat] else f", lost {lost}" if lost else ""
    return form.format(after.last_wins[seat], after.last_calls[seat]) + end


def _won(view: FodinhaView, seat: int) -> str:
    return f"won {view.wins[seat]} of {view.calls[seat]}"


def _seen(moment: Moment, seat: int) -> tuple[int, ...]:
    """The visible cards of a seat. In a blind round other views show what its own does not."""
    for view in (moment.view, *moment.views):
        if hand := cast(FodinhaView, view).hands[seat]:
            return hand
    return ()


TABLE = FodinhaTable
