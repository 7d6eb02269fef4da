"""Examples of each command, for --help and `kibitz help`."""

from typing import Final, NamedTuple


class Example(NamedTuple):
    """A command and its result."""

    command: str
    outcome: str


EXAMPLES: Final[dict[str, tuple[Example, ...]]] = {
    "kibitz": (
        Example("kibitz", "The home screen; Enter deals a hand."),
        Example("kibitz --ascii --delay 0", "On a plain terminal, without delays."),
        Example("kibitz help play", "The manual page of one command."),
    ),
    "play": (
        Example("kibitz play euchre", "You and a face-up dummy hand against two agents."),
        Example("kibitz play truco --seats you,search", "Against the strongest agent."),
        Example("kibitz play truco --seats you,you", "Two people, hands hidden between turns."),
        Example("kibitz play fodinha --range 10 --lives 3", "With game options."),
        Example("kibitz play smear --teach", "The table asks again before a costly move."),
        Example("kibitz play truco --daily", "The deal of the day, the same for all players."),
    ),
    "watch": (
        Example("kibitz watch smear --delay 0.25", "Four agents, four moves a second."),
        Example("kibitz watch notty --seats hard,q --seed 7", "The same matches every time."),
        Example(
            "kibitz watch truco --seats q,hard --delay 0 --matches 100",
            "A hundred matches as fast as they play, with win rates and a plot.",
        ),
    ),
    "guide": (
        Example("kibitz guide euchre", "A first hand of Euchre, explained step by step."),
        Example("kibitz guide truco --rules full", "Envido, flor and truco in two rounds."),
    ),
    "learn": (
        Example("kibitz learn", "A network learns Euchre from nothing, on screen."),
        Example("kibitz learn smear --agent q", "A table of situations learns Smear."),
        Example("kibitz learn truco --agent q:rosa", "Your learner q:rosa learns on."),
    ),
    "train": (
        Example(
            "kibitz train truco --agent q --games 2000 --seed 1",
            "Train with 2,000 matches against itself.",
        ),
        Example(
            "kibitz train truco --agent mc --games 2000 --opponents pool,hard",
            "Against earlier versions of itself and hard in turn.",
        ),
        Example(
            "kibitz train truco --agent q --from nothing --seconds 60",
            "What it learns in a minute. Your earlier values are kept under another name.",
        ),
        Example(
            "kibitz train truco --agent q:rosa --from shipped --games 2000",
            "A learner of its own, q:rosa, that starts from the shipped values.",
        ),
    ),
    "learners": (
        Example("kibitz learners", "Your named learners."),
        Example("kibitz learners copy truco q anna", "q:anna knows what q knows."),
        Example("kibitz learners export truco q:rosa rosa.kibitz", "All of q:rosa in one file."),
        Example("kibitz learners import rosa.kibitz --as anna", "The learner of another person."),
    ),
    "evaluate": (
        Example("kibitz evaluate truco q hard --games 400 --seed 1", "How often q beats hard."),
        Example("kibitz evaluate truco q q@0 --games 400", "What q has learned since match 0."),
        Example(
            "kibitz evaluate fodinha search easy easy easy --games 60 --seed 1 --json",
            "At a table of four, with JSON for a script.",
        ),
    ),
    "exploit": (
        Example("kibitz exploit truco q --seconds 5 --games 20", "What beats q, and how often."),
    ),
    "arena": (
        Example(
            "kibitz arena truco random easy hard --games 100", "Every pair of agents, and ratings."
        ),
    ),
    "reliability": (
        Example(
            "kibitz reliability notty hard hard --games 20 --seed 1",
            "Whether the chances that hard gives its moves come true.",
        ),
        Example(
            "kibitz reliability truco --hints --games 40",
            "The same for hints while hard plays hard.",
        ),
    ),
    "skill": (
        Example(
            "kibitz skill truco random easy hard --games 60 --seed 1",
            "What the coach says about them: error rates, luck, luck-adjusted results.",
        ),
        Example(
            "kibitz skill euchre hard hard --games 200 --judged 0 --record hard.jsonl",
            "Luck only. The same command with more --games goes on from there.",
        ),
    ),
    "serve": (Example("kibitz serve --port 8080", "Play at http://127.0.0.1:8080."),),
    "stats": (
        Example("kibitz stats", "Your wins in every game and against every agent."),
        Example("kibitz stats truco", "Also where its learners started and where they are now."),
    ),
    "practice": (
        Example("kibitz practice", "What is due today, then new exercises."),
        Example("kibitz practice euchre --json", "How many are due, as JSON."),
        Example("kibitz practice export mine.kibitz-practice", "Exercises and answers in a file."),
        Example("kibitz practice import mine.kibitz-practice --mine", "On another computer."),
    ),
    "daily": (
        Example("kibitz daily", "Your week, with what agents scored in the same seat."),
        Example("kibitz daily euchre --share", "A line about today's result, without the cards."),
    ),
    "replay": (
        Example("kibitz replay FILE", "One of your matches, by its name in History."),
        Example("kibitz replay - < FILE", "A match from another person."),
    ),
    "bench": (
        Example("kibitz bench --only truco", "How fast Truco is on this machine."),
        Example("kibitz bench --peers", "Compared with other programs, which must be installed."),
    ),
    "import": (
        Example("kibitz import notty_qtable.pkl", "The Q-table of the original Notty program."),
        Example(
            "kibitz import q_table.sqlite --replace", "The Q-table of the original Euchre program."
        ),
    ),
    "games": (Example("kibitz games", "Every game with its options and agents."),),
    "paths": (Example("kibitz paths --json", "Paths as JSON, e.g. for a backup script."),),
    "doctor": (
        Example("kibitz doctor", "Check your files."),
        Example("kibitz doctor --mend", "Also delete leftovers of a crash."),
    ),
    "help": (Example("kibitz help train", "The manual page of kibitz train."),),
}


def below_help(command: str, remark: str = "") -> str:
    """The end of a command's --help.

    The parser wraps paragraphs, unless they start with a backspace.
    """
    lines = [line for example in EXAMPLES[command] for line in _lines(example)]
    examples = "\n".join(["\b", "Examples:", *lines])
    return f"{remark}\n\n{examples}" if remark else examples


def _lines(example: Example) -> tuple[str, str]:
    return f"  {example.command}", f"      {example.outcome}"
