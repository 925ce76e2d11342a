"""Whether the sources support a sentence: the individual signs, and their combination."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from talks import talks, tools, whole

from onrecord.answer.check import DOUBTFUL, SUPPORTED, Checker, Signs, signs
from onrecord.answer.claims import claim
from onrecord.answer.context import Context, Source, context
from onrecord.answer.proof import Proof
from onrecord.models.roles import ModelRoles
from onrecord.types import Question

SENTENCES = [
    "Our gross margin fell to 26 percent in the third quarter.",
    "Three points of that came from the tariff on frames.",
    "We did not raise prices, because dealers asked us not to.",
    "Ingrid Halden will speak in May.",
]


def test_the_signs_of_what_is_said() -> None:
    seen = signs("The gross margin fell to 26 percent because of the tariff on frames.", SENTENCES)
    assert seen == Signs(said=1.0, together=1.0, figures=False, names=False, negated=False, contrary=False)
    assert seen.probability > 0.9


@pytest.mark.parametrize(
    ("claim", "sign"),
    [
        ("The gross margin fell to 27 percent.", "figures"),
        ("The margin of Halden Cycles fell.", "names"),
        ("The gross margin did not fall in the third quarter.", "negated"),
        ("The gross margin rose to 26 percent in the third quarter.", "contrary"),
    ],
)
def test_the_signs_of_what_is_not(claim: str, sign: str) -> None:
    seen = signs(claim, SENTENCES)
    assert [name for name in ("figures", "names", "negated", "contrary") if getattr(seen, name)] == [sign]
    plain = Signs(seen.said, seen.together, False, False, False, False)
    assert seen.probability < plain.probability


def test_words_of_two_sentences_count_together_where_they_follow_one_another() -> None:
    near, far = signs("margin tariff", SENTENCES), signs("margin Halden", SENTENCES)
    assert (near.said, near.together) == (1.0, 1.0) and (far.said, far.together) == (1.0, 0.5)


def test_what_nobody_spoke_of_falls() -> None:
    assert signs("Whales sing beneath frozen oceans.", SENTENCES).probability < DOUBTFUL < SUPPORTED
    assert signs("", SENTENCES).probability < DOUBTFUL


@given(st.text(max_size=60), st.lists(st.text(max_size=40), max_size=4))
def test_any_texts_have_signs(text: str, texts: list[str]) -> None:
    seen = signs(text, texts)
    assert 0 <= seen.together <= seen.said <= 1 and 0 < seen.probability < 1


# ---------------------------------------------------------------- compared with sources


@pytest.fixture(scope="module")
def shown():
    work = tools(talks())
    return context(whole(Question("Why did margins fall after the tariff?"), work), work, 4000)


def test_the_words_that_say_it_are_quoted(shown) -> None:
    support = Checker(shown.sources).support("Three points came from the tariff on frames.", [1])
    assert support.quotes[1].text == "Three points of that came from the tariff on frames."
    assert support.verdict == "stands"


def test_a_statement_is_quoted_rather_than_a_question(shown) -> None:
    support = Checker(shown.sources).support("Prices were not raised: dealers asked for that.", [1])
    assert support.quotes[1].speaker == "Ann Bell"


def test_two_sentences_are_quoted_where_both_are_needed(shown) -> None:
    text = "Gross margin fell to twenty-six percent, three points of it from the tariff on frames."
    quote = Checker(shown.sources).support(text, [1]).quotes[1]
    assert quote.text.startswith("Our gross margin fell") and quote.text.endswith("tariff on frames.")


def test_several_sources_support_a_sentence_together(shown) -> None:
    checker = Checker(shown.sources)
    text = "Dealers asked not to raise prices, and freight doubled in August."
    both, one = checker.support(text, [1, 2]), checker.support(text, [1])
    assert both.probability > one.probability and set(both.quotes) == {1, 2}


def test_a_source_without_words_supports_nothing(shown) -> None:
    (one, *_) = shown.sources
    silent = replace(
        one, moment=replace(one.moment, passages=(replace(one.moment.passages[0], text=""),), peak=0)
    )
    support = Checker([silent]).support("Margins fell.")
    assert support.verdict == "falls" and not support.quotes


def source_of(shown: Context, said: str) -> Source:
    (one, *_) = shown.sources
    passage = replace(one.moment.passages[0], text=said, marks=())
    return replace(one, moment=replace(one.moment, passages=(passage,), peak=0))


@pytest.mark.parametrize(
    ("said", "stated", "doubts"),
    [
        ("It is simply not true that Halden missed its target.", "Halden missed its target.", ["negation"]),
        ("Has Halden repaid its loan? No, it has not.", "Halden repaid its loan.", ["negation"]),
        ("Halden missed, or did not miss, its target.", "Halden missed, or did not miss, its target", []),
    ],
)
def test_only_a_whole_stated_sentence_is_never_in_doubt(
    shown: Context, said: str, stated: str, doubts: list[str]
) -> None:
    assert Checker([source_of(shown, said)]).doubts(stated) == doubts


@pytest.mark.parametrize(
    ("said", "stated", "doubts"),
    [
        ("Halden might close the yard, but that is open.", "Halden closes the yard.", ["certainty"]),
        ("If the tariff falls, margins will rise.", "Margins will rise.", ["certainty"]),
        ("If the tariff falls, margins will rise.", "The tariff falls.", ["certainty"]),
        ("The yard would have paid the town.", "The yard paid the town.", ["certainty"]),
        ("Halden might close the yard, but that is open.", "Halden may close the yard.", []),
        ("If the tariff falls, margins will rise.", "Margins will rise if the tariff falls.", []),
        ("Margins rose. They might rise again.", "Margins rose.", []),
        ("Margins rose in May, at last.", "Margins rose, at last.", []),
    ],
)
def test_what_is_only_possible_is_not_so(shown: Context, said: str, stated: str, doubts: list[str]) -> None:
    assert Checker([source_of(shown, said)]).doubts(stated) == doubts


def in_language(source: Source, language: str) -> Source:
    details = replace(source.recording.details, language=language)
    return replace(source, recording=replace(source.recording, details=details))


def test_capitals_are_names_but_not_in_german(shown) -> None:
    sentence = claim("Three points came from the tariff on frames, the Reply said [Source 1].")
    for language, verdict in (("en", "falls"), ("de", "stands")):
        sources = tuple(in_language(source, language) for source in shown.sources)
        proof = Proof(Context(sources), ModelRoles(), Checker(sources), "why?", language)
        assert proof.of(sentence).verdict == verdict
