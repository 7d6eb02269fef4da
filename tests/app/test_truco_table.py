"""The Truco table's pictures and sentences, from fixed deals."""

import pytest

from app.match.moment import HandResult, Moment
from app.match.narration import Narration
from app.match.seating import Seating, plan_table
from app.ui.tables.truco import TrucoTable
from engine.games.truco import FLOR, TrucoState
from engine.games.truco import GAME as TRUCO
from tests.app.endings import moment_after
from tests.app.truco_deal import DECK, FLORS, state_after, truco


def table() -> TrucoTable:
    return TrucoTable(TRUCO, Seating.of(truco()))


def asked(state: TrucoState, seat: int = 0) -> Moment:
    return Moment(state.view(seat), asked=seat, legal=tuple(state.legal()))


def texts(moment: Moment) -> list[str]:
    return [choice.text for choice in table().choices(moment)]


def lines(moment: Moment) -> list[str]:
    return [str(line) for line in table().felt_lines(moment)]


def test_status_line_shows_muestra_mano_and_stake() -> None:
    view = state_after("raise", "accept").view(0)
    assert [str(fact) for fact in table().facts(view)] == [
        "muestra 5 of copa",
        "mano You",
        "worth 2",
        "to 40",
    ]
    assert table().title_line(view) == "Truco Uruguayo · round 1"
    assert table().score_line(view) == "You 0 : 0 North"


@pytest.mark.parametrize(
    ("deck", "sentence"),
    [
        (DECK, "Piezas of copa, highest first: 2 4 12 (as the 5) 11 10"),
        ("4O 5O 6O 4E 5E 6E 3B", "Piezas of basto, highest first: 2 4 5 11 10"),
    ],
)
def test_piezas_are_listed_in_order(deck: str, sentence: str) -> None:
    moment = asked(state_after(deck=deck))
    assert lines(moment)[0] == sentence
    muestra, worth = table().badges(moment)
    assert (worth.title, worth.sign) == ("worth", "1")
    assert muestra.face is not None
    assert (muestra.face.code, muestra.title) == (deck.split()[-1], "muestra")


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        ([], "Worth 1; both may raise to truco."),
        (["raise"], "You say truco: worth 2 if accepted, else 1."),
        (["raise", "accept"], "Truco accepted, worth 2; North may raise to retruco."),
        (["raise", "raise"], "North says retruco: worth 3 if accepted, else 2."),
        (["raise", "raise", "accept"], "Retruco accepted, worth 3; you may raise to vale 4."),
        (["raise", "raise", "raise", "accept"], "Vale 4 accepted, worth 4, the maximum."),
    ],
)
def test_stake_line_names_the_player_who_may_raise(labels: list[str], sentence: str) -> None:
    """For those who only look on; the question of the player to answer says the same."""
    assert lines(Moment(state_after(*labels).view(0)))[-1] == sentence


def test_bids_and_flors_stay_visible() -> None:
    state = state_after("flor", "raise", "raise", "accept", "play 7E")
    moment = asked(state, 1)
    assert "Said: You flor · You truco · North retruco · You quiero" in lines(moment)
    (north,) = table().seats(Moment(state.view(0)))
    assert (north.title, north.backs, north.note) == ("North · random", 3, "says retruco")
    (you,) = table().seats(moment)
    assert you.note == "mano, flor, says quiero"


def test_turn_offers_every_card_a_raise_and_a_flor() -> None:
    moment = asked(state_after())
    assert table().prompt(moment) == ("You lead: play any card, or first raise to truco (worth 2).")
    assert [(held.face.code, held.action) for held in table().hand(moment)] == [
        ("12O", 0),
        ("7E", 1),
        ("4C", 2),
    ]
    assert texts(moment) == ["Truco (raise)", "Flor −3"]


def test_answers_are_quiero_no_quiero_and_the_next_bid() -> None:
    moment = asked(state_after("play 7E", "raise"))
    assert table().prompt(moment) == (
        "North says truco: quiero plays for 2, no quiero gives 1 to North, retruco asks for 3."
    )
    assert texts(moment) == ["Quiero (accept)", "No quiero (reject)", "Retruco (raise)"]
    assert not any(held.offered for held in table().hand(moment))
    assert table().why_not_card(moment.view, 0) == "First answer North's truco."
    last = asked(state_after("raise", "raise", "raise"), 1)
    assert texts(last)[:2] == ["Quiero (accept)", "No quiero (reject)"]
    assert not any("raise" in text for text in texts(last))


def test_question_mentions_a_real_flor() -> None:
    moment = asked(state_after(deck=FLORS))
    assert table().prompt(moment).endswith("Your flor is worth 3.")
    assert texts(moment)[-1] == "Flor +3"
    assert table().warning(moment.view, FLOR) == ""


@pytest.mark.parametrize(
    ("labels", "code", "sentence"),
    [
        ([], "7E", "The 7 of espada, a mata. Enter leads it."),
        (["play 12O"], "12E", "The 12 of espada (rey): it would tie. Enter plays it."),
        (["play 7E"], "3C", "The 3 of copa: it would lose. Enter plays it."),
        (
            ["play 7E"],
            "1B",
            "The 1 of basto, a mata: it would take this trick. Enter plays it.",
        ),
        ([], "4C", "The 4 of copa, a pieza. Enter leads it."),
    ],
)
def test_chosen_card_is_described(labels: list[str], code: str, sentence: str) -> None:
    state = state_after(*labels)
    view = state.view(state.turn)
    card = next(card for card in view.hand if view.label(view.hand.index(card)) == f"play {code}")
    assert table().about_card(view, card) == sentence


def test_trick_is_shown_by_seat_and_ties_are_named() -> None:
    moment = asked(state_after("play 12O", "play 12E"))
    north, you = table().felt(moment)
    assert (north.place, north.caption, north.bright) == ("top", "tied", False)
    assert (you.place, you.caption, you.bright) == ("bottom", "tied", False)
    assert "1st tied, 12O with 12E" in lines(moment)
    moment = asked(state_after("play 7E", "play 3C", "play 12O"), 1)
    assert "1st You, 7E over 3C" in lines(moment)
    you, north = table().felt(moment)
    assert (you.place, you.caption, north.face) == ("top", "You lead", None)
    taken = asked(state_after("play 7E", "play 3C"))
    assert [card.caption for card in table().felt(taken) if card.bright] == ["You take it"]


def test_last_trick_is_available_in_the_next_round() -> None:
    assert table().last_trick(state_after().view(0)) == "No trick has been played yet."
    state = state_after("play 12O", "play 12E")
    assert table().last_trick(state.view(0)) == (
        "Last trick: You 12 of oro, North 12 of espada. It was tied."
    )
    for label in ("play 4C", "play 3C"):
        state.apply(state.parse(label))
    assert table().last_trick(state.view(0)) == (
        "Last trick of the round before: You 4 of copa, North 3 of copa. You took it."
    )


@pytest.mark.parametrize(
    ("deck", "labels", "sentence"),
    [
        (DECK, "raise|reject", "North refuses the truco: 1 for you. You 1 : 0 North."),
        (
            DECK,
            "play 7E|play 3C|play 4C|play 12E",
            "You take two tricks: 1 for you. You 1 : 0 North.",
        ),
        (
            DECK,
            "raise|accept|play 12O|play 12E|play 4C|play 1B",
            "You take the first trick that is not tied: 2 for you (truco). You 2 : 0 North.",
        ),
        (
            DECK,
            "play 7E|play 1B|play 12E|play 12O",
            "North took the first trick, which breaks the tie: 1 for North. You 0 : 1 North.",
        ),
        (
            FLORS,
            "play 4O|play 4E|play 5O|play 5E|play 6O|play 6E",
            "All three tricks tie and you are mano: 1 for you. You 1 : 0 North.",
        ),
        (
            DECK,
            "flor|raise|raise|reject",
            "Your false flor: 3 for North. You refuse the retruco: 2 for North. You 0 : 5 North.",
        ),
        (
            FLORS,
            "flor|play 4O|flor|raise|reject",
            "Your flor: 3 for you. North's flor: 3 for North. You refuse the truco: 1 for North. "
            "You 3 : 4 North.",
        ),
    ],
)
def test_end_of_round_gives_each_step_of_the_count(deck: str, labels: str, sentence: str) -> None:
    state = state_after(*labels.split("|"), deck=deck)
    told = [table().tell_event(state.view(0), event) for event in state.take_events()]
    assert sentence in told
    assert told[-1].startswith("Round 2: North is mano; the muestra is the ")


def test_false_flor_can_end_the_match_before_the_round_counts() -> None:
    state = state_after("flor", "raise", "reject", target=3)
    told = [table().tell_event(state.view(0), event) for event in state.take_events()]
    assert told == ["", "Your false flor: 3 for North.", "North wins the match, 3 to 0."]


def test_log_lines_of_actions_and_tricks() -> None:
    def told(*labels: str) -> list[str]:
        before = state_after(*labels[:-1])
        seat, after = before.turn, state_after(*labels)
        action = after.history[-1][1]
        sentences = [table().tell_action(before.view(0), seat, action)]
        sentences += [table().tell_event(after.view(0), event) for event in after.take_events()]
        return [sentence for sentence in sentences if sentence]

    assert told("play 7E") == ["You lead the 7 of espada."]
    assert told("play 7E", "play 1B") == ["North plays the 1 of basto: North takes the trick."]
    assert told("play 7E", "play 3C") == ["North plays the 3 of copa: you take the trick."]
    assert told("play 12O", "play 12E") == ["North plays the 12 of espada: the trick is tied."]
    assert told("raise") == ["You say truco."]
    assert told("raise", "raise") == ["North says retruco, which accepts the truco."]
    assert told("raise", "accept") == ["North says quiero: the round is worth 2."]
    assert told("raise", "flor") == ["North calls a flor."]
    assert table().tell_action(state_after("raise").view(0), 1, 5) == "North says no quiero."


def test_log_of_a_watched_match_names_the_led_card() -> None:
    """An action is a place in the hand of its player, which differs from hand to hand."""
    state = TRUCO.new(seed=1, deck=DECK.split(), first=1)
    watched = plan_table("truco", ["random", "random"], seed=1, watch=True)
    narration = Narration(state, TrucoTable(TRUCO, Seating.of(watched)))
    before, action = narration.views(), state.parse("play 4C")
    state.apply(action)
    narration.add(1, action, [], before)
    assert narration.log[-1] == "North leads the 4 of copa."


def test_end_of_round_shows_its_last_card() -> None:
    state = state_after("play 7E", "play 3C", "play 4C")
    moment = moment_after(table(), state, state.parse("play 12E"))
    north, you = table().felt(moment)
    assert north.face is not None
    assert (north.face.code, you.caption) == ("12E", "You take it")
    assert lines(moment)[-2:] == [
        "1st You, 7E over 3C · 2nd You, 4C over 12E",
        "+1 You, the round",
    ]
    (seat,) = table().seats(moment)
    assert (seat.backs, seat.active) == (1, False)


@pytest.mark.parametrize(
    ("labels", "key", "sentence"),
    [
        ([], "truco.accept", "There is no bid to answer."),
        (["raise", "accept"], "truco.raise", "You made the last raise; the next one is up to"),
        (["raise", "raise", "raise", "accept"], "truco.raise", "Vale 4 is the highest bid."),
        (["flor"], "truco.flor", "You have called your flor already."),
        (
            ["play 7E", "play 3C"],
            "truco.flor",
            "A flor has to be called before your first card.",
        ),
    ],
)
def test_refused_key_gives_the_reason(labels: list[str], key: str, sentence: str) -> None:
    assert table().why_not_key(state_after(*labels).view(0), key).startswith(sentence)


def test_score_sheet_shows_malas_buenas_and_every_step() -> None:
    state = state_after("flor", "raise", "raise", "reject", target=8)
    view = state.view(0)
    result = HandResult(1, (0.0, 5.0), "", view)
    rows = str(table().score_sheet(Moment(view, results=(result,)))).splitlines()
    assert rows == [
        "first to 8",
        "",
        "You 0 · in the malas",
        "malas   ....",
        "buenas  ....",
        "",
        "North 5 · in the buenas",
        "malas   ||||",
        "buenas  |...",
        "",
        "round 1   0 : 5",
        "  +3 North, false flor",
        "  +2 North, retruco refused",
    ]
    before = state_after("flor", "raise", "raise", target=8)
    ending = moment_after(table(), before, before.parse("reject"))
    assert "North 5 · in the buenas" in str(table().score_sheet(ending))


def test_score_sheet_groups_points_in_fives() -> None:
    sheet = str(table().score_sheet(asked(state_after())))
    assert sheet.count("..... ..... ..... .....") == 4


def test_score_sheet_of_a_long_match_uses_numbers() -> None:
    sheet = str(table().score_sheet(asked(state_after(target=1_000_000))))
    assert sheet.count("0 of 500,000") == 4
