"""Settings: saved in a file, applied immediately, and harmless when broken."""

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textual.theme import BUILTIN_THEMES
from textual.widgets import Static

from agents.plain_text import is_safe
from app.cli import run
from app.home.decks import DECKS
from app.home.settings import (
    Settings,
    SettingsError,
    as_toml,
    problem_with,
    read_settings,
    write_settings,
)
from app.ui.app import KibitzApp
from app.ui.screens.command_keys import TABLES, checked, commands, conflicts
from app.ui.screens.press_key import PressKey
from app.ui.screens.settings import SettingsScreen
from app.ui.suit_colours import contrast, ink_variables
from app.ui.tables import table_class
from app.ui.widgets.cycle import Cycle
from app.ui.widgets.key_row import KeyRow
from engine.manifest import GAME_ROWS, VARIANTS
from tests.app.driving import make_app, wait_until


def test_missing_file_gives_the_defaults(tmp_path: Path) -> None:
    assert read_settings(tmp_path / "settings.toml") == (Settings(), [])


def test_written_settings_are_read_back(tmp_path: Path) -> None:
    changed = Settings(
        "textual-light",
        "two",
        True,
        0.25,
        True,
        True,
        False,
        False,
        "always",
        False,
        False,
        {"table.why": "y"},
    )
    assert write_settings(tmp_path / "new" / "settings.toml", changed) == ""
    assert read_settings(tmp_path / "new" / "settings.toml") == (changed, [])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("delay = 0.5\ndelay", "the file is broken"),
        ("delay = -3", "delay is -3; the smallest possible is 0"),
        ('delay = "slow"', "delay is 'slow'; it takes a value such as 1.0"),
        ("delay = nan", "delay is nan; the smallest possible is 0"),
        ("delay = 61", "delay is 61; the largest possible is 60"),
        ('deck = "five"', "deck is 'five'; choose one of: four, two, safe"),
        ("colour = 3", "there is no setting 'colour'"),
        ("[keys]\n'table.why' = 7", "keys is"),
    ],
)
def test_problem_is_reported_and_the_file_left_alone(
    tmp_path: Path, text: str, problem: str
) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    found, problems = read_settings(path)
    assert found == Settings()
    assert len(problems) == 1
    assert problem in problems[0]
    assert path.read_text() == text


def test_one_wrong_setting_does_not_affect_the_others(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text('delay = 2\ndeck = "five"\n')
    assert read_settings(path)[0] == Settings(delay=2.0)


def test_broken_file_is_renamed_when_settings_are_written(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("broken [")
    assert "settings.toml.broken" in write_settings(path, Settings())
    assert (tmp_path / "settings.toml.broken").read_text() == "broken ["
    assert read_settings(path) == (Settings(), [])


def test_unwritable_place_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match=r"cannot be saved: .*\.$"):
        write_settings(tmp_path / "file" / "settings.toml", Settings())


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_give_valid_settings(tmp_path: Path, contents: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(contents)
    found, _ = read_settings(path)
    assert all(not problem_with(each.name, getattr(found, each.name)) for each in fields(found))


SHOWN = st.text(max_size=8).filter(is_safe)


@given(st.dictionaries(SHOWN, SHOWN, max_size=4))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_keys_of_any_name_are_read_back(tmp_path: Path, keys: dict[str, str]) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(as_toml(Settings(keys=keys)), encoding="utf-8")
    assert read_settings(path)[0].keys == keys


def test_every_deck_has_every_colour() -> None:
    names = {
        frozenset(ink_variables(deck, dark, "#ffffff", "#000000"))
        for deck in DECKS
        for dark in (False, True)
    }
    assert len(names) == 1


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("name", [name for name in BUILTIN_THEMES if "ansi" not in name])
def test_every_suit_is_readable_on_every_theme(deck: str, name: str) -> None:
    theme = BUILTIN_THEMES[name]
    colours = theme.to_color_system().generate()
    inks = ink_variables(deck, theme.dark, colours["foreground"], colours["background"])
    ground = colours["background"]
    faint = [ink for ink, colour in inks.items() if contrast(colour, ground) < 4.5]
    assert not faint


def test_colours_change_only_on_a_background_with_low_contrast() -> None:
    assert ink_variables("four", True, "#ffffff", "#121212")["ink-hearts"] == "#e8504f"
    assert ink_variables("four", True, "#ffffff", "#303446")["ink-hearts"] != "#e8504f"


def test_terminal_background_keeps_the_colours() -> None:
    assert ink_variables("four", True, "#ffffff", "ansi_default")["ink-hearts"] == "#e8504f"


async def test_change_is_applied_and_saved(tmp_path: Path) -> None:
    app = make_app(tmp_path, tips=True)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("comma")
        await wait_until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        blue = app.theme_variables["ink-diamonds"]
        app.screen.query_one("#deck", Cycle).focus()
        await pilot.press("right")
        await wait_until(pilot, lambda: app.settings.deck == "two")
        assert app.get_css_variables()["ink-diamonds"] != blue
        app.screen.query_one("#delay", Cycle).focus()
        await pilot.press("left")
        await wait_until(pilot, lambda: app.delay == 0.5)
    saved, _ = read_settings(tmp_path / "settings.toml")
    assert saved == Settings(deck="two", delay=0.5, animations=False, teaching="never")


async def test_theme_chosen_in_the_palette_is_saved(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        app.theme = "textual-light"
        await wait_until(pilot, lambda: app.settings.theme == "textual-light")
    again = make_app(tmp_path)
    async with again.run_test(size=(80, 24)) as pilot:
        assert again.theme == "textual-light"


async def test_broken_settings_are_reported_in_the_app(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('theme = "no-such-theme"\ndelay = -1\n')
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await wait_until(pilot, lambda: len(app._notifications) == 2)
        sentence = " ".join([notification.message for notification in app._notifications])
        assert "no-such-theme" in sentence
        assert "the smallest possible is 0. The default is used." in sentence


async def test_key_can_be_changed(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('[keys]\n"home.settings" = "z"\n')
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("z")
        await wait_until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        assert row_of(app, "home.settings").keys == "z"


def row_of(app: KibitzApp, command: str) -> KeyRow:
    return next(row for row in app.screen.query(KeyRow) if row.command == command)


async def test_keys_of_games_are_changed_by_pressing_them(tmp_path: Path) -> None:
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("comma")
        await wait_until(pilot, lambda: bool(app.screen.query(KeyRow)))
        row = row_of(app, "euchre.order-up")
        row.focus()
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, PressKey))
        await pilot.press("w")
        problem = str(app.screen.query_one("#problem", Static).content)
        assert problem == "w is the key for 'Why' (Euchre). Press another key, or Esc."
        await pilot.press("enter")
        assert "is used on every screen" in str(app.screen.query_one("#problem", Static).content)
        await pilot.press("z")
        await wait_until(pilot, lambda: app.settings.keys == {"euchre.order-up": "z"})
        assert row.keys == "z"
        assert read_settings(tmp_path / "settings.toml")[0].keys == {"euchre.order-up": "z"}
        await pilot.press("delete")
        await wait_until(pilot, lambda: app.settings.keys == {})
        assert row.keys == "y"
        await pilot.press("enter")
        await wait_until(pilot, lambda: isinstance(app.screen, PressKey))
        await pilot.press("escape")
        await wait_until(pilot, lambda: isinstance(app.screen, SettingsScreen))
        assert app.settings.keys == {}


@pytest.mark.parametrize(
    ("keys", "clashing"),
    [
        ({"table.why": "y"}, [("y", "Order up", "Why"), ("y", "Steal on the right", "Why")]),
        ({"play.hint": "z", "table.why": "z"}, [("z", "Hint", "Why")]),
        ({"euchre.order-up": "z", "smear.pass": "z"}, []),
        ({"play.hint": "w", "table.why": "?"}, []),
        ({}, []),
    ],
)
def test_keys_with_two_meanings_are_found(
    keys: dict[str, str], clashing: list[tuple[str, str, str]]
) -> None:
    found = {(key, first.what, second.what) for _, key, first, second in conflicts(keys)}
    assert found == set(clashing)


@pytest.mark.parametrize(
    ("keys", "usable", "told"),
    [
        ({"play.hint": "z"}, ["play.hint"], []),
        (
            {"play.hint": "z", "table.why": "z"},
            ["play.hint"],
            ["z is the key for 'Hint' (All tables), so 'Why' keeps w"],
        ),
        ({"play.hint": "w", "table.why": "?"}, ["play.hint", "table.why"], []),
        (
            {"play.hint": "k", "table.why": "?"},
            [],
            [
                "k is the key for 'Trick' (All tables), so 'Hint' keeps ?",
                "? is the key for 'Hint' (All tables), so 'Why' keeps w",
            ],
        ),
        (
            {"euchre.order-up": "p", "truco.envido": "q"},
            [],
            [
                "q is the key for 'Quiero' (Truco Uruguayo, full), so 'Envido' keeps e",
                "p is the key for 'Pass' (Euchre), so 'Order up' keeps y",
            ],
        ),
        ({"table.why": "tab"}, [], ["tab is used on every screen, so 'Why' keeps w"]),
        ({"table.why": "foo"}, [], ["'foo' is not a key, so 'Why' keeps w"]),
        ({"table.why": "f5,ctrl+y,é", "table.take": "enter,j"}, ["table.why", "table.take"], []),
    ],
)
def test_keys_that_cannot_be_used_are_refused(
    keys: dict[str, str], usable: list[str], told: list[str]
) -> None:
    accepted, refused = checked(keys)
    assert accepted == {name: keys[name] for name in usable}
    assert [str(each) for each in refused] == told


async def test_file_with_clashing_keys(tmp_path: Path) -> None:
    """One sentence, the usual keys instead, and the file stays as it is."""
    keys = '[keys]\n"play.hint" = "z"\n"table.why" = "z"\n"home.lab" = "n"\n'
    (tmp_path / "settings.toml").write_text(keys)
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await wait_until(pilot, lambda: len(app._notifications) == 1)
        told = [notification.message for notification in app._notifications]
        assert app._keymap == {"play.hint": "z"}
        await pilot.press("comma")
        await wait_until(pilot, lambda: bool(app.screen.query(KeyRow)))
        assert row_of(app, "table.why").keys == "w"
        assert row_of(app, "play.hint").keys == "z"
    assert told == [
        "In settings.toml, n is the key for 'New table' (Home), so 'Lab' keeps b. "
        "1 more: run kibitz doctor."
    ]
    assert (tmp_path / "settings.toml").read_text() == keys


def test_doctor_names_keys_that_clash(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "settings.toml").write_text('[keys]\n"table.why" = "k"\n')
    assert run(["doctor", "--home", str(tmp_path)]) == 2
    assert capsys.readouterr().out == (
        f"{tmp_path / 'settings.toml'} has a key that cannot be used: k is the key for 'Trick' "
        "(All tables), so 'Why' keeps w; choose another key in Settings or in the file.\n"
    )


async def test_usual_key_in_use_is_not_given_back(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('[keys]\n"play.hint" = "w"\n"table.why" = "z"\n')
    app = make_app(tmp_path)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("comma")
        await wait_until(pilot, lambda: bool(app.screen.query(KeyRow)))
        row_of(app, "table.why").focus()
        await pilot.press("delete")
        await wait_until(pilot, lambda: bool(app._notifications))
        told = [notification.message for notification in app._notifications]
        assert told == ["w is the key for 'Hint' (All tables). Change that one first."]
        assert app.settings.keys == {"play.hint": "w", "table.why": "z"}


def test_settings_list_the_keys_of_every_game() -> None:
    """Each command once, under all the games that have it."""
    listed = commands()
    names = [each.name for each in listed]
    assert len(names) == len(set(names))
    for game, row in {**GAME_ROWS, **VARIANTS}.items():
        for binding in table_class(game).bindings:
            if binding.description and not binding.action.startswith("place("):
                where = next(each.where for each in listed if each.name == binding.id)
                assert row.title in where or where == TABLES
    where_of = {each.name: each.where for each in listed}
    assert where_of["table.spades"] == "Euchre and Smear"
    assert where_of["truco.envido"] == "Truco Uruguayo, full"


@pytest.mark.parametrize(
    "text",
    [
        f"delay = 0x{'F' * 9000}",
        "delay = 1" + "0" * 400,
        "delay = 1e400",
        "delay = nan",
        f"theme = '{'x' * 5000}'",
        'theme = "\\u001b]0;owned\\u0007"',
        f"{'a' * 5000} = 1",
        "delay = " + "[" * 5000,
        # Takes a time that grows with the square of the length; this one half a minute.
        ".".join(["a"] * 32_000) + " = 1",
        "delay = 1979-05-27",
        '[keys]\n"table.why" = "\\u001b"',
        "\n".join(f"x{number} = 1" for number in range(3000)),
    ],
)
def test_every_wrong_value_is_a_short_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.toml"
    path.write_text(text)
    settings, problems = read_settings(path)
    assert settings == Settings()
    assert 1 <= len(problems) <= 5
    assert all(len(problem) < 500 and is_safe(problem) for problem in problems)
