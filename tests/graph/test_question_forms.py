"""Forms of questions that the graph answers: causes, definitions, common and exclusive topics, speakers."""

import pytest

import onrecord
from onrecord.errors import InputError

TALK = """---
title: The bakery
date: 2024-03-02
---
Ann Lee: The drought caused a shortage of wheat. The ovens are old, and the flour comes from Vellmark.

Bo Díaz: The shortage led to a strike. The ovens and the flour are good. A brioche is a sweet bread.

Cy Moreau: The strike led to a delay. The flour is dear, and the harbour is closed.
"""


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Open an archive with one talk, in which a chain of causes is stated."""
    folder = tmp_path_factory.mktemp("forms")
    (folder / "talk.md").write_text(TALK)
    with onrecord.open(folder / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(folder / "talk.md")
        yield archive


def facts(archive, text):
    """Return the texts of the facts that answer a question."""
    return [fact.text for fact in archive.plan(text).facts]


def test_causes_are_followed_back(archive):
    """A question for causes gets the chain of stated causes, each with a citation."""
    facts_found = facts(archive, "What led to the delay?")
    assert facts_found == [
        "What is said to have led to delay:",
        "drought causes shortage.",
        "shortage causes strike.",
        "strike causes delay.",
    ]
    answer = archive.ask("What led to the delay?")
    assert [citation.speaker for citation in answer.citations] == ["Ann Lee", "Bo Díaz", "Cy Moreau"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("How did the shortage lead to the delay?", "shortage causes strike."),
        ("How did the strike lead to the delay?", "strike causes delay."),
        ("Quelles sont les causes de la grève ?", None),  # no mention of this word
        ("How did the delay lead to the drought?", None),  # from effect to cause
        ("What caused the drought?", None),
    ],
)
def test_a_chain_begins_where_it_is_asked_from(archive, text, first):
    """A chain of causes starts at the cause that the question names.

    It never runs from effect to cause.
    """
    facts_found = facts(archive, text)
    assert facts_found[1:2] == ([first] if first else [])


def test_people_without_a_name_who_mention_it_are_counted_too(tmp_path):
    """ "Nobody but Ann" holds only for people whose names are known."""
    (tmp_path / "a.md").write_text("Ann Lee: The ferry to Vellmark is late again this year.\n")
    captions = "WEBVTT\n\n00:01.000 --> 00:04.000\nI saw the ferry to Vellmark in the dry dock.\n"
    (tmp_path / "b.vtt").write_text(captions)
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path / "a.md", tmp_path / "b.vtt")
        unnamed = "In 1 recording somebody whose name is not known speaks of it too."
        nobody = f'Nobody but Ann Lee speaks of "Vellmark". {unnamed}'
        assert facts(archive, "Who else mentions Vellmark besides Ann Lee?") == [nobody]
        assert facts(archive, "Who mentions Vellmark?")[0] == f'1 person speaks of "Vellmark". {unnamed}'


def test_chains_from_python(archive):
    """`causes` returns chains of limited length, and refuses equal names and invalid limits."""
    chains = archive.graph.causes("delay", steps=2)
    assert [[step.subject for step in path.steps] for path in chains.paths] == [["shortage", "strike"]]
    assert all(not step.inferred and step.quotes for path in chains.paths for step in path.steps)
    assert archive.graph.causes("drought").paths == ()
    with pytest.raises(InputError, match="the same"):
        archive.graph.causes("delay", "delays")
    with pytest.raises(InputError, match="1 to 3"):
        archive.graph.causes("delay", steps=4)


def test_a_definition_is_what_is_stated(archive):
    """A definition is given only if the recordings state one."""
    assert facts(archive, "How is a brioche defined?") == ["brioche is said to be: sweet bread."]
    assert facts(archive, "How is an oven defined?") == []


def test_what_several_share_is_what_all_of_them_speak_of(archive):
    """Common topics of three people are those that all three mention."""
    facts_found = facts(archive, "What do Ann Lee, Bo Díaz and Cy Moreau have in common?")
    assert facts_found[0] == "Ann Lee, Bo Díaz and Cy Moreau all speak of flour."
    assert len(facts_found) == 4


@pytest.mark.parametrize(
    "text",
    [
        "What do Ann Lee and Cy Moreau both bring up?",
        "What do Ann Lee and Cy Moreau both keep coming back to?",
        "Where is the common ground between Ann Lee and Cy Moreau?",
        "Do Lee and Moreau have anything in common?",
        "Quels sont les points communs entre Ann Lee et Cy Moreau ?",
    ],
)
def test_what_two_share_is_asked_in_many_words(archive, text):
    """Different wordings of a question for common topics give the same facts."""
    assert "flour" in facts(archive, text)[0] and len(facts(archive, text)) == 3


def test_what_only_one_speaks_of_stands_beside_what_both_do(archive):
    """A comparison lists common topics first, then the exclusive topics of each person."""
    facts_found = facts(archive, "Compare what Ann Lee and Cy Moreau talk about")
    assert facts_found[0].startswith("Ann Lee and Cy Moreau both speak of ") and "flour" in facts_found[0]
    alone = [text for text in facts_found if text.startswith("Only ")]
    assert "Vellmark" in alone[0] and "harbour" in alone[1] and "flour" not in alone[0] + alone[1]


@pytest.mark.parametrize(
    "text",
    [
        "Compare Ann Lee and Cy Moreau",
        "How do Lee and Moreau differ?",
        "What is the difference between Ann Lee and Cy Moreau?",
        "Compare Ann Lee et Cy Moreau",
        "En quoi Lee et Moreau diffèrent-ils ?",
    ],
)
def test_two_people_without_a_subject_are_compared_by_what_they_speak_of(archive, text):
    """Without a subject, a comparison of two people is about their topics."""
    facts_found = facts(archive, text)
    assert "Ann Lee" in facts_found[0] and "Cy Moreau" in facts_found[0] and "flour" in facts_found[0]
    alone = [line for line in facts_found if "Vellmark" in line or "harbour" in line]
    assert len(alone) == 4 and archive.ask(text).verdict == "answered"


def test_with_a_subject_they_are_compared_by_what_they_say_of_it(archive):
    """With a subject, a comparison of two people is a search with two sides."""
    plan = archive.plan("Compare Ann Lee and Cy Moreau on the flour")
    assert not plan.facts and len(plan.queries) == 2


@pytest.mark.parametrize(
    "text",
    [
        "What does Ann Lee talk about that Cy Moreau does not?",
        "What does Lee mention that Moreau doesn't?",
        "What does Ann Lee say that Cy Moreau does not?",
        "What did Lee say that Moreau didn't?",
        "Que dit Ann Lee que Cy Moreau ne dit pas ?",
        "De quoi Ann Lee parle-t-elle et Cy Moreau non ?",
        "De quoi parle Lee mais pas Moreau ?",
    ],
)
def test_what_one_speaks_of_and_the_other_does_not_is_theirs_alone(archive, text):
    """A question for the exclusive topics of one person gets only these, and cites only this person."""
    facts_found = facts(archive, text)
    assert "Ann Lee" in facts_found[0] and "Vellmark" in facts_found[0] and "flour" not in facts_found[0]
    assert {citation.speaker for citation in archive.ask(text).citations} == {"Ann Lee"}


@pytest.mark.parametrize(
    "text", ["What does Ann Lee say that Cy Moreau likes?", "What did Lee say that worried the bakers?"]
)
def test_what_somebody_says_is_not_what_only_they_speak_of(archive, text):
    """A question for a statement is searched for, though it begins like one for exclusive topics."""
    assert archive.plan(text).intent == "factual" and facts(archive, text) == []


def test_a_sentence_is_quoted_once_for_all_topics_that_it_names(tmp_path):
    """A sentence with several common topics is cited once."""
    (tmp_path / "talk.md").write_text(
        "Rosa Ibarra: The barge, the cannery and the lighthouse are old. I like the harbour. It rains.\n\n"
        "Per Holm: The lighthouse, the barge and the cannery are closed. The harbour is dear. It snows.\n"
    )
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path / "talk.md")
        answer = archive.ask("What do Rosa Ibarra and Per Holm have in common?")
    quotes = [citation.quote for citation in answer.citations]
    assert len(quotes) == len(set(quotes)) == 4
    assert all(name in answer.text for name in ("barge", "cannery", "lighthouse", "harbour"))


def test_who_has_nothing_of_their_own_is_still_compared(tmp_path):
    """A person without exclusive topics has no line for them, but the comparison is still given."""
    (tmp_path / "talk.md").write_text(
        "**Rosa Ibarra:** The cannery needs a barge. The cannery is old.\n\n"
        "**Per Holm:** The cannery is closed, and I like the cannery.\n"
    )
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path / "talk.md")
        facts_found = facts(archive, "Compare what Rosa Ibarra and Per Holm talk about")
    assert facts_found[0] == "Rosa Ibarra and Per Holm both speak of cannery."
    assert "Only Rosa Ibarra speaks of barge." in facts_found
    assert not any(text.startswith("Only Per Holm") for text in facts_found)


def test_every_line_but_headings_has_its_place(archive):
    """Every fact has a place in a recording, except headings and summaries."""
    for text in ("What led to the delay?", "Compare what Ann Lee and Cy Moreau talk about"):
        for fact in archive.plan(text).facts:
            assert bool(fact.place) != fact.text.endswith(":") or fact.text.startswith(
                ("Only ", "Ann Lee and")
            )


@pytest.mark.parametrize(
    "text",
    [
        "Who else mentions the flour besides Ann Lee?",
        "Who mentions the flour other than Ann Lee?",
        "Who talks about flour, except for Lee?",
        "Apart from Ann Lee, who speaks of flour?",
        "Besides Lee, who talks about the flour?",
        "Which people speak of flour apart from Lee?",
        "Qui d'autre que Lee parle de flour ?",
        "Qui parle de flour sauf Ann Lee ?",
        "À part Lee, qui mentionne flour ?",
        "Qui parle de flour en dehors de Lee ?",
        "Qui d'autre mentionne flour à part Lee ?",
    ],
)
def test_who_is_excepted_is_not_listed(archive, text):
    """A person excluded by a word such as "besides" is neither listed nor cited."""
    heading, *others = facts(archive, text)
    assert "Ann Lee" in heading and heading.rstrip(".").endswith(('flour"', "flour »"))
    assert sorted(line.split(":")[0].strip() for line in others) == ["Bo Díaz", "Cy Moreau"]
    cited = {citation.speaker for citation in archive.ask(text).citations}
    assert cited == {"Bo Díaz", "Cy Moreau"}


def test_a_word_that_excepts_is_no_name(archive):
    """A capital at the beginning of a question does not make "Besides" a name."""
    assert archive.plan("Besides Lee, who talks about the flour?").entities == ("Ann Lee",)


@pytest.mark.parametrize("text", ["What do Ann Lee and Cy Moreau both speak of?", "Who speaks of Ann Lee?"])
def test_nobody_is_excepted_without_a_word_that_does(archive, text):
    """Without such a word, no speaker is excluded."""
    assert not any(each.field == "speaker" and "Bo" in each.value for each in archive.plan(text).filters)


def test_several_are_excepted_and_nobody_may_be_left(archive):
    """Several people can be excluded; a fact says if no other speaker is left."""
    assert facts(archive, "Who mentions flour besides Lee and Díaz?")[1:] == ["Cy Moreau: 1 passage"]
    assert facts(archive, "Who mentions the harbour besides Moreau?") == [
        'Nobody but Cy Moreau speaks of "harbour".'
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Which people bring up the flour?",
        "Which speakers discuss flour?",
        "Who has anything to say about flour?",
        "Did anyone mention the flour?",
        "Qui a parlé de flour ?",
        "Quelles personnes évoquent flour ?",
    ],
)
def test_who_mentions_it_is_asked_in_many_words(archive, text):
    """Different wordings of a question for speakers list the same people."""
    heading, *people = facts(archive, text)
    assert heading.startswith("3 ") and len(people) == 3


def test_two_things_at_once_are_searched_for(archive):
    """Questions with two subjects or conditions get no facts."""
    for text in ("Who mentions flour, brioche?", "Everyone except Lee who mentions the flour"):
        assert facts(archive, text) == []


@pytest.mark.parametrize("text", ["Which guests talk about flour?", "Quels invités parlent de flour ?"])
def test_who_of_a_role_mentions_it_is_searched_for(archive, text):
    """The graph knows no roles, so a question for guests gets no facts about all speakers."""
    assert facts(archive, text) == []


def test_a_name_with_small_words_and_a_key_of_the_details_do_not_hide_the_question(tmp_path):
    """Names with prefixes and function words do not prevent an answer.

    Neither does an attribute name that contains a word of the question.
    """
    lines = (
        "Mr. Cy d'Arlon: The ferry is slow. I like the ferry.",
        "Ms. Ann May: The ferry is late. I like it.",
    )
    talk = "\n\n".join((*lines, ""))
    (tmp_path / "talk.md").write_text(f"---\ntitle: The quay\nhouse of commons: yes\n---\n{talk}{talk}")
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path / "talk.md")
        for text in (
            "What do Ann May and Cy d'Arlon have in common?",
            "What do cy d'arlon and ann may both talk about?",
            "Which members talk about the ferry?",
        ):
            assert facts(archive, text), text


@pytest.mark.parametrize(
    "text",
    [
        "How did Rosa Ibarra meet her husband?",
        "How does Rosa Ibarra know Per Holm?",
        "How did Rosa Ibarra and Per Holm meet?",
        "D'où Rosa Ibarra connaît-elle Per Holm ?",
    ],
)
def test_how_people_met_is_searched_for(quay, text):
    """How two people met is a question about their lives, so the graph gives no facts."""
    assert facts(quay, text) == []


def test_several_of_one_name_are_named_before_anything_is_said_of_one(quay):
    """An ambiguous first name gets no facts; a note lists the people who have it."""
    plan = quay.plan("How is Per connected to Rosa Ibarra?")
    assert plan.facts == () and any("Per Holm / Per Lund" in note for note in plan.notes)
    assert facts(quay, "How is Per Holm connected to Rosa Ibarra?")


def test_a_title_may_be_what_is_connected_but_the_graph_is_not_restricted_to_a_recording(tmp_path):
    """The title "Vellmark results" has one end of a connection; "in the Vellmark call" says where to look."""
    sold = (
        "**Rosa Ibarra:** We sold the heat pumps to Vellmark.\n\n**Per Holm:** The cannery has heat pumps.\n"
    )
    (tmp_path / "a.md").write_text(f"---\ntitle: Vellmark results\n---\n{sold}")
    (tmp_path / "b.md").write_text("---\ntitle: Ostrava results\n---\n**Per Holm:** The ferry was late.\n")
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path)
        assert facts(archive, "How are heat pumps connected with Vellmark?")
        assert not facts(archive, "How is the cannery connected with heat pumps in the Vellmark call?")


@pytest.fixture(scope="module")
def quay(tmp_path_factory):
    """Open an archive with one talk between three people, two of whom have the same first name."""
    folder = tmp_path_factory.mktemp("quay")
    (folder / "talk.md").write_text(
        "Rosa Ibarra: My husband likes the lighthouse and the cannery. The lighthouse is old.\n\n"
        "Per Holm: The lighthouse is closed, and the cannery too.\n\n"
        "Per Lund: The cannery smells. The cannery is dear.\n"
    )
    with onrecord.open(folder / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(folder / "talk.md")
        yield archive


@pytest.mark.parametrize(
    "text",
    [
        "Is there a link between the lighthouse and the cannery?",
        "Is there any connection between Rosa Ibarra and the cannery?",
        "Are the lighthouse and the cannery connected?",
        "Y a-t-il un lien entre Rosa Ibarra et Per Holm ?",
    ],
)
def test_whether_two_things_are_connected_is_answered_by_their_paths(quay, text):
    """A question whether a connection exists gets the paths, like one for the connection itself."""
    assert len(facts(quay, text)) > 1


@pytest.mark.parametrize(
    "text",
    [
        "How is the cannery connected with the cannery?",
        "What do Rosa Ibarra and Rosa Ibarra have in common?",
        "Quel est le lien entre Cannery et cannery ?",
    ],
)
def test_one_name_given_twice_is_said_to_be_one(quay, text):
    """A question that relates a name to itself gets a fact that says so, and no search."""
    (fact,) = facts(quay, text)
    assert "cannery" in fact.casefold() or "Rosa Ibarra" in fact


def test_a_relation_is_counted_by_passages_in_every_result(tmp_path):
    """All results count the passages of a relation, and agree on its strength."""
    (tmp_path / "burnout.md").write_text(
        "Ann Lee: Stress causes burnout. And I said it before: stress causes burnout.\n"
    )
    with onrecord.open(tmp_path / "talks.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path / "burnout.md")
        graph = archive.graph
        (stated,) = graph.about("stress", unsure=True).relations
        (between,) = graph.between("stress", "burnout", unsure=True).paths
        (chain,) = graph.causes("burnout").paths
        assert stated.count == 1
        assert {(edge.count, edge.strength) for edge in (*between.steps, *chain.steps)} == {
            (stated.count, stated.strength)
        }


def test_each_direction_of_a_connection_has_its_own_quotes(tmp_path):
    """If two people mention one another, each direction is a path, with a quote of its speaker."""
    (tmp_path / "a.md").write_text("**Ana Sousa:** Next week we have lunch with Bo Moss in the harbour.\n")
    (tmp_path / "b.md").write_text("**Bo Moss:** I told the council that Ana Sousa is right.\n")
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path)
        edges = [path.steps[0] for path in archive.graph.between("Ana Sousa", "Bo Moss", steps=1).paths]
    assert {(edge.subject, edge.object) for edge in edges} == {
        ("Ana Sousa", "Bo Moss"), ("Bo Moss", "Ana Sousa"),
    }  # fmt: skip
    for edge in edges:
        assert [quote.speaker for quote in edge.quotes] == [edge.subject] and edge.count == 1


def test_the_end_of_a_longer_phrase_is_no_second_path(tmp_path):
    """Two people who speak of heat pumps are not also connected by pumps in the same sentences."""
    (tmp_path / "a.md").write_text("**Rosa Ibarra:** I like the heat pumps, and the barge is old.\n")
    (tmp_path / "b.md").write_text("**Per Holm:** We sold the heat pumps to the cannery.\n")
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path)
        paths = archive.graph.between("Rosa Ibarra", "cannery", steps=2).paths
    assert [path.steps[0].object for path in paths] == ["heat pumps"]


def test_a_stated_chain_of_three_causes_connects_first(tmp_path):
    """With causes shown, two ends of a chain are connected by it, in either order, before names between."""
    (tmp_path / "a.md").write_text("**Rosa Ibarra:** The tariff led to a shortage. I like the cannery.\n")
    (tmp_path / "b.md").write_text("**Per Holm:** The shortage caused a delay.\n")
    (tmp_path / "c.md").write_text("**Ana Sousa:** The delay led to the recall. I like the cannery.\n")
    with onrecord.open(tmp_path / "a.db", embedding={"model": "hashing"}, reader=None) as archive:
        archive.add(tmp_path)
        there, back = (
            archive.graph.between(*ends, unsure=True).paths
            for ends in (("tariff", "recall"), ("recall", "tariff"))
        )
        assert len(archive.graph.between("tariff", "recall", steps=2, unsure=True).paths[0].steps) == 2
        by_default = archive.graph.between("tariff", "recall").paths
        asked = archive.graph.causes("recall", "tariff").paths
    stated = [("tariff", "shortage"), ("shortage", "delay"), ("delay", "recall")]
    assert [(step.subject, step.object) for step in there[0].steps] == stated
    assert [(step.subject, step.object) for step in back[0].steps] == stated[::-1]
    assert [(step.subject, step.object) for step in asked[0].steps] == stated
    assert by_default and not any(step.relation == "causes" for path in by_default for step in path.steps)


def test_common_ground_counts_all_turns(tmp_path):
    """A topic of two people who speak often is common ground, wherever they mention it."""

    def turns(name, topic, weather):
        spoken = [
            f"**{name}:** We spoke of the {weather} for a while, as one does on day {n}." for n in range(120)
        ]
        spoken[59] = f"**{name}:** The {topic} is old, and I like the lighthouse."
        return "\n\n".join(spoken)

    (tmp_path / "a.md").write_text(turns("Rosa Ibarra", "barge", "rain"))
    (tmp_path / "b.md").write_text(turns("Per Holm", "cannery", "wind"))
    settings = {"embedding": {"model": "hashing"}, "reader": None}
    with onrecord.open(tmp_path / "a.db", **settings) as archive:
        archive.add(tmp_path)
        common = archive.graph.common("Rosa Ibarra", "Per Holm")
    assert "lighthouse" in {topic.entity.name for topic in common.shared}
    assert [{topic.entity.name for topic in own} for own in common.only] == [
        {"barge", "rain"}, {"cannery", "wind"},
    ]  # fmt: skip
