from collections.abc import Sequence
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from onrecord.answer.judging import MOMENTS, QuoteChooser, judge_by_score
from onrecord.answer.outline import typical_quotes
from onrecord.answer.quotes import Quote, QuoteSelection, in_speaking_order
from onrecord.answer.talk import Talk
from onrecord.answer.verify import verbatim
from onrecord.models.base import Reading
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve.read_acts import act_questions
from onrecord.retrieve.sentences import sentences
from onrecord.retrieve.stage import Tools
from onrecord.retrieve.wording import wording
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Evidence, Moment, Passage, Question, Recording, Voices


def talk(*turns: tuple[str, str], recording: str = "r", position: int = 0) -> Passage:
    """Return a passage of turns: (speaker, words)."""
    text, voices = "", []
    for speaker, words in turns:
        text = f"{text} {words}".strip()
        voices.append((len(text) - len(words), speaker))
    marks: Voices = tuple(voices)
    return Passage(recording, position, text, turns[0][0], position * 10.0, position * 10.0 + 9.0, (), marks)


def choose(question: str, *passages: Passage, embed: bool = True, **settings: float) -> QuoteSelection:
    """Return quotes from one moment for each recording."""
    store = MemoryStore()
    by_recording: dict[str, list[Passage]] = {}
    for passage in passages:
        by_recording.setdefault(passage.recording, []).append(passage)
    for name, chosen in by_recording.items():
        vectors = HashingEmbedder().embed([p.spoken for p in chosen])
        store.add(Recording(name, name, "", "json", Details()), chosen, (), vectors)
    moments = tuple(Moment(tuple(store.transcript(name)), 1.0) for name in by_recording)
    tools = Tools(store, HashingEmbedder() if embed else None)
    words = wording(question, store.timeline(), store)
    talk = Talk(Evidence(Question(question), moments), MOMENTS, store)
    judged = judge_by_score(question, talk, words, tools)
    return QuoteChooser(**settings).choose(judged, talk)  # type: ignore[arg-type]


def texts(chosen: QuoteSelection) -> list[str]:
    return [quote.text for quote in chosen.quotes]


def test_interjections_become_ellipses() -> None:
    passage = talk(
        ("Ann", "The welding contract went to Porto."),
        ("Bo", "Yeah."),
        ("Ann", "And the tools for welding cost a million."),
    )
    assert texts(choose("welding tools cost", passage)) == [
        "The welding contract went to Porto. [...] And the tools for welding cost a million."
    ]


def test_what_others_really_say_ends_a_quote() -> None:
    passage = talk(
        ("Ann", "The welding contract went to Porto."),
        ("Bo", "My cat sleeps all day."),
        ("Ann", "And the tools cost a million."),
    )
    assert all("[...]" not in text for text in texts(choose("welding tools cost", passage)))


def test_the_answer_to_a_question_profits_from_it() -> None:
    passage = talk(
        ("Mara", "How much is the flood gate for the town?"),
        ("June", "Seven million, and the province pays half of that."),
        ("Finch", "That flood was in January, when the town slept."),
    )
    assert choose("How much is the flood gate for the town?", passage, quotes=1).quotes[0].speaker == "June"


def test_what_leads_up_to_a_question_is_part_of_it() -> None:
    lead = "The central bank cut its rate, and mortgages became dearer."
    reply = "They are priced from bonds of ten years, and those guess higher."
    question = "Why did mortgages become dearer when the central bank cut its rate?"
    asked = talk(("Ann", f"{lead} How can that be?"), ("Bo", reply))
    assert texts(choose(question, asked))[0] == reply
    stated = talk(("Ann", f"{lead} Nobody asked me."), ("Bo", reply))
    assert texts(choose(question, stated))[0].startswith(lead)
    unanswered = talk(("Bo", reply), ("Ann", f"{lead} How can that be?"))
    assert texts(choose(question, unanswered))[0].startswith(lead)
    long = talk(("Ann", f"{'We spoke about houses and streets for hours. ' * 8}{lead} Right?"), ("Bo", reply))
    assert texts(choose(question, long))[0].find(lead) >= 0


def test_what_is_said_again_is_an_echo() -> None:
    same = "Copper Kettle is the slow tea for people in a hurry."
    chosen = choose("Copper Kettle tea", *(talk(("Host", same), recording=name) for name in "abc"))
    assert texts(chosen) == [same]
    assert [quote.text for quote in chosen.echoes] == [same, same]
    assert chosen.duplicates() == [*chosen.quotes, *chosen.echoes]


def test_contained_quote_is_an_echo_not_a_duplicate() -> None:
    whole = (
        "Copper Kettle is the slow tea for people in a hurry, grown on a hill in the north by two sisters."
    )
    part = "Copper Kettle, the slow tea for people in a hurry."
    chosen = choose(
        "Copper Kettle tea grown by sisters",
        talk(("Host", whole), recording="a"),
        talk(("Host", part), recording="b"),
        least=0.0,
        enough=2.0,
    )
    assert texts(chosen) == [whole]
    assert [quote.text for quote in chosen.echoes] == [part]
    assert chosen.duplicates() == []


def test_without_an_embedder_words_decide() -> None:
    passage = talk(
        ("Ann", "Freight doubled in August again."), ("Bo", "The herring season starts in spring.")
    )
    assert texts(choose("herring season", passage, embed=False, quotes=1)) == [
        "The herring season starts in spring."
    ]


def test_a_run_without_punctuation_is_shown_to_go_on() -> None:
    words = " ".join(f"word{i}" for i in range(60))
    (quote,) = choose(
        "herring season", talk(("Ann", f"{words} herring season {words}")), longest=40, quotes=1
    ).quotes
    assert quote.text.startswith("[...] ")
    assert quote.text.endswith(" [...]")
    assert quote.words <= 40


def test_quotes_are_read_by_recording_in_order_and_put_together_where_nothing_is_between() -> None:
    first = talk(("Ann", "One thing came. Two things came."), recording="a")
    then = talk(("Ann", "Three things came."), recording="a", position=1)
    other = talk(("Ann", "Four things came."), recording="b")
    (one, two), (three,), (four,) = sentences(first), sentences(then), sentences(other)
    quotes = [Quote((three,), 0.9, 1), Quote((four,), 0.8, 2), Quote((one,), 0.7, 0), Quote((two,), 0.6, 0)]
    ordered = in_speaking_order(quotes)
    assert [quote.text for quote in ordered] == [
        "One thing came. Two things came. Three things came.",
        "Four things came.",
    ]
    assert (ordered[0].score, ordered[0].moment) == (0.9, 0)
    assert ordered[0].passages == (first, then)
    assert (ordered[0].start, ordered[0].end) == (0.0, 19.0)


def test_a_question_is_a_quote_only_where_nothing_is_stated() -> None:
    asks = talk(("Mara", "Why did margins fall?"), ("Mara", "And will freight rise?"))
    assert "Why did margins fall?" in texts(choose("margins", asks))[0]
    replies = talk(("Mara", "Why did margins fall?"), ("Bo", "Freight doubled, and margins fell."))
    assert choose("margins", replies).quotes[0].speaker == "Bo"


class Marks:
    """A reader that accepts sentences with a given word for one of its questions."""

    name = fingerprint = "marks"

    def __init__(self, **words: str) -> None:
        self._words = {act_questions()[act][0]: word for act, word in words.items()}

    def read(self, question: str, passages: Sequence[Sequence[str]]) -> list[Reading]:
        word = self._words.get(question)
        shares = (np.array([0.9 * (word in text) if word else 0 for text in some]) for some in passages)
        return [Reading(share, share.astype(np.float32)) for share in shares]


def outlined(*parts: str, most: int = 3, words: int = 60, reader: Marks | None = None) -> list[str]:
    store = MemoryStore()
    passages = [Passage("show", at, text, "Ann") for at, text in enumerate(parts)]
    store.add(Recording("show", "s", "", "json", Details()), passages)
    moments = tuple(Moment((p,), 1 - 0.1 * at) for at, p in enumerate(store.transcript("show")))
    talk = Talk(Evidence(Question("Summarize the show"), moments), 60, store, apart=True)
    return [quote.text for quote in typical_quotes(talk, most, words, Tools(store, reader=reader)).quotes]


RATES = "Rates fell twice this autumn, and still the mortgages that people ask a bank for became dearer."
CURVE = (
    "A bank borrows short and lends long, so mortgages cost more where the curve is steep, whatever rates do."
)
RENTS = "Rents that tenants signed two years ago have to catch up with all that happened to tenants."
CHAT = "Anyway, I nearly missed my train this morning, as somebody had parked right across my garden gate."
TENANTS = "And tenants who cannot pay such rents will leave, which no owner of a house seems to expect today."


def test_an_outline_quotes_what_is_said_most_and_each_thing_once() -> None:
    first, second = outlined(RATES, CHAT, CURVE, RENTS, TENANTS, most=2)
    assert first in (RATES, CURVE) and second in (RENTS, TENANTS)
    assert CHAT not in outlined(RATES, CHAT, CURVE, RENTS, TENANTS, most=5, words=200)


def test_an_outline_prefers_quotes_that_stand_alone() -> None:
    leaning = f"And {RENTS} Curve and rates and bank and mortgages."
    assert outlined(leaning, RENTS, RATES, CURVE, TENANTS, most=1) == outlined(RENTS, most=1)


def test_an_outline_prefers_what_the_reader_takes_for_a_main_point() -> None:
    assert outlined(RATES, RENTS, CHAT, most=1) != [CHAT]
    assert outlined(RATES, RENTS, CHAT, most=1, reader=Marks(key="train")) == [CHAT]


def test_an_outline_leaves_out_what_the_reader_takes_for_an_aside() -> None:
    first, second = outlined(RATES, CURVE, RENTS, TENANTS, most=2)
    assert RENTS in (first, second)
    assert RENTS not in outlined(RATES, CURVE, RENTS, TENANTS, most=2, reader=Marks(aside="signed"))


def test_an_outline_of_what_is_said_once_quotes_it() -> None:
    assert outlined(RENTS) == [RENTS]
    assert outlined("Thank you.") == ["Thank you."]
    assert outlined(RATES, most=1, words=5) == []


SPOKEN = st.lists(
    st.tuples(
        st.sampled_from(["Ann", "Bo"]),
        st.sampled_from(
            [
                "Yeah.",
                "Exactly, yes.",
                "The tariff on frames took three points.",
                "But freight doubled in August, and margins fell.",
                "Why did margins fall at all?",
                "so we went on and on without any stop at all and then some more of that",
                "Dr. Reyes left.",
            ]
        ),
    ),
    min_size=1,
    max_size=12,
)


@given(st.lists(SPOKEN, min_size=1, max_size=4), st.integers(1, 5), st.integers(10, 60), st.booleans())
def test_quotes_are_verbatim_by_one_speaker_and_apart(
    spoken: list[list[tuple[str, str]]], most: int, longest: int, embed: bool
) -> None:
    passages = [talk(*text, position=at) for at, text in enumerate(spoken)]
    chosen = choose("Why did margins fall?", *passages, embed=embed, quotes=most, longest=longest)
    assert len(chosen.quotes) <= most
    for quote in chosen.quotes:
        assert verbatim(quote.text, passages, quote.start) is not None
        assert {s.speaker for s in quote.sentences} == {quote.speaker}
        assert 0 < quote.score <= 1.0001
        assert quote.words <= max(longest, max(s.words for s in quote.sentences))
    for one, other in combinations(chosen.quotes, 2):
        assert not set(one.sentences) & set(other.sentences)
