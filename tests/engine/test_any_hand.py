"""What holds for every hand of every game: a clean start, named phases, a consistent sample."""

from random import Random

import pytest

from engine import GAMES
from engine.fields import Card, CardSet, OneOf, PerSeat, Several
from engine.game import OVER
from tests.engine.tables import every_table

table = pytest.mark.parametrize(("name", "options"), every_table())

CHANGES_BY_HAND = {
    "turn", "dealer", "mano", "leader", "to_play", "scores", "up_card", "muestra", "turned",
    "power", "size", "rising", "blind", "hand_sizes", "out_in",
    "last_trick", "last_winner", "last_points", "last_power", "last_calls", "last_wins",
}  # fmt: skip
"""Fields that differ from one deal to the next."""
OWN = {"envido", "flor", "flor_first"}
"""Fields about cards that only some seats know, which may be equal by chance."""

WORDS_OF_PHASES = {
    "euchre": {
        "order up or pass": {"order", "pass"},
        "call or pass": {"call", "pass"},
        "dealer discards": {"discard"},
        "alone or with partner": {"alone", "with"},
        "discard for the dummy": {"discard"},
        "play": {"play"},
        "over": set(),
    },
    "smear": {"bet": {"bet", "pass"}, "name trump": {"trump"}, "play": {"play"}, "over": set()},
    "truco": {
        "play": {"play", "raise", "flor"},
        "answer a bid": {"accept", "reject", "raise", "flor"},
        "over": set(),
    },
    "truco_full": {
        "play": {
            "play",
            "envido",
            "real",
            "falta",
            "flor",
            "truco",
            "retruco",
            "vale",
            "mazo",
        },
        "answer an envido": {"envido", "real", "falta", "quiero", "no"},
        "answer a flor": {"flor", "contraflor", "quiero", "no"},
        "answer a truco": {
            "envido",
            "real",
            "falta",
            "flor",
            "retruco",
            "vale",
            "quiero",
            "no",
        },
        "over": set(),
    },
    "fodinha": {
        "approve or reject the power card": {"approve", "reject"},
        "call": {"call"},
        "play": {"play"},
        "over": set(),
    },
}


def matches(name, options, seeds):
    """States after every action of random matches."""
    for seed in range(seeds):
        rng = Random(seed)
        state = GAMES[name].new(seed=seed, **options)
        for _ in range(3000):
            yield state, rng
            if state.turn == OVER:
                break
            state.apply(rng.choice(state.legal()))


def of_cards(kind):
    if isinstance(kind, PerSeat | Several):
        return of_cards(kind.each)
    return isinstance(kind, Card | CardSet)


def settled_by_the_deal(view):
    """The values of a view that every deal starts with."""
    kinds = view.kinds()
    return {
        name: getattr(view, name)
        for name, kind in kinds.items()
        if name not in CHANGES_BY_HAND | OWN and (name in ("voids", "played") or not of_cards(kind))
    }


@table
def test_every_hand_starts_like_the_first(name, options):
    started, longest = 0, 1
    for state, _ in matches(name, options, 4):
        longest = max(longest, state.hand_no)
        if state.history or state.turn == OVER or state.hand_no == 1:
            continue
        started += 1
        fresh = GAMES[name].new(seed=0, **options)
        for seat in range(state.seats):
            found, expected = settled_by_the_deal(state.view(seat)), fresh.view(seat)
            assert found == settled_by_the_deal(expected)
    assert started or longest == 1


@table
def test_hands_are_counted_one_by_one(name, options):
    before = 0
    for state, _ in matches(name, options, 2):
        if state.hand_no == 1 and not state.history:
            before = 1
        assert state.hand_no in (before, before + 1)
        before = state.hand_no


@pytest.mark.parametrize("name", WORDS_OF_PHASES)
def test_the_name_of_the_phase_tells_what_can_be_done(name):
    phases = WORDS_OF_PHASES[name]
    seen = {phase: set() for phase in phases}
    for options in ({}, {"players": 4}) if name == "euchre" else ({},):
        for state, _ in matches(name, options, 12):
            view = state.view(0)
            kind = view.kinds()["phase"]
            assert isinstance(kind, OneOf)
            assert kind.names == tuple(phases)
            assert view.phase >= 0
            assert (kind.names[view.phase] == "over") == (state.turn == OVER)
            words = {state.label(action).split()[0] for action in state.legal()}
            assert words <= phases[kind.names[view.phase]]
            seen[kind.names[view.phase]] |= words
    assert seen == phases


@table
def test_all_seats_agree_about_a_sample(name, options):
    """The fields in which all seats agree about a state, they agree about in its samples."""
    checked = 0
    for at, (state, rng) in enumerate(matches(name, options, 2)):
        if at % 7 and state.turn != OVER:
            continue
        views = [state.view(seat) for seat in range(state.seats)]
        public = [
            field
            for field in views[0].kinds().keys() - OWN
            if all(getattr(view, field) == getattr(views[0], field) for view in views)
        ]
        sample = views[at % state.seats].sample(rng)
        for seat in range(state.seats):
            for field in public:
                assert getattr(sample.view(seat), field) == getattr(views[0], field)
        checked += 1
    assert checked


@table
def test_a_sample_has_the_result_of_its_match(name, options):
    for state, rng in matches(name, options, 6):
        if state.turn == OVER:
            for seat in range(state.seats):
                sample = state.view(seat).sample(rng)
                assert sample.winners == state.winners
                assert sample.returns() == state.returns()
                assert sample.places() == state.places()
                assert sample.hand_returns() == state.hand_returns()
                assert sample.scores() == state.scores()
                assert sample.legal() == []


@table
def test_a_sample_keeps_the_cards_its_seat_knows(name, options):
    for at, (state, rng) in enumerate(matches(name, options, 1)):
        if at > 200:
            break
        view = state.view(at % state.seats)
        sample = view.sample(rng)
        again = sample.view(view.seat).sample(rng)
        assert again.view(view.seat) == view
        assert sample.seed != state.seed


@table
def test_look_ahead_stops_before_the_next_deal(name, options):
    """With `deals_on` off, the end of a hand leaves the scores and deals nothing."""
    state = GAMES[name].new(seed=3, **options)
    other = state.clone()
    other.deals_on = False
    rng = Random(5)
    tick = other.tick
    while state.hand_no == 1 and state.turn != OVER:
        action = rng.choice(state.legal())
        state.apply(action)
        other.apply(action)
    if state.turn != OVER:
        assert other.scores() == state.scores()
        assert other.hand_returns() == state.hand_returns()
        assert (other.hand_no, other.tick) == (2, tick)
        assert state.tick == tick + 1


@table
def test_a_view_shows_the_scores_and_the_points_of_the_last_hand(name, options):
    for state, _ in matches(name, options, 2):
        for seat in range(state.seats):
            view = state.view(seat)
            assert view.scores == tuple(state.scores())
            assert view.seat == seat
            if hasattr(view, "last_points"):
                assert view.last_points == tuple(state.hand_returns())


@pytest.mark.parametrize("name", ["euchre", "smear", "truco", "truco_full"])
def test_the_score_is_the_sum_of_the_points_of_the_hands(name):
    for seed in range(5):
        rng = Random(seed)
        state = GAMES[name].new(seed=seed)
        state.record_events()
        total = [0.0] * len(state.sides)
        while state.turn != OVER:
            state.apply(rng.choice(state.legal()))
            for event in state.take_events():
                if event.kind == "hand":
                    total = [sum(pair) for pair in zip(total, event.points, strict=True)]
                    assert total == state.scores()
                    assert list(event.points) == state.hand_returns()


@table
def test_the_match_event_has_the_shares_of_the_win(name, options):
    for seed in range(4):
        rng = Random(seed)
        state = GAMES[name].new(seed=seed, **options)
        state.record_events()
        events = []
        while state.turn != OVER:
            state.apply(rng.choice(state.legal()))
            events += state.take_events()
        assert events[-1].kind == "match"
        shares = [state.returns()[side[0]] for side in state.sides]
        assert list(events[-1].points) == shares


@table
def test_an_empty_deck_deals_like_the_seed(name, options):
    for seed in range(5):
        by_seed = GAMES[name].new(seed=seed, **options)
        by_deck = GAMES[name].new(seed=seed, deck=[], **options)
        for seat in range(by_seed.seats):
            assert by_deck.view(seat) == by_seed.view(seat)
