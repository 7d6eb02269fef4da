"""The text reports of `kibitz evaluate` and `kibitz arena`, also with long names."""

from app.commands.strength import ladder_table, strength_table

PROGRAM = "cmd:/home/user/players/the-careful-one.py"


def test_columns_of_an_evaluation_are_aligned() -> None:
    entries = [
        {
            "agent": name,
            "wins": 5,
            "draws": 0,
            "win_rate": 0.5,
            "ci95": [0.25, 0.75],
            "mean_score": 4.0,
            "mean_place": 1.5,
        }
        for name in ("hard", PROGRAM)
    ]
    report = {
        "game": "truco",
        "options": {},
        "games": 10,
        "seed": 0,
        "seconds": 1.0,
        "decisions_per_second": 100.0,
        "agents": entries,
    }
    head, hard, program = strength_table(report).splitlines()[1:]
    assert len(head) == len(hard) == len(program) < 100
    assert hard.index("50.0%") == program.index("50.0%")
    assert program.startswith("cmd:")
    assert "…" in program
    assert "careful-one.py" in program


def test_columns_of_a_ladder_are_aligned() -> None:
    report = {
        "game": "truco",
        "games": 10,
        "seed": 0,
        "ladder": [{"agent": "hard", "rating": 25.0}, {"agent": PROGRAM, "rating": 20.0}],
        "pairings": [{"first": "hard", "second": PROGRAM, "win_rate": 0.75}],
    }
    head, hard, program = ladder_table(report).splitlines()[1:]
    assert len(head) == len(hard)
    assert hard.index("25.0") == program.index("20.0")
    assert hard.endswith("75%")
    assert program.rstrip().endswith("25%")
    assert head.endswith("…ne.py")


def test_short_names_use_the_default_width() -> None:
    report = {
        "game": "truco",
        "games": 10,
        "seed": 0,
        "ladder": [{"agent": "hard", "rating": 25.0}],
        "pairings": [],
    }
    assert ladder_table(report).splitlines()[1] == f"{'':<12}  rating      hard"
