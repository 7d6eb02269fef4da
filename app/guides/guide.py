"""A guided first hand: a fixed deal and a script of texts and moves.

A script is the file `<game>.toml` beside this module. It names the deal and has one `[[step]]`
after the other:

say         the text, shown when the moves before it have been played. `{JS}` is drawn as a card,
            `*trump*` is emphasised
you         the move that is suggested to the person, or a list of moves that are one answer;
            without it, Enter goes on
otherwise   the answer to another move
quiet       whether the suggested move is not marked on the table, so that the person looks for it
then        the moves of the other players, and of nobody else, that follow
next_hand   whether the text is about the next hand, so that the end of the hand before is gone
end         whether the text also fits after a hand that went another way
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from engine import GAMES
from engine.game import OVER, OptionValue, State
from engine.manifest import GAME_ROWS

Place = tuple[int, bool]
"""How many actions came before a step, and whether the end of a hand is on the screen."""

PERSON_SEAT: Final = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One text of a guide with the moves that follow. Fields: see the head of this module."""

    say: str
    you: tuple[str, ...] = ()
    otherwise: str = ""
    quiet: bool = False
    then: tuple[str, ...] = ()
    next_hand: bool = False
    end: bool = False


@dataclass(frozen=True, slots=True)
class Guide:
    """
    deck    the first cards of the pack, as the game deals them
    first   the first dealer, mano or starter
    """

    game: str
    deck: tuple[str, ...]
    first: int
    seed: int
    options: Mapping[str, OptionValue]
    steps: tuple[Step, ...]

    def deal(self) -> State:
        """The match before the first action."""
        return GAMES[self.game].new(self.seed, self.deck, self.first, **self.options)

    @property
    def labels(self) -> list[str]:
        """All moves of the script in order."""
        return [label for step in self.steps for label in (*step.you, *step.then)]

    def places(self) -> list[Place]:
        """Where each step belongs. Raises ValueError if a move is not possible."""
        state, number, ended = self.deal(), 0, False
        places: list[Place] = []
        for at, step in enumerate(self.steps):
            if step.next_hand:
                ended = False
            places.append((number, ended))
            for moves, by_person in ((step.you, True), (step.then, False)):
                for label in moves:
                    where = f"{self.game}, step {at + 1}, {label!r}"
                    if ended:
                        raise ValueError(f"{where}: the hand is over.")
                    if (state.turn == PERSON_SEAT) != by_person:
                        raise ValueError(f"{where}: it is the turn of seat {state.turn}.")
                    hand_no, action = state.hand_no, state.parse(label)
                    if action not in state.legal():
                        allowed = ", ".join(map(state.label, state.legal()))
                        raise ValueError(f"{where}: possible are {allowed}.")
                    state.apply(action)
                    number += 1
                    ended = state.turn == OVER or state.hand_no != hand_no
        return places


def has_guide(game: str) -> bool:
    """Whether a game has a guided first hand."""
    return game in GAME_ROWS and files(__package__).joinpath(f"{game}.toml").is_file()


def load_guide(game: str) -> Guide:
    """The guide of a game. Raises ValueError if there is none."""
    if not has_guide(game):
        guided = ", ".join(filter(has_guide, GAMES))
        raise ValueError(f"There is no guided hand of {game!r}; choose one of: {guided}.")
    script = tomllib.loads(files(__package__).joinpath(f"{game}.toml").read_text(encoding="utf-8"))
    return Guide(
        game,
        tuple(script["deck"].split()),
        script["first"],
        script.get("seed", 1),
        script.get("options", {}),
        tuple([_step(each) for each in script["step"]]),
    )


def _step(entry: dict[str, Any]) -> Step:
    return Step(
        " ".join(entry["say"].split()),
        _moves(entry.get("you", ())),
        " ".join(entry.get("otherwise", "").split()),
        entry.get("quiet", False),
        _moves(entry.get("then", ())),
        entry.get("next_hand", False),
        entry.get("end", False),
    )


def _moves(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
