"""The Fodinha table: a power card, calls by seat, tricks with cards that cancel, and lives."""

from collections.abc import Sequence
from typing import cast

from textual.content import Content

from app.match.moment import NOBODY, HandResult, Moment
from app.ui.layout.faces import Face, french_face
from app.ui.layout.pictures import Choice, HeldCard, Laid, SeatPicture
from app.ui.tables.base import Table
from app.ui.tables.chances import shares
from app.ui.tables.fodinha_sheet import lives_sheet
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

FACES = tuple([french_face(code) for code in PACK.codes])
BACK = Face("??", "▒▒▒", "▒", "", "a card face down")
UNSEEN = -1
"""A held card that its own player does not see."""

_FEW = 4
"""Up to so many players there is room to say more about each."""


def the(card: int) -> str:
    return f"the {FACES[card].words}"


def chip(card: int) -> str:
    return FACES[card].chip(ascii_only=False)


def rank_words(rank: int) -> str:
    """`eights`, `sixes`."""
    word = FACES[rank].words.split()[0]
    return f"{word}es" if word == "six" else f"{word}s"


def counted(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"


def lives_counted(lives: int) -> str:
    return counted(lives, "life", "lives")


class FodinhaTable(Table[FodinhaView]):
    hand_word = stage_word = "round"
    standing_word = "Lives"

    # Drawing

    def title_line(self, view: FodinhaView) -> str:
        return f"{super().title_line(view)} · {counted(view.size, 'card', 'cards')}"

    def score_line(self, view: FodinhaView) -> str:
        names = self.seating.names
        if len(names) > _FEW:
            own = "out" if view.out_in[view.seat] else lives_counted(view.scores[view.seat])
            return f"{names[view.seat]} {own} · {sum(view.alive)} of {len(names)} alive"
        lives = [
            f"{name} {'out' if view.out_in[seat] else view.scores[seat]}"
            for seat, name in enumerate(names)
        ]
        return f"{'  '.join(lives)} lives"

    def score_sheet(self, moment: Moment) -> Content:
        return lives_sheet(self.seating.names, cast(FodinhaView, moment.view), moment.results)

    def facts(self, view: FodinhaView) -> list[Content | str]:
        """Own wins are left out while the last card of a round falls: it may change them."""
        settled = "candidate" if view.phase == TURNING else "power"
        facts: list[Content | str] = [
            Content.assemble(f"{settled} ", (rank_words(view.power), "bold"))
        ]
        if view.carry:
            facts.append(f"this trick counts {1 + view.carry}")
        call = view.calls[view.seat]
        if call != NO_CALL and sum(view.hand_sizes) != 1:
            said = f"called {call}" if view.phase == CALLING else self._won(view, view.seat)
            facts.append(f"{self.seating.names[view.seat]} {said}")
        if view.phase != TURNING:
            facts.append(f"calls {_called(view)}/{view.size}")
        facts.append(f"dealer {self.seating.names[view.dealer]}")
        return facts

    def _won(self, view: FodinhaView, seat: int) -> str:
        return f"won {view.wins[seat]} of {view.calls[seat]}"

    def seat(self, moment: Moment, seat: int) -> SeatPicture:
        view = cast(FodinhaView, moment.view)
        cards = () if moment.ending else _seen(moment, seat)
        note, brief = self._note(moment, seat)
        return SeatPicture(
            self.seating.title(seat),
            cards=tuple([FACES[card] for card in _in_order(cards, view)]),
            backs=0 if cards or moment.ending else view.hand_sizes[seat],
            note=note,
            active=seat == view.turn and moment.ending is None,
            brief=brief,
            out=bool(view.out_in[seat]),
        )

    def _note(self, moment: Moment, seat: int) -> tuple[str, str]:
        """How a seat stands, at length and in brief."""
        view = cast(FodinhaView, moment.view)
        if view.out_in[seat]:
            return f"out since round {view.out_in[seat]}", "out"
        if moment.ending is not None and moment.results:
            return self._outcome(moment.results[-1], seat)
        lives = lives_counted(view.scores[seat])
        if view.calls[seat] == NO_CALL:
            return lives, lives
        brief = f"{lives}, {view.wins[seat]}/{view.calls[seat]}"
        if view.phase == CALLING:
            return f"{lives}, called {view.calls[seat]}", brief
        return f"{lives}, {self._won(view, seat)}", brief

    def _outcome(self, result: HandResult, seat: int) -> tuple[str, str]:
        after = cast(FodinhaView, result.view)
        lost = -int(result.points[seat])
        end = ", out" if after.out_in[seat] else f", lost {lost}" if lost else ""
        won, called = after.last_wins[seat], after.last_calls[seat]
        return f"won {won} of {called}{end}", f"{won}/{called}{end}"

    def felt(self, moment: Moment) -> list[Laid]:
        view = cast(FodinhaView, moment.view)
        if view.phase in (TURNING, CALLING):
            *earlier, latest = [FACES[card] for card in view.turned]
            caption = "candidate" if view.phase == TURNING else "turned"
            rejected = [Laid("row", face, "rejected", struck=True) for face in earlier]
            return [*rejected, Laid("row", latest, caption)]
        trick, taker = _trick(moment)
        seats = [seat for seat in self._around() if view.alive[seat]]
        void = cancelled(trick, view.power, view.rules.pairs)
        leader = trick[0][0] if trick else view.turn
        captions = {}
        if len(view.alive) > _FEW:
            captions = dict(enumerate(self.seating.names))
            captions[taker] = f"*{captions.get(taker)}*"
        return self.trick_by_seat(trick, FACES, seats, leader, taker, captions, void)

    def _around(self) -> list[int]:
        """The seats clockwise, the one at the bottom of the table last."""
        count = len(self.seating.names)
        return [(self.seating.home + step) % count for step in range(1, count + 1)]

    def felt_lines(self, moment: Moment) -> list[Content | str]:
        view = cast(FodinhaView, moment.view)
        ranks = rank_words(view.power)
        if view.phase == TURNING:
            return [f"{the(view.turned[-1]).capitalize()} makes the {ranks} the candidates."]
        if view.phase == CALLING:
            return [f"{the(view.turned[-1]).capitalize()} was turned: {ranks} are power."]
        return []

    # Choosing

    def hand(self, moment: Moment) -> list[HeldCard]:
        view = cast(FodinhaView, moment.view)
        if moment.ending is not None:
            return []
        cards = _seen(moment, view.seat)
        if not cards:
            action = PLAY_HIDDEN if PLAY_HIDDEN in moment.legal else None
            return [HeldCard(UNSEEN, BACK, action)] * view.hand_sizes[view.seat]
        return [
            HeldCard(card, FACES[card], card if card in moment.legal else None)
            for card in _in_order(cards, view)
        ]

    def choices(self, moment: Moment) -> list[Choice]:
        view = cast(FodinhaView, moment.view)
        if APPROVE in moment.legal:
            ranks = rank_words(view.power)
            return [Choice(f"Approve {ranks}", APPROVE), Choice("Reject, turn another", REJECT)]
        if not any(action >= CALL for action in moment.legal):
            return []
        calls = []
        for call in range(view.size + 1):
            action = CALL + call
            barred = "" if action in moment.legal else self.why_not(view, action)
            calls.append(Choice(str(call), action, digit=call, barred=barred))
        return calls

    def move_words(self, view: FodinhaView, action: int) -> str:
        if action in (APPROVE, REJECT):
            return f"{view.label(action)} {rank_words(view.power)}"
        if action == PLAY_HIDDEN:
            return "play the hidden card"
        return f"play {chip(action)}" if action < CARDS else view.label(action)

    def last_trick(self, view: FodinhaView) -> str:
        if not view.last_trick:
            return "No trick has been taken yet."
        void = view.last_cancelled()
        names = self.seating.names
        cards = ", ".join(
            f"{names[seat]} {chip(card)}{' void' if card in void else ''}"
            for seat, card in view.last_trick
        )
        if view.last_winner == NOBODY:
            return f"Last trick: {cards}. Nobody took it."
        return f"Last trick: {cards}. {self.seating.does(view.last_winner, 'took', 'took')} it."

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
        """How the onlooker's round went, where the list of lives lost does not say it."""
        result, seat = moment.results[-1], moment.view.seat
        after = cast(FodinhaView, result.view)
        listed = len(after.alive) <= _FEW and result.points[seat]
        if moment.views or listed or after.last_calls[seat] == NO_CALL:
            return ""
        return f"{self.seating.names[seat]} {self._outcome(result, seat)[0]}."

    def _spared(self, moment: Moment) -> str:
        """Who got a life back because nobody would have been left."""
        before = cast(FodinhaView, moment.view)
        result = moment.results[-1]
        after = cast(FodinhaView, result.view)
        spared = [
            seat
            for seat, lives in enumerate(before.scores)
            if after.scores[seat] > max(0, lives + result.points[seat])
        ]
        if not spared:
            return ""
        return f"Nobody would be left: {self.seating.together(spared)} stay with 1 life each."

    def question(self, view: FodinhaView, legal: Sequence[int]) -> str:
        if view.phase == TURNING:
            left = view.rules.tries - len(view.turned)
            more = counted(left, "more card", "more cards")
            return (
                f"Shall the {rank_words(view.power)} be power? Approve, or reject and turn "
                f"another: {more} at most, and the last one counts."
            )
        if view.phase == CALLING:
            return self._calling(view, legal)
        counts = f" It counts {1 + view.carry}." if view.carry else ""
        if view.blind:
            return f"Play your card without having seen it.{counts}"
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
        """Which card of the trick is winning so far."""
        winner = winner_of(view.trick, view.power, view.rules.pairs)
        if winner == NOBODY:
            return "Every card so far is cancelled."
        card = dict(view.trick)[winner]
        return f"{self.seating.names[winner]}'s {FACES[card].words} is winning."

    def why_not(self, view: FodinhaView, action: int) -> str:
        call = action - CALL
        if view.phase == CALLING and 0 <= call <= view.size:
            return f"The dealer may not call {call}: the calls would add up to {view.size}."
        return f"“{view.label(action).capitalize()}” is not possible now."

    def why_not_card(self, view: FodinhaView, card: int) -> str:
        if view.phase == TURNING:
            return "Nobody sees a card before the power cards are settled."
        return "No card may be played before everybody has called."

    # Narration

    def tell_action(self, view: FodinhaView, seat: int, action: int) -> str:
        does = self.seating.does
        if action == APPROVE:
            ranks = rank_words(view.power)
            return f"{does(seat, 'approve', 'approves')}: {ranks} are power."
        if action == REJECT:
            return f"{does(seat, 'reject', 'rejects')} the {rank_words(view.power)}."
        if action >= CALL:
            return f"{does(seat, 'call', 'calls')} {action - CALL}."
        if action == PLAY_HIDDEN:
            if not view.hands[seat]:
                return f"{does(seat, 'turn', 'turns')} over the hidden card."
            action = view.hands[seat][0]
        verb = ("play", "plays") if view.trick else ("lead", "leads")
        return f"{does(seat, *verb)} {the(action)}."

    def tell_event(self, view: FodinhaView, event: Event) -> str:
        does = self.seating.does
        if event.kind == "deal":
            return self.opening(view)
        if event.kind == "power":
            return self._tell_power(view) if len(view.turned) > 1 else ""
        if event.kind == "trick":
            return self._tell_trick(view, event)
        if event.kind == "hand":
            return self._tell_round(view, event)
        if event.kind == "out":
            return f"{does(event.seat, 'are', 'is')} out."
        return f"{does(event.points.index(1.0), 'win', 'wins')} the match."

    def _tell_power(self, view: FodinhaView) -> str:
        turned, ranks = the(view.turned[-1]).capitalize(), rank_words(view.power)
        if view.phase == TURNING:
            return f"{turned} is turned: shall {ranks} be power?"
        return f"{turned} is turned, the last one: {ranks} are power."

    def _tell_trick(self, view: FodinhaView, event: Event) -> str:
        cards = " ".join(chip(card) for card in event.cards)
        if event.seat != NOBODY:
            return f"{self.seating.does(event.seat, 'take', 'takes')} the trick {cards}."
        more = " The next one counts one more." if view.carry else ""
        return f"Every card of the trick {cards} is cancelled: nobody takes it.{more}"

    def _tell_round(self, view: FodinhaView, event: Event) -> str:
        names = self.seating.names
        losers = []
        for seat, points in enumerate(event.points):
            if points:
                why = f" (won {view.last_wins[seat]} of {view.last_calls[seat]})"
                losers.append(f"{names[seat]} {-points:g}{why if len(names) <= _FEW else ''}")
        told = f"Lives lost: {', '.join(losers)}." if losers else "Nobody loses a life."
        number = view.hand_no if view.turn == OVER else view.hand_no - 1
        out = [names[seat] for seat, round_no in enumerate(view.out_in) if round_no == number]
        return f"{told} Out: {', '.join(out)}." if out else told

    def opening(self, view: FodinhaView) -> str:
        cards = counted(view.size, "card", "cards")
        deals = self.seating.does(view.dealer, "deal and turn", "deals and turns")
        ranks = rank_words(view.power)
        settled = f"shall {ranks} be power?" if view.phase == TURNING else f"{ranks} are power."
        return f"Round {view.hand_no}, {cards}: {deals} {the(view.turned[-1])}: {settled}"


def _called(view: FodinhaView) -> int:
    return sum([call for call in view.calls if call != NO_CALL])


def _seen(moment: Moment, seat: int) -> tuple[int, ...]:
    """The cards of a seat as far as those who look on see them: in a blind round its own
    player does not."""
    for view in (moment.view, *moment.views):
        if hand := cast(FodinhaView, view).hands[seat]:
            return hand
    return ()


def _in_order(cards: Sequence[int], view: FodinhaView) -> list[int]:
    """The strongest first."""
    return sorted(cards, key=lambda card: (-STRENGTH[view.power][card], card))


def _trick(moment: Moment) -> tuple[tuple[Played, ...], int]:
    """The cards on the table, and who takes them: NOBODY while cards are to come.

    The last trick of a round is in no view: the next round is dealt with its last card.
    """
    view = cast(FodinhaView, moment.view)
    if moment.ending is not None and moment.last is not None:
        event = next(event for event in reversed(moment.events) if event.kind == "trick")
        seats = [*[seat for seat, _ in view.trick], moment.last[0]]
        return tuple(zip(seats, event.cards, strict=True)), event.seat
    begun = view.phase == PLAYING and view.history[-1][1] < CARDS
    if begun and not view.trick:
        return view.last_trick, view.last_winner
    return view.trick, NOBODY


TABLE = FodinhaTable
