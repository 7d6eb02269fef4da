"""The Smear table: four seats, two teams; bets lie on the table until trump is named."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from textual.content import Content

from app.match.moment import NOBODY, Moment
from app.ui.layout.faces import Face, one_of, suit_words
from app.ui.layout.pictures import Badge, Laid, Tally
from app.ui.layout.wording import counted, listed, minus, signed
from app.ui.tables.base import Table
from app.ui.tables.chances import race
from app.ui.tables.reminders import Reminder, row
from app.ui.tables.smear_sheet import POINTS, score_sheet
from app.ui.tables.trumps import (
    BIDDING_KEYS,
    PASS_KEY,
    SUIT_KEYS,
    trump_badge,
    trump_fact,
    trumps_first,
    were_led,
)
from engine.cards import SUIT_NAMES, mask_of
from engine.game import Event
from engine.games.smear import (
    BET,
    BETTING,
    MIN_BET,
    NAMING,
    NOT_YET,
    PACK,
    PASS,
    PLAYING,
    RANKS,
    REVOKE_PENALTY,
    SEATS,
    SUITS,
    TARGET,
    TRUMP,
    HandResult,
    SmearView,
    game_points,
)
from engine.tricks import NO_SUIT


def bet_face(bet: int, highest: bool) -> Face:
    """The card in front of a seat that bets, lit if the bet is the highest."""
    ground = "win" if highest else "plate"
    return Face(str(bet), str(bet), " ", "", f"bet {bet}", ground=ground)


class SmearTable(Table[SmearView]):
    pack = PACK
    bindings = BIDDING_KEYS

    # Drawing

    def facts(self, view: SmearView) -> list[Content | str]:
        names = self.seating.names
        bet = f"{names[view.bettor]} bet {view.bet}" if view.bet else "no bet yet"
        dealer = f"dealer {names[view.dealer]}"
        if view.trump == NO_SUIT:
            return ["no trump yet", bet, dealer]
        ours, theirs = [game_points(cards) for cards in view.taken]
        return [trump_fact(view.trump), bet, f"game {ours}:{theirs}", dealer]

    def note(self, moment: Moment, seat: int) -> str:
        """A seat's bet or pass; it stays until the next deal."""
        view = cast(SmearView, moment.view)
        bet = view.bets[seat]
        if seat == view.dealer and _screwed(view):
            return f"screwed: bet {bet}" if bet > 0 else f"screwed, bets {MIN_BET}"
        if bet == NOT_YET:
            return ""
        return f"bet {bet}" if bet else "passed"

    def badges(self, moment: Moment) -> list[Badge]:
        view = cast(SmearView, moment.view)
        return [trump_badge(view.trump)] if view.trump != NO_SUIT else []

    def tallies(self, moment: Moment) -> list[Tally]:
        return [replace(tally, target=TARGET) for tally in super().tallies(moment)]

    def is_strong(self, view: SmearView, card: int) -> bool:
        return PACK.suit(card) == view.trump

    def felt(self, moment: Moment) -> list[Laid]:
        view = cast(SmearView, moment.view)
        if view.phase in (BETTING, NAMING):
            return self._auction(view)
        trick, taker = self.trick_on_table(moment)
        captions = {}
        if moment.ending is not None and moment.results:
            result = cast(SmearView, moment.results[-1].view).last_hand
            if result is not None and result.revoker != NOBODY:
                revokes = self.seating.does(result.revoker, "revoke", "revokes")
                captions = {result.revoker: revokes}
        return self.trick_by_seat(moment, trick, taker, range(SEATS), view.turn, captions)

    def _auction(self, view: SmearView) -> list[Laid]:
        laid = []
        for seat, bet in enumerate(view.bets):
            face, caption = None, self.seating.names[seat]
            if seat == view.dealer:
                caption = self.seating.does(seat, "deal", "deals")
            if bet > 0:
                face = bet_face(bet, seat == view.bettor)
            if bet != NOT_YET:
                caption = self.tell_action(view, seat, BET + bet if bet else PASS).rstrip(".")
            if seat == view.dealer and _screwed(view):
                caption = self.seating.does(seat, "are screwed", "is screwed")
            place = self.seating.place(seat, view.seat)
            laid.append(Laid(place, face, caption, seat == view.bettor))
        return laid

    def in_order(self, view: SmearView, cards: Sequence[int]) -> list[int]:
        return trumps_first(cards, view.trump, PACK.suit, PACK.rank)

    def reminders(self, view: SmearView) -> list[Reminder]:
        order = [code[:-1] for code in reversed(PACK.codes[:RANKS])]
        return [
            Reminder("Every suit, highest first", [" ".join(order)]),
            Reminder(
                "One point each",
                [
                    row("low", "play the lowest trump"),
                    row("high", "play the highest trump"),
                    row("jack", "take the jack of trump"),
                    row("game", "take more: 10 counts 10,"),
                    row("", "A 4, K 3, Q 2, J 1"),
                ],
            ),
            Reminder("Fewer points than the bet", ["cost the bettors what they bet"]),
        ]

    def choice_text(self, view: SmearView, action: int) -> str:
        if action >= TRUMP:
            return suit_words(action - TRUMP)[0]
        return super().choice_text(view, action)

    def key_of(self, action: int) -> str:
        if action >= TRUMP:
            return SUIT_KEYS[action - TRUMP]
        return PASS_KEY if action == PASS else ""

    def digit_of(self, action: int) -> int | None:
        """The digit is the bet."""
        return action - BET if PASS < action < TRUMP else None

    def move_words(self, view: SmearView, action: int) -> str:
        if action >= TRUMP:
            return f"name {suit_words(action - TRUMP)[0]}"
        return super().move_words(view, action)

    def score_told(self, view: SmearView) -> str:
        return minus(f"Score {view.scores[0]} : {view.scores[1]}.")

    def score_sheet(self, moment: Moment) -> Content:
        return score_sheet(self.seating, moment)

    def chances(self, view: SmearView) -> list[float]:
        return race([TARGET - score for score in view.scores])

    # Asking

    def question(self, view: SmearView, legal: Sequence[int]) -> str:
        if view.phase == BETTING:
            return self._betting(view, legal)
        if view.phase == NAMING:
            return f"Your bet of {view.bet} is the highest: name the trump suit, then lead."
        if not view.trick:
            return "You lead: play any card."
        return _following(view)

    def _betting(self, view: SmearView, legal: Sequence[int]) -> str:
        bets = [str(action - BET) for action in legal if action > PASS]
        if PASS not in legal:
            return f"All have passed. You deal, so you are screwed: you have to bet {bets[0]}."
        if not bets:
            bettor = self.seating.names[view.bettor]
            return f"{bettor} bet {view.bet}, and no bet is higher: you can only pass."
        so_far = "Nobody has bet yet"
        if view.bet:
            so_far = f"{self.seating.names[view.bettor]} bet {view.bet}"
        return f"{so_far}: bet {listed(bets, 'or')}, or pass."

    def warning(self, view: SmearView, action: int) -> str:
        if not view.revokes(action):
            return ""
        return (
            f"{self.the(action).capitalize()} is a revoke: your side loses {REVOKE_PENALTY} and "
            "the hand ends. Press again to play it anyway."
        )

    def why_not_card(self, view: SmearView, card: int) -> str:
        if view.phase == NAMING:
            return "First name the trump suit."
        if view.phase != PLAYING or not view.trick:
            return "The auction is not over: bet or pass first."
        return _following(view)

    def why_not_key(self, view: SmearView, key: str) -> str:
        if view.phase == PLAYING:
            return "The auction is over: play a card."
        if view.phase == NAMING:
            return "You won the auction: name the trump suit."
        if key == PASS_KEY:
            return f"You deal and nobody has bet, so you have to bet {MIN_BET}."
        return "The auction is not over: bet or pass first."

    # Narration

    def opening(self, view: SmearView) -> str:
        ours, theirs = [self.seating.together(side) for side in view.sides]
        return f"{ours} play against {theirs}. {self._deal(view)}"

    def _deal(self, view: SmearView) -> str:
        first = (view.dealer + 1) % SEATS
        deals = self.seating.does(view.dealer, "deal", "deals")
        return f"Hand {view.hand_no}: {deals}, {self.does_inside(first, 'bet', 'bets')} first."

    def tell_action(self, view: SmearView, seat: int, action: int) -> str:
        does = self.seating.does
        if action >= TRUMP:
            return f"{does(seat, 'name', 'names')} {SUIT_NAMES[action - TRUMP]} as trump."
        if action > PASS and seat == view.dealer and _screwed(view):
            return f"{does(seat, 'are screwed and bet', 'is screwed and bets')} {action - BET}."
        return super().tell_action(view, seat, action)

    def tell_event(self, view: SmearView, event: Event) -> str:
        if event.kind == "deal":
            return self._deal(view)
        if event.kind == "revoke":
            return f"{self.the(event.cards[0]).capitalize()} is a revoke."
        return super().tell_event(view, event)

    def tell_trick(self, view: SmearView, event: Event) -> str:
        points = game_points(mask_of(event.cards))
        takes = self.seating.does(event.seat, "take", "takes")
        return f"{takes} the trick{f', {points} towards game' if points else ''}."

    def tell_hand(self, view: SmearView, event: Event) -> str:
        """Which side won what and why, the bettor's side first."""
        result = cast(HandResult, view.last_hand)
        told = self._revoked(view, result) if result.revoker != NOBODY else self._won(view, result)
        return f"{told} {self.score_told(view)}"

    def _revoked(self, view: SmearView, result: HandResult) -> str:
        loser = self.side_name(view.sides[result.revoker % 2])
        name = self.seating.names[result.revoker]
        return f"{name} revoked: {loser} {signed(-REVOKE_PENALTY)}, and nobody else scores."

    def _won(self, view: SmearView, result: HandResult) -> str:
        betting, other = result.bettor % 2, 1 - result.bettor % 2
        won = [_points_won(result, side) for side in (0, 1)]
        bet = f"bet {result.bet} and"
        if result.note == "set":
            only = f"only {won[betting]}" if won[betting] else "no points"
            told = f"{self.seating.does(result.bettor, f'{bet} are', f'{bet} is')} set with {only}"
        else:
            told = f"{self.seating.names[result.bettor]} {bet} made it with {won[betting]}"
        told += f": {signed(result.points[betting])}."
        if won[other]:
            name = self.side_name(view.sides[other])
            told += f" {name}: {won[other]}, +{result.points[other]}."
        return told

    def tell_match(self, view: SmearView, event: Event) -> str:
        if event.points[0] == event.points[1]:
            return f"After {counted(view.hand_no, 'hand', 'hands')} the match is a draw."
        won = super().tell_match(view, event)
        if min(view.scores) < TARGET:
            return won
        return f"Both sides have {TARGET}, and the bettor's side counts first: {won}"


def _screwed(view: SmearView) -> bool:
    """Whether the dealer has to bet, since all others passed."""
    return not any(bet for seat, bet in enumerate(view.bets) if seat != view.dealer)


def _following(view: SmearView) -> str:
    """What the trick asks for; the same sentence says why a card is not allowed."""
    led = PACK.suit(view.trick[0][1])
    if not view.hand & SUITS[led]:
        return f"{were_led(led)} and you have none: play any card."
    if led == view.trump:
        return f"Trump was led: follow with {one_of(led)}."
    if view.follows & SUITS[view.trump]:
        return f"{were_led(led)}: follow with {one_of(led)}, or trump with {one_of(view.trump)}."
    return f"{were_led(led)}: follow with {one_of(led)}."


def _points_won(result: HandResult, side: int) -> str:
    """`low, jack and game (24 to 13)`, or nothing."""
    words = [name for name in POINTS if getattr(result, name) == side]
    if "game" in words:
        count = result.game_points
        words[-1] = f"game ({count[side]} to {count[1 - side]})"
    return listed(words) if words else ""


TABLE = SmearTable
