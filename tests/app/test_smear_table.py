"""A person at a Smear table: bets, trump, revokes, whole matches, the score sheet."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from agents.match import Match
from agents.storage.store import Store
from app.match.dealing import Deal, make_players
from app.match.moment import Ending, HandResult, Moment
from app.match.seating import PERSON, Seating, TablePlan, plan_table
from app.ui.app import KibitzApp
from app.ui.screens.home import HomeScreen
from app.ui.tables.smear import SmearTable
from app.ui.widgets.choices import Choices
from app.ui.widgets.hand import Hand
from engine.game import Event
from engine.games.smear import BETTING, NAMING, PACK, PLAYING, SmearState, SmearView
from engine.games.smear import GAME as SMEAR
from tests.app.driving import (
    answer_by_keyboard,
    answer_by_mouse,
    at_table,
    click_on,
    in_windows,
    is_over,
    make_app,
    moment_of,
    open_tab,
    prompt_of,
    tab_drawn,
    table_of,
    text_of,
    to_question,
    wait_until,
)

# Six cards for each of You, West, North and East; East deals unless it is said otherwise.
DECK = (
    "AS KS JS 2S 10H 9H",
    "3S QS 10S AH KH 5H",
    "4S 9S AD KD 10D 2D",
    "5S QH JH 4H 3H 2H",
)
SECOND_DECK = (
    "AS 2H 5H 4D 3C AC",
    "3S KS 10H 2D 10D KD",
    "4S JS 4H 5D QD 5C",
    "3H 9H JH 4C 10C QC",
)
PLAY = (
    "AS 3S 4S 5S",
    "KS QS 9S 2H",
    "JS 10S AD 3H",
    "2S 5H 10D 4H",
    "9H AH KD JH",
    "KH 2D QH 10H",
)
YOU_BET_FOUR = ("bet 4", "pass", "pass", "pass", "trump spades")
LOST_HAND = ("bet 4", "pass", "pass", "pass", "trump hearts", "play 10H", "play KH")
WEST_BETS = ("pass", "bet 2", "pass", "pass", "trump spades")
AGAINST_RANDOM = (PERSON, "random", "random", "random")
Arrange = Callable[..., TablePlan]


def table(seats: Sequence[str] = (PERSON, "hard", "hard", "hard")) -> SmearTable:
    return SmearTable(SMEAR, Seating.of(TablePlan("smear", tuple(seats))))


def cards(*tricks: str) -> list[str]:
    return [f"play {code}" for trick in tricks for code in trick.split()]


def state_after(*labels: str, dealer: int = 3, revoke: str = "forbid") -> SmearState:
    """DECK goes to seats 0 to 3 whoever deals."""
    dealt = [DECK[(dealer + place) % 4] for place in range(1, 5)]
    state = SMEAR.new(seed=1, deck=" ".join(dealt).split(), first=dealer, revoke=revoke)
    state.record_events()
    for label in labels:
        state.apply(state.parse(label))
    return state


def play_second_hand(state: SmearState) -> None:
    """Seat 0 deals, bets two and is set."""
    state.deal(PACK.stack(" ".join(SECOND_DECK).split(), PACK.cards))
    for label in ("pass", "pass", "pass", "bet 2", "trump clubs"):
        state.apply(state.parse(label))
    while state.hand_no == 2:
        state.apply(state.legal()[0])


def asked(state: SmearState) -> Moment:
    return Moment(state.view(0), asked=0, legal=tuple(state.legal()))


def ended(before: SmearState, card: str, after: SmearState, sentence: str = "Over.") -> Moment:
    """The moment at which that card has ended the hand."""
    view = after.view(0)
    result = HandResult(1, tuple(after.hand_returns()), sentence, view)
    last = (before.turn, before.parse(f"play {card}"))
    return Moment(
        before.view(0),
        last=last,
        events=tuple(after.take_events()),
        ending=Ending(sentence, False),
        results=(result,),
    )


def told(state: SmearState) -> list[str]:
    """What was told since the beginning, from the events."""
    return [table().tell_event(state.view(0), event) for event in state.take_events()]


@pytest.fixture
def arrange(monkeypatch: pytest.MonkeyPatch) -> Arrange:
    """A table where DECK was dealt and some actions have been taken."""

    def begin(*labels: str, dealer: int = 3, revoke: str = "forbid") -> TablePlan:
        def deal(plan: TablePlan, store: Store, rotates_start: bool) -> Deal:
            state = state_after(*labels, dealer=dealer, revoke=revoke)
            return Deal(Match(state, make_players(plan, store), 1, record=True), 1)

        monkeypatch.setattr("app.ui.screens.table.deal", deal)
        return plan_table("smear", AGAINST_RANDOM, {"revoke": revoke}, delay=0.0, seed=1)

    return begin


def place_of(app: KibitzApp, code: str) -> int:
    return [card.face.code for card in table_of(app).cards()].index(code)


def smear_view(app: KibitzApp) -> SmearView:
    view = moment_of(app).view
    assert isinstance(view, SmearView)
    return view


# The auction


@pytest.mark.parametrize(
    ("labels", "question", "choices"),
    [
        ("", "Nobody has bet yet: bet 2, 3 or 4, or pass.", "Pass, Bet 2, Bet 3, Bet 4"),
        ("pass, bet 2, pass", "North bet 2: bet 3 or 4, or pass.", "Pass, Bet 3, Bet 4"),
        ("bet 2, bet 3, pass", "North bet 3: bet 4, or pass.", "Pass, Bet 4"),
        (
            "bet 4, pass, pass",
            "West bet 4, and no bet is higher: you can only pass.",
            "Pass",
        ),
        (
            "pass, pass, pass",
            "All have passed. You deal, so you are screwed: you have to bet 2.",
            "Bet 2",
        ),
    ],
)
def test_the_question_says_what_was_bet_and_what_is_possible(
    labels: str, question: str, choices: str
) -> None:
    state = state_after(*labels.split(", "), dealer=0) if labels else state_after()
    moment = asked(state)
    assert table().prompt(moment) == question
    assert [choice.text for choice in table().choices(moment)] == choices.split(", ")
    assert not any(card.offered for card in table().hand(moment))


def test_bets_lie_before_the_seats_and_the_highest_is_bright() -> None:
    moment = Moment(state_after("bet 2", "pass", "bet 3").view(0))
    laid = [
        (card.place, card.face.words if card.face else "", card.caption, card.bright)
        for card in table().felt(moment)
    ]
    assert laid == [
        ("bottom", "bet 2", "You bet 2", False),
        ("left", "pass", "West passes", False),
        ("top", "bet 3", "North bets 3", True),
        ("right", "", "East deals", False),
    ]
    assert [seat.note for seat in table().seats(moment)] == ["passed", "bet 3", "dealer"]
    assert table().hand_caption(moment) == "bet 2"


def test_a_screwed_dealer_is_marked_before_and_after_the_bet() -> None:
    before = state_after("pass", "pass", "pass")
    assert table().seats(Moment(before.view(0)))[2].note == "screwed, bets 2"
    assert table().felt(Moment(before.view(0)))[3].caption == "East is screwed"
    assert table().tell_action(before.view(0), 3, before.parse("bet 2")) == (
        "East is screwed and bets 2."
    )
    after = state_after("pass", "pass", "pass", "bet 2", "trump hearts")
    assert table().seats(Moment(after.view(0)))[2].note == "screwed: bet 2"


def test_the_highest_bettor_names_trump_from_four_suits() -> None:
    moment = asked(state_after("bet 3", "pass", "pass", "pass"))
    assert table().prompt(moment) == (
        "Your bet of 3 is the highest: name the trump suit, then lead."
    )
    assert [choice.text for choice in table().choices(moment)] == [
        "♠ spades",
        "♥ hearts",
        "♦ diamonds",
        "♣ clubs",
    ]


def test_the_status_names_trump_bet_game_points_and_dealer() -> None:
    def facts(*labels: str) -> list[str]:
        return [str(fact) for fact in table().facts(state_after(*labels).view(0))]

    assert facts() == ["no trump yet", "no bet yet", "dealer East"]
    assert facts("bet 3") == ["no trump yet", "You bet 3", "dealer East"]
    assert facts(*YOU_BET_FOUR, *cards(*PLAY[:3])) == [
        "trump ♠ spades",
        "You bet 4",
        "game 24:0",
        "dealer East",
    ]


async def test_bet_and_trump_by_number_and_by_mouse(tmp_path: Path, arrange: Arrange) -> None:
    app = make_app(tmp_path, arrange("pass", dealer=2))
    async with app.run_test(size=(80, 24)) as pilot:
        await to_question(pilot, app)
        assert smear_view(app).phase == BETTING
        await pilot.press("4")
        await wait_until(pilot, lambda: smear_view(app).phase == NAMING)
        await to_question(pilot, app)
        assert "1 ♠ spades    2 ♥ hearts    3 ♦ diamonds    4 ♣ clubs" in text_of(app)
        bar = table_of(app).query_one(Choices)
        await pilot.click(Choices, offset=bar.middle_of(0))
        await wait_until(pilot, lambda: smear_view(app).phase == PLAYING)
        await to_question(pilot, app)
        assert prompt_of(app) == "You lead: play any card."
        assert "trump ♠ spades   You bet 4   game 0:0" in text_of(app)


# The play


@pytest.mark.parametrize(
    ("labels", "question", "playable"),
    [
        (YOU_BET_FOUR, "You lead: play any card.", "AS KS JS 2S 10H 9H"),
        (
            (*WEST_BETS, *cards("AH 2D 2H")),
            "Hearts were led: follow with a heart, or trump with a spade.",
            "AS KS JS 2S 10H 9H",
        ),
        (
            (*WEST_BETS, *cards("QS 4S 5S")),
            "Trump was led: follow with a spade.",
            "AS KS JS 2S",
        ),
        (
            ("pass", "bet 2", "pass", "pass", "trump clubs", *cards("QS 4S 5S")),
            "Spades were led: follow with a spade.",
            "AS KS JS 2S",
        ),
        (
            ("pass", "pass", "bet 2", "pass", "trump spades", *cards("AD 2H")),
            "Diamonds were led and you have none: play any card.",
            "AS KS JS 2S 10H 9H",
        ),
    ],
)
def test_following_is_explained(labels: tuple[str, ...], question: str, playable: str) -> None:
    moment = asked(state_after(*labels))
    assert table().prompt(moment) == question
    offered = [card.face.code for card in table().hand(moment) if card.action is not None]
    assert offered == playable.split()


def test_trumps_stand_first_in_the_hand() -> None:
    moment = asked(state_after("bet 2", "pass", "pass", "pass", "trump hearts"))
    assert [card.face.code for card in table().hand(moment)] == DECK[0].split()[-2:] + (
        DECK[0].split()[:4]
    )


def test_the_taken_trick_stays_until_the_next_lead_and_k_tells_it() -> None:
    state = state_after(*YOU_BET_FOUR)
    assert table().last_trick(state.view(0)) == "No trick has been taken in this hand yet."
    for label in cards(PLAY[0]):
        state.apply(state.parse(label))
    laid = table().felt(asked(state))
    assert [card.face.code for card in laid if card.face] == PLAY[0].split()
    assert [card.caption for card in laid] == ["You take it", "West", "North", "East"]
    assert table().last_trick(state.view(0)) == (
        "Last trick: You A♠, West 3♠, North 4♠, East 5♠. You took it."
    )


def test_a_new_hand_does_not_show_the_trick_of_the_last_one() -> None:
    state = state_after(*YOU_BET_FOUR, *cards(*PLAY))
    for label in ("bet 2", "pass", "pass", "pass"):
        state.apply(state.parse(label))
    state.apply(state.parse("trump hearts"))
    assert not any(card.face for card in table().felt(Moment(state.view(0))))
    assert table().last_trick(state.view(0)).startswith("No trick has been taken")


def test_open_hands_show_every_card() -> None:
    state = state_after()
    views = tuple(state.view(seat) for seat in range(4))
    pictures = table().seats(Moment(views[0], views))
    assert [len(picture.cards) for picture in pictures] == [6, 6, 6]
    assert [picture.backs for picture in pictures] == [0, 0, 0]
    closed = table().seats(Moment(views[0]))
    assert [(len(picture.cards), picture.backs) for picture in closed] == [(0, 6)] * 3


# Revokes


@pytest.mark.parametrize("mouse", [False, True])
async def test_a_forbidden_card_is_refused_with_the_reason(
    tmp_path: Path, arrange: Arrange, mouse: bool
) -> None:
    app = make_app(tmp_path, arrange(*WEST_BETS, *cards("QS 4S 5S")))
    async with app.run_test(size=(80, 24)) as pilot:
        question = await to_question(pilot, app)
        place = place_of(app, "9H")
        hand = table_of(app).query_one(Hand)
        for _ in range(2):
            if mouse:
                await pilot.click(Hand, offset=hand.middle_of(place))
            else:
                await pilot.press(str(place + 1))
        await pilot.pause()
        assert prompt_of(app) == "Trump was led: follow with a spade."
        assert table_of(app).query_one("#prompt").has_class("-remark")
        assert moment_of(app) == question


@pytest.mark.parametrize("way", ["number", "arrows", "mark", "mouse"])
async def test_a_revoke_is_played_only_when_chosen_twice(
    tmp_path: Path, arrange: Arrange, way: str
) -> None:
    app = make_app(tmp_path, arrange(*WEST_BETS, *cards("QS 4S 5S"), revoke="penalty"))
    async with app.run_test(size=(80, 24)) as pilot:
        question = await to_question(pilot, app)
        place = place_of(app, "9H")
        keys = {
            "number": [str(place + 1)],
            "arrows": [*["right"] * (place + 1), "enter"],
            "mark": [*["right"] * (place + 1), "space", "enter"],
        }
        hand = table_of(app).query_one(Hand)
        if way == "mouse":
            await pilot.click(Hand, offset=hand.middle_of(place))
        else:
            await pilot.press(*keys[way])
        await pilot.pause()
        assert " ".join(prompt_of(app).split()) == (
            "The nine of hearts is a revoke: your side loses 4 and the hand ends. "
            "Press again to play it anyway."
        )
        assert "The nine of hearts is a revoke" in text_of(app)
        assert moment_of(app) == question
        if way == "mouse":
            await pilot.click(Hand, offset=hand.middle_of(place))
        else:
            await pilot.press(keys[way][-1])
        await wait_until(pilot, lambda: moment_of(app).ending is not None)
        await pilot.pause()
        ending = moment_of(app).ending
        assert ending is not None
        assert ending.sentence == "You revoked: You + North -4, and nobody else scores. Score -4:0."
        captions = [laid.caption for laid in table_of(app).table.felt(moment_of(app))]
        assert captions == ["You revoke", "West leads", "North", "East"]
        assert len(table_of(app).cards()) == 5
        assert list(moment_of(app).log)[-4:-2] == [
            "You play the nine of hearts.",
            "The nine of hearts is a revoke.",
        ]


async def test_another_choice_or_another_look_takes_the_warning_back(
    tmp_path: Path, arrange: Arrange
) -> None:
    app = make_app(tmp_path, arrange(*WEST_BETS, *cards("QS 4S 5S"), revoke="penalty"))
    async with app.run_test(size=(80, 24)) as pilot:
        question = await to_question(pilot, app)
        nine, ten = [str(place_of(app, code) + 1) for code in ("9H", "10H")]
        await pilot.press(nine, ten, nine, "k", nine)
        await pilot.pause()
        assert prompt_of(app).startswith("The nine of hearts is a revoke")
        assert moment_of(app) == question
        await pilot.press(str(place_of(app, "AS") + 1))
        await wait_until(pilot, lambda: smear_view(app).taken[0] > 0)
        assert "You take the trick, 6 towards game." in moment_of(app).log


# The end of a hand and of the match


def test_a_bet_that_is_made() -> None:
    assert told(state_after(*YOU_BET_FOUR, *cards(*PLAY)))[:-1] == [
        "You take the trick, 4 towards game.",
        "You take the trick, 5 towards game.",
        "You take the trick, 15 towards game.",
        "You take the trick, 10 towards game.",
        "West takes the trick, 8 towards game.",
        "West takes the trick, 15 towards game.",
        "You bet 4 and made it with low, high, jack and game (34 to 23): +4. Score 4:0.",
    ]


def test_a_bet_that_is_set() -> None:
    state = state_after(*LOST_HAND)
    while state.hand_no == 1:
        state.apply(state.legal()[0])
    assert told(state)[-2] == (
        "You bet 4 and are set with no point at all: -4. "
        "West + East: low, high, jack and game (47 to 10), +4. Score -4:4."
    )
    play_second_hand(state)
    assert told(state)[-2] == (
        "You bet 2 and are set with only game (35 to 15): -2. "
        "West + East: low and high, +2. Score -6:6."
    )


def test_the_end_of_a_hand_shows_the_whole_trick_and_who_took_it() -> None:
    labels = [*YOU_BET_FOUR, *cards(*PLAY)]
    before, after = state_after(*labels[:-1]), state_after(*labels)
    moment = ended(before, labels[-1].removeprefix("play "), after)
    laid = table().felt(moment)
    assert sorted(card.face.code for card in laid if card.face) == sorted(PLAY[-1].split())
    assert [card.caption for card in laid if card.bright] == ["West takes it"]
    assert table().hand(moment) == []
    assert [seat.backs for seat in table().seats(moment)] == [0, 0, 0]
    assert table().prompt(moment) == "Over."


@pytest.mark.parametrize(
    ("scores", "shares", "sentence"),
    [
        ((11, -3), (1.0, 0.0), "You + North win the match."),
        (
            (12, 11),
            (0.0, 1.0),
            "Both sides have 11, and the bettor's side counts first: West + East win the match.",
        ),
        ((-70, -70), (0.5, 0.5), "After 1 hands the match is a draw."),
    ],
)
def test_the_end_of_the_match(
    scores: tuple[int, int], shares: tuple[float, float], sentence: str
) -> None:
    state = state_after()
    state.points = tuple(scores)
    assert table().tell_event(state.view(0), Event("match", points=shares)) == sentence


def test_actions_and_deals_are_plain_sentences() -> None:
    state = state_after()
    tell = table().tell_action
    for seat, label, sentence in (
        (0, "pass", "You pass."),
        (1, "bet 3", "West bets 3."),
        (2, "trump hearts", "North names hearts as trump."),
        (0, "play AS", "You lead the ace of spades."),
    ):
        assert tell(state.view(0), seat, state.parse(label)) == sentence
    assert tell(state_after(*YOU_BET_FOUR, "play AS").view(0), 1, state.parse("play 3S")) == (
        "West plays the three of spades."
    )
    assert table().opening(state.view(0)) == (
        "You and North play against West and East. Hand 1: East deals, You bet first."
    )
    assert told(state) == []
    assert told(state_after(*YOU_BET_FOUR, *cards(*PLAY)))[-1] == (
        "Hand 2: You deal, West bets first."
    )
    assert "not possible" in table().why_not(state.view(0), state.parse("trump clubs"))


# The score sheet


def test_the_sheet_before_the_first_hand_is_empty() -> None:
    sheet = str(table().score_sheet(Moment(state_after().view(0))))
    assert sheet.splitlines() == [
        "                    You +     West +",
        "first to 11         North       East",
        "",
        "No hand has been played yet.",
    ]


def test_the_sheet_has_the_last_hand_first_and_running_scores() -> None:
    state = state_after(*YOU_BET_FOUR, *cards(*PLAY))
    first = HandResult(1, (4, 0), "", state.view(0))
    state.points = (4, -5)
    play_second_hand(state)
    second = HandResult(2, (-2, 2), "", state.view(0))
    lines = str(table().score_sheet(Moment(state.view(0), results=(first, second)))).splitlines()
    assert lines[3:8] == [
        " 2 You 2♣               2         -3",
        "   set             (G) -2     L H +2",
        "",
        " 1 You 4♠               4          0",
        "   made        L H J G +4          0",
    ]


def test_a_revoke_on_the_sheet() -> None:
    revoked = state_after(*WEST_BETS, *cards("QS 4S 5S 9H"), revoke="penalty")
    result = HandResult(1, (-4, 0), "", revoked.view(0))
    lines = str(table().score_sheet(Moment(revoked.view(0), results=(result,)))).splitlines()
    assert lines[3:5] == [
        " 1 West 2♠             -4          0",
        "   revoke              -4          0",
    ]


# Whole matches


async def test_a_whole_match_by_keyboard(tmp_path: Path) -> None:
    app = make_app(tmp_path, plan_table("smear", AGAINST_RANDOM, delay=0.0, seed=91))
    async with app.run_test(size=(80, 24)) as pilot:
        while not is_over(app):
            await to_question(pilot, app)
            if not is_over(app):
                await answer_by_keyboard(pilot, app)
        ending = moment_of(app).ending
        assert ending is not None
        assert ending.sentence.endswith("Score 11:-21. You + North win the match.")
        await pilot.pause()
        assert " ".join(text_of(app).split()).count(ending.sentence) == 1
        await pilot.press("6")
        await wait_until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_a_whole_match_by_mouse_and_another_one(tmp_path: Path) -> None:
    seats = ["random", "random", "you", "random"]
    app = make_app(tmp_path, plan_table("smear", seats, delay=0.0, seed=20), ascii_only=True)
    async with app.run_test(size=(60, 20)) as pilot:
        while not is_over(app):
            await to_question(pilot, app)
            if not is_over(app):
                await answer_by_mouse(pilot, app)
        ending = moment_of(app).ending
        assert ending is not None
        assert ending.sentence.endswith("Score 12:-21. North + You win the match.")
        await pilot.pause()
        assert " ".join(text_of(app).split()).count(ending.sentence) == 1
        first = table_of(app)
        await click_on(pilot, app, "Again")
        await wait_until(pilot, lambda: at_table(app) and table_of(app) is not first)
        assert table_of(app).plan.match_no == 2


async def test_watching_shows_all_four_hands(tmp_path: Path) -> None:
    plan = plan_table("smear", ["random"] * 4, delay=0.0, seed=4, watch=True)
    app = make_app(tmp_path, plan)
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: at_table(app))
        await pilot.press("p")
        await wait_until(pilot, lambda: moment_of(app).paused or is_over(app))
        assert len(moment_of(app).views) == 4
        assert "South · random" in text_of(app)


# Pictures


async def test_pictures(
    tmp_path: Path, arrange: Arrange, same_picture: Callable[[KibitzApp, str], None]
) -> None:
    """The auction, a warning before a revoke, and the sheet at the end of a hand."""
    sizes = [(60, 20), (80, 24), (120, 40)]
    app = make_app(tmp_path, arrange("pass", "bet 2", "pass", dealer=0))
    async with app.run_test(size=sizes[0]) as pilot:
        await to_question(pilot, app)
        async for width, height in in_windows(pilot, sizes):
            same_picture(app, f"smear-{width}x{height}-bets")
    app = make_app(tmp_path, arrange(*WEST_BETS, *cards("QS 4S 5S"), revoke="penalty"))
    async with app.run_test(size=sizes[0]) as pilot:
        await to_question(pilot, app)
        await pilot.press(str(place_of(app, "9H") + 1))
        async for width, height in in_windows(pilot, sizes):
            same_picture(app, f"smear-{width}x{height}-revoke")
    app = make_app(tmp_path, arrange(*YOU_BET_FOUR, *cards(*PLAY)[:-1]))
    async with app.run_test(size=sizes[0]) as pilot:
        await to_question(pilot, app)
        await answer_by_keyboard(pilot, app)
        await wait_until(pilot, lambda: moment_of(app).ending is not None)
        await open_tab(pilot, app, "s")
        async for width, height in in_windows(pilot, sizes):
            await tab_drawn(pilot, app)
            same_picture(app, f"smear-{width}x{height}-hand-over")
