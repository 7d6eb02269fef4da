"""The felt over a match of each game, in windows of four sizes: nothing overlaps or is cut off."""

from random import Random
from typing import Any

import pytest
from textual.content import Content

from app.match.moment import Moment
from app.match.narration import Narration
from app.match.seating import PERSON, Seating, TablePlan
from app.ui.layout.boxes import Box
from app.ui.layout.card_art import CHIP, COMPACT, LARGE, NORMAL, SIZES
from app.ui.layout.felt_layout import FeltPlan, SeatSpot, hand_size
from app.ui.layout.pictures import HeldCard, SeatPicture, Tally
from app.ui.screens.board import score_of
from app.ui.tables import table_class
from app.ui.tables.base import Table
from app.ui.widgets.felt import Felt, plan_felt, shortened
from app.ui.widgets.status import spread
from engine import GAMES
from engine.game import OVER

TABLES = {
    "euchre": 3,
    "smear": 4,
    "truco": 2,
    "fodinha": 4,
    "notty": 2,
}
FELTS = {(60, 20): (58, 9), (80, 24): (78, 12), (120, 40): (76, 22), (200, 50): (130, 32)}
"""For each window the columns and rows of the felt beside the hand."""

MOST_ACTIONS = 150


def moments(game: str, seats: int, **options: int) -> list[tuple[Table[Any], Moment]]:
    """The moments of the beginning of a match between random players."""
    rng = Random(4711)
    state = GAMES[game].new(4711, None, None, **options)
    state.record_events()
    plan = TablePlan(game, (PERSON, *["hard"] * (seats - 1)))
    table = table_class(game)(GAMES[game], Seating.of(plan))
    narration = Narration(state, table)
    found = []
    for _ in range(MOST_ACTIONS):
        if state.turn == OVER:
            break
        seat, before = state.turn, narration.views()
        asked = Moment(state.view(0), asked=seat, legal=tuple(state.legal()) if not seat else ())
        found.append((table, asked))
        action = rng.choice(state.legal())
        state.apply(action)
        narration.add(seat, action, state.take_events(), before)
        found.append((table, narration.moment()))
        narration.dismiss_ending()
    return found


def assert_free(plan: FeltPlan, width: int, height: int) -> None:
    boxes = list(plan.boxes())
    for number, box in enumerate(boxes):
        assert is_inside(box, Box(0, 0, width, height))
        assert not any(box.touches(other, 0) for other in boxes[number + 1 :])
    for spot in plan.seats:
        assert is_inside(spot.plate, spot.box)
        assert all(is_inside(Box(x, y, *spot.size), spot.box) for x, y in spot.cards)


def is_inside(box: Box, other: Box) -> bool:
    across = other.x <= box.x and box.right <= other.right
    return across and other.y <= box.y and box.bottom <= other.bottom


@pytest.mark.parametrize("window", FELTS)
@pytest.mark.parametrize("game", TABLES)
def test_nothing_overlaps_through_a_match(game: str, window: tuple[int, int]) -> None:
    width, height = FELTS[window]
    for table, moment in moments(game, TABLES[game]):
        plan = plan_felt(
            width,
            height,
            table.seats(moment),
            table.felt(moment),
            table.badges(moment),
            table.tallies(moment),
            2 if table.felt_lines(moment) else 0,
        )
        assert_free(plan, width, height)


@pytest.mark.parametrize("window", FELTS)
def test_ten_players_sit_around_the_table(window: tuple[int, int]) -> None:
    width, height = FELTS[window]
    for table, moment in moments("fodinha", 10, players=10, range=13)[:80]:
        plan = plan_felt(
            width, height, table.seats(moment), table.felt(moment), table.badges(moment)
        )
        assert_free(plan, width, height)
        assert all(spot.plate.width >= 6 for spot in plan.seats)


@pytest.mark.parametrize(("window", "size"), [((80, 24), NORMAL), ((120, 40), LARGE)])
def test_trick_has_the_largest_cards_that_fit(window: tuple[int, int], size: Any) -> None:
    table, moment = moments("euchre", 3)[-1]
    width, height = FELTS[window]
    plan = plan_felt(width, height, table.seats(moment), table.felt(moment), table.badges(moment))
    assert plan.size == size


@pytest.mark.parametrize("window", list(FELTS)[1:])
@pytest.mark.parametrize("game", ["euchre", "smear", "truco"])
def test_trick_keeps_its_size_and_columns(game: str, window: tuple[int, int]) -> None:
    """Captions and the number of cards in hands change all the time."""
    width, height = FELTS[window]
    seen = set()
    for table, moment in moments(game, TABLES[game]):
        laid = table.felt(moment)
        if len(laid) == TABLES[game] and moment.ending is None:
            plan = plan_felt(width, height, table.seats(moment), laid, table.badges(moment))
            seen.add((plan.size, tuple([box.x for box in plan.laid])))
    assert len(seen) == 1


def test_open_hands_are_always_visible() -> None:
    """The dummy, also beside the panel of a window of 80 × 24."""
    table, moment = moments("euchre", 3)[-1]
    for width, height in [(39, 12), *FELTS.values()]:
        plan = plan_felt(
            width, height, table.seats(moment), table.felt(moment), table.badges(moment)
        )
        dummy = plan.seats[1]
        assert len(dummy.cards) == 5
        assert_free(plan, width, height)


@pytest.mark.parametrize("count", range(1, 21))
@pytest.mark.parametrize(("width", "height"), [(58, 17), (39, 21), (78, 21), (76, 35), (130, 45)])
def test_hand_fits(count: int, width: int, height: int) -> None:
    size, rows = hand_size(width, height, count)
    assert size in SIZES
    per_row = -(-count // rows)
    assert size.width + 3 * (per_row - 1) <= width
    assert rows == 1 or size == COMPACT
    assert size.height * rows <= height // 2


def test_held_card_is_offered_if_it_can_be_played_or_marked() -> None:
    table, _ = moments("euchre", 3)[0]
    face = table.faces[0]
    assert not HeldCard(0, face).offered
    assert HeldCard(0, face, 3).offered
    assert HeldCard(0, face, marks=True).offered


@pytest.mark.parametrize(
    ("caption", "room", "shown"),
    [
        ("★ You take it", 13, "★ You take it"),
        ("★ You take it", 11, "★ You"),
        ("★ West takes it", 13, "★ West"),
        ("North leads", 9, "North"),
        ("×Flora", 6, "×Flora"),
        ("×Flora", 5, "Flora"),
        ("×Flora", 4, "Flo…"),
    ],
)
def test_captions_shrink_to_the_name(caption: str, room: int, shown: str) -> None:
    assert shortened(caption, room) == shown


@pytest.mark.parametrize(("room", "levels"), [(14, False), (15, True)])
def test_plates_of_a_crowd_show_the_level_or_none(room: int, levels: bool) -> None:
    """Flora's plate is the widest."""
    seats = [SeatPicture(f"{name} · easy", sign="♟") for name in ("Dora", "Edu", "Flora", "Gil")]
    felt = Felt(ascii_only=False)
    felt.pictures = seats
    spots = [SeatSpot(box, box, (), CHIP) for box in (Box(0, 0, room, 2),) * len(seats)]
    assert felt.shows_levels(spots) is levels


def test_status_line_without_a_middle_uses_its_whole_width() -> None:
    line = (Content(" deck 81 cards   Your turn"), Content(""), Content("r opens the rules. "))
    assert spread(line, 47).plain == " deck 81 cards   Your turn  r opens the rules."


def test_status_line_keeps_the_score_as_players_do() -> None:
    pegs = [Tally("You", 3, 5, "pegs"), Tally("West", 4, 5, "pegs")]
    assert score_of(pegs).plain == "You ●●●·· 3 : 4 ●●●●· West"
    sticks = [Tally("You", 7, 40, "sticks"), Tally("North", 22, 40, "sticks")]
    assert score_of(sticks).plain == "You malas ┃┃┃┃╱ ┃┃ 7 : 22 buenas ┃┃ North"
    assert not score_of(pegs[:1])
