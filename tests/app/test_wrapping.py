"""Breaking sentences into lines."""

from textual.content import Content

from app.ui.widgets.wrapping import by_sentence, evenly, wrapped


def test_short_text_is_one_line() -> None:
    assert by_sentence("You lead: play any card.", 40) == ["You lead: play any card."]


def test_two_lines_break_between_sentences() -> None:
    said = "East makes it with three tricks: 1 point for West + East. You 0 : 1 West + East."
    assert by_sentence(said, 78) == [
        "East makes it with three tricks: 1 point for West + East.",
        "You 0 : 1 West + East.",
    ]


def test_several_sentences_break_most_evenly() -> None:
    assert by_sentence("One two three. Four five. Six seven eight.", 30) == [
        "One two three. Four five.",
        "Six seven eight.",
    ]


def test_one_sentence_breaks_between_clauses() -> None:
    said = "North says truco: quiero plays for 2, no quiero gives 1 to North, retruco asks for 3."
    assert by_sentence(said, 78) == [
        "North says truco: quiero plays for 2,",
        "no quiero gives 1 to North, retruco asks for 3.",
    ]


def test_long_sentence_without_pause_breaks_evenly() -> None:
    said = "You, one, may choose among all of the many cards that nobody has ever asked for here."
    first, second = by_sentence(said, 78)
    assert f"{first} {second}" == said
    assert abs(len(first) - len(second)) < 10


def test_no_text_is_lost_at_any_width() -> None:
    said = "Clubs were led: follow with a club. The jack of diamonds counts as a heart."
    for width in range(1, 80):
        lines = by_sentence(said, width)
        assert "".join(lines).replace(" ", "") == said.replace(" ", "")
        assert max(map(len, lines)) <= max(1, width)


def test_empty_text_is_an_empty_line() -> None:
    assert by_sentence("", 40) == [""]


def test_score_stays_on_one_line() -> None:
    score = "You + dummy 6 : 7 West + East."
    for width in range(12, 30):
        lines = [line.plain for line in wrapped(Content(score), width)]
        assert not [line for line in lines if line.rstrip().endswith(":") or line.startswith(":")]
        assert [line for line in lines if "6 : 7" in line]
    assert by_sentence(score, 20) == ["You + dummy 6 : 7", "West + East."]


def test_no_line_begins_with_a_dot() -> None:
    said = Content("Said: North envido · You quiero · North truco · You retruco · North quiero")
    for width in range(20, 60):
        assert not [line for line in evenly(said, width) if line.plain.startswith("·")]


def test_parts_between_dots_are_not_broken() -> None:
    said = "Said: You envido · North falta envido · You no quiero · You truco"
    for width in range(24, 60):
        lines = [line.plain for line in evenly(Content(said), width)]
        for part in said.split(" · "):
            assert [line for line in lines if part in line]


def test_styles_are_kept_where_lines_end() -> None:
    score = Content.assemble("You 6 : 7 West, and ", ("East", "bold"), " deals.")
    lines = wrapped(score, 18)
    marked = [line.plain[span.start : span.end].strip() for line in lines for span in line.spans]
    assert marked == ["East"]
