"""What each command is good for, by example: below its --help, and in `kibitz help`."""

from typing import Final, NamedTuple


class Example(NamedTuple):
    """A command to type, and what comes of it."""

    command: str
    outcome: str


EXAMPLES: Final[dict[str, tuple[Example, ...]]] = {
    "kibitz": (
        Example("kibitz", "The home screen; Enter deals a hand."),
        Example("kibitz --ascii --delay 0", "On a plain terminal, without waiting."),
        Example("kibitz help play", "All about one command."),
    ),
    "play": (
        Example("kibitz play euchre", "You and a face-up dummy hand against two agents."),
        Example("kibitz play truco --seats you,search", "Against the strongest there is."),
        Example("kibitz play truco --seats you,you", "Two people, hands hidden between turns."),
        Example("kibitz play fodinha --range 10 --lives 3", "With options of the game."),
        Example("kibitz play truco --daily", "The deal that everybody gets today."),
    ),
    "watch": (
        Example("kibitz watch smear --delay 0.25", "Four agents, four moves a second."),
        Example("kibitz watch notty --seats hard,q --seed 7", "The same match every time."),
    ),
    "train": (
        Example(
            "kibitz train truco --agent q --games 2000 --seed 1",
            "It plays 2,000 matches with itself.",
        ),
        Example(
            "kibitz train truco --agent mc --games 2000 --opponents pool,hard",
            "Against its earlier selves and hard in turn.",
        ),
    ),
    "evaluate": (
        Example("kibitz evaluate truco q hard --games 400 --seed 1", "How often q beats hard."),
        Example(
            "kibitz evaluate fodinha search easy easy easy --games 60 --seed 1 --json",
            "For a script, at a table of four.",
        ),
    ),
    "arena": (
        Example(
            "kibitz arena truco random easy hard --games 100", "Each against each, and ratings."
        ),
    ),
    "serve": (Example("kibitz serve --port 8080", "Play at http://127.0.0.1:8080."),),
    "stats": (Example("kibitz stats", "Your wins at every game and against every agent."),),
    "replay": (
        Example("kibitz replay FILE", "A match of yours, by its name in History."),
        Example("kibitz replay - < FILE", "One that somebody sent you."),
    ),
    "bench": (
        Example("kibitz bench --only truco", "How fast Truco is on this machine."),
        Example("kibitz bench --peers", "Beside others; they have to be installed."),
    ),
    "import": (
        Example("kibitz import notty_qtable.pkl", "The original Notty program's table."),
        Example("kibitz import q_table.sqlite --replace", "The original Euchre program's."),
    ),
    "games": (Example("kibitz games", "What --option takes, and who can be seated."),),
    "paths": (Example("kibitz paths --json", "For a script that makes backups."),),
    "doctor": (
        Example("kibitz doctor", "Whether all is well."),
        Example("kibitz doctor --mend", "And tidied up after a crash."),
    ),
    "help": (Example("kibitz help train", "All about kibitz train."),),
}


def below_help(command: str, remark: str = "") -> str:
    """What stands at the end of a command's --help.

    The parser breaks lines as it likes, except in paragraphs that begin with a backspace.
    """
    lines = [line for example in EXAMPLES[command] for line in _lines(example)]
    examples = "\n".join(["\b", "Examples:", *lines])
    return f"{remark}\n\n{examples}" if remark else examples


def _lines(example: Example) -> tuple[str, str]:
    return f"  {example.command}", f"      {example.outcome}"
