"""Names in the graph: which names are found, which are merged, and which are aliases of others.

Also counts that different queries to the graph must agree on.
"""

from collections import Counter

import pytest

import onrecord
from onrecord.errors import InputError, NotFoundError
from onrecord.graph.extract import knowledge_of
from onrecord.graph.queries import Graph
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Passage, Recording


def archive_of(folder, *texts):
    """Return an open archive with one talk for each text."""
    archive = onrecord.open(folder / "talks.db", embedding={"model": "hashing"}, reader=None)
    for number, text in enumerate(texts):
        (folder / f"talk{number}.md").write_text(text)
    archive.add(folder)
    return archive


@pytest.fixture
def archive(tmp_path):
    """Open an archive in which two companies are mentioned."""
    text = "Ann Lee: Halden Cycles buys its frames from Kestrel Works. Halden Cycles pays late.\n"
    with archive_of(tmp_path, text) as archive:
        yield archive


@pytest.mark.parametrize("name", ["Zibbledorf", "Halden Cicles", "Kestrel Factory"])
def test_only_what_is_spoken_of_is_merged(archive, name):
    """A name that no recording mentions cannot be merged."""
    with pytest.raises(NotFoundError, match="nobody speaks of"):
        archive.graph.merge(name, into="Halden Cycles")
    assert not archive.store.graph.aliases(["halden cycle"])


def test_what_nobody_says_may_still_be_another_name(archive):
    """A name that no recording mentions can be added as an alias."""
    archive.graph.alias("HC", of="Halden Cycles")
    assert archive.graph.about("HC").entity.name == "Halden Cycles"
    assert archive.graph.merge("Kestrel Works", into="Halden Cycles").score == 1


def test_an_alias_that_begins_sentences_is_listed_as_it_is_written(tmp_path):
    """An alias without a mention of its own is shown in its most frequent written form."""
    text = "Ann Lee: NW, that is Northwest Water, raised its tariff. NW is late.\n"
    with archive_of(tmp_path, text) as archive:
        archive.graph.alias("NW", of="Northwest Water")
        assert [alias.alias for alias in archive.graph.aliases("Northwest Water")] == ["NW"]


def test_a_rare_capital_does_not_name_a_concept(tmp_path):
    """A concept is shown as most people write it, and a name keeps its capital."""
    text = "**Ana Sousa:** {}\n\n**Cleo Park:** I like {}, and nobody wants another one of them.\n"
    of_state = [
        text.format(f"We are in the state of {word}. I spoke about the state.", "Vellmark")
        for word in "abcde"
    ]
    once = text.format("You always say that the States pay for it.", "a vellmark")
    with archive_of(tmp_path, *of_state, once) as archive:
        names = {each.entity.name for each in archive.graph.concepts(across=2, most=50)}
        assert {"state", "Vellmark"} <= names


def test_a_timeline_counts_every_speaker_as_about_does():
    """Timelines and `about` count the same passages for each speaker."""
    store, text = MemoryStore(), "The valve is old. The valve is new. Nobody knows the valve."
    voices = ((0, "Ann Lee"), (18, "Bo Díaz"), (36, None))
    for number, marks in enumerate((voices, ((0, "Ann Lee"),))):
        passage = Passage(f"r{number}", 0, text, "Ann Lee", voices=marks)
        recording = Recording(f"r{number}", "", "", "test", Details(title="The valve", date="2024-05-01"))
        recording = recording.counted([passage])
        store.add(recording, [passage], knowledge=knowledge_of(recording, [passage]))
    graph = Graph(store.graph, store)
    about = graph.about("valve")
    counted = sum((Counter(point.speakers) for point in graph.timeline("valve").points), Counter())
    assert (
        counted == {voice.speaker: voice.passages for voice in about.voices} == {"Ann Lee": 2, "Bo Díaz": 1}
    )
    assert [point.passages for point in graph.timeline("valve").points] == [about.entity.passages] == [2]


def test_a_timeline_counts_all_names_of_an_entity(tmp_path):
    """The counts of an entity include the passages that call it by another name."""
    text = "Ann Lee: We buy our frames from {} every year.\n"
    with archive_of(tmp_path, text.format("Halden Cycles"), text.format("Orlen Group")) as archive:
        archive.graph.merge("Orlen Group", into="Halden Cycles")
        entity = archive.graph.timeline("Halden Cycles").entity
        assert (entity.passages, entity.recordings) == (2, 2)
        assert entity == archive.graph.about("Halden Cycles").entity


def test_a_name_that_begins_a_sentence_before_a_common_word_is_counted(tmp_path):
    texts = ("Ann Lee: We now have six TideWatch buoys.\n", "Bo Díaz: TideWatch buoys. They cost less.\n")
    with archive_of(tmp_path, *texts) as archive:
        assert [voice.speaker for voice in archive.graph.about("TideWatch").voices] == ["Ann Lee", "Bo Díaz"]


def test_of_two_merges_of_a_name_the_last_one_counts(tmp_path):
    """The quotes of a name stand under one entity only, and each merge can be undone."""
    text = "Ann Lee: We buy our frames from {} every year.\n"
    names = ("Halden Cycles", "Orlen Group", "Kestrel Works")
    with archive_of(tmp_path, *map(text.format, names)) as archive:
        graph = archive.graph

        def passages() -> list[int]:
            return [graph.about(name).entity.passages for name in names[1:]]

        graph.merge("Halden Cycles", into="Orlen Group")
        graph.merge("Halden Cycles", into="Kestrel Works")
        assert passages() == [1, 2]
        assert graph.about("Halden Cycles").entity.name == "Kestrel Works"
        graph.merge("Halden Cycles", into="Orlen Group")
        assert passages() == [2, 1]
        graph.split("Halden Cycles", "Orlen Group")
        assert passages() == [1, 2]


def test_a_merge_overrules_what_recordings_say_of_a_name(tmp_path):
    talk = "Brendan Kelly: The ferry is late.\n\nAnn Lee: Then Kelly bought the frames.\n"
    with archive_of(tmp_path, talk, "Ann Lee: We buy from Orlen Group every year.\n") as archive:
        assert archive.graph.about("Brendan Kelly").voices
        archive.graph.merge("Kelly", into="Orlen Group")
        assert not archive.graph.about("Brendan Kelly").voices
        archive.graph.split("Kelly", "Orlen Group")
        assert archive.graph.about("Brendan Kelly").voices


def test_comparisons_and_connections_count_all_names_of_an_entity(tmp_path):
    """`about`, `between` and `common` show the same counts of an entity."""
    talk = "Tomas Lindqvist: The ferry is late.\n\nMilo Farr: The ferry is old.\n"
    misspelt = "Ann Lee: The ferry was slow on the day that we met Tomas Lindkvist there.\n"
    with archive_of(tmp_path, talk, misspelt) as archive:
        graph = archive.graph
        entity = graph.about("Tomas Lindqvist").entity
        assert entity.recordings == 2
        assert graph.between("Tomas Lindqvist", "ferry").one == entity
        assert graph.common("Tomas Lindqvist", "Milo Farr").entities[0] == entity


def test_names_of_many_passages_are_connected_by_the_one_that_has_both():
    """A sample of the passages of each name would hardly have it."""
    names = ["Halden Cycles", "Orlen Group"] * 450
    names[205] = "Halden Cycles and Orlen Group"
    texts = [f"Then we spoke to {name} about order {at}." for at, name in enumerate(names)]
    passages = [Passage("r", at, text, "Ann Lee") for at, text in enumerate(texts)]
    recording = Recording("r", "", "", "test", Details(title="Orders")).counted(passages)
    store = MemoryStore()
    store.add(recording, passages, knowledge=knowledge_of(recording, passages))
    (step,) = Graph(store.graph, store).between("Halden Cycles", "Orlen Group", steps=1).paths[0].steps
    assert [quote.text for quote in step.quotes] == [texts[205]]


def test_a_quote_holds_the_words_of_one_voice():
    """A quote omits the words that another speaker says within the passage."""
    store, text = (
        MemoryStore(),
        "The storm broke a valve. And the pump? The pump stopped, and so did the mill.",
    )
    passage = Passage("r", 0, text, "Ann Lee", voices=((0, "Ann Lee"), (25, "Bo Díaz"), (39, "Ann Lee")))
    recording = Recording("r", "", "", "test", Details(title="The valve")).counted([passage])
    store.add(recording, [passage], knowledge=knowledge_of(recording, [passage]))
    (path,) = Graph(store.graph, store).between("storm", "mill", steps=1).paths
    both = "The storm broke a valve. [...] The pump stopped, and so did the mill."
    assert [(q.speaker, q.text) for q in path.steps[0].quotes] == [("Ann Lee", both)]


@pytest.fixture
def council(tmp_path):
    """Open an archive in which some mentioned names resemble the names of speakers."""
    talks = {
        "council.md": "Maud Perrin: Tomas Lindkvist sent a letter. Elsa Winther of Kestrel Cycles did too.\n",
        "yard.md": "Tomas Lindqvist: The yard is old.\n\nElsa Winter: It is.\n\nElse Winther: It was.\n",
        "works.md": "Maud Perrin: We thank Kestrel Cycles.\n",
    }
    with onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}, reader=None) as archive:
        for name, text in talks.items():
            (tmp_path / name).write_text(text)
            archive.add(tmp_path / name)
        yield archive


def test_a_misspelt_name_is_read_as_who_speaks_elsewhere_until_it_is_split(council):
    """A misspelled name is an alias of the speaker with the similar name.

    A split makes it a separate entity; a merge reverses the split.
    """
    graph = council.graph
    about = graph.about("Tomas Lindkvist")
    assert about.entity.name == "Tomas Lindqvist" and about.entity.recordings == 2 and about.note
    assert [voice.speaker for voice in about.voices] == ["Maud Perrin"]
    assert about.own.speaker == "Tomas Lindqvist" and about.own.quote.text == "The yard is old."
    (alias,) = graph.aliases("Tomas Lindqvist")
    assert (alias.alias, alias.score, alias.reason) == ("Tomas Lindkvist", 0.7, "spelt nearly so")
    graph.split("Tomas Lindkvist", off="Tomas Lindqvist")
    assert graph.about("Tomas Lindkvist").entity.name == "Tomas Lindkvist"
    assert graph.about("Tomas Lindqvist").entity.recordings == 1
    graph.merge("Tomas Lindkvist", into="Tomas Lindqvist")
    assert graph.about("Tomas Lindkvist").entity.name == "Tomas Lindqvist"


@pytest.mark.parametrize("name", ["Elsa Winther", "Elsa Winter", "Else Winther"])
def test_a_name_that_could_be_of_two_speakers_or_speaks_itself_is_its_own(council, name):
    """A name that resembles two speakers, or that is a speaker, is no alias."""
    assert council.graph.about(name).entity.name == name


def test_part_of_a_name_is_the_one_that_others_with_it_contain(council, tmp_path):
    """Part of a name resolves to the name that the longer names with this part contain."""
    (tmp_path / "may.md").write_text("---\ntitle: Kestrel Cycles, May\n---\nAnn: Yes.\n")
    council.add(tmp_path / "may.md")
    assert council.graph.about("Kestrel").entity.name == "Kestrel Cycles"


@pytest.mark.parametrize(("often", "name"), [(12, "Kestrel"), (2, "Kestrel Paper")])
def test_what_is_named_far_more_often_is_not_short_for_a_longer_name(tmp_path, often, name):
    """A short name is no alias of a longer one if it is mentioned far more often."""
    talk = "Ann Lee: We use Kestrel Paper at Halden. They sell Kestrel Paper.\n\n"
    talk += "\n\n".join(f"Ann Lee: The people of Kestrel came on day {day}." for day in range(often))
    with archive_of(tmp_path, talk + "\n") as archive:
        assert archive.graph.about("Kestrel").entity.name == name


def test_what_is_mostly_no_noun_is_not_said_to_be_spoken_of():
    """A word that is mostly an adjective is a topic only with ``unsure=True``."""
    store = MemoryStore()
    texts = [
        "Everybody has a piece of individual work and a look at the tariff.",
        "We want individual help for the mill, since the tariff is high.",
        "They are very individual, and the tariff stays.",
        "Ask the tariff office about individual terms for the mill.",
    ]
    passages = [Passage("r", at, text, "Ann Lee") for at, text in enumerate(texts)]
    recording = Recording("r", "", "", "test", Details(title="Talk"), speakers=("Ann Lee",))
    recording = recording.counted(passages)
    store.add(recording, passages, knowledge=knowledge_of(recording, passages))
    graph = Graph(store.graph, store)
    shown = {edge.object for edge in graph.about("Ann Lee").together}
    unsure = {edge.object for edge in graph.about("Ann Lee", unsure=True).together}
    assert {"tariff", "mill"} <= shown and "individual" not in shown
    assert "individual" in unsure


def test_a_phrase_that_several_recordings_name_is_a_term_though_its_last_word_mostly_colours():
    """A phrase that enough recordings contain is a term.

    This holds even if its last word mostly modifies other nouns.
    """
    store = MemoryStore()
    texts = [
        "We pay for public transit.",
        "The transit plan is old.",
        "A transit map is dear, says a transit clerk.",
    ]
    for name in ("r1", "r2", "r3"):
        passages = [Passage(name, at, text, "Ann Lee") for at, text in enumerate(texts)]
        recording = Recording(name, "", "", "test", Details(title="Talk"), speakers=("Ann Lee",))
        recording = recording.counted(passages)
        store.add(recording, passages, knowledge=knowledge_of(recording, passages))
        spoken_of = {edge.object for edge in Graph(store.graph, store).about("Ann Lee").together}
        assert ("public transit" in spoken_of) == (name == "r3")


@pytest.mark.parametrize(
    "text",
    [
        "Yes. Mm-hmm. I met Bo. Mm-hmm. And Mm-hmm is what I said to Bo.",
        "I met Bo and I'm Ann. And I'm Bo's.",
        "I thank you, Mr. Chair. And then, Mr. Dial.",
    ],
)
def test_small_words_and_honorifics_alone_are_no_names(text):
    """Fillers, contractions and bare honorifics are not names."""
    passage = Passage("r", 0, text, "Ann Lee")
    recording = Recording("r", "r", "", "test", Details(), 1, speakers=("Ann Lee",))
    keys = {mention.entity for mention in knowledge_of(recording, [passage]).mentions}
    assert not keys & {"mm-hmm", "i'm", "mr"}


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("O'Neil, Eryn", "Eryn O’Neil"),
        ("Jean-Pierre Roux (CEO)", "Jean-Pierre Roux"),
        ("Li Li", "Li Li"),
        ("Brian D'Arcy", "Brian D’Arcy"),
        ("D'ARCY, BRIAN", "Brian D'Arcy"),
        ("Jeanne d'Arc", "Jeanne d'Arc"),
        ("Julia Moss AM", "Julia Moss"),
        ("Dr Bo Moss M.D. PhD", "Bo Moss"),
        ("Bob Halden, CFA", "Bob Halden"),
        ("Bob Halden, MBBS, FRCP", "Bob Halden"),
        ("Jean-Pierre ROY", "Jean-Pierre Roy"),
        ("ANNE MARIE LEE", "Anne Marie Lee"),
        ("LEE, ANN", "Ann Lee"),
    ],
)
def test_a_speaker_is_the_one_whose_name_is_said(label, name):
    """A speaker label and the spoken form of the name are the same entity.

    They may differ in order, case, apostrophes, titles and degrees.
    """
    text = f"I met {name} on Monday, and then {name} left."
    recording = Recording("talk", "talk.txt", "", "text", Details(title="A talk"))
    passages = [Passage("talk", 0, "Good morning.", label), Passage("talk", 1, text, "Ann Lee")]
    mentions = knowledge_of(recording.counted(passages), passages).mentions
    (speaker,) = {m.entity for m in mentions if m.rule == "speaker" and m.position == 0}
    assert speaker in {m.entity for m in mentions if m.position == 1 and m.rule != "speaker"}


PARTNERS = """Ann Lee: We met Rosa Quint and Milo Farr at the ferry. Quint runs the ferry.

Rosa Quint: The ferry is late. The ferry is old, and the quay is old.

Milo Farr: The quay is new.
"""


@pytest.fixture
def partners(tmp_path):
    """Return the graph of a talk between three people."""
    with archive_of(tmp_path, PARTNERS) as archive:
        yield archive.graph


def test_names_are_read_alike_where_they_are_made_one_and_two(partners):
    """Merges and splits resolve their names like queries do."""
    partners.merge("Quint", into="Farr")
    assert partners.about("Quint").entity.name == "Milo Farr"
    assert partners.split("Quint", off="Farr").score == 0
    assert partners.about("Quint").entity.name == "Rosa Quint"
    with pytest.raises(InputError, match="nothing to split"):
        partners.split("Quint", off="Ann Lee")


def test_two_people_made_one_are_one_by_every_name(partners):
    """After a merge, every name of both people refers to one person."""
    partners.merge("Rosa Quint", into="Milo Farr")
    assert {partners.about(name).entity.name for name in ("Rosa", "Quint", "Farr")} == {"Milo Farr"}
    with pytest.raises(InputError, match="'Rosa' and 'Farr' are one, Milo Farr"):
        partners.common("Rosa", "Farr")


def test_what_was_made_two_is_no_other_name_any_more(partners):
    """After a split, the alias has a score of 0."""
    partners.merge("ferry", into="quay")
    assert [alias.score for alias in partners.about("quay").aliases] == [1]
    partners.split("ferry", off="quay")
    assert [alias.score for alias in partners.about("quay").aliases] == [0]
    assert {alias.score for alias in partners.aliases("ferry")} == {0}


@pytest.mark.parametrize("name", ["Quint", "the Quint", "Rosa Quint"])
def test_a_name_is_not_merged_into_itself(partners, name):
    """Two names of the same entity cannot be merged."""
    with pytest.raises(InputError, match="are one already"):
        partners.merge(name, into="Quint")


OFFICES = """---
people:
  - name: Rosa Quint
    role: harbour master
---
Rosa Quint: Rosa Quint is a harbour master. We need the harbour master for the ferry.
"""


def test_two_names_of_one_are_never_joined(tmp_path):
    """No edge leads from an entity to itself, even if the entity has two names."""
    with archive_of(tmp_path, OFFICES) as archive:
        about = archive.graph.about("Rosa Quint")
        assert "harbour master" in {alias.alias for alias in about.aliases}
        assert not any(edge.subject == edge.object for edge in (*about.relations, *about.together))


def test_of_names_that_come_up_together_a_quote_shows_both(tmp_path):
    """The quote of a co-occurrence contains both names.

    Text between distant sentences is elided.
    """
    aside = "It was long ago. " * 24
    text = f"Ann Lee: The ferry is old. {aside}The quay is new. Tell Kestrel about the quay.\n"
    text += "\nAnn Lee: And is it open?\n\nBo Lund: Kestrel is at the quay.\n"
    with archive_of(tmp_path, text) as archive:
        shown = {edge.object: edge.quotes[0].text for edge in archive.graph.about("quay").together}
        assert shown["ferry"] == "The ferry is old. [...] The quay is new."
        assert shown["Kestrel"] in ("Tell Kestrel about the quay.", "Kestrel is at the quay.")
        (path,) = archive.graph.between("ferry", "Kestrel", steps=1).paths
        assert all("ferry" in q.text and "Kestrel" in q.text for q in path.steps[0].quotes)


def test_names_of_two_voices_or_in_very_long_sentences_are_not_shown_together(tmp_path):
    """Names that no single quote can show have a step with one quote for each name."""
    text = f"Ann Lee: The ferry, {'notwithstanding whatsoever, ' * 16} is by the quay.\n"
    text += "\nBo Lund: Tell Kestrel.\n"
    with archive_of(tmp_path, text) as archive:
        assert "quay" not in {edge.object for edge in archive.graph.about("ferry").together}
        (path,) = archive.graph.between("quay", "Kestrel", steps=1).paths
        (step,) = path.steps
        assert step.relation == "named near" and step.apart
        assert ["quay" in step.quotes[0].text, "Kestrel" in step.quotes[1].text] == [True, True]


def test_who_speaks_is_not_thereby_spoken_of(partners):
    """A person's own passages do not count as mentions of the person."""
    about = partners.about("Rosa Quint")
    assert [(voice.speaker, voice.passages) for voice in about.voices] == [("Ann Lee", 1)]
    assert (about.own.speaker, about.own.passages) == ("Rosa Quint", 1)
    assert partners.about("ferry").own is None


def test_two_who_speak_in_one_recording_are_connected_by_it(partners):
    """A shared recording is an inferred connection, with a quote of each speaker."""
    direct = [path.steps[0] for path in partners.between("Rosa Quint", "Milo Farr", steps=1).paths]
    (step,) = [step for step in direct if step.relation == "speaks in a recording with"]
    assert step.inferred and step.apart
    assert [quote.speaker for quote in step.quotes] == ["Rosa Quint", "Milo Farr"]


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        ("Slack comes around each year.", 2),
        ("Slack comes around, and we slack off each year.", 1),  # it may be the verb
        ("Slack Street comes up each year, and I like Slack Street.", 1),  # part of a longer name
    ],
)
def test_a_name_of_another_recording_is_read_at_the_head_of_a_sentence(tmp_path, text, passages):
    """A capitalized first word may be a name that another recording has.

    It is not if this recording also has the ordinary word or a longer name.
    """
    (tmp_path / "may.md").write_text(f"Bo Lund: {text} We then go to Porto for a week.\n")
    with archive_of(tmp_path, "Ann Lee: We build it with Slack here, and with Halden.\n") as archive:
        archive.add(tmp_path / "may.md")
        about = archive.graph.about("Slack")
        assert (about.entity.name, about.entity.passages) == ("Slack", passages)


def mentions_of(*texts, speaker="Ann Lee", details=None):
    """Return the knowledge that the graph extracts from a recording with one speaker."""
    passages = [Passage("talk", at, text, speaker) for at, text in enumerate(texts)]
    recording = Recording("talk", "talk.txt", "", "text", details or Details(title="A talk"))
    return knowledge_of(recording.counted(passages), passages)


def names_in(knowledge):
    """Return the names that the texts mention, in their written form."""
    return {m.name for m in knowledge.mentions if m.rule not in ("phrase", "speaker") and m.begin >= 0}


SMALL = "The store is near the mill, the board pays, they act on health, and a university is a service."
"""Words in lower case that are also parts of names: a word written so is not a name by itself."""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We sell it in the Mill Store.", "Mill Store"),
        ("We read the Vellmark Health Act.", "Vellmark Health Act"),
        ("She left the University of Vellmark.", "University of Vellmark"),
        ("He works in Vellmark City and Little Orsel.", "Vellmark City"),
        ("We fund VMD Health.", "VMD"),
    ],
)
def test_ordinary_words_with_a_capital_beside_a_name_are_part_of_it(text, name):
    """A name is whole even if some of its words are mostly written small."""
    texts = (text, SMALL, "We like Vellmark and the Store.", "We saw the Store and the Store.")
    assert name in names_in(mentions_of(*texts))


def test_an_area_has_the_name_that_stands_behind_of():
    """The State of Orsel is Orsel, also for whoever asks about Orsel; a university of Orsel is not."""
    text = "She left the State of Orsel, a small state."
    assert "Orsel" in names_in(mentions_of(text, SMALL, "We like Vellmark and the Store."))


def test_an_exclamation_or_a_title_beside_a_name_is_no_name():
    """A word that only calls or addresses somebody is not mentioned as a name."""
    details = Details(title="A talk", attributes={"guest": "Joanna Lind"})
    texts = ("Now hey Joanna, the mill. We said: Hey Joanna! Oh, Hey Bo.", "Thank you, Mr.Chair, and Bo.")
    assert not {"Hey", "Mr.Chair"} & names_in(mentions_of(*texts, SMALL, details=details))


def test_who_is_found_by_words_alone_is_still_found_after_a_merge(tmp_path):
    """A merged name is found in caseless transcripts and at the head of sentences, as it was before."""
    named = "Ann Lee: We buy from Kestrel Works here. They sell to Halden Cycles there.\n"
    head = "Bo Lund: Kestrel Works is late. We wait for it in Porto.\n"
    caseless = "speaker 1: so we met kestrel works in porto and they said that we could stay\n"
    with archive_of(tmp_path, named, head, caseless) as archive:
        graph = archive.graph
        voices = {voice.speaker for voice in graph.about("Kestrel Works").voices}
        assert voices == {"Ann Lee", "Bo Lund", "speaker 1"}
        graph.merge("Kestrel Works", into="Halden Cycles")
        assert {voice.speaker for voice in graph.about("Halden Cycles").voices} == voices
        assert {name for each in graph.timeline("Halden Cycles").points for name in each.speakers} == voices


def test_a_misspelt_full_name_is_one_with_the_person_in_every_list(tmp_path):
    """Lists of people and concepts name a person once, though a recording misspells the name."""
    talk = "Rosa Quint: The ferry is late. {}\n\nMilo Farr: The ferry is old. {}\n"
    texts = (talk.format("I know Bo Díaz.", "So is the quay."), "Tomas Lindqvist: We met on the ferry.\n")
    letter = "Ann Lee: The ferry was slow, says Tomas Lindkvist.\n\nBo Díaz: I met Tomas Lindqvist there.\n"
    with archive_of(tmp_path, *texts, letter) as archive:
        graph = archive.graph
        assert "Tomas Lindkvist" not in {each.entity.name for each in graph.concepts(across=1, most=50)}
        common = graph.common("Ann Lee", "Bo Díaz")
        assert [topic.entity.name for topic in common.shared] == ["Tomas Lindqvist"]
        common = graph.common("Ann Lee", "Tomas Lindqvist")
        named = {topic.entity.name for some in (common.shared, *common.only) for topic in some}
        assert "ferry" in named and not any(name.startswith("Tomas") for name in named)
        together = [edge.object for edge in graph.about("ferry").together]
        assert "Tomas Lindkvist" not in together


@pytest.mark.parametrize(
    ("second", "said", "read"),
    [
        ("Bo Lund", "and then rosa quint said on the call that the boats are late", "Rosa Quint"),
        ("Jon Quint", "and then rosa quint said on the call that the boats are late", None),
        ("Bo Lund", "and then we bought a quint and it is a good quint for the boats", "quint"),
    ],
)
def test_a_surname_alone_is_the_person_unless_it_is_a_word_of_its_own(tmp_path, second, said, read):
    """A surname in a caseless transcript is no concept that hides the people who have it."""
    talk = f"Rosa Quint: The ferry is late.\n\n{second}: We go to Porto.\n"
    with archive_of(tmp_path, talk, f"speaker 1: {said}\n") as archive:
        if read:
            assert archive.graph.about("Quint").entity.name == read
        else:
            with pytest.raises(NotFoundError, match=r"could be any of: (Jon|Rosa) Quint, (Jon|Rosa) Quint"):
                archive.graph.about("Quint")


@pytest.mark.parametrize("said", ["With Ingrid Halden, yes.", "Ask her! Ingrid Halden knows."])
def test_the_surname_of_somebody_else_is_no_mention_of_the_firm(tmp_path, said):
    """Only a word at the head of a sentence, outside a longer name, is a further mention of a name."""
    firm = "Ann Lee: We sold frames to Halden. They owe Halden money.\n\nAnn Lee: Halden pays late.\n"
    talk = f"Bo Lund: Good morning. {said}\n\nIngrid Halden: Thank you, Bo.\n"
    with archive_of(tmp_path, firm, talk) as archive:
        about = archive.graph.about("Halden")
        assert [(voice.speaker, voice.passages) for voice in about.voices] == [("Ann Lee", 1)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Last week Bertram Kelly told us about the mill.", "Bertram Kelly"),
        ("We wrote to Sally Kelly in spring. Kelly wrote back.", "Sally Kelly"),
        ("We wrote to Sally Kelly in spring. Kelly wrote back.", "Kelly"),
        ("The mill of Nadia Ahmed was sold.", "Nadia Ahmed"),
        ("On a vu Marc Joly à la gare.", "Marc Joly"),
    ],
)
def test_a_capital_within_a_sentence_outweighs_the_ending_of_an_adverb_or_participle(text, name):
    """A capitalized word within a sentence is a name even if it ends like an adverb or a participle."""
    assert name in names_in(mentions_of(text))


def test_a_surname_that_ends_like_an_adverb_is_short_for_who_takes_part():
    """The surname of a speaker is an alias even if it ends like an adverb."""
    knowledge = mentions_of("We asked Kelly about it.", speaker="Sally Kelly")
    assert ("kelly", "sally kelly") in {(alias.alias, alias.entity) for alias in knowledge.aliases}


def test_an_adverb_that_begins_a_sentence_is_no_name():
    """An adverb before a name at the start of a sentence is not part of it."""
    knowledge = mentions_of(
        "Suddenly Bertram Moss told us. Actually Bertram was late. Finally we met Bertram."
    )
    assert names_in(knowledge) == {"Bertram Moss", "Bertram"}


def kinds_in(*texts):
    """Return the kind of each name that the texts mention."""
    return {m.name: m.kind for m in mentions_of(*texts).mentions}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("We wrote it in Vellum and ran it at Marlo.", {"Vellum": "name", "Marlo": "name"}),
        ("I went to Julie Moss about what was due in Q1.", {"Julie Moss": "name", "Q1": "name"}),
        ("They live in Porto, near Aveiro.", {"Porto": "place", "Aveiro": "place"}),
        ("Elle habite à Nantes et travaille chez Orsel.", {"Nantes": "place", "Orsel": "name"}),
        ("Then the First Minister said no.", {"First Minister": "name"}),
        (
            "Then Mr Moss left it all and went over to Kestrel Capital.",
            {"Moss": "person", "Kestrel Capital": "organization"},
        ),
        (
            "We heard the crying and joint training in a wet spring.",
            {"crying": "concept", "joint training": "practice", "wet spring": "concept"},
        ),
    ],
)
def test_a_kind_is_reported_only_where_words_make_sure_of_it(text, kinds):
    """A name gets a specific kind only if the words around it are clear.

    Otherwise its kind is ``name``.
    """
    assert kinds.items() <= kinds_in(text).items()


def aliases_in(*texts, speaker="Ann Lee", details=None):
    """Return the alias and entity of each alias that the texts give."""
    knowledge = mentions_of(*texts, speaker=speaker, details=details)
    return {(alias.alias, alias.entity) for alias in knowledge.aliases}


@pytest.mark.parametrize(
    "text",
    [
        "We moved from Debra Vellum to Vellum last year.",
        "We went to Southern Halden, and Halden was warm.",
        "The Council for Halden wrote to us, and then Halden voted.",
        "We trust the Bank of Halden, and so does all of Halden.",
        "We landed at Halden Airport and then drove to Halden.",
        "We use Vellum a lot, and then we bought Vellum Paper for the office.",
        "Halden's Vellum is new, and so is the Vellum that we bought.",
        "We asked Kestrel Moss and T.W. Moss about it, and then we asked Moss.",
    ],
)
def test_a_general_name_is_not_short_for_a_longer_one(text):
    """A place or company name is no alias of a longer name that only contains it."""
    assert not aliases_in(text)


@pytest.mark.parametrize(
    ("text", "alias"),
    [
        ("We wrote to Kestrel Cycles in May. Now Kestrel writes back.", ("kestrel", "kestrel cycle")),
        ("We asked Bertram Moss about it. Then Mr. Moss wrote to us.", ("moss", "bertram moss")),
        ("The mill is old. I asked Lee about the mill, and she knew.", ("lee", "ann lee")),
        (
            "We met the Harbour Institute of Halden. We thank HIH a lot.",
            ("hih", "harbour institute of halden"),
        ),
    ],
)
def test_what_is_said_behind_a_longer_name_or_of_a_person_is_short_for_it(text, alias):
    """A short form or acronym after the full name is an alias, and so is the surname of a speaker."""
    assert alias in aliases_in(text)


def test_a_surname_of_who_takes_part_behind_another_first_name_is_somebody_else():
    """A speaker's surname with another first name, or in a company name, is another entity."""
    knowledge = mentions_of(
        "I went to see Tom Moss and the Moss Bank. Bravo Bertram.", speaker="Bertram Moss"
    )
    assert {"Tom Moss", "Moss Bank", "Bertram"} <= names_in(knowledge)
    assert "Moss" not in names_in(knowledge)
    assert {(alias.alias, alias.entity) for alias in knowledge.aliases} == {("bertram", "bertram moss")}


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Our people live in Austin and work there. We went from Porto to Austin in May.", set()),
        ("Our people live in Austen and work there. We went from Porto to Austen in May.", set()),
        ("We all thanked Austin for it, and then the people of Porto thanked him.", {"austin"}),
    ],
)
def test_a_place_is_short_for_no_person(text, known):
    """A name that the recording shows to be a place is no alias of a speaker with that word in the name."""
    assert {alias for alias, _ in aliases_in(text, speaker="Austin Hale")} == known


def test_a_title_before_the_surname_of_who_takes_part_is_no_other_name():
    """A title before a speaker's surname does not prevent the alias."""
    knowledge = mentions_of("I thank Senator Moss, and then we all thank Mr Moss.", speaker="Bertram Moss")
    assert ("moss", "bertram moss") in {(alias.alias, alias.entity) for alias in knowledge.aliases}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We sold it to Moss Halden and then to T.W. Moss.", "T.W. Moss"),
        ("We sold it to Kestrel T. Moss, and then we left.", "Kestrel T. Moss"),
        ("We took vitamin C. Moss grew on the old T. It was wet, said Moss.", "Moss"),
    ],
)
def test_initials_belong_to_the_name_behind_them(text, name):
    """Initials are part of the name after them, but not across sentences."""
    knowledge = mentions_of(text, speaker="Julie Moss")
    assert name in names_in(knowledge)
    assert ("Moss" in names_in(knowledge)) == (name == "Moss")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We met Brian D'Arcy's mother in the end.", "Brian D'Arcy"),
        ("We met Awa N'Diaye in the old mill.", "Awa N'Diaye"),
        ("On a vu Jeanne d'Orsel à la gare.", "Jeanne d'Orsel"),
        ("Elle travaille chez L'Oréal depuis un an.", "L'Oréal"),
        ("Vive l'Europe. L'Europe est grande, et nous aimons tant l'Europe.", "Europe"),
        ("We went to the mill of Sean O'Neil.", "Sean O'Neil"),
    ],
)
def test_a_prefix_with_an_apostrophe_belongs_to_the_name_behind_it(text, name):
    """A prefix such as O' or d' is part of the name, but an article such as l' is not."""
    assert names_in(mentions_of(text)) == {name}


@pytest.mark.parametrize("name", ["Ann Lee, MD", "Eryn O'Neil"])
def test_a_role_is_held_by_a_speaker_with_letters_or_an_apostrophe(name):
    """The abbreviation of a role is an alias of its holder, also with a degree or an apostrophe."""
    details = Details(title="A talk", attributes={"chief executive officer": name})
    aliases = aliases_in("We sold the mill.", speaker=name, details=details)
    assert ("ceo", name.lower().removesuffix(", md")) in aliases


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("I heard that the CEO resigned in May.", True),
        ("I heard that our chief executive officer resigned in May.", True),
        ("We asked the CEO of Halden in May.", True),
        ("We asked Halden's CEO in May.", True),
        ("I heard that the CEO of Kestrel Works resigned in May.", False),
        ("I heard that the chief executive officer of the Kestrel Works resigned in May.", False),
        ("I heard that the CEO of a mill resigned in May.", False),
        ("We asked Kestrel's CEO in May.", False),
        ("We asked the former CEO in May.", False),
        ("We heard that Ana Lund became CEO in May.", False),
        ("We asked a CEO in May, and another CEO in June.", False),
        ("We asked the CEOs in May.", False),
        ("We asked Chief Executive Officer Ana Lund in May.", False),
    ],
)
def test_a_role_that_somebody_else_holds_is_no_mention_of_the_holder_here(said, meant):
    """A role stands for its holder only if no word beside it says that it is another person's."""
    attributes = {"chief executive officer": "Bo Moss", "company": "Halden Cycles"}
    recording = Recording("r", "r", "", "test", Details(attributes=attributes), 1, speakers=("Bo Moss",))
    talk = "The people of Vellmark waited there, and nobody knew how long the old ferry would be late."
    passage = Passage("r", 0, f"{said} {talk}", "Bo Moss")
    mentions = knowledge_of(recording, [passage]).mentions
    assert any(m.entity in ("ceo", "chief executive officer") for m in mentions) == meant


def phrases_in(text):
    """Return the noun phrases that the graph extracts from a text."""
    return {m.name for m in mentions_of(text).mentions if m.rule == "phrase"}


def test_a_pronoun_is_in_no_phrase_unless_it_is_a_name_in_capitals():
    """The pronoun "us" is in no phrase, but "US" is a name."""
    phrases = {mention.name for mention in mentions_of("The creamery will save us.").mentions}
    assert "creamery" in phrases and not any("us" in name.split() for name in phrases)
    assert "US" in names_in(mentions_of("We talk of the trade of the US and of the mills here."))


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("Nous livrons deux paniers ronds par mois.", {"paniers ronds", "ronds"}),
        ("Combien cela coûte, et pourquoi celui du moulin coûte tant ?", {"moulin"}),
        ("Ils creusent le puits avec une foreuse.", {"puits", "foreuse"}),
        ("We weld frames in the yard and they grease old chains.", {"yard", "chains"}),
        ("The small inside of it is what anyone can paint, not the few anymore.", set()),
        ("We paint inside mills.", {"mills"}),
    ],
)
def test_a_verb_behind_its_subject_and_a_question_word_are_in_no_phrase(text, phrases):
    """Noun phrases contain no verb that follows its subject, and no question word."""
    assert phrases_in(text) == phrases


@pytest.mark.parametrize(
    ("text", "aliases"),
    [
        (
            "We thank Jeff Halden, and then we all thank Halden.",
            {("jeff halden", "jeffrey halden"), ("halden", "jeffrey halden")},
        ),
        ("I asked Jeffrey T. Halden about it.", {("jeffrey t halden", "jeffrey halden")}),
        (
            "I asked Jeffrey Haldan and then asked Jeffrey.",
            {("jeffrey haldan", "jeffrey halden"), ("jeffrey", "jeffrey halden")},
        ),
        ("I asked Tom Halden and then asked Halden.", set()),
        ("I asked Jeffrey Moss and then asked Jeffrey.", set()),
    ],
)
def test_another_form_of_a_name_is_no_other_person(text, aliases):
    """Nicknames, initials and misspellings of a speaker's name are aliases.

    A different first name or surname is another person.
    """
    assert aliases_in(text, speaker="Jeffrey Halden") == aliases


@pytest.mark.parametrize("text", ["We saw North Halden, and then we saw all of the North."])
def test_a_direction_is_short_for_no_name(text):
    """A direction such as "the North" is no alias of a name that contains it."""
    assert not aliases_in(text)


def test_who_says_a_concept_within_a_longer_phrase_speaks_of_it(tmp_path):
    """A concept within a longer phrase counts as mentioned by the speaker."""
    talk = "Ann Lee: We sell ferries. The ferry is late.\n\nBo Lund: A ferry captain earns little.\n"
    with archive_of(tmp_path, talk) as archive:
        assert {voice.speaker for voice in archive.graph.about("ferry").voices} == {"Ann Lee", "Bo Lund"}


def test_a_concept_of_two_words_within_a_longer_phrase_is_common_ground(tmp_path):
    """A shared concept may be part of a longer phrase for one speaker."""
    talk = "Ann Lee: We sell heat pumps. A heat pump is dear.\n\nBo Lund: The heat pump repairs take long.\n"
    with archive_of(tmp_path, talk) as archive:
        shared = archive.graph.common("Ann Lee", "Bo Lund").shared
        assert "heat pump" in {topic.entity.key for topic in shared}


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("the Kestrel file system", True),
        ("the Halden Cycles company", True),
        ("le logiciel Kestrel", True),
        ("the Kestrel strike", False),
        ("the old system", False),
    ],
)
def test_a_name_is_read_with_a_general_noun_beside_it(tmp_path, name, known):
    """A name is found with a general noun beside it, but not within another subject."""
    talk = "Ann Lee: We keep it on Kestrel. It is for Halden Cycles.\n\nBo Lund: I like Kestrel.\n"
    with archive_of(tmp_path, talk) as archive:
        assert bool(archive.plan(f"How is {name} connected with Ann Lee?").facts) == known


VELLMARK = "**Ana Sousa:** I spoke about Vellmark in March. I like Vellmark a lot.\n"
NORWIND = "**Cleo Park:** We asked Norwind in April. I think Norwind is fine.\n"


def test_concepts_are_counted_under_all_names(tmp_path):
    """Two names made one are one concept, in the recordings of both."""
    with archive_of(tmp_path, VELLMARK, NORWIND) as archive:
        archive.graph.merge("Norwind", into="Vellmark")
        concepts = {each.entity.name: each.entity for each in archive.graph.concepts(across=2)}
        assert concepts["Vellmark"].recordings == 2 and "Norwind" not in concepts
        archive.graph.split("Norwind", off="Vellmark")
        assert not archive.graph.concepts(across=2)


POTTERS = [
    f"**Ana Sousa:** We tried the {one} approach with the glaze, and the glaze ran off the bowl.\n\n"
    f"**Cleo Park:** I saw the glaze {other}, and after the {other} approach the glaze was on the floor.\n"
    for one, other in (("cautious", "kiln"), ("patient", "recipe"), ("daring", "shelf"))
]
"""In each talk, as many passages mention the glaze as mention an approach."""


def test_subjects_precede_general_words(tmp_path):
    """A noun that is said again and stands before other nouns precedes one that ends many phrases."""
    with archive_of(tmp_path, *POTTERS) as archive:
        named = [each.entity for each in archive.graph.concepts(across=3)]
        counts = {entity.name: (entity.recordings, entity.passages) for entity in named}
        assert counts["approach"] == counts["glaze"]
        assert named[0].name == "glaze"


def test_what_more_recordings_speak_of_comes_first(tmp_path):
    """Of two nouns that are used alike, the one that is mentioned in more recordings comes first."""
    text = "**Ana Sousa:** I bought {} at the shop, and you should see {}.\n\n**Cleo Park:** I like {}.\n"
    talks = [text.format(*3 * [noun]) for noun in ("the anvil", "the anvil", *3 * ["the zither"])]
    with archive_of(tmp_path, *talks) as archive:
        names = [each.entity.name for each in archive.graph.concepts(across=2)]
        assert names.index("zither") < names.index("anvil")


def test_a_concept_is_listed_once_with_or_without_a_hyphen(tmp_path):
    """Of two concepts with a word in common, also as a part of a compound, only one is listed."""
    text = "**Ana Sousa:** I saw Vellox last year, and Vellox-19 in the spring.\n\n**Cleo Park:** So it is.\n"
    with archive_of(tmp_path, text, text.replace("year", "week")) as archive:
        assert archive.graph.about("Vellox-19").entity.recordings == 2
        names = [each.entity.name for each in archive.graph.concepts(across=2)]
        assert sum(name.startswith("Vellox") for name in names) == 1


def test_a_name_survives_the_recordings_of_the_name_it_was_merged_into(tmp_path):
    """A merged name stays as written, and can be split, after the other name's recordings are removed."""
    with archive_of(tmp_path, VELLMARK, NORWIND) as archive:
        archive.graph.merge("Vellmark", into="Norwind")
        removed = next(each.id for each in archive.recordings() if "Cleo Park" in each.speakers)
        archive.remove(removed)
        for name in ("Vellmark", "Norwind"):
            assert archive.graph.about(name).entity.name == "Vellmark"
        archive.graph.split("Vellmark", off="Norwind")
        assert archive.graph.about("Vellmark").entity.key == "vellmark"
        with pytest.raises(NotFoundError):
            archive.graph.about("Norwind")


def test_noted_sounds_are_not_mentioned(tmp_path):
    """A sound that the transcriber noted is nothing that somebody speaks of."""
    text = "**Cleo Park:** I saw the ferry last year. [laughter] The [fail sound] ferry is old.\n"
    with archive_of(tmp_path, text) as archive:
        assert archive.graph.about("ferry").entity.passages == 1
        for sound in ("laughter", "fail sound"):
            with pytest.raises(NotFoundError):
                archive.graph.about(sound)


def test_a_name_may_end_in_an_ordinary_word(tmp_path):
    """A capitalized ordinary word ends the name before it, whether a noun or a verb; a day does not."""
    text = (
        "**Ana Sousa:** She writes for the New York Times, and I read the Irish Times in New York.\n\n"
        "**Cleo Park:** We came to Vellmark Monday, and I like the town, the river and what they say.\n\n"
        "**Ana Sousa:** We buy the frames from Kestrel Works every year, and they come late.\n"
    )
    with archive_of(tmp_path, text) as archive:
        names = {each.entity.name for each in archive.graph.concepts(across=1, most=50)}
        assert {"Irish Times", "Vellmark", "Kestrel Works"} <= names
        for name in ("New York Times", "New York"):
            assert archive.graph.about(name).entity.name == name
            assert archive.graph.about(name).entity.passages == 1


def test_what_is_a_sentence_of_its_own_is_no_name(tmp_path):
    """A word that is mostly said alone is not a name where it has a capital within a sentence."""
    text = (
        "**Ana Sousa:** Yep. Yep. I went to Vellmark, and saw the river and all the people there.\n\n"
        "**Cleo Park:** Yep. He said Yep and left Vellmark when it rained, as one does at that time.\n"
    )
    with archive_of(tmp_path, text) as archive:
        names = {each.entity.name for each in archive.graph.concepts(across=1, most=50)}
        assert "Vellmark" in names and "Yep" not in names


def in_turns(*turns):
    """Return the knowledge that the graph extracts from a passage in which two people take turns."""
    begins = [len(" ".join(turns[:at])) + bool(at) for at in range(len(turns))]
    voices = tuple((begin, ("Ann Lee", "Bo Lund")[at % 2]) for at, begin in enumerate(begins))
    passage = Passage("talk", 0, " ".join(turns), "Ann Lee", voices=voices)
    recording = Recording("talk", "talk.txt", "", "text", Details(title="A talk"))
    return knowledge_of(recording.counted([passage]), [passage])


@pytest.mark.parametrize("end", ["", " -", ","])
def test_a_capital_that_begins_a_turn_is_no_name(end):
    """The first word of a turn has a capital whatever ends the turn before."""
    knowledge = in_turns("We sell it in Orsel" + end, "Absolutely we do", "Frames sell in Vellmark. " + SMALL)
    assert names_in(knowledge) == {"Orsel", "Vellmark"}


def test_names_and_phrases_end_with_the_turn():
    """Neither a name nor a phrase continues in the next turn."""
    knowledge = in_turns(SMALL + " He lives in Vellmark", "Orsel is in the north", "harbour rates are low")
    assert names_in(knowledge) == {"Vellmark"}
    phrases = {mention.name for mention in knowledge.mentions if mention.rule == "phrase"}
    assert {"north", "harbour rates"} <= phrases and "north harbour rates" not in phrases


def test_an_initial_that_ends_a_turn_belongs_to_no_name_in_the_next():
    """The period of "J." ends a turn like every period."""
    knowledge = in_turns(SMALL + " We met in Orsel, and Orsel J.", "Vellmark is near. I like Vellmark.")
    assert names_in(knowledge) == {"Orsel", "Vellmark"}
