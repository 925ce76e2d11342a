"""Objections to a sentence that need no judgement of its meaning."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talks import talks, tools, whole

from onrecord.answer.claims import address, claim, claim_fault, quotations, strange_figures, strange_names
from onrecord.answer.context import context
from onrecord.answer.figures import content_of
from onrecord.types import Question


@pytest.fixture(scope="module")
def sources():
    work = tools(talks())
    shown = context(whole(Question("Why did margins fall after the tariff?"), work), work, 4000)
    return {source.number: source for source in shown.sources}


@pytest.mark.parametrize(
    ("sentence", "cited"),
    [
        ("It fell [Source 1].", (1,)),
        ("It fell. [Source 1][Source 2]", (1, 2)),
        ("It fell [Source 1, Source 3].", (1, 3)),
        ("It fell [Sources 1 and 2].", (1, 2)),
        ("It fell [1, 2], and [12] rose.", (1, 2, 12)),
        ("It fell [source #4].", (4,)),
        ("C'est tombé [Source 1 et 2].", (1, 2)),
        ("It fell in [20245] by 3.", ()),
        ("It fell [see Source 1].", ()),
        ("It fell [].", ()),
    ],
)
def test_citations_are_read(sentence: str, cited: tuple[int, ...]) -> None:
    assert claim(sentence).cited == cited


def test_a_sentence_is_taken_apart() -> None:
    parsed = claim("\n\n- Margins fell [Source 1] by 3 [Source 2].")
    assert (parsed.lead, parsed.text) == ("\n\n- ", "Margins fell by 3.")
    assert parsed.marked({1: 7, 2: None}) == "Margins fell [7] by 3."
    assert parsed.marked({1: 7, 2: 8}) == "Margins fell [7] by 3 [8]."


@given(st.text(st.sampled_from("aS 1[]\n-.,source“”\"'"), max_size=40))
def test_any_sentence_can_be_taken_apart(text: str) -> None:
    parsed = claim(text)
    assert parsed.lead + parsed.plain == parsed.lead + text[len(parsed.lead) :].strip()
    assert claim(parsed.text).text == parsed.text or "[" in parsed.text


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("Ann Bell says three points came from the tariff [Source 1].", None),
        ("It fell [Source 9].", "does not exist"),
        ("It fell [Source 0].", "does not exist"),
        ("It fell to 26 percent [Source 1].", None),
        ("It fell to 27 percent [Source 1].", "figures"),
        ("It fell to twenty-six percent in 2024 [Source 1].", None),
        ("It fell to twenty-seven percent [Source 1].", "figures"),
        ("It fell in 1999 [Source 1].", "figures"),
        ("She said “Our dealers asked us not to” [Source 1].", None),
        ("She said “our dealers asked us not to.” [Source 1]", None),
        ("She said “Our dealers begged us not to” [Source 1].", "nobody said"),
        ('She said "Our dealers asked us to do it" [Source 1].', "nobody said"),
        ("The so-called “odd spring” [Source 1].", None),
        ("See https://evil.example/?q=1 [Source 1].", "address"),
        ("![x](//evil.example/a.png) [Source 1]", "address"),
        ("Read [this](/page) [Source 1].", "address"),
    ],
)
def test_what_is_surely_wrong(sentence: str, why: str | None, sources) -> None:
    call = next(n for n, source in sources.items() if source.recording.id == "halden call")
    fault_found = claim_fault(claim(sentence.replace("Source 1]", f"Source {call}]")), sources)
    assert fault_found is None if why is None else why in (fault_found or "")


def test_a_sentence_without_citations_is_held_against_all_sources(sources) -> None:
    assert claim_fault(claim("Margins fell to 26 percent."), sources) is None
    assert claim_fault(claim("Margins fell to 27 percent."), sources) is not None


@given(st.text(alphabet="![]() a"))
def test_a_link_in_markdown_is_an_address(text: str) -> None:
    assert address(text) == bool(re.search(r"\[[^\]]*\]\([^)]*\)", text))


def test_what_counts_as_a_quotation() -> None:
    text = 'He said “one two three”, «quatre cinq six», "seven eight nine" and “ten”.'
    assert quotations(text) == ["one two three", "quatre cinq six", "seven eight nine"]


def test_figures_and_names_that_nobody_said() -> None:
    heard = content_of(["Ann Bell spoke of two thousand dollars and 3.5 million bicycles in Porto"])
    assert strange_figures("2,000 dollars, 3,500,000 bicycles, 3.5 of them, 17 more", heard) == ["17"]
    assert strange_names("Yesterday Ann met Carla Mendes of Porto's office", heard) == ["Carla", "Mendes"]
    assert strange_names("Nobody knows.", heard) == []


def test_figures_in_words_are_held_against_what_was_said() -> None:
    heard = content_of(["The single ticket is two pounds fifty", "thirty came, and half of them on foot"])
    assert strange_figures("A single ticket costs two pounds fifty.", heard) == []
    assert strange_figures("A single ticket costs three pounds fifty.", heard) == ["three pounds"]
    assert strange_figures("Thirty thousand came, for two reasons, one of them a third.", heard) == []
    assert strange_figures("Ils étaient quarante.", heard) == ["quarante"]
