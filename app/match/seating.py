"""The seats of a table: who plays them, and how they are named on the screen."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from agents.evaluation.strengths import STANDARD
from agents.names import MARK, AgentName
from agents.protocols.program import PREFIX
from agents.registry import agents_for, roster, spec_of
from app.home.settings import DEFAULT_DELAY, check_setting
from app.match.series import MOST_MATCHES
from engine import GAMES
from engine.chance import SEED_BITS, check_seed
from engine.game import Game, OptionValue
from engine.manifest import VARIANTS, variant_name

PERSON = "you"

MATCHED = "matched"
"""In a seat: the agent that gives the person an even match. It is chosen when the table opens, see
`app.records.matched`."""

_WORDS_FOR_PERSON = ("you", "human")
_COMPASS = {
    2: ("South", "North"),
    3: ("South", "West", "East"),
    4: ("South", "West", "North", "East"),
}
_AROUND = ("Ana", "Beto", "Caio", "Dora", "Edu", "Flora", "Gil", "Hugo", "Iara", "Jade")
"""Names at tables of more than four, in alphabetical order clockwise."""

AGENTS_BY_NAME = {
    "Q_APPROXIMATE": "linear",
    "NEURAL_NET": "neural",
    "LOGISTIC": "logistic",
    "Q_LEARN": "q",
    "RANDOM": "random",
    "SEARCH": "search",
    "EASY": "easy",
    "HARD": "hard",
}
"""Words in the names of players that select an agent, the longest first."""

_LONGEST_NAME = 16


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table to open. `plan_table` makes a checked one.

    seats      PERSON or the name of an agent, for each seat
    names      the names of the players; empty for the names of the seats
    seed       None for a random one
    match_no   the number of the match in a series at this table, counted from 1
    daily      the date of a deal of the day, as in 2026-11-16; empty for other deals
    matches    how many matches in a row are watched; None for no limit
    programs   whether other programs may play, because a person named them
    teaching   whether costly moves are pointed out before they are played: one of `TEACHING`, or
               empty for what the settings say; "on" or "off" once that is decided for a match
    """

    game: str
    seats: tuple[str, ...]
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    delay: float = DEFAULT_DELAY
    seed: int | None = None
    match_no: int = 1
    names: tuple[str, ...] = ()
    daily: str = ""
    matches: int | None = None
    programs: bool = False
    teaching: str = ""

    @property
    def teaches(self) -> bool:
        """Whether costly moves are pointed out in this match."""
        return self.teaching in ("always", "on")

    @property
    def persons(self) -> tuple[int, ...]:
        return tuple([seat for seat, player in enumerate(self.seats) if player == PERSON])

    @property
    def watched(self) -> bool:
        return not self.persons

    def again(self) -> "TablePlan":
        """The next match of the series, with a random seed."""
        teaching = "" if self.teaching in ("on", "off") else self.teaching
        number = self.match_no + 1
        return replace(self, seed=None, match_no=number, daily="", teaching=teaching)

    def following(self) -> "TablePlan":
        """The next match of a watched series. The seed of the first match decides the others."""
        seed = None if self.seed is None else (self.seed + 1) % (1 << SEED_BITS)
        return replace(self.again(), seed=seed)


def find_game(name: str, options: Mapping[str, object] | None = None) -> Game:
    """The game with this name, or the variant of it that these options choose."""
    known = variant_name(name.strip().lower(), options or {})
    if known not in GAMES:
        raise ValueError(f"There is no game {name!r}; choose one of: {', '.join(GAMES)}.")
    return GAMES[known]


def every_game() -> list[Game]:
    """All games, and the variants that have agents of their own."""
    return [GAMES[name] for name in (*GAMES, *VARIANTS)]


def seat_count(game: Game, options: Mapping[str, OptionValue]) -> int:
    """The number of seats of this game with these options."""
    players = game.make_options(options).as_dict().get("players", game.players[0])
    return int(players)


def default_seats(game: Game, seats: int, watch: bool) -> tuple[str, ...]:
    """The seats of a watched table: strong agents, with a learner in the last seat. A person
    meets the agents that the game chose for newcomers."""
    known = agents_for(game.name)
    others = roster(game.name).newcomer
    if others and not watch:
        return (PERSON, *[others[seat % len(others)] for seat in range(seats - 1)])
    strong = "hard" if "hard" in known else next(iter(known))
    learner = "q" if "q" in known else strong
    first = strong if watch else PERSON
    return (first, *[strong] * (seats - 2), learner)


def parse_seats(text: str) -> tuple[str, ...]:
    """Split `you,hard,q`. Words for a person become PERSON; programs and files keep their
    case."""
    names = [_in_lower_case(name.strip()) for name in text.split(",")]
    return tuple([PERSON if name in _WORDS_FOR_PERSON else name for name in names])


def _in_lower_case(name: str) -> str:
    if name.startswith(PREFIX):
        return name
    agent, mark, rest = name.partition(MARK)
    return f"{agent.lower()}{mark}{rest}"


def player_named(name: str) -> str:
    """The player that a name selects: `EASY_1` is easy, `Q_LEARN@100` a generation of q; a name
    without such a word is a person."""
    for word, agent in AGENTS_BY_NAME.items():
        if found := re.search(rf"{word}({MARK}[0-9]+)?", name):
            return f"{agent}{found[1] or ''}"
    return PERSON


def check_names(names: Sequence[str]) -> None:
    """Raise ValueError for names that cannot be shown or are not unique."""
    for at, name in enumerate(names):
        if not 0 < len(name) <= _LONGEST_NAME or not name.isprintable():
            raise ValueError(
                f"{name!r} cannot be shown as a name; use 1 to {_LONGEST_NAME} characters."
            )
        if name in names[:at]:
            raise ValueError(f"Two players are called {name}; give each player a different name.")


def seats_named(game: Game, names: Sequence[str]) -> tuple[str, ...]:
    """The player that each name selects. Raises ValueError."""
    check_names(names)
    known = agents_for(game.name)
    players = []
    for name in names:
        player = player_named(name)
        if player != PERSON and AgentName.parse(player).kind not in known:
            raise ValueError(
                f"{name} needs the agent {player!r}, which {game.title} does not have; "
                f"it has: {', '.join(known)}."
            )
        players.append(player)
    return tuple(players)


def plan_table(
    game_name: str,
    seats: Sequence[str] | None = None,
    options: Mapping[str, OptionValue] | None = None,
    delay: float = DEFAULT_DELAY,
    seed: int | None = None,
    watch: bool = False,
    names: Sequence[str] = (),
    matches: int | None = None,
) -> TablePlan:
    """A checked plan. Raises ValueError with a sentence that says what to do.

    names     the names of the players, which also select them; instead of `seats`
    matches   how many matches in a row are watched; None for no limit
    """
    chosen = dict(options or {})
    game = find_game(game_name, chosen)
    wanted = seat_count(game, chosen)
    if names:
        if seats is not None:
            raise ValueError("Names also select the players: give seats or names, not both.")
        names = ["You" if name.lower() == PERSON else name for name in names]
        seats = seats_named(game, names)
    elif seats is None:
        seats = default_seats(game, wanted, watch)
    if len(seats) != wanted:
        hint = ""
        if len(seats) in game.players:
            hint = f", or set the option players={len(seats)}"
        raise ValueError(
            f"This table of {game.title} has {wanted} seats, not {len(seats)}: "
            f"name one player for each{hint}."
        )
    known = agents_for(game.name)
    for name in seats:
        if name in (PERSON, MATCHED) or name.startswith(PREFIX):
            continue
        if AgentName.parse(name).kind not in known:
            raise ValueError(
                f"There is no agent {name!r} for {game.title}; "
                f"choose from: {PERSON}, {MATCHED}, {', '.join(known)}."
            )
        spec_of(game.name, name)
    if watch and PERSON in seats:
        raise ValueError("A watched table has no seat for a person; name agents only, or play.")
    if not watch and PERSON not in seats:
        raise ValueError(
            f"No seat is for a person: name {PERSON!r} for a seat, or watch the table."
        )
    check_setting("delay", delay)
    if seed is not None:
        check_seed(seed)
    if matches is not None and not 1 <= matches <= MOST_MATCHES:
        raise ValueError(
            f"{matches:,} matches cannot be watched in a row; give 1 to {MOST_MATCHES:,}."
        )
    return TablePlan(
        game.name, tuple(seats), chosen, delay, seed, names=tuple(names), matches=matches
    )


def without_persons(game: Game, seats: Sequence[str]) -> list[str]:
    """The same seats with a strong agent instead of each person."""
    substitute = default_seats(game, len(seats), watch=True)[0]
    return [substitute if seat == PERSON else seat for seat in seats]


def watched(plan: TablePlan) -> TablePlan:
    """The same table without persons and with new deals, to watch."""
    game = find_game(plan.game)
    seats = without_persons(game, plan.seats)
    table = plan_table(plan.game, seats, plan.options, plan.delay, watch=True)
    return replace(table, programs=plan.programs)


def rated_players(players: Sequence[str]) -> list[str]:
    """The agents whose strengths count for the chances of a table. A person counts as `hard`."""
    return [STANDARD if player == PERSON else player for player in players]


def compass(seats: int) -> tuple[str, ...]:
    """The names of the seats, clockwise from the bottom."""
    return _COMPASS.get(seats, _AROUND[:seats])


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats as the screen shows and names them.

    home   the seat at the bottom at first: the first person's, or else seat 0
    """

    players: tuple[str, ...]
    names: tuple[str, ...]
    home: int

    @classmethod
    def of(cls, plan: TablePlan) -> "Seating":
        persons = plan.persons
        home = persons[0] if persons else 0
        if plan.names:
            return cls(plan.seats, plan.names, home)
        seats = len(plan.seats)
        around = compass(seats)
        names = [around[(seat - home) % seats] for seat in range(seats)]
        if len(persons) == 1:
            names[home] = "You"
        else:
            for number, seat in enumerate(persons, 1):
                names[seat] = f"Player {number}"
        return cls(plan.seats, tuple(names), home)

    def does(self, seat: int, you: str, other: str) -> str:
        """`You pass` or `West passes`."""
        name = self.names[seat]
        return f"{name} {you if name == 'You' else other}"

    def together(self, seats: Sequence[int]) -> str:
        """`You and North`, `West and East`."""
        return " and ".join(self.names[seat] for seat in seats)

    def title(self, seat: int) -> str:
        """`West · hard`; only the name if it already names the agent."""
        name, player = self.names[seat], self.players[seat]
        if player.startswith(PREFIX):
            player = player.rpartition("/")[2].removeprefix(PREFIX)[-_LONGEST_NAME:]
        elif MARK in player and len(player) > _LONGEST_NAME:
            agent, mark, file = player.partition(MARK)
            player = f"{agent}{mark}{file.rpartition('/')[2][-_LONGEST_NAME:]}"
        elif len(player) > _LONGEST_NAME:
            player = f"{player[: _LONGEST_NAME - 1]}…"
        return name if player == player_named(name) else f"{name} · {player}"

    def sign(self, seat: int) -> str:
        """A small picture of who plays: a person, or an agent."""
        return "☻" if self.players[seat] == PERSON else "♟"

    def place(self, seat: int, bottom: int) -> str:
        """Where the seat is drawn: bottom, left, top or right. At a larger table, its step
        clockwise from the bottom and the number of seats, as in `around-1-6`.

        bottom   the seat at the bottom
        """
        seats = len(self.names)
        places = {2: "bt", 3: "blr", 4: "bltr"}.get(seats)
        if places is None:
            return f"around-{(seat - bottom) % seats}-{seats}"
        letter = places[(seat - bottom) % seats]
        return {"b": "bottom", "l": "left", "t": "top", "r": "right"}[letter]
