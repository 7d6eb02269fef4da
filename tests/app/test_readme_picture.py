"""The picture in the README: what the real app shows at a table, made by `make readme-picture`."""

from collections.abc import Callable
from pathlib import Path

from app.match.seating import PERSON, plan_table
from app.ui.app import KibitzApp
from tests.app.driving import answer_first, make_app, moment_of, to_question, wait_until

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "table"


async def test_a_table_of_smear_with_a_hint(
    tmp_path: Path, same_picture: Callable[[KibitzApp, str | Path], None]
) -> None:
    """Your partner takes the trick: the ten, which counts most, is to be smeared on it. None
    who learns sits at this table, so that the picture outlasts every training."""
    plan = plan_table("smear", [PERSON, "hard", "easy", "hard"], delay=1.0, seed=4)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(120, 40)) as pilot:
        while not getattr((await to_question(pilot, app)).view, "trick", ()):
            answer_first(app)
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: moment_of(app).advice is not None)
        await pilot.pause()
        same_picture(app, PICTURE)


def test_the_picture_is_shown() -> None:
    root = PICTURE.parents[2]
    shown = PICTURE.with_suffix(".svg").relative_to(root)
    assert f"]({shown})" in (root / "README.md").read_text(encoding="utf-8")
