"""Private methods of Textual and textual-serve that we override must not change unnoticed."""

import inspect
from collections.abc import Iterator
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOREIGN = ("textual", "textual_serve", "textual_plotext", "aiohttp")


def overrides() -> Iterator[tuple[str, object]]:
    """Every private method of ours that replaces one of another package."""
    for path in sorted([*(ROOT / "app/ui").rglob("*.py"), *(ROOT / "app/web").rglob("*.py")]):
        module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
        for _, ours in inspect.getmembers(module, inspect.isclass):
            if ours.__module__ != module.__name__:
                continue
            for name, value in vars(ours).items():
                if not name.startswith("_") or name.startswith("__") or not callable(value):
                    continue
                for base in ours.__mro__[1:]:
                    if name in vars(base) and base.__module__.partition(".")[0] in FOREIGN:
                        yield f"{ours.__name__}.{name}", vars(base)[name]
                        break


KNOWN = {
    "KibitzApp._on_exit_app": "5e486e9dd101",
    "ConfiguredApp._handle_exception": "baea2e7f88e7",
    "ConfiguredApp._fatal_error": "2474616cec7f",
    "Palette._action_command_list": "48813d9c9f89",
    "Palette._start_no_matches_countdown": "0bc07d179471",
    "Palette._refresh_command_list": "09d737ad428b",
    "Rows._on_click": "d46f17d288ea",
    "KibitzServer._make_app": "f49af73ecb6e",
    "VisitorProcess._open_app_process": "1202e78eb3e9",
}
"""For each override, a checksum of the source it replaces. If one is wrong, read the new source,
check that ours still fits, and enter the new checksum."""


@pytest.mark.parametrize(
    ("name", "replaced"), [pytest.param(*each, id=each[0]) for each in overrides()]
)
def test_replaced_method_is_the_one_we_know(name: str, replaced: object) -> None:
    source = inspect.getsource(replaced)  # type: ignore[arg-type]
    assert KNOWN.get(name) == sha256(source.encode()).hexdigest()[:12]


def test_every_known_override_exists() -> None:
    assert set(KNOWN) == {name for name, _ in overrides()}
