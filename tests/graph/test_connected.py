"""Questions that the graph answers with a citation for each step, and the relations that the answers use."""

from pathlib import Path

import pytest
import yaml

import onrecord
from onrecord.graph.extract import MOST, knowledge_of
from onrecord.types import Details, Passage, Recording

EXAMPLES = Path(onrecord.__file__).parent / "examples"
SUITE = yaml.safe_load(Path(__file__).with_name("connected.yaml").read_text())
OF_THE_GRAPH = (
    "Who else",
    "Which",
    "What do",
    "How ",
    "What connects",
    "What is the c",
    "Qui d'autre",
    "De quoi",
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Open an archive of the built-in examples."""
    path = tmp_path_factory.mktemp("connected") / "talks.db"
    with onrecord.open(path, embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(EXAMPLES)
        yield archive


def test_who_must_be_cited_is_cited(archive):
    """For nearly all questions of the suite that the graph answers, the expected quotes are cited."""
    asked = [each for each in SUITE if each["text"].startswith(OF_THE_GRAPH)]
    right = []
    for each in asked:
        answer = archive.ask(each["text"])
        cited = [(citation.speaker, citation.quote) for citation in answer.citations]
        right.append(all(any(n == s and w in q for s, q in cited) for n, w in each["cites"]))
    assert len(asked) > 40
    assert sum(right) >= len(right) - 4


def test_each_step_of_a_connection_is_cited_and_needs_no_search(archive):
    """A connection between two names is answered without a search.

    The first citation has the quote, the time and the relation of a step.
    """
    answer = archive.ask("How is Sam Okafor connected with Northgate Capital?")
    assert answer.evidence.plan.settled and answer.verdict == "answered"
    assert "Sam Okafor of Northgate Capital" in answer.citations[0].quote
    assert answer.citations[0].start == 163
    source = answer.citations[0].graph
    assert source.type in ("mention", "inferred") and source.entity == "Sam Okafor"
    assert source.description in answer.text


def test_common_ground_of_people_with_apostrophes(tmp_path):
    """Names with straight or curly apostrophes are found and compared."""
    for number, text in enumerate(
        (
            "Eryn O'Neil: The ferry was late, and a ferry is slow.",
            "Tim D'Arcy: I like the ferry. The ferry is cheap.",
        )
    ):
        (tmp_path / f"{number}.txt").write_text(
            f"{text}\nAnn Lee: I see. And who pays?\n{text}\nAnn Lee: Right, thank you.\n"
        )
    with onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path)
        answer = archive.ask("What do Eryn O'Neil and Tim D'Arcy have in common?")
        assert {citation.speaker for citation in answer.citations} == {"Eryn O'Neil", "Tim D'Arcy"}
        assert archive.graph.about("D'Arcy").entity.name == "Tim D'Arcy"
        assert archive.graph.about("Eryn O’Neil").entity.kind == "person"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Who else mentions Halden Cycles?", ["Mara Lindqvist", "Operator"]),  # company
        ("Which people mention Priya Raman?", ["Mara Lindqvist"]),  # person
        ("Who else mentions the tariff?", ["Brendan Kelly", "Priya Raman"]),  # subject
        ("Qui d'autre mentionne Halden Cycles ?", ["Mara Lindqvist", "Operator"]),
        ("Qui parle de la chaleur ?", ["Léa Fontaine", "Hugo Marchetti"]),
        ("Who mentions the tariff?", ["Brendan Kelly", "Priya Raman"]),
        ("Who talks about freight?", ["Brendan Kelly", "Tobias Brandt"]),
    ],
)
def test_who_mentions_it_is_reported_whatever_it_is(archive, text, names):
    """The speakers who mention a company, person or subject are listed, in English and French."""
    plan = archive.plan(text)
    assert plan.settled and all(any(name in fact.text for fact in plan.facts) for name in names)


@pytest.mark.parametrize("text", ["What does Priya Raman mention?", "Who is Priya Raman?", "Who else spoke?"])
def test_other_questions_about_somebody_are_not_for_the_graph(archive, text):
    """Questions that only resemble those for speakers get no list of speakers."""
    assert not any("speak" in fact.text and "passage" in fact.text for fact in archive.plan(text).facts)


def test_what_nobody_speaks_of_is_searched_for(archive):
    """Questions about an unmentioned subject get no facts."""
    assert not archive.plan("How is Kelly connected with zirconium?").facts
    assert not archive.plan("What happened to the tariff?").facts


TALK = "We talk of the mill, of what it costs to run, and of how many people still work there today."
"""Words in lower case: in a text that has only names, capitals do not distinguish names."""


def relations(text):
    """Return the relations that the graph extracts from a passage: subject, relation, object."""
    passage = Passage("r", 0, text, "Ann Lee")
    recording = Recording("r", "r", "", "test", Details(), 1, speakers=("Ann Lee",))
    return [(r.subject, r.relation, r.object) for r in knowledge_of(recording, [passage]).relations]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The tariff on frames caused a shortage of parts.", ("tariff", "causes", "shortage")),
        ("The delays were caused by the strike.", ("strike", "causes", "delay")),
        ("Our margins fell because of the tariff.", ("tariff", "causes", "margin fell")),
        ("So freight costs directly led to higher prices.", ("freight cost", "causes", "higher price")),
        ("Those delays cause a shortage.", ("delay", "causes", "shortage")),
        ("So Vellmark is a small town, and I like it.", ("vellmark", "is a", "town")),
        ("A ballast is a weight.", ("ballast", "is a", "weight")),
        ("A spindle is a rod that holds the yarn.", ("spindle", "is a", "rod")),
        ("An axe is a tool.", ("axe", "is a", "tool")),
        (f"So Orsel uses Vellmark data. {TALK}", ("orsel", "uses", "vellmark data")),
        (f"So Orsel is part of the Vellmark grain team. {TALK}", ("orsel", "part of", "vellmark grain team")),
        ("The harbour is a huge part of the economy.", ("harbour", "part of", "economy")),
    ],
)
def test_what_is_said_in_so_many_words_is_read(text, stated):
    """Explicit statements of causes, classes and parts become relations."""
    assert stated in relations(text)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The harvest failed because of the drought.", ("drought", "harvest failed")),
        ("The launch was delayed because of the strike.", ("strike", "launch was delayed")),
        (
            "Margins on small bikes fell sharply due to the tariff.",
            ("tariff", "margin on small bike fell sharply"),
        ),
        ("The train is late due to snow.", ("snow", "train is late")),
        ("Vellmark closed because of the flood.", ("flood", "vellmark closed")),
        (f"Margins fell because of Kestrel. {TALK}", ("kestrel", "margin fell")),
        ("Les ventes ont baissé à cause de la grève.", ("greve", "vente ont baiss")),
        ("La récolte a échoué à cause de la sécheresse.", ("secheress", "recolte a echoue")),
        ("The delay was partly due to the strike.", ("strike", "delay")),
    ],
)
def test_the_cause_of_a_change_is_none_of_what_changed(text, stated):
    """The effect of a cause is the whole change, such as ``harvest failed``, not the harvest."""
    assert relations(text) == [(stated[0], "causes", stated[1])]


def test_a_change_is_shown_with_its_verb(tmp_path):
    """A change that is an effect is shown with its verb."""
    (tmp_path / "talk.md").write_text("Ann Lee: The harvest failed because of the drought.\n")
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path / "talk.md")
        (edge,) = archive.graph.about("drought", unsure=True).relations
    assert (edge.subject, edge.relation, edge.object) == ("drought", "causes", "harvest failed")


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("The delay led to a fine. The fine led to a strike.", [("delay", "fine"), ("fine", "strike")]),
        ("Stress leads to burnout.", [("stress", "burnout")]),
        ("Interest rates caused the delay.", [("interest rate", "delay")]),
        ("Sales fell because of the strike.", [("strike", "sale fell")]),
        ("The fall led to an increase in prices.", [("fall", "increase in price")]),
        ("Rising costs led to layoffs.", [("rising cost", "layoff")]),
        ("Laziness leads to bad habits.", [("laziness", "bad habit")]),
        ("Smoke causes asthma and cancer.", [("smoke", "asthma")]),
        ("The supply led to a delay.", [("supply", "delay")]),
        ("Lower wages led to more strikes.", [("lower wage", "more strike")]),
        ("The growth was mainly driven by exports.", [("export", "growth")]),
        ("The fine was the result of a delay.", [("delay", "fine")]),
        ("Le stress a entraîné une fatigue.", [("stress", "fatigue")]),
        ("We repaired the damage caused by the flood.", [("flood", "damage")]),
        ("La pluie provoque des inondations.", [("pluy", "inondation")]),
    ],
)
def test_what_causes_relate_need_not_be_named_elsewhere(text, stated):
    """Causes and effects are extracted even if no other sentence mentions them."""
    assert relations(text) == [(cause, "causes", effect) for cause, effect in stated]


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("The strike caused significant installation delays.", "installation delay"),
        ("The strike caused a huge shortage.", "shortage"),
        ("La grève a provoqué un retard considérable.", "retard"),
        ("La grève a provoqué d'énormes pertes.", "perte"),
    ],
)
def test_adjectives_that_only_colour_are_no_part_of_an_effect(text, effect):
    """Adjectives of degree are not part of an effect."""
    assert [other for _, _, other in relations(text)] == [effect]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Maria Lopez works at Northwind Bank.", ("maria lopez", "northwind bank")),
        ("Maria Lopez has always worked for Northwind.", ("maria lopez", "northwind")),
        ("Claire Dumont travaille chez Orsel.", ("claire dumont", "orsel")),
        (f"We heard Claire Dumont of Banque Orsel say so. {TALK}", ("claire dumont", "banque orsel")),
        (f"Our guest today is Ana Sousa from Northwind Bank. {TALK}", ("ana sousa", "northwind bank")),
        (f"Ana Sousa, who is a nurse at Vellmark Bank, left. {TALK}", ("ana sousa", "vellmark bank")),
        (f"Bo Lund joined Halden Group in May. {TALK}", ("bo lund", "halden group")),
        (f"Maria Lopez is the CEO of Northwind. {TALK}", ("maria lopez", "northwind")),
        (f"We welcome Ana Sousa, head of research at Orsel. {TALK}", ("ana sousa", "orsel")),
    ],
)
def test_where_somebody_works_is_read_of_two_names(text, stated):
    """A statement that links a person and an organization becomes ``works at``."""
    assert [each for each in relations(text) if each[1] != "is a"] == [(stated[0], "works at", stated[1])]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("This is Yuki, the CFO.", [("yuki", "cfo")]),
        ("I'm joined by Ana Sousa, our head of research.", [("ana sousa", "head of research")]),
        ("With us is Ana Sousa, who's a co-founder of the mill.", [("ana sousa", "co-founder")]),
        ("Ana Sousa is the treasurer of the mill.", [("ana sousa", "treasurer")]),
        ("We welcome Bo Lund, vice president of Sales.", [("bo lund", "vice president")]),
        (
            "We welcome Ana Sousa, Minister for the Mills, and thank Bo Lund, director of a mill.",
            [("bo lund", "director")],
        ),
        ("As you know, Ana Sousa, the CFO of a mill in Orlen, is on leave.", [("ana sousa", "cfo")]),
        ("We ask Ana Sousa, Managing Director and chair, opening it.", [("ana sousa", "managing director")]),
        ("We heard Ana Sousa, the CFO for the 2020 fair of Orlen, say so.", [("ana sousa", "cfo")]),
        ("I'm Ana Sousa, the CFO and the one who pays.", [("ana sousa", "cfo")]),
        ("Voici Ana Sousa, notre directrice du moulin.", [("ana sousa", "directrice")]),
        ("We welcome Bo Lund, Vellmark's finance director, and talk.", [("bo lund", "finance director")]),
        (
            "On the call are Ana Sousa, president and chairman, and Bo Lund, chief financial officer.",
            [("ana sousa", "president"), ("bo lund", "chief financial officer")],
        ),
        (
            "With us are Ana Sousa, president and head of sales, Bo Lund, treasurer, and Cy Moe, CFO.",
            [("ana sousa", "president"), ("bo lund", "treasurer"), ("cy moe", "cfo")],
        ),
    ],
)
def test_who_is_introduced_as_what_is_read(text, stated):
    """An introduction of a person with an office becomes ``is a``."""
    assert relations(f"{text} {TALK}") == [(who, "is a", office) for who, office in stated]


@pytest.mark.parametrize(
    "text",
    [
        "Is this Ana Sousa, our head of research?",
        "This is not Ana Sousa, our head of research.",
        "At Vellmark, the CFO decides.",  # Vellmark is a place, not a person
        "We thank Ana Sousa, and the CFO decides.",
        "We thank Ana Sousa, CEO Bo Lund and others.",  # the office of the next person
        "There are the CEO, Ana Sousa, CFO, and others.",  # the office of each person is before the name
        "With us are our secretary general, Ana Sousa, CFO, Bo Lund, and others.",
        "Voici notre directrice des ventes, Ana Sousa, directeur, Bo Lund, et autres.",
        "We welcome Vellmark, our witnesses.",
        "As you know, Ana Sousa, the CFO is on leave.",  # addressed, and not introduced
        "Thank you, Ana Sousa, the CFO will answer that.",
        "Good morning, Ana Sousa, our chairman has left.",
        "Good morning, Ana Sousa, Vellmark's finance director has left.",
        "Merci, Ana Sousa, notre directrice a quitté le moulin.",
        "Unlike Ana Sousa, the CFO of Halden Bank stayed.",
        "Besides Ana Sousa, the CFO of Halden Bank left.",
    ],
)
def test_who_is_only_named_beside_an_office_does_not_hold_it(text):
    """An office beside a name gives no relation if it is another person's, denied or asked for."""
    assert relations(f"{text} {TALK}") == []


@pytest.mark.parametrize(
    "text",
    [
        "Did the tariff cause a shortage?",
        "The tariff never caused a shortage.",
        "We saw the tariff. A shortage came.",
        "The shortage of parts and the tariff, caused by nobody.",
        "They cause sales to fall.",
        "The tariff can cause the price of frames to fall.",
        "There may be a tariff that causes a shortage.",
        "If the tariff causes a shortage, we stop.",
        "There is no evidence that this caused a shortage.",
        "We saw no tariff that caused a shortage.",
        "It is the timing of the receipts that is causing a shortage.",
        "Crowds who came to see the chapel caused a shortage.",
        "The harbour is a landmark.",  # a class that says too little
        "So Vellmark is a unitary, democratic state.",
        "So Vellmark is a film and theatre producer.",
        "The mills span that part of the harbour.",
        "We saw the price of the parts that caused a shortage.",
        "So Vellmark Together is a club.",
        "A loom is a very dry, very slow tool.",
        "Please note that is part of the call.",
        "The harvest did not fail because of the drought.",
        "I like the bread because of the crust.",
        "The mill is more because of the view.",
        "The price and the wage rose. The latter led to a strike.",
        "The credit is due to Ana Sousa.",
        "The delay is due to relying on frames.",
        "Smoke causes nerve and brain damage.",
        "The decrease was due to an increase in freight and labour costs.",
        "The delay was probably caused by a strike.",
        "We saw a delay caused by component supply problems.",
        "The mill is driven by the river.",
        "The delay was the result of selling the frames.",
        "We sold the mill, thus leading to a strike.",
        "The Museum of Natural History at Vellmark University is closed.",
        "We paid for the price of the damage caused by the flood.",
        "There are mills that just because of the price stand still.",
        "The strike led to workers leaving.",
        "Did sales fall because of the strike?",
        "Maria Lopez joined Bo Lund on stage.",
        "Maria Lopez never worked at Northwind Bank.",
    ],
)
def test_what_is_asked_denied_or_apart_is_not(text):
    """Questions, denials, conditions and unclear phrases give no relation."""
    assert relations(text) == []


def test_a_statement_behind_a_long_list_of_things_keeps_its_ends():
    """A relation keeps both ends even where the passage mentions more than the limit."""
    things = " and ".join(f"the {letter}arrow" for letter in "bcdfghjklmnpqrstvwxz")
    text = f"We met {things}, and {things}, and {things} there. Stress causes burnout."
    passage = Passage("r", 0, text, "Ann Lee")
    known = knowledge_of(Recording("r", "r", "", "test", Details(), 1), [passage])
    assert len([m for m in known.mentions if m.begin < text.index("Stress")]) == MOST
    assert [(r.subject, r.object) for r in known.relations] == [("stress", "burnout")]
    assert {"stress", "burnout"} <= {m.entity for m in known.mentions}


@pytest.mark.parametrize(
    "turns",
    [
        ("We know that the drought", "caused hunger, I hear."),
        ("Many blame the drought", "caused by the river."),
        (f"{TALK} I spoke with Maria Lopez", "of Halden Bank."),
        (f"{TALK} This is Maria Lopez,", "our director of Halden Bank."),
    ],
)
def test_what_two_voices_say_is_no_statement_of_either(turns):
    """A relation is read only within a speaker's turn, even where the turn ends without punctuation."""
    assert relations(" ".join(turns))
    passage = Passage("r", 0, " ".join(turns), "Ann Lee", voices=((0, "Ann Lee"), (len(turns[0]) + 1, "Bo")))
    recording = Recording("r", "r", "", "test", Details(), 1, speakers=("Ann Lee", "Bo"))
    assert not knowledge_of(recording, [passage]).relations


def test_what_two_people_share_is_listed_as_a_sentence_does(archive):
    """Shared topics are listed as a sentence, without ampersands."""
    text = archive.ask("What do Kelly and Raman have in common?").text
    assert text.startswith("Brendan Kelly and Priya Raman both speak of ") and " & " not in text


def test_of_entries_nobody_is_said_to_speak(tmp_path):
    """The subjects of written entries are not described as speakers."""
    pages = {
        "Ada Lindqvist": "Ada Lindqvist was a painter from Vellmark.",
        "Jon Moe": "Jon Moe built boats in Vellmark.",
    }
    with onrecord.open(tmp_path / "pages.db", embedding={"model": "hashing"}, reader=None) as archive:
        for title, text in pages.items():
            (tmp_path / f"{title}.md").write_text(f"---\ntitle: {title}\n---\n{text}\n")
            archive.add(tmp_path / f"{title}.md")
        assert archive.graph.common("Ada Lindqvist", "Jon Moe").shared
        assert not archive.plan("What do Ada Lindqvist and Jon Moe have in common?").facts


TALKS = {
    "one.txt": "Ann Lee: The ferry is late. We raise the fares each May.\n"
    "Bo Lund: I asked Cleo Marsh about the ferry. The fare of a ferry is low.\n"
    "Ann Lee: Cleo Marsh likes the ferry and the quay.\nBo Lund: The mill is old.\n",
}


@pytest.fixture
def talks(tmp_path):
    """Open an archive with one talk, in which Cleo Marsh is mentioned but never speaks."""
    with onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}, reader=None) as archive:
        for name, text in TALKS.items():
            (tmp_path / name).write_text(text)
            archive.add(tmp_path / name)
        yield archive


@pytest.mark.parametrize(
    "question",
    [
        "Compare what Ann Lee and Cleo Marsh talk about",
        "What do Ann Lee and Cleo Marsh have in common?",
        "What do the ferry and the quay have in common?",
    ],
)
def test_who_never_speaks_is_not_said_to_speak_of_anything(talks, question):
    """A comparison with a person or thing that never speaks does not claim that it does."""
    assert not any("both speak" in fact.text or "Only" in fact.text for fact in talks.plan(question).facts)


def test_of_who_never_speaks_it_is_reported_what_is_named_with_it(talks):
    """For a person who never speaks, common topics are those that are mentioned with the person."""
    common = talks.graph.common("Ann Lee", "Cleo Marsh")
    assert "Cleo Marsh: speaks nowhere" in common.note
    (ferry,) = [topic for topic in common.shared if topic.entity.key == "ferry"]
    assert ferry.quotes[0][0].speaker == "Ann Lee"
    assert all("Cleo Marsh" in quote.text for quote in ferry.quotes[1])


def test_only_one_speaks_of_what_the_other_never_says_in_any_form(talks):
    """A topic is exclusive to a speaker only if the other never says it in any inflected form."""
    common = talks.graph.common("Ann Lee", "Bo Lund")
    own = [{topic.entity.key for topic in topics} for topics in common.only]
    assert "quay" in own[0] and "mill" in own[1]
    assert "fare" not in own[0] | own[1]
    assert not common.note


def test_a_connection_cites_a_sentence_of_each_name(tmp_path):
    """An inferred connection quotes a sentence for each name."""
    talk = "Ann Lee: Vellmark is a town.", "Bo Lund: Yes, I know.", "Ann Lee: We then sail to Ostrava."
    (tmp_path / "talk.txt").write_text("\n".join(talk))
    with onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path / "talk.txt")
        (citation, *_) = archive.ask("How are Vellmark and Ostrava connected?").citations
        assert citation.quote == "Vellmark is a town. [...] We then sail to Ostrava."
        assert citation.graph.type == "inferred" and citation.speaker == "Ann Lee"


def test_what_ends_a_longer_name_is_caused_by_what_causes_that(tmp_path):
    """The causes of a longer term are also found for the noun at its end."""
    talk = "Ann Lee: The strike caused serious boiler delays.\nBo Lund: We hate boiler delays.\n"
    (tmp_path / "talk.txt").write_text(talk)
    with onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path / "talk.txt")
        for name in ("boiler delays", "delays"):
            (path,) = archive.graph.causes(name).paths
            assert path.steps[0].subject == "strike" and "boiler delay" in path.steps[0].object
        assert archive.graph.causes("boiler delays", origin="strike").paths


def test_a_stated_chain_within_one_passage_connects(tmp_path):
    """Two stated steps connect two names that are named together, and no step leads over a part of a name."""
    talk = "Ann Lee: Soil pressure leads to floods. I asked twice. The floods caused crop losses.\n"
    (tmp_path / "talk.txt").write_text(talk)
    with onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path / "talk.txt")
        paths = archive.graph.between("soil pressure", "crop losses", most=9, unsure=True).paths
    chains = [[step.relation for step in path.steps] for path in paths]
    assert ["causes", "causes"] in chains
    inner = {end for path in paths for step in path.steps for end in (step.subject, step.object)}
    assert inner.isdisjoint({"pressure", "losses"})


@pytest.fixture(scope="module")
def valley(tmp_path_factory):
    """Open an archive with two episodes of one series and one of another."""
    folder = tmp_path_factory.mktemp("valley")
    for number, (title, text) in enumerate(
        (
            ("Mill Hour", "Rosa Ibarra: The ferry is late every day. I wait for the ferry in the rain."),
            ("Mill Hour", "Per Holm: My garden is full of roses, and I water them in the evening."),
            ("Port Report", "Ana Sousa: The ferry is never late here. A ferry that waits costs money."),
        )
    ):
        talk = f"{text}\n\nJon Moe: I see, thank you. {'We talk about many things here. ' * 30}\n"
        (folder / f"{number}.md").write_text(f"---\ntitle: {title}\n---\n{talk}")
    with onrecord.open(folder / "talks.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(folder)
        yield archive


def test_series_that_are_compared_are_quoted_each_under_its_name(valley):
    """A comparison of series has one block of quotes for each."""
    answer = valley.ask("What do Mill Hour and Port Report each say about the ferry?")
    assert "Mill Hour:\nRosa Ibarra: “The ferry is late every day." in answer.text
    assert "Port Report:\nAna Sousa: “The ferry is never late here." in answer.text


def test_what_two_people_say_of_it_is_quoted_and_nothing_else(valley):
    """A comparison quotes only what both people say about the subject.

    A person who says nothing about it is named as such.
    """
    answer = valley.ask("Compare what Rosa Ibarra says about the ferry with what Ana Sousa says")
    assert {citation.speaker for citation in answer.citations} == {"Rosa Ibarra", "Ana Sousa"}
    assert all("ferry" in citation.quote for citation in answer.citations)
    answer = valley.ask("How does what Rosa Ibarra says about the ferry compare with what Per Holm says?")
    assert "Per Holm: nothing clearly answers this." in answer.text
    assert {citation.speaker for citation in answer.citations} == {"Rosa Ibarra"}
    assert answer.heading.startswith("Mill Hour ")


def test_what_somebody_else_says_is_not_called_never_said(valley):
    """The note on words that are never said lists only words that no speaker says."""
    answer = valley.ask("How is Per Holm connected with the zeppelin ferry?")
    unheard = [note for note in answer.notes if "never said" in note]
    assert any("zeppelin" in note for note in unheard)
    assert not any("ferry" in note for note in unheard)


def test_words_that_only_ask_are_not_reported_as_never_said(tmp_path):
    """The note on words that are never said omits function words of the question."""
    (tmp_path / "talk.md").write_text("**Rosa Ibarra:** The cannery needs a barge.\n\n**Per Holm:** No.\n")
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path / "talk.md")
        answer = archive.ask("According to Rosa, what are the steps to insure a zeppelin?")
    (unheard,) = [note for note in answer.notes if "never said" in note]
    assert "zeppelin" in unheard and "ccording" not in unheard
