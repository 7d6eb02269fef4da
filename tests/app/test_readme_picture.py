"""The picture in the README, made from the running app by `make readme-picture`."""

from collections.abc import Callable
from pathlib import Path

from app.match.seating import PERSON, plan_table
from app.ui.app import KibitzApp
from tests.app.driving import answer_first, make_app, moment_of, to_question, wait_until

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "table"


async def test_smear_table_with_a_hint(
    tmp_path: Path, same_picture: Callable[[KibitzApp, str | Path], None]
) -> None:
    """No learner sits at this table, so that training does not change the picture."""
    plan = plan_table("smear", [PERSON, "hard", "easy", "hard"], delay=1.0, seed=4)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(120, 40)) as pilot:
        while not getattr((await to_question(pilot, app)).view, "trick", ()):
            answer_first(app)
        await pilot.press("question_mark")
        await wait_until(pilot, lambda: moment_of(app).advice is not None)
        await pilot.pause()
        same_picture(app, PICTURE)


def test_readme_shows_the_picture() -> None:
    root = PICTURE.parents[2]
    shown = PICTURE.with_suffix(".svg").relative_to(root)
    assert f"]({shown})" in (root / "README.md").read_text(encoding="utf-8")
