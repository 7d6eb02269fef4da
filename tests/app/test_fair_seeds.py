"""Seeds are secret until the match is over, and programs cannot compute evaluation deals."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from agents.seeds import Purpose, evaluation_salt, match_seed
from app.cli import run
from app.home.locations import Locations
from app.home.secret import home_secret
from app.match.dealing import fresh_seed, is_secret, short_seed
from app.match.seating import plan_table
from app.ui.app import KibitzApp
from engine import GAMES
from engine.chance import SEED_BITS
from tests.app.driving import wait_until

SPY = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    open(%r, "a").write(json.dumps(asked["view"]["hand"]) + chr(10))
    print(asked["legal"][0], flush=True)
"""


def test_seeds_have_128_bits() -> None:
    seeds = {fresh_seed() for _ in range(200)}
    assert len(seeds) == 200
    assert all(seed.bit_length() == SEED_BITS for seed in seeds)
    for bit in range(SEED_BITS - 1):
        assert len({seed >> bit & 1 for seed in seeds}) == 2
    assert all(map(is_secret, seeds))
    assert not is_secret(4711)
    assert short_seed(4711) == "4711"
    assert len(short_seed(2**127)) == 9


async def test_seed_is_not_on_screen_before_the_end(tmp_path: Path) -> None:
    app = KibitzApp(Locations(tmp_path), plan_table("truco", delay=0))
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_until(pilot, lambda: getattr(app.screen, "loop", None) is not None)
        screen = app.screen
        assert is_secret(screen.seed)
        shown = [str(part) for line in screen._status(screen.moment) for part in line]
        assert not any("seed" in text or short_seed(screen.seed) in text for text in shown)


def test_program_cannot_compute_the_deals_of_an_evaluation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It knows the command, the seed and the source, and looks for its hands."""
    seen, bot = tmp_path / "seen", tmp_path / "spy.py"
    bot.write_text(SPY % str(seen))
    name = f"cmd:{shlex.join([sys.executable, str(bot)])}"
    command = ["evaluate", "truco", name, "random", "--games", "4", "--seed", "3", "--json"]
    command += ["--option", "target=4"]
    reports = []
    for _ in range(2):
        assert run([*command, "--home", str(tmp_path / "home")]) == 0
        reports.append(json.loads(capsys.readouterr().out)["agents"])
    assert reports[0] == reports[1], "the same seed in the same home gives the same result"
    guesses = set()
    for deal in range(4):
        state = GAMES["truco"].new(match_seed(Purpose.REPORTING, 3, deal))
        for seat in range(2):
            codes = state.view(seat)
            guesses.add(json.dumps(sorted(_hand(codes))))
    hands = {json.dumps(sorted(json.loads(line))) for line in seen.read_text().splitlines()}
    assert len(hands) >= 4
    assert not hands & guesses


def _hand(view) -> list[str]:
    from agents.protocols.lines import describe

    return describe(view)["hand"]


def test_salt_depends_on_the_home_and_the_seed(tmp_path: Path) -> None:
    home, other = Locations(tmp_path / "a"), Locations(tmp_path / "b")
    secret = home_secret(home)
    assert secret == home_secret(home)
    assert secret != home_secret(other)
    assert home.secret.stat().st_mode & 0o077 == 0
    salts = {evaluation_salt(each, "truco", seed) for each in (secret, b"x") for seed in (1, 2)}
    assert len(salts) == 4
    assert match_seed(Purpose.REPORTING, 1, 1, "x") != match_seed(Purpose.REPORTING, 1, 1)
    assert match_seed(Purpose.REPORTING, 1, 1, "x").bit_length() > 100
