"""The Smear table: four seats, two teams; bets lie on the table until trump is named."""

from collections.abc import Sequence
from typing import cast

from textual.content import Content

from app.match.moment import NOBODY, Moment
from app.ui.layout.faces import SUITS_BY_COLOUR, Face, french_face, one_of, suit_words
from app.ui.layout.pictures import Choice, HeldCard, Laid, SeatPicture
from app.ui.layout.wording import listed
from app.ui.tables.base import Table
from app.ui.tables.chances import race
from app.ui.tables.smear_sheet import POINTS, score_sheet
from engine.cards import SUIT_NAMES, cards_in, mask_of
from engine.game import Event
from engine.games.smear import (
    BET,
    BETTING,
    CARDS,
    MAX_BET,
    MIN_BET,
    NAMING,
    NOT_YET,
    PACK,
    PASS,
    PLAYING,
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

FACES = tuple([french_face(code) for code in PACK.codes])
BET_FACES = (
    Face("pass", "–", " ", "", "pass"),
    *[Face(str(bet), str(bet), " ", "", f"bet {bet}") for bet in range(1, MAX_BET + 1)],
)
"""What lies before a seat in the auction, by the size of its bet."""


def the(card: int) -> str:
    return f"the {FACES[card].words}"


class SmearTable(Table[SmearView]):
    # Drawing

    def facts(self, view: SmearView) -> list[Content | str]:
        names = self.seating.names
        bet = f"{names[view.bettor]} bet {view.bet}" if view.bet else "no bet yet"
        dealer = f"dealer {names[view.dealer]}"
        if view.trump == NO_SUIT:
            return ["no trump yet", bet, dealer]
        words, style = suit_words(view.trump)
        ours, theirs = [game_points(cards) for cards in view.taken]
        return [Content.assemble("trump ", (words, style)), bet, f"game {ours}:{theirs}", dealer]

    def seat(self, moment: Moment, seat: int) -> SeatPicture:
        view = cast(SmearView, moment.view)
        own = cast(SmearView | None, moment.view_of(seat))
        laid = _laid_last(moment, seat)
        return SeatPicture(
            self.seating.title(seat),
            cards=_faces(own.hand & ~laid, view.trump) if own else (),
            backs=0 if own else view.hand_sizes[seat] - laid.bit_count(),
            note=self._said(view, seat),
            active=seat == view.turn and moment.ending is None,
        )

    def hand_caption(self, moment: Moment) -> str:
        view = cast(SmearView, moment.view)
        return "\n".join([super().hand_caption(moment), self._said(view, view.seat)]).strip()

    def _said(self, view: SmearView, seat: int) -> str:
        """What a seat did in the auction; it stays until the next deal."""
        bet = view.bets[seat]
        if seat == view.dealer and self._screwed(view):
            return f"screwed: bet {bet}" if bet > 0 else f"screwed, bets {MIN_BET}"
        if bet == NOT_YET:
            return "dealer" if seat == view.dealer else ""
        return f"bet {bet}" if bet else "passed"

    def _screwed(self, view: SmearView) -> bool:
        """Whether the dealer was left to bet, since all the others passed."""
        return not any(bet for seat, bet in enumerate(view.bets) if seat != view.dealer)

    def felt(self, moment: Moment) -> list[Laid]:
        view = cast(SmearView, moment.view)
        if view.phase in (BETTING, NAMING):
            return self._auction(view)
        trick, taker, captions = view.trick, NOBODY, {}
        if moment.ending is not None and moment.results:
            after = cast(SmearView, moment.results[-1].view)
            trick, taker = after.last_trick, after.last_winner
            if after.last_hand is not None and after.last_hand.revoker != NOBODY:
                revoker = after.last_hand.revoker
                captions = {revoker: self.seating.does(revoker, "revoke", "revokes")}
        elif not trick and any(view.taken):
            trick, taker = view.last_trick, view.last_winner
        leader = trick[0][0] if trick else view.turn
        return self.trick_by_seat(trick, FACES, range(SEATS), leader, taker, captions)

    def _auction(self, view: SmearView) -> list[Laid]:
        laid = []
        for seat, bet in enumerate(view.bets):
            face, caption = None, self.seating.names[seat]
            if seat == view.dealer:
                caption = self.seating.does(seat, "deal", "deals")
            if bet != NOT_YET:
                face = BET_FACES[bet]
                caption = self.tell_action(view, seat, BET + bet if bet else PASS).rstrip(".")
            if seat == view.dealer and self._screwed(view):
                caption = self.seating.does(seat, "are screwed", "is screwed")
            laid.append(Laid(self.seating.place(seat), face, caption, seat == view.bettor))
        return laid

    def hand(self, moment: Moment) -> list[HeldCard]:
        view = cast(SmearView, moment.view)
        cards = view.hand & ~_laid_last(moment, view.seat)
        return [
            HeldCard(card, FACES[card], card if card in moment.legal else None)
            for card in _in_order(cards, view.trump)
        ]

    def choices(self, moment: Moment) -> list[Choice]:
        return [
            Choice(
                suit_words(action - TRUMP)[0]
                if action >= TRUMP
                else moment.view.label(action).capitalize(),
                action,
            )
            for action in moment.legal
            if action >= CARDS
        ]

    def move_words(self, view: SmearView, action: int) -> str:
        if action < CARDS:
            return f"play {FACES[action].chip(False)}"
        return f"name {suit_words(action - TRUMP)[0]}" if action >= TRUMP else view.label(action)

    def actions_for_marked(self, moment: Moment, cards: Sequence[int]) -> list[int]:
        playing = cast(SmearView, moment.view).phase == PLAYING
        return list(cards) if playing and len(cards) == 1 else []

    def last_trick(self, view: SmearView) -> str:
        if not any(view.taken):
            return "No trick has been taken in this hand yet."
        names = self.seating.names
        cards = ", ".join(
            f"{names[seat]} {FACES[card].chip(False)}" for seat, card in view.last_trick
        )
        return f"Last trick: {cards}. {self.seating.does(view.last_winner, 'took', 'took')} it."

    def score_told(self, view: SmearView) -> str:
        return f"Score {view.scores[0]}:{view.scores[1]}."

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
        return self._following(view)

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

    def _following(self, view: SmearView) -> str:
        """What the trick asks for; the same sentence says why a card is not allowed."""
        led = PACK.suit(view.trick[0][1])
        were_led = f"{SUIT_NAMES[led].capitalize()} were led"
        if not view.hand & SUITS[led]:
            return f"{were_led} and you have none: play any card."
        if led == view.trump:
            return f"Trump was led: follow with {one_of(led)}."
        if view.follows & SUITS[view.trump]:
            return f"{were_led}: follow with {one_of(led)}, or trump with {one_of(view.trump)}."
        return f"{were_led}: follow with {one_of(led)}."

    def warning(self, view: SmearView, action: int) -> str:
        if not view.revokes(action):
            return ""
        return (
            f"{the(action).capitalize()} is a revoke: your side loses {REVOKE_PENALTY} and the "
            "hand ends. Press again to play it anyway."
        )

    def why_not(self, view: SmearView, action: int) -> str:
        return f"“{view.label(action).capitalize()}” is not possible now."

    def why_not_card(self, view: SmearView, card: int) -> str:
        if view.phase == NAMING:
            return "First name the trump suit."
        if view.phase != PLAYING or not view.trick:
            return "No card is played before all have bet: bet or pass first."
        return self._following(view)

    # Narration

    def tell_action(self, view: SmearView, seat: int, action: int) -> str:
        does = self.seating.does
        if action < CARDS:
            verb = ("play", "plays") if view.trick else ("lead", "leads")
            return f"{does(seat, *verb)} {the(action)}."
        if action == PASS:
            return f"{does(seat, 'pass', 'passes')}."
        if action >= TRUMP:
            return f"{does(seat, 'name', 'names')} {SUIT_NAMES[action - TRUMP]} as trump."
        if seat == view.dealer and self._screwed(view):
            return f"{does(seat, 'are screwed and bet', 'is screwed and bets')} {action - BET}."
        return f"{does(seat, 'bet', 'bets')} {action - BET}."

    def tell_event(self, view: SmearView, event: Event) -> str:
        does = self.seating.does
        if event.kind == "deal":
            return self._tell_deal(view)
        if event.kind == "trick":
            points = game_points(mask_of(event.cards))
            worth = f", {points} towards game" if points else ""
            return f"{does(event.seat, 'take', 'takes')} the trick{worth}."
        if event.kind == "revoke":
            return f"{the(event.cards[0]).capitalize()} is a revoke."
        if event.kind == "hand":
            return f"{self._tell_hand(view)} {self.score_told(view)}"
        return self._tell_match(view, event)

    def _tell_deal(self, view: SmearView) -> str:
        first = (view.dealer + 1) % SEATS
        deals = self.seating.does(view.dealer, "deal", "deals")
        return f"Hand {view.hand_no}: {deals}, {self.seating.does(first, 'bet', 'bets')} first."

    def _tell_hand(self, view: SmearView) -> str:
        """Who won what and why, the bettor's side first."""
        result = cast(HandResult, view.last_hand)
        sides = [self.side_name(side) for side in view.sides]
        does = self.seating.does
        if result.revoker != NOBODY:
            loser = sides[result.revoker % 2]
            revoked = does(result.revoker, "revoked", "revoked")
            return f"{revoked}: {loser} {-REVOKE_PENALTY}, and nobody else scores."
        betting, other = result.bettor % 2, 1 - result.bettor % 2
        won = [_won(result, side) for side in (0, 1)]
        bet = f"bet {result.bet} and"
        told = f"{does(result.bettor, bet, bet)} made it with {won[betting]}"
        if result.note == "set":
            only = f"only {won[betting]}" if won[betting] else "no point at all"
            told = f"{does(result.bettor, f'{bet} are', f'{bet} is')} set with {only}"
        rest = f"{sides[other]}: {won[other]}, +{result.points[other]}." if won[other] else ""
        return f"{told}: {result.points[betting]:+d}. {rest}".rstrip()

    def _tell_match(self, view: SmearView, event: Event) -> str:
        if event.points[0] == event.points[1]:
            return f"After {view.hand_no} hands the match is a draw."
        winner = self.side_name(view.sides[event.points.index(max(event.points))])
        if min(view.scores) >= TARGET:
            return f"Both sides have {TARGET}, and the bettor's counts: {winner} win the match."
        return f"{winner} win the match."

    def opening(self, view: SmearView) -> str:
        ours, theirs = [self.seating.together(side) for side in view.sides]
        return f"{ours} play against {theirs}. {self._tell_deal(view)}"


def _won(result: HandResult, side: int) -> str:
    """`low, jack and game (24 to 13)`, or nothing."""
    words = [name for name in POINTS if getattr(result, name) == side]
    if "game" in words:
        count = result.game_points
        words[-1] = f"game ({count[side]} to {count[1 - side]})"
    return listed(words) if words else ""


def _laid_last(moment: Moment, seat: int) -> int:
    """The card of that seat that ended the hand, which the view does not know of yet."""
    if moment.ending is None or moment.last is None or moment.last[0] != seat:
        return 0
    return 1 << moment.last[1]


def _in_order(cards: int, trump: int) -> list[int]:
    """Trumps first, then suits in alternating colours, each from the highest down."""

    def order(card: int) -> tuple[bool, int, int]:
        suit = PACK.suit(card)
        return suit != trump, SUITS_BY_COLOUR[suit], -PACK.rank(card)

    return sorted(cards_in(cards), key=order)


def _faces(cards: int, trump: int) -> tuple[Face, ...]:
    return tuple([FACES[card] for card in _in_order(cards, trump)])


TABLE = SmearTable
