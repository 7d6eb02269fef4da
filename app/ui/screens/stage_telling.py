"""Puts the reports of the stage into words and cards of the game."""

from collections.abc import Sequence
from typing import Any, Final

from app.lab.stage.mind import view_of
from app.lab.stage.record import StageRecord
from app.lab.stage.reports import Comparison, Discovery, Played, Position
from app.match.seating import Seating, compass
from app.ui.tables import table_class
from app.ui.tables.base import Table
from app.ui.widgets.expectation_plots import Followed
from app.ui.widgets.stage_parts import Sentence
from app.ui.widgets.then_and_now import Move, Story
from engine import GAMES
from engine.game import OVER, State

_SHOWN_POSITIONS: Final = 8
_OWN: Final = "it"


class Teller:
    """Knows the table of a game. Positions are replayed once and kept."""

    def __init__(self, game: str, agent: str, ascii_only: bool) -> None:
        self._game = game
        self._ascii = ascii_only
        seats = GAMES[game].new(0, None, None).seats
        seating = Seating((agent,) * seats, compass(seats), 0)
        self._table: Table[Any] = table_class(game)(GAMES[game], seating)
        self._names = compass(seats)
        self._views: dict[Position, Any] = {}

    # Then and now

    def stories(self, comparison: Comparison) -> tuple[Story, Story]:
        """Both hands of a comparison. Its choices that differ are marked."""
        own = [
            self._own_actions(comparison, played) for played in (comparison.then, comparison.now)
        ]
        matches = comparison.matches
        titles = ("generation 0", f"now · {matches:,} {'match' if matches == 1 else 'matches'}")
        then, now = (
            self._story(title, comparison, played, others)
            for title, played, others in zip(
                titles, (comparison.then, comparison.now), reversed(own), strict=True
            )
        )
        return then, now

    def _dealt(self, comparison: Comparison) -> State:
        """The match at the beginning of the hand."""
        state = GAMES[self._game].new(comparison.seed, None, None)
        for action in comparison.prelude:
            state.apply(action)
        return state

    def _own_actions(self, comparison: Comparison, played: Played) -> list[int]:
        state = self._dealt(comparison)
        actions = []
        for action in played.actions:
            if state.turn in comparison.own:
                actions.append(action)
            state.apply(action)
        return actions

    def _story(
        self, title: str, comparison: Comparison, played: Played, others: Sequence[int]
    ) -> Story:
        table = self._table
        state = self._dealt(comparison)
        state.record_events()
        first = state.view(comparison.own[0])
        hand = [table.faces[card] for card in table.in_order(first, table.held(first))]
        lines: list[tuple[list[Move], str]] = []
        moves: list[Move] = []
        own = 0
        for action in played.actions:
            seat = state.turn
            view = state.view(seat)
            card = table.card_of(view, action)
            is_own, differs = seat in comparison.own, False
            if is_own:
                differs = own >= len(others) or others[own] != action
                own += 1
            who = _OWN if len(comparison.own) == 1 and is_own else self._names[seat][:1]
            face = table.faces[card] if card is not None else None
            if face is not None and moves and moves[-1].face is None:
                lines.append((moves, ""))
                moves = []
            text = "" if face else table.move_words(view, action)
            moves.append(Move(who, text, face, is_own, differs))
            state.apply(action)
            taken = [event for event in state.take_events() if event.kind == "trick"]
            if taken:
                mine = taken[-1].seat in comparison.own
                lines.append((moves, "  its trick" if mine else ""))
                moves = []
        if moves:
            lines.append((moves, ""))
        ahead = played.ahead(comparison.side)
        if ahead is None:
            return Story(title, hand, lines, "a long hand", 0)
        points = f"{ahead:+g}".replace("-", "−")
        unit = "point" if abs(ahead) == 1 else "points"
        result = f"{points} {unit}" if ahead else "even"
        if state.turn == OVER and not ahead:
            result = "over"
        return Story(title, hand, lines, result, (ahead > 0) - (ahead < 0))

    def tally(self, record: StageRecord) -> str:
        if not record.deals:
            return ""
        return (
            f"{record.deals:,} {'deal' if record.deals == 1 else 'deals'}: "
            f"{record.better:,} better now, {record.worse:,} worse · ◆ differs"
        )

    # Discoveries

    def sentence(self, discovery: Discovery, positions: Sequence[Position]) -> Sentence:
        move, where = discovery.move, discovery.where
        if 0 <= discovery.position < len(positions):
            view, _ = self._view(positions[discovery.position])
            move = self._table.move_words(view, discovery.action)
            cards = " ".join(self._chips(view))
            where = f"{where} ({cards})" if cards else where
        kind, _, rest = where.partition(": ")
        text = f"{kind}: now “{move}” when {rest}" if rest else f"{where}: now “{move}”"
        now, before = round(discovery.now, 2) + 0.0, round(discovery.before, 2) + 0.0
        change = f"{now:+.2f}, before {before:+.2f}".replace("-", "−")
        return Sentence(f"after {discovery.matches:,} matches", text, f"({change})")

    # Expectations

    def followed(self, record: StageRecord) -> list[Followed]:
        """The fixed positions with the course of the values of each move."""
        if not record.expectations:
            return []
        found = []
        for number, position in enumerate(record.positions[:_SHOWN_POSITIONS]):
            view, legal = self._view(position)
            courses = {
                action: [each.values[number].get(action, 0.0) for each in record.expectations]
                for action in legal
            }
            moves = [
                (self._table.move_words(view, action), course) for action, course in courses.items()
            ]
            table = self._table
            faces = [table.faces[card] for card in table.in_order(view, table.held(view))]
            cards = [(face.chip(self._ascii), face.style) for face in faces[:8]]
            found.append(Followed(position.words, cards, moves))
        return found

    def _view(self, position: Position) -> Any:
        if position not in self._views:
            self._views[position] = view_of(self._game, position)
        return self._views[position]

    def _chips(self, view: Any) -> list[str]:
        table = self._table
        cards = table.in_order(view, table.held(view))
        return [table.faces[card].chip(self._ascii) for card in cards[:8]]
