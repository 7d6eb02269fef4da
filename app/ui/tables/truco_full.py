"""The table of full Truco: calls as players shout them, the open bets, and what was told."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from textual.binding import Binding
from textual.content import Content

from app.match.moment import NOBODY, HandResult, Moment
from app.ui.layout.pictures import Badge, Choice, Laid, Pips, SeatPicture, Tally
from app.ui.layout.wording import inside, listed
from app.ui.tables.base import Table, choice_key
from app.ui.tables.reminders import Reminder, row
from app.ui.tables.truco_bets import bet_line, calls_so_far, next_bid, what_was_told
from app.ui.tables.truco_cards import piezas_line, strongest_first
from app.ui.tables.truco_sheet import truco_sheet
from engine.game import Event, Played
from engine.games.truco import BID_NAMES, HIGHEST_STAKE, LOWEST_MATA, LOWEST_PIEZA, PACK, VALUES
from engine.games.truco_full import (
    AL_RESTO,
    ANSWERING_ENVIDO,
    ANSWERING_FLOR,
    ANSWERING_TRUCO,
    CONTRAFLOR,
    ENVIDO,
    ENVITES,
    FALTA_ENVIDO,
    FLOR,
    MAZO,
    NO_FLOR,
    NO_QUIERO,
    PLAYING,
    QUIERO,
    RAISE,
    REAL_ENVIDO,
    FullSummary,
    FullView,
)

_KEYS = {
    QUIERO: "truco.quiero",
    NO_QUIERO: "truco.no-quiero",
    ENVIDO: "truco.envido",
    REAL_ENVIDO: "truco.real",
    FALTA_ENVIDO: "truco.falta",
    FLOR: "truco.call-flor",
    CONTRAFLOR: "truco.contraflor",
    AL_RESTO: "truco.resto",
    RAISE: "truco.truco",
    MAZO: "truco.mazo",
}
"""The keys of the choices, in the order in which they are shown."""


class FullTrucoTable(Table[FullView]):
    pack = PACK
    hand_word = stage_word = "round"
    of_next_hand = ("hand_no", "phase", "mano")
    bindings = (
        choice_key("q", _KEYS[QUIERO], "Quiero"),
        choice_key("n", _KEYS[NO_QUIERO], "No quiero"),
        choice_key("e", _KEYS[ENVIDO], "Envido"),
        choice_key("r", _KEYS[REAL_ENVIDO], "Real envido"),
        choice_key("f", _KEYS[FALTA_ENVIDO], "Falta envido"),
        choice_key("l", _KEYS[FLOR], "Flor"),
        choice_key("c", _KEYS[CONTRAFLOR], "Contraflor"),
        choice_key("a", _KEYS[AL_RESTO], "Contraflor al resto"),
        choice_key("t", _KEYS[RAISE], "Truco"),
        choice_key("m", _KEYS[MAZO], "Mazo"),
        # Keys of the screen whose letters the calls use.
        Binding("R", "rules", "Rules", id="table.rules"),
        Binding("E", "panel('learning')", "Learning", id="table.learning"),
        Binding("N", "new", "New table", show=False, id="table.new"),
        Binding("right", "move(1)", show=False, id="table.next"),
    )

    # Drawing

    def facts(self, view: FullView) -> list[Content | str]:
        face = self.faces[view.muestra]
        return [
            Content.assemble("muestra ", (face.words, face.style)),
            f"mano {self.seating.names[view.mano]}",
            f"worth {view.stake}",
            f"to {view.target()}",
        ]

    def note(self, moment: Moment, seat: int) -> str:
        return ", ".join(self._notes(cast(FullView, moment.view), seat))

    def _notes(self, view: FullView, seat: int) -> list[str]:
        """Words about a player, the newest last."""
        words = ["mano"] * (seat == view.mano)
        if view.gone[seat]:
            return [*words, "left"]
        if view.told_values[seat] >= 0:
            words.append(str(view.told_values[seat]))
        calls = [word for who, word in calls_so_far(view) if who == seat]
        return words + [f"“{word}”" for word in calls[-1:]]

    def felt(self, moment: Moment) -> list[Laid]:
        """The trick, which stays until the next one is led."""
        view = cast(FullView, moment.view)
        trick = view.tricks[-1] if view.tricks else ()
        complete = len(view.tricks) == len(view.results)
        taker = view.results[-1] if complete and view.results else NOBODY
        seats = range(view.seats)
        tied = None
        if complete and trick and taker == NOBODY:
            tied = {seat: "tied" for seat, _ in trick}
        laid = self.trick_by_seat(moment, trick, taker, seats, view.to_play, tied)
        if view.seats > 2:
            return laid
        return [
            replace(each, place="bottom" if seat == view.seat else "top")
            for seat, each in zip(seats, laid, strict=True)
        ][:: -1 if view.seat == 0 else 1]

    def badges(self, moment: Moment) -> list[Badge]:
        view = cast(FullView, moment.view)
        return [Badge("muestra", face=self.faces[view.muestra])]

    def tallies(self, moment: Moment) -> list[Tally]:
        view = cast(FullView, moment.view)
        return [
            replace(tally, target=view.target(), kind="sticks") for tally in super().tallies(moment)
        ]

    def tricks_of(self, moment: Moment, seat: int) -> Pips | None:
        results = cast(FullView, moment.view).results
        won = [each for each in results if each != NOBODY and each & 1 == seat & 1]
        return Pips(len(won), 2)

    def plate(self, moment: Moment, seat: int) -> SeatPicture:
        view = cast(FullView, moment.view)
        dealer = (view.mano - 1) % view.seats
        brief = "".join(self._notes(view, seat)[-1:])
        return replace(super().plate(moment, seat), dealer=seat == dealer, brief=brief)

    def is_strong(self, view: FullView, card: int) -> bool:
        return VALUES[view.muestra][card] >= LOWEST_PIEZA

    def label_of(self, view: FullView, card: int) -> str:
        value = VALUES[view.muestra][card]
        return "pieza" if value >= LOWEST_PIEZA else "mata" if value >= LOWEST_MATA else ""

    def felt_lines(self, moment: Moment) -> list[Content | str]:
        """The piezas, what was said and told, and the open bets."""
        view = cast(FullView, moment.view)
        lines: list[Content | str] = [piezas_line(self.faces, view.muestra)]
        said = [f"{self.seating.names[seat]} {word}" for seat, word in calls_so_far(view)]
        if said:
            lines.append(f"Said: {' · '.join(said)}")
        told = what_was_told(self.seating, view.told)
        if told:
            lines.append(f"Told: {told}")
        if moment.ending is None and (view.phase == PLAYING or not moment.legal):
            # Otherwise the question says it, or the end of the round.
            lines.append(bet_line(self.seating, view))
        return lines

    def reminders(self, view: FullView) -> list[Reminder]:
        return [
            strongest_first(self.faces, view.muestra),
            Reminder(
                "The round is worth",
                [
                    row("unraised", "1"),
                    *[
                        row(BID_NAMES[stake], f"{stake}, refused {stake - 1}")
                        for stake in range(2, HIGHEST_STAKE + 1)
                    ],
                ],
            ),
            Reminder(
                "Envido",
                [
                    row("piezas", "30 29 28 27 27 + best card"),
                    row("of a suit", "20 + both cards"),
                    row("else", "the best card"),
                    row("10 11 12", "count 0"),
                ],
            ),
        ]

    def choices(self, moment: Moment) -> list[Choice]:
        view = cast(FullView, moment.view)
        return [
            Choice(self.choice_text(view, action), action, key=key)
            for action, key in _KEYS.items()
            if action in moment.legal
        ]

    def choice_text(self, view: FullView, action: int) -> str:
        text = next_bid(view) if action == RAISE else view.label(action)
        return (
            f"¡{text.capitalize()}!"
            if action not in (MAZO, QUIERO, NO_QUIERO)
            else (text.capitalize())
        )

    def move_words(self, view: FullView, action: int) -> str:
        return view.label(action)

    def last_trick(self, view: FullView) -> str:
        done = view.tricks[: len(view.results)]
        if done:
            return f"Last trick: {self._told(done[-1], view.results[-1])}"
        before = view.last_round
        if before is None or not before.results:
            return "No trick has been played yet."
        trick = before.tricks(view.seats)[len(before.results) - 1]
        return f"Last trick of the round before: {self._told(trick, before.results[-1])}"

    def _told(self, trick: Sequence[Played], taker: int) -> str:
        names = self.seating.names
        cards = ", ".join([f"{names[seat]} {self.faces[card].words}" for seat, card in trick])
        return f"{cards}. {self.took_it(taker) or 'It was tied.'}"

    def score_sheet(self, moment: Moment) -> Content:
        view = cast(FullView, moment.view)
        names = [self.side_name(side) for side in view.sides]
        return truco_sheet(names, view, moment.results, self._steps)

    def _steps(self, result: HandResult) -> list[str]:
        """`+2 North, envido`: the points of a round in the order they were added."""
        finished = _finished(cast(FullView, result.view))
        names = self.seating.names
        return [
            f"+{step.points} {names[step.seat]}, "
            f"{_worth(finished) if step.reason == 'round' else step.reason}"
            for step in finished.steps
        ]

    # Asking

    def question(self, view: FullView, legal: Sequence[int]) -> str:
        if view.phase != PLAYING:
            return f"{bet_line(self.seating, view)} {_own_value(view, legal)}".rstrip()
        if FLOR in legal and 0 not in legal:
            return f"You hold a flor of {view.flor}: announce it, or leave the round."
        leads = len(view.tricks) == len(view.results)
        sentence = f"{'You lead' if leads else 'Your turn'}: play a card"
        others = []
        if ENVIDO in legal:
            others.append(f"call envido (you have {view.envido})")
        if RAISE in legal:
            others.append(f"raise to {next_bid(view)} (worth {view.stake + 1})")
        if others:
            sentence += f", or first {listed(others, 'or')}"
        if FLOR in legal:
            return f"{sentence}. Your flor is worth {view.flor}."
        if view.flor_first:
            return f"{sentence}. Your partner's flor comes before a truco."
        return f"{sentence}."

    def about_card(self, view: FullView, card: int) -> str:
        label = self.label_of(view, card)
        what = self.the(card).capitalize() + (f", a {label}" if label else "")
        if len(view.tricks) == len(view.results):
            return f"{what}. Enter leads it."
        values = VALUES[view.muestra]
        best, owner = -1, NOBODY
        for seat, played in view.tricks[-1]:
            if values[played] > best:
                best, owner = values[played], seat
        if owner & 1 == view.side() and values[card] <= best:
            return f"{what}: {self.seating.names[owner]} is ahead for your side. Enter plays it."
        ahead = values[card] - best
        end = "would lead this trick" if ahead > 0 else "would lose" if ahead else "would tie"
        return f"{what}: it {end}. Enter plays it."

    def why_not_card(self, view: FullView, card: int) -> str:
        if view.phase == ANSWERING_TRUCO:
            return f"First answer {self.whose(view.raiser)} {BID_NAMES[view.bid]}."
        if view.phase != PLAYING:
            return f"First answer {self.whose(view.caller)} {ENVITES[view.envite]}."
        return "First announce your flor."

    def why_not_key(self, view: FullView, key: str) -> str:
        if key in (_KEYS[QUIERO], _KEYS[NO_QUIERO]):
            return "There is no bet to answer."
        if key == _KEYS[FLOR]:
            if view.flor == NO_FLOR:
                return "You hold no flor."
            return "A flor has to be announced before your first card."
        if key in (_KEYS[CONTRAFLOR], _KEYS[AL_RESTO]):
            return "Contraflor answers the flor of the other side."
        if key == _KEYS[MAZO]:
            return "First answer, then you may leave the round."
        if key == _KEYS[RAISE]:
            if view.flor_first:
                return "Your partner's flor comes before a truco."
            if HIGHEST_STAKE in (view.stake, view.bid):
                return "Vale 4 is the highest bid."
            if view.phase not in (PLAYING, ANSWERING_TRUCO):
                return "First answer the envido; the truco comes later."
            return "Your side made the last raise; the next one is up to the others."
        if view.flor != NO_FLOR:
            return "With a flor there is no envido for you."
        return "Envido is called in the first trick, before your first card and before a truco."

    # Narration

    def opening(self, view: FullView) -> str:
        mano = self.seating.does(view.mano, "are", "is")
        return f"Round {view.hand_no}: {mano} mano; the muestra is {self.the(view.muestra)}."

    def tell_action(self, view: FullView, seat: int, action: int) -> str:
        """A flor is told by its event, since a flor may also be announced out of turn."""
        if action == FLOR:
            return ""
        if action == MAZO:
            return f"{self.seating.does(seat, 'leave', 'leaves')} the round."
        card = self.card_of(view, action)
        if card is not None:
            verbs = ("lead", "leads")
            if len(view.tricks) > len(view.results):
                verbs = ("play", "plays")
            return f"{self.seating.does(seat, *verbs)} {self.the(card)}."
        word = next_bid(view) if action == RAISE else view.label(action)
        return f"{self.seating.does(seat, 'say', 'says')} “{word}”."

    def tell_event(self, view: FullView, event: Event) -> str:
        if event.kind == "flor":
            return f"{self.seating.does(event.seat, 'announce', 'announces')} a flor."
        if event.kind == "envite":
            return self._tell_envite(view, event)
        return super().tell_event(view, event)

    def _tell_envite(self, view: FullView, event: Event) -> str:
        points = int(max(event.points))
        told = view.told
        if not told and view.last_round is not None and view.last_round.note == "match":
            told = view.last_round.told
        gain = f"{event.note.capitalize()}: {points} for {self.object_of(event.seat)}."
        if not told or event.note.endswith("refused"):
            return gain
        return f"{what_was_told(self.seating, told)}. {gain}"

    def tell_hand(self, view: FullView, event: Event) -> str:
        """The points of each side and what they were for, who proves what, and the score."""
        finished = _finished(view)
        gains: dict[int, list[str]] = {}
        for step in finished.steps:
            what = f"{step.points} for {self._what_for(view, finished, step.reason)}"
            gains.setdefault(step.seat & 1, []).append(what)
        clauses = [
            f"{self._gets(view.sides[side], first=number == 0)} {listed(each)}"
            for number, (side, each) in enumerate(gains.items())
        ]
        sentences = [f"{'; '.join(clauses)}."]
        for seat, cards in finished.shown:
            shown = listed([self.chip(card) for card in cards])
            sentences.append(f"{self.seating.does(seat, 'show', 'shows')} {shown}.")
        if max(view.scores) < view.target():
            sentences.append(self.score_told(view))
        return " ".join(sentences)

    def _gets(self, side: Sequence[int], first: bool) -> str:
        """`You get` at the beginning of a sentence, `you get` further on."""
        if first or len(side) > 1:
            return self.side_does(side, "get", "gets")
        return self.does_inside(side[0], "get", "gets")

    def _what_for(self, view: FullView, finished: FullSummary, reason: str) -> str:
        """What points were for: `the envido`, `the refused truco`."""
        if reason != "round":
            return f"the {' '.join(reversed(reason.split()))}"
        if finished.note == "rejected":
            return f"the refused {BID_NAMES[finished.stake + 1]}"
        if finished.note == "mazo":
            left = inside(self.side_name(view.sides[1 - finished.winner]))
            return f"the round, which {left} left"
        return f"the {BID_NAMES.get(finished.stake, 'round')}"

    def tell_match(self, view: FullView, event: Event) -> str:
        won = super().tell_match(view, event).rstrip(".")
        return f"{won}, {max(view.scores)} to {min(view.scores)}."


def _finished(view: FullView) -> FullSummary:
    assert view.last_round is not None
    return view.last_round


def _own_value(view: FullView, legal: Sequence[int]) -> str:
    """What the asked player holds for the bet to answer, or for one that comes before it."""
    if view.phase == ANSWERING_FLOR:
        return f"Yours is worth {view.flor}."
    if FLOR in legal:
        return f"Your flor of {view.flor} comes first."
    if view.phase == ANSWERING_ENVIDO:
        return f"You have {view.envido}."
    if ENVIDO in legal:
        return f"The envido comes first: you have {view.envido}."
    return ""


def _worth(finished: FullSummary) -> str:
    """What the points of the round itself were for."""
    if finished.note == "rejected":
        return f"{BID_NAMES[finished.stake + 1]} refused"
    if finished.note == "mazo":
        return "the others left"
    return BID_NAMES.get(finished.stake, "the round")


TABLE = FullTrucoTable
