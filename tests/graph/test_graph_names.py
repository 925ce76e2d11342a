"""Names made one by hand, and counts that different questions to the graph give alike."""

from collections import Counter

import pytest

import onrecord
from onrecord.errors import InputError, NotFoundError
from onrecord.graph.extract import knowledge_of
from onrecord.graph.queries import Graph
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Passage, Recording


def archive_of(folder, text):
    archive = onrecord.open(folder / "talks.db", embedding={"model": "hashing"}, reader=None)
    (folder / "talk.md").write_text(text)
    archive.add(folder / "talk.md")
    return archive


@pytest.fixture
def archive(tmp_path):
    text = "Ann Lee: Halden Cycles buys its frames from Kestrel Works. Halden Cycles pays late.\n"
    with archive_of(tmp_path, text) as archive:
        yield archive


@pytest.mark.parametrize("name", ["Zibbledorf", "Halden Cicles", "Kestrel Factory"])
def test_only_what_is_spoken_of_is_merged(archive, name):
    with pytest.raises(NotFoundError, match="nobody speaks of"):
        archive.graph.merge(name, into="Halden Cycles")
    assert not archive.store.graph.aliases(["halden cycle"])


def test_what_nobody_says_may_still_be_another_name(archive):
    archive.graph.alias("HC", of="Halden Cycles")
    assert archive.graph.about("HC").entity.name == "Halden Cycles"
    assert archive.graph.merge("Kestrel Works", into="Halden Cycles").score == 1


def test_a_timeline_counts_every_speaker_as_about_does():
    store, text = MemoryStore(), "The valve is old. The valve is new. Nobody knows the valve."
    voices = ((0, "Ann Lee"), (18, "Bo Díaz"), (36, None))
    for number, marks in enumerate((voices, ((0, "Ann Lee"),))):
        passage = Passage(f"r{number}", 0, text, "Ann Lee", voices=marks)
        recording = Recording(f"r{number}", "", "", "test", Details(title="The valve", date="2024-05-01"))
        recording = recording.counted([passage])
        store.add(recording, [passage], knowledge=knowledge_of(recording, [passage]))
    graph = Graph(store.graph, store)
    told = graph.about("valve")
    counted = sum((Counter(point.speakers) for point in graph.timeline("valve").points), Counter())
    assert counted == {voice.speaker: voice.passages for voice in told.voices} == {"Ann Lee": 2, "Bo Díaz": 1}
    assert [point.passages for point in graph.timeline("valve").points] == [told.entity.passages] == [2]


def test_a_quote_holds_the_words_of_one_voice():
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
    assert council.graph.about(name).entity.name == name


def test_part_of_a_name_is_the_one_that_others_with_it_contain(council, tmp_path):
    (tmp_path / "may.md").write_text("---\ntitle: Kestrel Cycles, May\n---\nAnn: Yes.\n")
    council.add(tmp_path / "may.md")
    assert council.graph.about("Kestrel").entity.name == "Kestrel Cycles"


@pytest.mark.parametrize(("often", "name"), [(12, "Kestrel"), (2, "Kestrel Paper")])
def test_what_is_named_far_more_often_is_not_short_for_a_longer_name(tmp_path, often, name):
    talk = "Ann Lee: We use Kestrel Paper at Halden. They sell Kestrel Paper.\n\n"
    talk += "\n\n".join(f"Ann Lee: The people of Kestrel came on day {day}." for day in range(often))
    with archive_of(tmp_path, talk + "\n") as archive:
        assert archive.graph.about("Kestrel").entity.name == name


def test_what_is_mostly_no_noun_is_not_said_to_be_spoken_of():
    store = MemoryStore()
    texts = [
        "Everybody has a piece of individual work and a look at the tariff.",
        "We want individual help for the mill, since the tariff is high.",
        "They are very individual, and the tariff stays.",
        "Ask the tariff office about individual rates for the mill.",
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


@pytest.mark.parametrize(
    "text",
    [
        "Yes. Mm-hmm. I met Bo. Mm-hmm. And Mm-hmm is what I said to Bo.",
        "I met Bo and I'm Ann. And I'm Bo's.",
        "I thank you, Mr. Chair. And then, Mr. Dial.",
    ],
)
def test_small_words_and_honorifics_alone_are_no_names(text):
    passage = Passage("r", 0, text, "Ann Lee")
    recording = Recording("r", "r", "", "test", Details(), 1, speakers=("Ann Lee",))
    keys = {mention.entity for mention in knowledge_of(recording, [passage]).mentions}
    assert not keys & {"mm-hmm", "i'm", "mr"}


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("O'Neil, Eryn", "Eryn O’Neil"),
        ("Jean-Pierre Roux (CEO)", "Jean-Pierre Roux"),
        ("Li Li", "Li Li"),
    ],
)
def test_a_speaker_is_the_one_whose_name_is_said(label, said):
    text = f"I met {said} on Monday, and then {said} left."
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
    with archive_of(tmp_path, PARTNERS) as archive:
        yield archive.graph


def test_names_are_read_alike_where_they_are_made_one_and_two(partners):
    partners.merge("Quint", into="Farr")
    assert partners.about("Quint").entity.name == "Milo Farr"
    assert partners.split("Quint", off="Farr").score == 0
    assert partners.about("Quint").entity.name == "Rosa Quint"
    with pytest.raises(InputError, match="nothing to split"):
        partners.split("Quint", off="Ann Lee")


def test_two_people_made_one_are_one_by_every_name(partners):
    partners.merge("Rosa Quint", into="Milo Farr")
    assert {partners.about(name).entity.name for name in ("Rosa", "Quint", "Farr")} == {"Milo Farr"}
    with pytest.raises(InputError, match="'Rosa' and 'Farr' are one, Milo Farr"):
        partners.common("Rosa", "Farr")


def test_what_was_made_two_is_no_other_name_any_more(partners):
    partners.merge("ferry", into="quay")
    assert [alias.score for alias in partners.about("quay").aliases] == [1]
    partners.split("ferry", off="quay")
    assert [alias.score for alias in partners.about("quay").aliases] == [0]
    assert {alias.score for alias in partners.aliases("ferry")} == {0}


@pytest.mark.parametrize("name", ["Quint", "the Quint", "Rosa Quint"])
def test_a_name_is_not_merged_into_itself(partners, name):
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
    with archive_of(tmp_path, OFFICES) as archive:
        about = archive.graph.about("Rosa Quint")
        assert "harbour master" in {alias.alias for alias in about.aliases}
        assert not any(edge.subject == edge.object for edge in (*about.relations, *about.together))


def test_of_names_that_come_up_together_a_quote_shows_both(tmp_path):
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
    text = f"Ann Lee: The ferry, {'notwithstanding whatsoever, ' * 16} is by the quay.\n"
    text += "\nBo Lund: Tell Kestrel.\n"
    with archive_of(tmp_path, text) as archive:
        assert "quay" not in {edge.object for edge in archive.graph.about("ferry").together}
        (path,) = archive.graph.between("quay", "Kestrel", steps=1).paths
        (step,) = path.steps
        assert step.relation == "named near" and step.apart
        assert ["quay" in step.quotes[0].text, "Kestrel" in step.quotes[1].text] == [True, True]


def test_who_speaks_is_not_thereby_spoken_of(partners):
    about = partners.about("Rosa Quint")
    assert [(voice.speaker, voice.passages) for voice in about.voices] == [("Ann Lee", 1)]
    assert (about.own.speaker, about.own.passages) == ("Rosa Quint", 1)
    assert partners.about("ferry").own is None


def test_two_who_speak_in_one_recording_are_connected_by_it(partners):
    direct = [path.steps[0] for path in partners.between("Rosa Quint", "Milo Farr", steps=1).paths]
    (step,) = [step for step in direct if step.relation == "speaks in a recording with"]
    assert step.inferred and step.apart
    assert [quote.speaker for quote in step.quotes] == ["Rosa Quint", "Milo Farr"]


@pytest.mark.parametrize(
    ("said", "passages"),
    [
        ("Slack comes around each year.", 2),
        ("Slack comes around, and we slack off each year.", 1),  # it may be the other word
        ("Slack Street comes up each year, and I like Slack Street.", 1),  # a longer name
    ],
)
def test_a_name_of_another_recording_is_read_at_the_head_of_a_sentence(tmp_path, said, passages):
    (tmp_path / "may.md").write_text(f"Bo Lund: {said} We then go to Porto for a week.\n")
    with archive_of(tmp_path, "Ann Lee: We build it with Slack here, and with Halden.\n") as archive:
        archive.add(tmp_path / "may.md")
        about = archive.graph.about("Slack")
        assert (about.entity.name, about.entity.passages) == ("Slack", passages)
