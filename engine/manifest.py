"""The games on offer, one row each. Importing this loads no rules, agents or screens."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final, NamedTuple


class Occasion(Enum):
    """When a tip is shown."""

    QUESTION = "the person is asked for anything"
    CARD = "the person is asked for a card"
    END = "a hand is over"


class Tip(NamedTuple):
    """One short line for a newcomer."""

    when: Occasion
    text: str


ASK: Final = Tip(Occasion.QUESTION, "? asks the strongest agent, r opens the rules.")
LOOK_BACK: Final = Tip(Occasion.END, "v reviews your moves, w explains the others' moves.")


class GameRow(NamedTuple):
    """A game and where its parts are.

    name      as commands and files spell it
    title     as players read it
    summary   one sentence for its tile on Home
    tips      for a newcomer, shown one at a time in this order
    cards     codes of the cards on its tile; without them the tile shows backs
    rules     `module:attribute` of its `Game`; by default `engine.games.<name>:GAME`
    table     `module:attribute` of its `Table`; by default `app.ui.tables.<name>:TABLE`
    variant   the game, option and value that choose this row, if it is a variant of a game
    page      `package:file` of its rules page; by default `app.rules:<name>.md`
    agents    `module:attribute` of its own agents (`agents.roster.GameAgents`); empty if it has
              none, and then `random` and the feature-free learners play it
    """

    name: str
    title: str
    summary: str
    tips: tuple[Tip, ...] = (ASK, LOOK_BACK)
    agents: str = ""
    cards: tuple[str, ...] = ()
    rules: str = ""
    table: str = ""
    page: str = ""
    variant: tuple[str, str, str] | None = None

    @property
    def rules_path(self) -> str:
        return self.rules or f"engine.games.{self.name}:GAME"

    @property
    def table_path(self) -> str:
        return self.table or f"app.ui.tables.{self.name}:TABLE"

    @property
    def page_path(self) -> str:
        return self.page or f"app.rules:{self.name}.md"


class GameRows(dict[str, GameRow]):
    """The rows by name. Variants are found by their names but not listed."""

    def __missing__(self, name: str) -> GameRow:
        return VARIANTS[name]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in VARIANTS


def _by_name(rows: Iterable[GameRow]) -> GameRows:
    return GameRows({row.name: row for row in rows})


VARIANTS: Final[dict[str, GameRow]] = {
    "truco_full": GameRow(
        "truco_full",
        "Truco Uruguayo, full",
        "Envido, flor and truco, alone or in teams; to forty.",
        (
            Tip(Occasion.QUESTION, "Envido bets on your cards, truco on the tricks."),
            Tip(Occasion.QUESTION, "q accepts, n refuses; ? asks the strongest agent."),
            LOOK_BACK,
        ),
        agents="agents.truco_full:AGENTS",
        cards=("2O", "12C", "1E"),
        variant=("truco", "rules", "full"),
    )
}
"""Ways to play a game that have their own rules, table, page and agents. An option of the game
chooses them."""


def variant_name(game: str, options: Mapping[str, object]) -> str:
    """The name of the row that a game with these options uses: its own or that of a variant."""
    for row in VARIANTS.values():
        if row.variant is not None:
            name, option, value = row.variant
            if game == name and options.get(option) == value:
                return row.name
    return game


def base_game(name: str) -> str:
    """The game that a row belongs to: itself, or the game of which it is a variant."""
    row = VARIANTS.get(name)
    return row.variant[0] if row is not None and row.variant is not None else name


GAME_ROWS: Final[GameRows] = _by_name(
    [
        GameRow(
            "euchre",
            "Euchre",
            "You and an open dummy hand against two partners, to ten.",
            (
                Tip(Occasion.QUESTION, "The two jacks of the trump colour beat all else."),
                Tip(Occasion.CARD, ASK.text),
                LOOK_BACK,
            ),
            agents="agents.euchre:AGENTS",
            cards=("9S", "JC", "JS"),
        ),
        GameRow(
            "smear",
            "Smear",
            "Two teams bet on low, high, jack and game; to eleven.",
            (
                Tip(Occasion.QUESTION, "Bet how many of low, high, jack and game you take."),
                Tip(Occasion.CARD, "You may always trump; ? asks the strongest agent."),
                LOOK_BACK,
            ),
            agents="agents.smear:AGENTS",
            cards=("2H", "10H", "AH"),
        ),
        GameRow(
            "truco",
            "Truco Uruguayo",
            "Three cards, a muestra and the nerve to raise; to forty.",
            (
                Tip(Occasion.QUESTION, "Piezas, five of the muestra's suit, beat all else."),
                Tip(Occasion.QUESTION, "t raises the stake; ? asks the strongest agent."),
                LOOK_BACK,
            ),
            agents="agents.truco:AGENTS",
            cards=("2O", "12C", "1E"),
        ),
        GameRow(
            "fodinha",
            "Fodinha",
            "Call your wins and hit them exactly to stay alive.",
            (
                Tip(Occasion.QUESTION, "Each trick above or below your call costs a life."),
                Tip(Occasion.CARD, "Equal ranks cancel each other, power cards do not."),
                LOOK_BACK,
            ),
            agents="agents.fodinha:AGENTS",
            cards=("4D", "3S", "QH"),
        ),
        GameRow(
            "notty",
            "Notty",
            "Draw, steal and exchange; be the first without cards.",
            (
                Tip(Occasion.QUESTION, "Draw, steal and exchange: once each, in any order."),
                Tip(Occasion.QUESTION, "g marks a group that you hold, Enter discards it."),
                ASK,
            ),
            agents="agents.notty:AGENTS",
            cards=("R7", "Y7", "B7"),
        ),
    ]
)
"""In the order in which Home lists them. A new game adds one row."""
