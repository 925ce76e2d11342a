"""Answers to comparisons, side by side, and outlines of a recording, in the order of talk."""

import pytest
from talks import CALL, add

from onrecord.answer.extract import Extractive
from onrecord.answer.paragraphs import Side, sides_of, sides_quoted
from onrecord.answer.render import to_json
from onrecord.models.double import HashingEmbedder
from onrecord.retrieve import Tools
from onrecord.retrieve.wording import Wording
from onrecord.stores.memory import MemoryStore
from onrecord.strategies import COMPARISON, FULL, OVERVIEW, SECTION, STRATEGIES, SUMMARY, Strategy, with_plan
from onrecord.types import (
    Answer,
    Details,
    Evidence,
    Filter,
    Moment,
    Passage,
    Plan,
    Question,
    Recording,
    Scope,
    Section,
)

MEETING = (
    ("Ann Bell", "Welcome everybody to the meeting.", "Opening"),
    ("Ann Bell", "The tariff on aluminium frames took three points of margin this spring.", "Costs"),
    ("Bo Lund", "The tariff is paid by our dealers in the end, and they order fewer frames.", "Costs"),
    ("Bo Lund", "My garden is full of roses this year.", "Garden"),
    ("Ann Bell", "Roses need water in July, and more of it in August.", "Garden"),
    ("Bo Lund", "The next question comes from Sam Okafor of Northgate.", "Questions by Sam"),
    ("Sam Okafor", "Will the tariff on frames rise again next spring?", "Questions by Sam"),
    ("Ann Bell", "We expect the tariff to stay where it is until the election.", "Questions by Sam"),
)
SECTIONS = (
    Section("Opening", first=0, last=0, kind="opening", summary=MEETING[0][1]),
    Section("Costs", first=1, last=2, kind="item", summary=MEETING[1][1]),
    Section("Garden", first=3, last=4, kind="item", summary=MEETING[4][1]),
    Section("Questions and answers", first=5, last=7, kind="qa", summary=MEETING[7][1]),
    Section("Questions by Sam", first=5, last=7, kind="exchange", under="Questions and answers"),
)


@pytest.fixture
def tools() -> Tools:
    store, embedder = MemoryStore(), HashingEmbedder()
    worth = (0.1, 0.9, 0.7, 0.3, 0.8, 0.1, 0.4, 0.9)
    talk = [
        Passage("meeting", at, text, who, section=section, importance=worth[at])
        for at, (who, text, section) in enumerate(MEETING)
    ]
    people = tuple(dict.fromkeys(who for who, *_ in MEETING))
    recording = Recording(
        "meeting", "m", "m", "t", Details(title="The spring meeting"), len(talk), speakers=people
    )
    store.add(recording, talk, SECTIONS, embedder.embed([p.spoken for p in talk]))
    add(store, "halden call", CALL)
    return Tools(store, embedder)


def answer(strategy: Strategy, question: str, tools: Tools, scope: Scope | None = None) -> Answer:
    outline = strategy.answer == "outline"
    evidence = strategy.retrieve(Question(question, scope or Scope()), tools)
    return Extractive(quotes=10, words=400, outline=outline).answer(evidence, tools)


ONE = Scope(recordings=("meeting",))


@pytest.mark.parametrize("names", ["Ann Bell and Bo Lund", "Ann and Bo"])
def test_each_side_stands_by_itself_under_the_name_of_who_speaks(tools: Tools, names: str) -> None:
    reply = answer(COMPARISON, f"Compare {names} on the tariff", tools, ONE)
    assert reply.verdict == "answered"
    ann, bo = reply.text.split("\n\n")
    assert ann.startswith("Ann Bell: “") and bo.startswith("Bo Lund: “")
    assert "three points of margin" in ann and "dealers" in bo
    assert [c.number for c in reply.citations] == list(range(1, len(reply.citations) + 1))
    shares = [sum(c.speaker == name for c in reply.citations) for name in ("Ann Bell", "Bo Lund")]
    assert min(shares) >= 1 and sum(shares) == len(reply.citations)  # no other speaker is quoted


AUTO = STRATEGIES["auto"]


@pytest.mark.parametrize(
    "text",
    ["What did Ann Bell and Bo Lund say about the tariff?", "What do Bo and Ann think about the tariff?"],
)
def test_each_of_several_who_are_named_has_a_share(tools: Tools, text: str) -> None:
    reply = answer(AUTO, text, tools, ONE)
    assert {c.speaker for c in reply.citations} == {"Ann Bell", "Bo Lund"}
    assert all("tariff" in c.quote for c in reply.citations)
    assert "Ann Bell: “" in reply.text and "Bo Lund: “" in reply.text


def test_who_says_nothing_of_it_is_reported(tools: Tools) -> None:
    reply = answer(AUTO, "What did Ann Bell and Bo Lund say about the election?", Tools(tools.store), ONE)
    assert reply.verdict == "answered" and {c.speaker for c in reply.citations} == {"Ann Bell"}
    assert "Bo Lund: nothing clearly answers this." in reply.text


def test_who_names_the_subject_among_much_else_is_quoted_beside_who_says_it_alone() -> None:
    """A long turn is not near the question, but its speaker says the word that the question asks about."""
    store, embedder = MemoryStore(), HashingEmbedder()
    others = "Every dealer kept a cellar full of bicycles while banks rationed credit all through autumn. "
    yard = "There is a yard in Ostrava that welds frames. "
    lines = (
        ("Ann Bell", "Ostrava will weld frames for Ostrava."),
        ("Bo Lund", others * 6 + yard + others * 6),
    )
    talk = [Passage("desk", at, text, who) for at, (who, text) in enumerate(lines)]
    details = Details(title="Desk", people=("Ann Bell", "Bo Lund"))
    recording = Recording("desk", "d", "", "t", details, 2, speakers=details.people)
    store.add(recording, talk, (), embedder.embed([p.spoken for p in talk]))
    reply = answer(COMPARISON, "Compare Ann Bell and Bo Lund on Ostrava", Tools(store, embedder))
    assert reply.verdict == "answered" and "nothing clearly" not in reply.text
    assert {c.speaker for c in reply.citations} == {"Ann Bell", "Bo Lund"}
    assert any("There is a yard in Ostrava" in c.quote for c in reply.citations if c.speaker == "Bo Lund")


def test_what_all_are_asked_about_is_no_name_of_a_side() -> None:
    queries = ("What did Ann Bell say about Vantor?", "What did Bo Lund say about Vantor?")
    plan = Plan("x", "multi_entity", entities=("Ann Bell", "Bo Lund", "Vantor"), queries=queries)
    talk = Passage("call", 0, "Vantor buys our steel.", "Ann Bell", row=0)
    evidence = Evidence(Question("x"), (Moment((talk,), 0.5, {"side 0": 0.5}),), plan=plan)
    store = MemoryStore()
    add(store, "call", [("Ann Bell", talk.text)])
    ann, bo = sides_of(evidence, store.timeline(), store)
    assert (ann.label, bo.label) == ("Ann Bell", "Bo Lund")
    assert ann.evidence.question.text == bo.evidence.question.text == "What did they say about Vantor?"
    assert set(ann.words.weights) == {"vantor"}


def test_the_words_for_a_firm_are_no_subject_of_its_side() -> None:
    queries = ("What did Vantor say about steel?", "What did Halden say about steel?")
    firms = [Filter("company", f"{name} Group plc", name) for name in ("Vantor", "Halden")]
    names = tuple(firm.value for firm in firms)
    plan = Plan("x", "multi_entity", entities=names, filters=tuple(firms), queries=queries)
    store = MemoryStore()
    add(store, "call", [("Ann Bell", "Welcome to the Vantor call.")])
    talk = next(iter(store.transcript("call")))
    evidence = Evidence(Question("x"), (Moment((talk,), 0.5, {"side 0": 0.5}),), plan=plan)
    assert [set(side.words.weights) for side in sides_of(evidence, store.timeline(), store)] == [
        {"steel"}
    ] * 2


def test_what_speaks_to_both_sides_is_reported_once_under_both(tools: Tools) -> None:
    store, embedder = MemoryStore(), HashingEmbedder()
    lines = (
        "We can repair the old gate, or build a new gate for seven million.",
        "The old gate stuck for forty minutes in January.",
        "The new gate closes in ten minutes, says the maker.",
    )
    talk = [Passage("town", at, text, "June") for at, text in enumerate(lines)]
    store.add(Recording("town", "t", "", "t", Details(title="Town"), 3), talk, (), embedder.embed([*lines]))
    reply = answer(COMPARISON, "Compare the old gate and the new gate", Tools(store, embedder))
    assert reply.verdict == "answered" and "nothing" not in reply.text
    assert reply.text.count("for seven million") == 1 and "the old gate, the new gate" in reply.text


def test_firms_that_are_compared_stand_under_their_names(tools: Tools) -> None:
    for firm, what in (
        ("Halden Cycles", "fell to ten percent"),
        ("Northgate Works", "rose to forty percent"),
    ):
        turns = (("Sam Okafor", f"Our gross margin {what} in spring."), ("Sam Okafor", "Roses did well."))
        recording = Recording(firm, firm, "", "t", Details(f"{firm} call", attributes={"company": firm}), 2)
        talk = [Passage(firm, at, words, who) for at, (who, words) in enumerate(turns)]
        tools.store.add(recording, talk, (), HashingEmbedder().embed([p.spoken for p in talk]))
    reply = answer(COMPARISON, "How do Halden's and Northgate's gross margins differ?", tools)
    assert [part.split("\n")[0] for part in reply.text.split("\n\n")] == [
        "Halden Cycles:",
        "Northgate Works:",
    ]


def test_what_two_say_in_one_breath_stands_under_who_says_it() -> None:
    both = Passage(
        "r", 0, "The tariff hurts. It does.", "Ann Bell", voices=((0, "Ann Bell"), (18, "Bo Lund")), row=7
    )
    evidence = Evidence(Question("q"), (Moment((both,), 0.5),))
    sides = [Side(name, evidence, Wording({})) for name in ("Ann Bell", "Bo Lund")]
    assert sides_quoted(both, "Bo Lund", sides) == (1,) and sides_quoted(both, "Ann Bell", sides) == (0,)
    assert sides_quoted(both, "Sam Okafor", sides) == sides_quoted(both, None, sides) == (0, 1)


def test_a_side_that_says_nothing_of_it_is_reported(tools: Tools) -> None:
    reply = answer(COMPARISON, "Compare Ann Bell and Sam Okafor on roses", tools)
    assert "water in July" in reply.text
    assert reply.text.endswith("Sam Okafor: nothing clearly answers this.")


def test_all_of_a_recording_is_summarized_in_order_under_its_sections(tools: Tools) -> None:
    reply = answer(with_plan(FULL), "Summarize the meeting", tools, ONE)
    assert reply.heading == "The spring meeting, from beginning to end:"
    headings = [part.split("\n")[0] for part in reply.text.split("\n\n")]
    assert headings == ["Costs:", "Garden:", "Questions and answers > Questions by Sam:"]
    assert MEETING[1][1] in reply.text and MEETING[0][1] not in reply.text
    assert any(MEETING[at][1] in reply.text for at in (3, 4))
    assert any(MEETING[at][1] in reply.text for at in (5, 7))
    places = [c.passage.position for c in reply.citations]
    assert places == sorted(places) and reply.confidence >= 0.75
    assert reply.sections == ("Opening", "Costs", "Garden", "Questions and answers > Questions by Sam")


def test_words_that_say_what_to_do_with_a_whole_recording_are_not_missed_in_it(tools: Tools) -> None:
    evidence = FULL.retrieve(Question("Paraphrase the meeting", ONE), tools)
    about_it, all_of_it = (
        Extractive(outline=True, whole=whole).answer(evidence, tools) for whole in (False, True)
    )
    assert any("Paraphrase" in note for note in about_it.notes)
    assert all_of_it.citations and not any("Paraphrase" in note for note in all_of_it.notes)


@pytest.mark.parametrize("strategy", [SUMMARY, SECTION, FULL], ids=lambda s: s.name)
def test_an_outline_about_something_leaves_out_the_rest(strategy: Strategy, tools: Tools) -> None:
    reply = answer(strategy, "What was said about roses and water in July?", tools, ONE)
    assert "water in July" in reply.text and "points of margin" not in reply.text
    assert reply.heading != "The spring meeting, from beginning to end:"


def test_the_sections_and_tokens_are_reported_to_programs(tools: Tools) -> None:
    data = to_json(answer(FULL, "Summarize the meeting", tools, ONE))
    assert data["sections"][-1] == "Questions and answers > Questions by Sam"
    assert data["citations"][-1]["section"] == "Questions and answers > Questions by Sam"
    assert data["tokens"] == sum(-(-len(text.encode()) // 4) for _, text, _ in MEETING)


def test_which_recording_was_meant_is_not_sure_where_there_are_several(tools: Tools) -> None:
    one, several = (answer(SUMMARY, "Summarize the meeting", tools, scope) for scope in (ONE, Scope()))
    assert several.confidence <= one.confidence


def test_who_only_asks_is_quoted_asking(tools: Tools) -> None:
    scope = Scope(recordings=("meeting",), speakers=("Sam Okafor",))
    reply = answer(OVERVIEW, "What did Sam Okafor say?", tools, scope)
    assert [citation.speaker for citation in reply.citations] == ["Sam Okafor"]
    assert "rise again next spring?" in reply.citations[0].quote
