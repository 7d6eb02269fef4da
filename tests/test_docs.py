"""The pages in docs/: their examples work and their lists are complete."""

import importlib.util
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
import yaml

from agents.agent import Agent
from agents.match import Match
from agents.parallel import cluster as cluster_module
from agents.random_player import RandomPlayer
from agents.registry import agents_for
from app.cli import run
from app.commands.manual import ENVIRONMENT
from app.home.locations import Locations
from app.home.settings import Settings, read_settings
from app.records.journal import parse_journal
from app.ui.screens.command_keys import commands, conflicts
from engine import GAMES
from engine.game import OVER
from tests.agents.dask_cluster import LocalCluster
from tests.bench.ladder_table import shown, table
from tests.documents import PAGES, ROOT, blocks

DOCS = ROOT / "docs"
INDEX = DOCS / "README.md"
LINK = re.compile(r"\]\(([^)#:]+)(#[\w-]+)?\)")


def text_of(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def shown_in(page: str, language: str, beginning: str = "") -> str:
    """The only block of that kind."""
    [text] = [
        block.text
        for block in blocks(DOCS / page)
        if block.language == language and block.text.startswith(beginning)
    ]
    return text


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_high_card_keeps_the_contract() -> None:
    game = load("high_card").HighCard()
    for seed in range(20):
        state, again = game.new(seed=seed), game.new(seed=seed)
        chance = Random(seed)
        while state.turn != OVER:
            for seat in range(2):
                view = state.view(seat)
                assert view.sample(chance).view(seat) == view
            action = chance.choice(state.legal())
            assert state.parse(state.label(action)) == action
            copy = state.clone()
            state.apply(action)
            again.apply(action)
            assert copy.view(0) != state.view(0)
        assert again.returns() == state.returns()
        assert sorted(state.returns()) == [0.0, 1.0]
        assert max(state.scores()) == 3


def test_agents_play_high_card() -> None:
    state = load("high_card").HighCard().new(seed=1, target=5)
    players: list[Agent | None] = [RandomPlayer(), RandomPlayer()]
    Match(state, players, 1).play_out()
    assert max(state.scores()) == 5


@pytest.mark.slow
def test_external_learner_example_learns() -> None:
    """With this seed a few hands of training lose by less than random play."""
    example = load("train_elsewhere")
    (matches, rate, points), after = example.train(hands=400, measured=150, seed=1)
    assert matches > 10
    assert 0 <= rate <= 1
    assert points < after[2] < 4
    assert example.train(hands=20, measured=20, seed=1) == example.train(20, 20, 1)


def test_example_agent_keeps_the_contract() -> None:
    agent = load("bluffer").Bluffer()
    for seed in range(10):
        state = GAMES["truco"].new(seed=seed)
        chance = Random(seed)
        while state.turn != OVER:
            view, legal = state.view(state.turn), state.legal()
            decision = agent.act(view, legal, Random(seed))
            other = view.sample(chance)
            assert agent.act(other.view(state.turn), other.legal(), Random(seed)) == decision
            assert sum(decision.scores.values()) == pytest.approx(1)
            assert decision.meaning
            state.apply(decision.action)
    state = GAMES["truco"].new(seed=1)
    Match(state, [agent, RandomPlayer()], 1).play_out()
    assert max(state.scores()) >= 40


def test_every_agent_is_described() -> None:
    page = text_of("agents.md")
    for game in GAMES:
        for name in agents_for(game):
            assert "…-original" in page if name.endswith("-original") else f"`{name}`" in page


def test_readme_shows_the_measured_ladder() -> None:
    """After `make ratings`: `python -m tests.bench.ladder_table`."""
    assert shown() == table()


def test_every_setting_is_shown_with_its_default(tmp_path: Path) -> None:
    shown = shown_in("configuration.md", "toml")
    file = tmp_path / "settings.toml"
    file.write_text(shown, encoding="utf-8")
    settings, notices = read_settings(file)
    assert notices == []
    assert list(tomllib.loads(shown)) == list(asdict(Settings()))
    assert asdict(settings) | {"keys": {}} == asdict(Settings())


def test_example_keys_exist() -> None:
    named = tomllib.loads(shown_in("configuration.md", "toml"))["keys"]
    assert set(named) <= {command.name for command in commands()}
    assert conflicts(named) == []


def test_every_variable_is_described() -> None:
    for name in ENVIRONMENT:
        assert f"| `{name}` |" in text_of("configuration.md")


def test_every_file_is_described(tmp_path: Path) -> None:
    page = text_of("files.md")
    for place in Locations(tmp_path).as_dict().values():
        relative = str(Path(place).relative_to(tmp_path))
        assert relative == "." or f"| `{relative}" in page


def test_example_journal_loads() -> None:
    recorded = parse_journal(shown_in("files.md", "", '{"kibitz"').encode(), "files.md")
    assert [label for _, label in recorded.labels()] == ["play 5C", "raise", "reject"]
    assert recorded.past.unrated


def test_pre_commit_runs_lint_and_test() -> None:
    checks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    [repository] = checks["repos"]
    assert repository["repo"] == "local"
    assert [hook["entry"] for hook in repository["hooks"]] == ["make lint", "make test"]
    for hook in repository["hooks"]:
        subprocess.run([*hook["entry"].split(), "-n"], cwd=ROOT, check=True, capture_output=True)


def test_every_page_is_in_the_index() -> None:
    listed = {found[0] for found in LINK.findall(INDEX.read_text(encoding="utf-8"))}
    assert {page.name for page in DOCS.glob("*.md")} - {INDEX.name} <= listed


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_resolve(page: Path) -> None:
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        linked = page.parent / target
        assert linked.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            names = [re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings]
            assert anchor[1:] in names


def cluster_commands(address: str, home: Path) -> Iterator[list[str]]:
    """The commands of the page as written, except for the address and fewer matches."""
    page = text_of("cluster.md")
    commands = re.findall(r"^kibitz (.+?)(?: +#.*)?$", page, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        words = shlex.split(re.sub(r"--games \d+", "--games 4", command))
        words[words.index("--cluster") + 1] = address
        yield [*words, "--home", str(home)]


def test_cluster_page_commands_ask_for_a_cluster(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until they need one, which is not there."""
    monkeypatch.setattr(cluster_module, "TIMEOUT", 0.2)
    for words in cluster_commands("tcp://127.0.0.1:1", tmp_path):
        assert run(words) != 0
        assert "No cluster answers at tcp://127.0.0.1:1;" in capsys.readouterr().err


@pytest.mark.slow
def test_cluster_page_commands_work(
    cluster: LocalCluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in cluster_commands(cluster.address, tmp_path):
        assert run(words) == 0
        told = capsys.readouterr()
        assert told.out
        assert not told.err
