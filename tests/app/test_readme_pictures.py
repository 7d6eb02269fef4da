"""The pictures in the README, made from the running app by `make readme-pictures`."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"


@pytest.mark.parametrize(
    ("name", "start", "largest"),
    [("table.png", b"\x89PNG", 150_000), ("play.gif", b"GIF89a", 1_500_000)],
)
def test_readme_shows_a_small_picture(name: str, start: bytes, largest: int) -> None:
    content = (PICTURES / name).read_bytes()
    assert content.startswith(start)
    assert len(content) < largest
    assert f"](docs/pictures/{name})" in (ROOT / "README.md").read_text(encoding="utf-8")
