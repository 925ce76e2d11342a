import sys
from dataclasses import replace
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.answer.verify import citation_fault, verbatim
from onrecord.types import Citation, Details, Passage, Recording

FREIGHT = Passage(
    "r1",
    0,
    "Freight costs doubled.  We could not\npass that on. We could not.",
    speaker="Ann Bell",
    start=10.0,
    end=20.0,
    marks=((0, 10.0), (24, 14.0), (51, 18.0)),
)
NEXT = Passage(
    "r1",
    1,
    "So margins fell. Did they? Yes, they did.",
    "Ann Bell",
    20.0,
    30.0,
    voices=((0, "Ann Bell"), (17, "Bo Lund"), (27, "Ann Bell")),
)
FAR = Passage("r1", 7, "Anyway, that was freight.", "Ann Bell", 90.0, 95.0)
TALK = (FREIGHT, NEXT, FAR)


def quoted(quote: str, passages: tuple[Passage, ...] = TALK, at: float | None = None) -> tuple[object, ...]:
    span = verbatim(quote, passages, at)
    assert span is not None
    return span.passages, span.start, span.speakers


def test_white_space_is_ignored_and_nothing_else() -> None:
    assert quoted("costs doubled. We could   not pass") == (
        (FREIGHT,),
        pytest.approx(11.33, 0.01),
        ("Ann Bell",),
    )
    assert verbatim("freight costs doubled", TALK) is None
    assert verbatim("Freight costs doubled, we could", TALK) is None


def test_only_whole_words_are_quoted() -> None:
    assert verbatim("reight costs doubled.", TALK) is None
    assert verbatim("Freight cost", TALK) is None
    assert verbatim("costs doubled", TALK) is not None


def test_a_quote_keeps_the_minus_of_a_figure() -> None:
    talk = (replace(NEXT, text="The margin was -5 percent, and costs rose by 7-9 percent.", voices=()),)
    assert verbatim("5 percent", talk) is None
    assert verbatim("-5 percent", talk) is not None
    assert verbatim("9 percent", talk) is not None


def test_a_quote_may_run_on_into_the_next_passage_but_not_over_a_gap() -> None:
    assert quoted("We could not. So margins fell.")[0] == (FREIGHT, NEXT)
    assert verbatim("Yes, they did. Anyway,", TALK) is None
    assert verbatim("So margins fell.", (NEXT, FREIGHT)) is not None
    assert verbatim("We could not. So margins", (NEXT, FREIGHT)) is None


def test_words_may_be_left_out_where_the_quote_says_so() -> None:
    span = verbatim("Freight costs [...] So margins fell. […] that was freight.", TALK)
    assert span is not None
    assert span.passages == TALK
    assert (span.begin, span.end) == (0, len(FAR.text))
    assert verbatim("So margins fell. [...] Freight costs", TALK) is None
    assert verbatim("We could not. [...] We could not.", TALK) is None


def test_what_is_left_out_is_as_little_as_can_be() -> None:
    span = verbatim("We could [...] So margins fell.", TALK)
    assert span is not None
    assert FREIGHT.text[span.begin :].startswith("We could not.")


@pytest.mark.parametrize("empty", ["", "   ", "[...]", " [...] […] "])
def test_nothing_is_no_quote(empty: str) -> None:
    assert verbatim(empty, TALK) is None


def test_of_several_places_the_one_at_that_second_is_meant() -> None:
    assert quoted("We could not")[1] == 14.0
    assert quoted("We could not", at=18.2)[1] == 18.0


def test_who_speaks_is_reported() -> None:
    assert quoted("Did they?")[2] == ("Bo Lund",)
    assert quoted("fell. Did they? Yes")[2] == ("Ann Bell", "Bo Lund")
    assert quoted("margins fell. [...] Yes, they did.")[2] == ("Ann Bell",)


def lines_run(quote: str, passage: Passage) -> int:
    """Return how many lines Python runs in order to find a quote, comprehensions included."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        verbatim(quote, [passage], at=0.0)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("first", ["nobody says this", "word"])
def test_the_search_for_a_quote_of_many_parts_grows_with_the_length_of_the_talk_alone(first: str) -> None:
    quote = " [...] ".join([first, *[","] * 9])
    short, long = (Passage("r", 0, "word, " * words, "Ann", 0.0, 9.0) for words in (40, 400))
    assert lines_run(quote, long) < 20 * lines_run(quote, short)


def test_the_search_for_a_quote_of_thousands_of_parts_ends() -> None:
    """Check that many parts, each in many places, cost less than ten times as much as one part."""
    passage = Passage("r", 0, "word, " * 2000, "Ann", 0.0, 9.0)
    steps = [lines_run(" [...] ".join(["word,"] * parts), passage) for parts in (1, 150, 3000)]
    assert max(steps) < 10 * steps[0]
    assert verbatim(" [...] ".join(["word,"] * 150), [passage]) is not None


CITED = Citation(
    1,
    Recording("r1", "call.vtt", "", "webvtt", Details(title="The call")),
    "We could not pass that on.",
    (FREIGHT,),
    "Ann Bell",
    14.0,
    17.85,
    None,
    0.9,
)


def test_a_sound_citation_has_no_fault() -> None:
    assert citation_fault(CITED, TALK) is None


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (replace(CITED, quote="We could pass that on."), "does not stand"),
        (replace(CITED, speaker="Bo Lund"), "speaker"),
        (replace(CITED, speaker=None), "speaker"),
        (replace(CITED, start=10.0), "other seconds"),
        (replace(CITED, end=None), "other seconds"),
        (replace(CITED, recording=replace(CITED.recording, id="r2")), "another recording"),
    ],
)
def test_a_citation_with_a_fault_is_reported(wrong: Citation, why: str) -> None:
    assert why in (citation_fault(wrong, TALK) or "")


def test_of_several_places_any_sound_one_will_do() -> None:
    talk = Passage("r1", 0, "No way. Yes. Yes.", "Ann", 0.0, 9.0, voices=((0, "Ann"), (8, "Bo"), (13, "Ann")))
    cited = replace(CITED, quote="No way. [...] Yes.", passages=(talk,), speaker="Ann", start=0.0, end=9.0)
    assert citation_fault(cited, (talk,)) is None
    assert "other seconds" in (citation_fault(replace(cited, end=6.0), (talk,)) or "")


def test_short_parts_of_a_quote_count_where_its_own_speaker_says_them() -> None:
    voices = ((0, "Ann"), (8, "Bo"), (13, "Ann"), (18, "Bo"), (23, "Ann"))
    talk = Passage("r1", 0, "No way. Yes. Yes. Yes. It holds.", "Ann", 0.0, 9.0, voices=voices)
    quote = "No way. [...] Yes. [...] It holds."
    cited = replace(CITED, quote=quote, passages=(talk,), speaker="Ann", start=0.0, end=9.0)
    assert citation_fault(cited, (talk,)) is None
    assert "speaker" in (citation_fault(replace(cited, quote="No way. Yes. [...] It holds."), (talk,)) or "")


def test_a_citation_of_words_that_are_gone_is_reported() -> None:
    assert "does not stand" in (citation_fault(CITED, ()) or "")
    assert "does not stand" in (citation_fault(CITED, (NEXT, FAR)) or "")


WORDS = st.lists(st.sampled_from(["a", "ab", "b.", "no", "né", "“no”", "[x]"]), min_size=1, max_size=30)


@given(st.lists(WORDS, min_size=1, max_size=4), st.data())
def test_every_stretch_of_talk_is_verbatim_where_it_stands(
    talk: list[list[str]], data: st.DataObject
) -> None:
    passages = [
        Passage("r", i, "  ".join(words), start=i * 10.0, end=i * 10 + 9.0) for i, words in enumerate(talk)
    ]
    all_words = [word for words in talk for word in words]
    a = data.draw(st.integers(0, len(all_words) - 1))
    b = data.draw(st.integers(a + 1, len(all_words)))
    span = verbatim("\n".join(all_words[a:b]), passages)
    assert span is not None
    texts = [p.text for p in span.passages]
    texts[-1] = texts[-1][: span.end]
    texts[0] = texts[0][span.begin :]
    assert " ".join(texts).split() == all_words[a:b]


@given(WORDS, WORDS)
def test_what_is_found_is_what_was_quoted(talk: list[str], quote: list[str]) -> None:
    passage = Passage("r", 0, " ".join(talk))
    span = verbatim(" ".join(quote), [passage])
    if span is None:
        assert f" {' '.join(quote)} " not in f" {passage.text} "
    else:
        assert passage.text[span.begin : span.end] == " ".join(quote)
