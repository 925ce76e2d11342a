"""Questions that the catalog answers exactly, in English and French, and questions that it must not answer.

A fact also says which recordings lack the needed detail.
"""

from collections.abc import Sequence
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plan_world import TODAY, world

from counted_calls import python_calls
from onrecord.stores.memory import MemoryStore
from onrecord.types import Details, Exchange, Passage, Plan, Question, Recording, Scope
from onrecord.understand.planner import plan

WORLD = world()
STRATEGY_NAMES = ("balanced", "factual", "overview", "summary", "comparison", "exploratory", "section")
Row = tuple[str, str | None, dict[str, str], Sequence[tuple[str | None, str]], bool]
ROWS: Sequence[Row] = (
    (
        "Tidal 1: Slack water",
        "2024-02-01",
        {"show": "Tidal", "episode": "1", "host": "Ann Bell", "guest": "Kofi Mensah"},
        [("Ann Bell", "Who reads the tide tables today?"), ("Kofi Mensah", "Hardly anybody does.")],
        True,
    ),
    (
        "Tidal 2: Spring tide",
        "2024-06-01",
        {"show": "Tidal", "episode": "2", "host": "Ann Bell"},
        [("Ann Bell", "The moon pulls, and the harbour floods.")],
        True,
    ),
    ("Pilots' meeting", None, {}, [(None, "We should mark the bank with a buoy.")], False),
)


def tidal(rows: Sequence[Row] = ROWS) -> MemoryStore:
    """Return a store with these recordings; each passage of a timed recording lasts ten seconds."""
    store = MemoryStore()
    for number, (title, day, attributes, turns, timed) in enumerate(rows):
        name = f"r{number}"
        passages = [
            Passage(name, at, text, who, 10.0 * at if timed else None, 10.0 * at + 10 if timed else None)
            for at, (who, text) in enumerate(turns)
        ]
        details = Details(title, day, "en", attributes=attributes)
        store.add(Recording(name, name, name, "test", details).counted(passages), passages)
    return store


STORE = tidal()


def calls_with_hosts(count: int) -> MemoryStore:
    """Return an archive with this many calls; each has a different host."""
    rows = []
    for number in range(count):
        host = f"Host {number} Bell"
        rows.append((f"Tidal {number}: Call", "2024-01-01", {"host": host}, [(host, "Word.")], True))
    return tidal(rows)


SOME, MANY = calls_with_hosts(100), calls_with_hosts(300)


def asked(text: str, *before: str, store: MemoryStore = STORE, **scope: object) -> Plan:
    """Return the plan for a question after earlier questions; `scope` holds the fields of its scope."""
    history = tuple(Exchange(turn) for turn in before)
    return plan(Question(text, Scope(**scope), history), store, TODAY, strategies=STRATEGY_NAMES)  # type: ignore[arg-type]


def fact_text(text: str, *before: str, **scope: object) -> str:
    """Return the facts of a plan and their list items, joined by bars; the facts must settle the question."""
    planned = asked(text, *before, **scope)
    assert planned.settled, planned
    return " | ".join(line for fact in planned.facts for line in (fact.text, *fact.items))


# ---------------------------------------------------------------- every form of question, in both languages

ONE, TWO = "Tidal 1: Slack water", "Tidal 2: Spring tide"
SHARES = f"Shares of the words in {ONE}:"


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("How many episodes are there?", "There are 3 recordings."),
        ("what's the number of recordings", "There are 3 recordings."),
        ("Can you tell me how many recordings there are?", "There are 3 recordings."),
        ("Combien d'épisodes y a-t-il ?", "Il y a 3 enregistrements."),
        ("Combien d'enregistrements avez-vous ?", "Il y a 3 enregistrements."),
        (
            "How many meetings do you have?",
            'There are 3 recordings. 1 of them has "meeting" in its title or attributes; the others are',
        ),
        ("List the calls", 'There are 3 recordings. None of them has "call" in its title or attributes.'),
        ("What recordings do you have?", f"There are 3 recordings. | {TWO}, 2024-06-01, 0:10 | {ONE}"),
        ("Liste des enregistrements", f"Il y a 3 enregistrements. | {TWO}, 2024-06-01, 0:10"),
        ("How many episodes of Tidal?", '2 of the 3 recordings match "Tidal".'),
        (
            "How many episodes in 2023?",
            'None of the 3 recordings matches "in 2023". The date of 1 recording is unknown.',
        ),
        ("How many recordings since March 2024?", '1 of the 3 recordings matches "since March 2024".'),
        ("How many English episodes are there?", 'All 3 recordings match "English".'),
        ("Which recordings are in English?", 'All 3 recordings match "English".'),
        ("Quels enregistrements sont en anglais ?", "Tous les 3 enregistrements répondent à « anglais »."),
        ("Combien d'épisodes en 2024 ?", "2 des 3 enregistrements répondent à « en 2024 »."),
        (
            "What is the latest episode?",
            f"The latest recording is {TWO}, 2024-06-01, 0:10. The date of 1 recording is unknown.",
        ),
        (
            "What was the first episode of Tidal?",
            f'The oldest of the 2 recordings that match "Tidal" is {ONE}, 2024-02-01, 0:20.',
        ),
        (
            "Quel est le premier épisode de Tidal ?",
            f"L'enregistrement le plus ancien des 2 qui répondent à « Tidal » est {ONE}",
        ),
        ("Latest episode since May 2024", 'The only recording that matches "since May 2024" is Tidal 2'),
        ("Quel est le dernier épisode ?", f"L'enregistrement le plus récent est {TWO}"),
        (
            "Which episode is the longest?",
            f"The longest recording is {ONE}, 2024-02-01, 9 words. Lengths were compared by words, because",
        ),
        ("What is the title of episode 2?", f"Its title is {TWO}."),
        ("How long is episode 1?", f"{ONE} lasts 0:20, up to its last word."),
        ("How long is the latest episode?", f"{TWO} lasts 0:10, up to its last word."),
        ("Combien de temps dure l'épisode 1 ?", f"{ONE} dure 0:20, jusqu'au dernier mot."),
        (
            "How long are the recordings in total?",
            f"3 recordings match. | {ONE} lasts 0:20, up to its last word. | {TWO} lasts 0:10, up to its",
        ),
        ("When was episode 1 recorded?", f"{ONE} is dated 2024-02-01."),
        ("Quand a été publié l'épisode 2 ?", f"{TWO} est daté du 2024-06-01."),
        ("When was the pilots' meeting recorded?", "The date of Pilots' meeting is unknown."),
        ("Who speaks in episode 1?", f"Ann Bell and Kofi Mensah speak in {ONE}."),
        ("Qui parle dans l'épisode 1 ?", f"Ann Bell et Kofi Mensah parlent dans {ONE}."),
        ("Who are the speakers?", "2 people speak in 2 recordings. The speakers of 1 recording are unknown."),
        ("How many people speak in episode 1?", f"2 people speak in {ONE}: | Ann Bell | Kofi Mensah"),
        ("Combien d'intervenants y a-t-il ?", "2 personnes parlent dans 2 enregistrements."),
        (
            "Who speaks most in episode 1?",
            f"{SHARES} | Ann Bell, 6 words (67 %) | Kofi Mensah, 3 words (33 %)",
        ),
        ("Who says the least in episode 1?", f"{SHARES} | Ann Bell, 6 words (67 %) | Kofi Mensah, 3 words"),
        ("Qui parle le plus dans l'épisode 1 ?", f"Parts des mots dans {ONE} : | Ann Bell, 6 mots (67 %)"),
        ("How long does Ann speak in episode 1?", f"{SHARES} | Ann Bell, 6 words (67 %)"),
        (
            "Which episodes feature Kofi?",
            "Kofi Mensah speaks in 1 of the 3 recordings. The speakers of 1 recording are unknown. | Tidal",
        ),
        ("How many episodes is Ann Bell in?", "Ann Bell speaks in 2 of the 3 recordings."),
        ("Dans quels épisodes parle Ann Bell ?", "Ann Bell parle dans 2 des 3 enregistrements."),
        ("Is Kofi Mensah in episode 2?", f"No, Kofi Mensah does not speak in {TWO}."),
        ("Does Ann speak in episode 2?", f"Yes, Ann Bell speaks in {TWO}."),
        (
            "Who has been a guest?",
            f'The guest is Kofi Mensah, according to {ONE}. No "guest" is named in 2 recordings.',
        ),
        ("Qui est l'invité de l'épisode 1 ?", f"« invité » : Kofi Mensah, d'après ce qu'on sait de {ONE}."),
        ("Who is the host of the latest episode?", f"The host is Ann Bell, according to {TWO}."),
        ("Are there episodes with Kofi?", "Kofi Mensah speaks in 1 of the 3 recordings."),
        ("What are the last two episodes?", f"There are 3 recordings. | {TWO}"),
        ("How many guests has Tidal had?", f"The guest is Kofi Mensah, according to {ONE}."),
        ("Who hosts Tidal?", "The host is Ann Bell, according to the 2 recordings."),
        ("Who hosts the show?", "The host is Ann Bell, according to the 2 recordings."),
        ("Who speaks in Slack water?", f"Ann Bell and Kofi Mensah speak in {ONE}."),
        ("How long is 'Spring tide'?", f"{TWO} lasts 0:10, up to its last word."),
        ("Quand a été enregistré « Spring tide » ?", f"{TWO} est daté du 2024-06-01."),
        ("How long is Kofi's episode?", f"{ONE} lasts 0:20"),
        ("Quand a été enregistré l'épisode de Kofi Mensah ?", f"{ONE} est daté du 2024-02-01."),
        ("Who talks more in episode 1, the host or the guest?", f"{SHARES} | Ann Bell, 6 words (67 %)"),
        ("Who speaks more in episode 1, Ann or Kofi?", f"{SHARES} | Ann Bell, 6 words (67 %)"),
        ("Was Kofi Mensah at Tidal 2?", f"No, Kofi Mensah does not speak in {TWO}."),
        (
            "Who appears in most episodes?",
            "2 people speak in 2 recordings. The speakers of 1 recording are unknown. | Ann Bell (2 rec",
        ),
        (
            "Qui intervient dans le plus d'épisodes ?",
            "2 personnes parlent dans 2 enregistrements. On ne sait pas qui parle dans 1 enregistrement.",
        ),
        ("Which shows are there?", 'The recordings name 1 "show". 1 recording: "show" is unknown. | Tidal'),
        ("What show is episode 2?", f'"show" of {TWO} is Tidal.'),
    ],
)
def test_what_the_archive_knows_is_reported(text: str, fact: str) -> None:
    """The facts answer every form of question about the catalog."""
    assert fact_text(text).startswith(fact)


@pytest.mark.parametrize(
    ("before", "text", "fact"),
    [
        ("Who hosts episode 1?", "what about 2?", f"The host is Ann Bell, according to {TWO}."),
        (
            "Who was the guest of episode 2?",
            "And of episode 1?",
            f"The guest is Kofi Mensah, according to {ONE}.",
        ),
        (
            "Qui est l'invité de l'épisode 2 ?",
            "et du 1 ?",
            f"« invité » : Kofi Mensah, d'après ce qu'on sait de {ONE}.",
        ),
        ("What show is episode 2?", "and 1?", f'"show" of {ONE} is Tidal.'),
        ("Who was the guest of episode 1?", "and the host?", f"The host is Ann Bell, according to {ONE}."),
        ("How many recordings are there?", "and with Kofi?", "Kofi Mensah speaks in 1 of the 3 recordings."),
    ],
)
def test_a_question_that_goes_on_asks_what_the_one_before_asked(before: str, text: str, fact: str) -> None:
    """A follow-up without a verb repeats the previous question for another recording, role or person."""
    assert fact_text(text, before).startswith(fact)


def test_somebody_else_is_not_asked_for_a_role() -> None:
    """After "Who hosts episode 1?", the follow-up "And Kofi?" is not a question about a role."""
    assert not asked("And Kofi?", "Who hosts episode 1?").settled


def test_a_list_is_cut_and_says_how_much_is_missing() -> None:
    """A long list of recordings ends with the number of omitted items."""
    (fact,) = asked("What recordings do you have?", store=WORLD).facts
    assert fact.text == "There are 22 recordings." and len(fact.items) == 11
    assert fact.items[-1] == "and 12 more" and len(fact.recordings) == 10


def test_a_fact_holds_within_what_was_chosen() -> None:
    """A fact counts only the recordings in the scope."""
    assert fact_text("How many recordings are there?", recordings=("r0",)).startswith("There is 1 recording.")
    assert fact_text("How many recordings are there?", since="2024-03").startswith("There is 1 recording.")
    assert fact_text("How many recordings are there?", speakers=("Kofi Mensah",)).startswith("There is 1 rec")
    assert fact_text("How long is the recording?", recordings=("r0",)).startswith(f"{ONE} lasts 0:20")
    assert fact_text("Who speaks?", recordings=("r1",)) == f"Ann Bell speaks in {TWO}."
    assert fact_text("How long is the recording?").startswith("3 recordings match.")


def test_no_filter_of_a_fact_is_left_out() -> None:
    """A date filter that no recording meets stays in the plan, because the fact reports it."""
    planned = asked("How many episodes in 2023?")
    assert [filter_.field for filter_ in planned.filters] == ["since", "until"] and not planned.notes


@pytest.mark.parametrize(
    ("before", "text", "fact"),
    [
        ("What is the latest episode?", "And how long is it?", f"{TWO} lasts 0:10"),
        ("Who speaks in episode 1?", "When was it recorded?", f"{ONE} is dated 2024-02-01."),
        ("Qui parle dans l'épisode 1 ?", "Et combien de temps dure-t-il ?", f"{ONE} dure 0:20"),
        ("What did Kofi say about tables?", "Which episodes is he in?", "Kofi Mensah speaks in 1 of the 3"),
        (
            "What did Kofi say about tables?",
            "How many calls did he take?",
            "Kofi Mensah speaks in 1 of the 3",
        ),
        ("What is slack water?", "How many meetings did Ann attend?", "Ann Bell speaks in 2 of the 3"),
        ("What is slack water?", "How many calls did Ann take?", "Ann Bell speaks in 2 of the 3"),
        ("What did Ann say about tides in episode 1?", "How many episodes are there?", "There are 3 rec"),
        ("Summarize episode 1", "Who speaks in it?", "Ann Bell and Kofi Mensah speak in"),
        (
            "How many episodes in 2024?",
            "And in March 2024?",
            'None of the 3 recordings matches "in March 2024".',
        ),
        (
            "Combien d'épisodes en 2024 ?",
            "Et en 2023 ?",
            "Aucun des 3 enregistrements ne répond à « en 2023 »",
        ),
        ("Which episodes is Ann in?", "And Kofi?", "Kofi Mensah speaks in 1 of the 3 recordings."),
        ("How long is episode 1?", "And episode 2?", f"{TWO} lasts 0:10"),
        ("Who speaks in episode 1?", "And in the June one?", f"Ann Bell speaks in {TWO}."),
        ("Who is Kofi Mensah?", "How long is his episode?", f"{ONE} lasts 0:20"),
    ],
)
def test_a_follow_up_is_informed_of_what_was_before(before: str, text: str, fact: str) -> None:
    """A follow-up takes its recording, person or question from the previous question."""
    assert fact_text(text, before).startswith(fact)


@pytest.mark.parametrize(
    ("turns", "fact"),
    [
        (("Who speaks in episode 1?", "Who else was there?"), "Ann Bell and Kofi Mensah speak in"),
        (
            ("What did Kofi say about tables?", "Who else spoke in the episode?"),
            "Ann Bell and Kofi Mensah speak",
        ),
        (("Qui parle dans l'épisode 1 ?", "Qui d'autre était là ?"), "Ann Bell et Kofi Mensah parlent dans"),
        (
            ("Summarize episode 1", "And episode 2?", "Which one is longer?"),
            f'The longest of the 2 recordings that match "episode 2 / episode 1" is {ONE}',
        ),
        (
            ("Summarize episode 1", "Summarize episode 2", "Which is shorter?"),
            f"The shortest recording is {TWO}",
        ),
        (("What is the longest episode?", "What about episode 2?"), f"{TWO} lasts 0:10"),
        (("How many episodes of Tidal are there?", "What about the pilots' meeting?"), "1 of the 3 rec"),
        (
            ("Summarize episode 1", "What about 2?", "Who hosted it?"),
            f"The host is Ann Bell, according to {TWO}",
        ),
        (("Summarize episode 1", "What about 2?", "Who speaks in it?"), f"Ann Bell speaks in {TWO}"),
        (("Summarize episode 2", "Was Kofi there?"), f"No, Kofi Mensah does not speak in {TWO}"),
        (("How long is episode 1?", "And the one after?"), f"{TWO} lasts 0:10"),
        (("Combien de temps dure l'épisode 2 ?", "Et le précédent ?"), f"{ONE} dure 0:20"),
        (("What did Kofi say about tables?", "Is he in episode 2?"), "No, Kofi Mensah does not speak in"),
        (("Is Kofi in episode 2?", "Which episodes is he in?"), "Kofi Mensah speaks in 1 of the 3"),
        (("What did Kofi say about tables?", "How long is his episode?"), f"{ONE} lasts 0:20"),
    ],
)
def test_a_conversation_keeps_to_what_it_is_about(turns: tuple[str, ...], fact: str) -> None:
    """Pronouns, ordinals and comparatives refer to the recordings or people of the conversation."""
    *before, text = turns
    assert fact_text(text, *before).startswith(fact)


def test_what_is_chosen_among_several_is_never_the_only_one_spoken_of() -> None:
    """A comparative after a question about one recording compares all recordings."""
    assert fact_text("Which is shorter?", "Who speaks in episode 1?").startswith(
        f"The shortest recording is {TWO}"
    )


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Who is Kofi? How long is his episode?", ("", f"{ONE} lasts 0:20")),
        ("Who hosts episode 2? How long is it?", ("The host is Ann Bell", f"{TWO} lasts 0:10")),
        ("Brass lanterns or oil, sailor? How long is episode 1?", ("", f"{ONE} lasts 0:20")),
        ("How often is salt mentioned and by whom?", ()),
        ("How many people sail and fish?", ()),
    ],
)
def test_each_question_that_the_catalogue_knows_is_a_part(text: str, facts: tuple[str, ...]) -> None:
    """A text with several questions is split into parts if the catalog answers one of them."""
    parts = asked(text).parts
    assert len(parts) == len(facts)
    for part, fact in zip(parts, facts, strict=True):
        assert not fact if not part.facts else part.facts[0].text.startswith(fact)


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("How many episodes are there?", "Why?"),
        ("What did Ann say about tides?", "And in 2024?"),
        ("How many episodes are there?", "And about the moon?"),
    ],
)
def test_what_goes_on_with_something_else_is_no_fact(before: str, text: str) -> None:
    """A follow-up about the words of the recordings gets no fact."""
    assert not asked(text, before).facts


# ---------------------------------------------------------------- unknown details, and other questions


def test_what_no_recording_tells_is_said_and_searched_for() -> None:
    """If the details lack a role, a note says so, and the question is searched for."""
    made = asked("Who is the guest?", recordings=("r1",))
    assert not made.settled and not made.facts
    assert made.notes == (f'The details of 1 recording do not say who is "guest". Ann Bell speaks in {TWO}.',)


def test_lengths_are_compared_by_words_where_a_recording_has_no_times() -> None:
    """An untimed recording can be the longest; if all are timed, times decide."""
    said = [("Ann", "A pump needs oil, and a valve needs none at all."), ("Ann", "Quite.")]
    timed = [("Slow", None, {}, said, True), ("Quick", None, {}, said[:1], True)]
    store = tidal([*timed, ("Notes", None, {}, [*said, *said], False)])
    assert fact_text("Which recording is the longest?", store=store) == (
        "The longest recording is Notes, without a date, 24 words. "
        "Lengths were compared by words, because 1 recording has no times."
    )
    only_timed = fact_text("Which recording is the longest?", store=tidal(timed))
    assert only_timed.endswith("Slow, without a date, 0:20.")


def test_one_recording_is_not_the_longest_of_itself() -> None:
    """For a single recording, the fact gives its length instead of a superlative."""
    (fact,) = asked("What about Tidal 2?", "Which episode is the longest?").facts
    assert fact.text == f"{TWO} lasts 0:10, up to its last word."
    assert fact_text("Which episode of Tidal is the longest?").startswith(f"The longest recording is {ONE}")


def test_who_holds_a_role_of_several_words_is_reported_and_who_holds_an_unknown_one_is_searched_for() -> None:
    """The holder of a role is named if the details name one; otherwise the question is searched for."""
    turns = [("Lea Norn", "We dredge."), ("Cy Ng", "Thank you.")]
    rows = [
        (f"Dredging {n}", None, {"keeper of the locks": "Lea Norn"} if n < 2 else {}, turns, True)
        for n in range(3)
    ]
    store = tidal(rows)
    assert fact_text("Who is the keeper of the locks?", store=store).startswith(
        "The keeper of the locks is Lea Norn, according to the 2 recordings."
    )
    for text, kept in (("Who is the minister for Dredging?", "Dredging"), ("Who chaired Dredging 2?", "")):
        made = asked(text, store=store)
        assert not made.settled and kept in made.text and bool(made.filters) != bool(kept)
    assert made.notes[0].startswith('The details of 1 recording do not say who is "chair". Lea Norn and')


def test_the_guest_of_captions_that_name_nobody_is_known_by_the_details() -> None:
    """The details name the guest of a recording whose captions have no speakers."""
    store = MemoryStore()
    roles = {"show": "Tidal", "episode": "3", "host": "Ann Bell", "guest": "Kofi Mensah"}
    details = Details("Tidal 3: Ebb", None, "en", ("Ann Bell", "Kofi Mensah"), attributes=roles)
    passages = [Passage("r", 0, "The tide goes out.", None, 0.0, 9.0)]
    store.add(Recording("r", "r", "r", "test", details).counted(passages), passages)
    (fact,) = asked("Who was the guest on Tidal 3?", store=store).facts
    assert fact.text.startswith("The guest is Kofi Mensah, according to Tidal 3: Ebb.")
    assert asked("What did the host say about the tide?", store=store).scope.speakers == ()


def lantern_hours() -> MemoryStore:
    """Return six episodes whose details name a host and a guest.

    The speaker labels are anonymous in two episodes, name other people in two, and name one pair of people in
    the last two.
    """
    store = MemoryStore()
    heard = (("SPEAKER_00", "SPEAKER_01"), ("Travis", "Sarah"), ("Ann Bell", "Lena Falk"))
    for number, (host, guest) in enumerate(
        (("Ann Bell", "Lena Falk"), ("Ann Bell", "Bo Diaz"), ("Lena Falk", "Cy Ng")) * 2
    ):
        labels = heard[number // 2]
        passages = [
            Passage(f"r{number}", at, "We blow the glass in winter.", labels[at % 2], 9.0 * at, 9.0 * at + 9)
            for at in range(3)
        ]
        named = {"host": host, "guest": guest}
        details = Details(f"Lantern hour {number}", None, "en", (host, guest), attributes=named)
        recording = Recording(f"r{number}", f"r{number}", f"r{number}", "test", details)
        store.add(recording.counted(passages), passages)
    return store


@pytest.mark.parametrize(
    ("number", "guest"), [(0, "Lena Falk"), (1, "Bo Diaz"), (2, "Cy Ng"), (3, "Lena Falk"), (4, "Bo Diaz")]
)
def test_details_say_who_the_guest_was_whatever_the_labels_are(number: int, guest: str) -> None:
    """The guest comes from the details, not from the speaker labels."""
    store, title = lantern_hours(), f"Lantern hour {number}"
    assert (
        fact_text(f"Who was the guest on {title}?", store=store)
        == f"The guest is {guest}, according to {title}."
    )
    french = fact_text(f"Qui est l'invité de {title} ?", store=store)
    assert french == f"« invité » : {guest}, d'après ce qu'on sait de {title}."


@pytest.mark.parametrize(
    "question",
    [
        "Which episodes had Lena Falk as a guest?",
        "Which episodes have Bo Diaz as guest?",
        "In which episodes was Bo Diaz the guest?",
        "Which episodes did Lena Falk host?",
        "How often was Lena Falk a guest?",
        "Dans quels épisodes Lena Falk était-elle invitée ?",
        "Quels épisodes ont eu Bo Diaz comme invité ?",
        "Quels épisodes Lena Falk a-t-elle animés ?",
    ],
)
def test_the_recordings_in_which_somebody_has_a_role_are_searched_for(question: str) -> None:
    """A question for the recordings in which a person has a role gets no list of all their recordings."""
    assert not asked(question, store=lantern_hours()).facts


@pytest.mark.parametrize(
    "question",
    ["Which episodes mention the harbour?", "where does the harbour come up", "episodes about the harbour"],
)
def test_recordings_in_which_words_are_said_come_most_often_first(question: str) -> None:
    """Recordings that mention a word are listed by the number of passages, highest first."""
    turns = [("Ann Bell", "The harbour floods."), ("Kofi Mensah", "Which harbour?"), ("Ann Bell", "Ours.")]
    store = tidal((*ROWS, ("Tidal 3: Flood", "2024-07-01", {"show": "Tidal"}, turns, True)))
    planned = asked(question, store=store)
    (fact,) = planned.facts
    assert fact.text == '"harbour" is said in 3 passages of 2 recordings.'
    assert fact.items == (
        "Tidal 3: Flood, 2024-07-01: 2 passages",
        "Tidal 2: Spring tide, 2024-06-01: 1 passage",
    )
    assert (
        fact.recordings == ("r3", "r1") and planned.strategy == "exploratory"
    )  # the passages are also searched for


def test_the_firms_that_mention_words_are_known_by_their_recordings() -> None:
    """A question for the values of an attribute lists all recordings with the words."""
    rows = [
        (f"{firm} call", None, {"company": firm}, [("Ann Bell", f"At {firm} we sell {goods}.")], True)
        for firm, goods in (("Oak Bolt", "honey"), ("Tide Works", "salt"), ("Salt Pans", "honey"))
    ]
    (fact,) = asked("Which companies mention honey?", store=tidal(rows)).facts
    assert fact.text == '"honey" is said in 2 passages of 2 recordings.'
    assert sorted(fact.items) == ["Oak Bolt call: 1 passage", "Salt Pans call: 1 passage"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "How often does Ann mention the harbour?",
            '"harbour" is said by Ann Bell in 2 passages of 2 recordings.',
        ),
        (
            "how many times did Kofi say harbour",
            '"harbour" is said by Kofi Mensah in 1 passage of 1 recording.',
        ),
        ("How often does Kofi mention the moon?", '"moon" is never said by Kofi Mensah here.'),
        (
            "When did Kofi first mention the harbour?",
            '"harbour" is said by Kofi Mensah in 1 passage of 1 recording.',
        ),
        (
            "In which episodes does Ann talk about the harbour?",
            '"harbour" is said by Ann Bell in 2 passages of 2 recordings.',
        ),
        ("How often is the harbour mentioned?", '"harbour" is said in 3 passages of 2 recordings.'),
    ],
)
def test_words_are_counted_of_those_who_are_named(question: str, text: str) -> None:
    """Counts and first mentions of a word are limited to the speakers that the question names."""
    turns = [("Ann Bell", "The harbour floods."), ("Kofi Mensah", "Which harbour? Ours.")]
    store = tidal((*ROWS, ("Tidal 3: Flood", "2024-07-01", {"show": "Tidal"}, turns, True)))
    (fact,) = asked(question, store=store).facts
    assert fact.text.startswith(text)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("When was the harbour first mentioned?", "Tidal 2"),
        ("Qui a parlé en premier du harbour ?", "Tidal 2"),
        ("When was the harbour last mentioned?", "Tidal 3"),
    ],
)
def test_the_first_and_last_recording_with_words_come_first(question: str, first: str) -> None:
    """The recordings with a word are listed by date."""
    turns = [("Ann Bell", "The harbour floods."), ("Kofi Mensah", "Which harbour?")]
    (fact,) = asked(question, store=tidal((*ROWS, ("Tidal 3", "2024-07-01", {}, turns, True)))).facts
    assert fact.items[0].startswith(first)


def test_words_are_counted_side_by_side() -> None:
    """A phrase is counted only where its words are adjacent."""
    turns = [("Ann Bell", "The night tide was good. Good evening!"), ("Kofi Mensah", "Good night.")]
    store = tidal((*ROWS, ("Tidal 3: Flood", "2024-07-01", {"show": "Tidal"}, turns, True)))
    (fact,) = asked("How often is good night mentioned?", store=store).facts
    assert fact.text == '"good night" is said in 1 passage of 1 recording.'
    (fact,) = asked("How often does Ann say good evening?", store=store).facts
    assert fact.text == '"good evening" is said by Ann Bell in 1 passage of 1 recording.'
    assert not asked("How often does Ann say evening tide?", store=store).facts  # never adjacent


@pytest.mark.parametrize("question", ["Who was the guest of Ann Bell?", "who was the guest with Ann Bell"])
def test_a_role_is_of_the_recordings_of_who_is_named(question: str) -> None:
    """A question for "the guest of Ann Bell" concerns the recordings in which Ann Bell speaks."""
    other = ("Tidal 4: Ebb", "2024-08-01", {"host": "Cy Ng", "guest": "Bo Diaz"}, [("Cy Ng", "Hello.")], True)
    assert fact_text(question, store=tidal((*ROWS, other))).startswith("The guest is Kofi Mensah")


@pytest.mark.parametrize(
    ("question", "speakers"),
    [
        ("What did everyone besides Kofi say about the tide?", ["Ann Bell"]),
        ("Who other than Ann Bell spoke about the harbour?", ["Kofi Mensah"]),
        ("What did Kofi say besides the tide?", ["Kofi Mensah"]),
    ],
)
def test_people_who_are_excepted(question: str, speakers: list[str]) -> None:
    """A person behind a word such as "besides" is excluded; the remaining people are the filter."""
    assert [each.value for each in asked(question).filters if each.field == "speaker"] == speakers


def test_a_day_of_no_recording_is_searched_for() -> None:
    """A question about a period is an overview only if a recording has a date in the period."""
    assert asked("What happens in December?").strategy == "balanced"
    assert asked("What happened in June 2024?").strategy == "overview"


def test_words_that_nobody_says_are_searched_for_alone() -> None:
    """A word that no passage has gets no fact, so the question is only searched for."""
    assert not asked("Which episodes mention wavelets?").facts


def test_a_title_of_one_word_is_a_recording_behind_a_preposition() -> None:
    """A one-word title is read as a recording only behind a preposition that leads to a recording."""
    store = MemoryStore()
    for title, guest in (("Tides", "Kofi Mensah"), ("Harbour", "Bo Diaz"), ("Ann", "Cy Ng")):
        details = Details(title, None, "en", (guest,), attributes={"guest": guest})
        speaker = "Ann Bell" if title == "Harbour" else None
        passages = [
            Passage(title, n, "The tide leaves the harbour.", speaker, 9.0 * n, 9.0 * n + 9) for n in range(3)
        ]
        store.add(Recording(title, title, title, "test", details).counted(passages), passages)
    assert fact_text("Who was the guest on Tides?", store=store).startswith("The guest is Kofi Mensah")
    assert asked("What is said about harbour dues?", store=store).scope.recordings == ()
    assert asked("What was said by Ann?", store=store).scope.recordings == ()


def test_where_no_recording_has_a_date_nothing_is_counted_by_it() -> None:
    """If no recording has a date, the count for a year is unknown, not zero."""
    store = tidal([("Alpha", None, {}, [("Ann", "One.")], False)])
    assert fact_text("How many episodes in 2020?", store=store) == (
        'How many recordings match "in 2020" is unknown: the only recording has no date.'
    )


def test_recordings_without_dates_times_and_speakers_are_not_guessed() -> None:
    """Missing dates, times and speakers are reported as unknown."""
    store = tidal(
        [("Alpha", None, {}, [(None, "One two.")], False), ("Beta", None, {}, [("", "Three.")], False)]
    )
    assert fact_text("What is the latest recording?", store=store).startswith(
        "The latest recording is unknown: 2 recordings have no dates."
    )
    assert fact_text("What is the longest recording?", store=store).endswith("2 recordings have no times.")
    assert fact_text("Who are the speakers?", store=store) == "The speakers of 2 recordings are unknown."
    assert fact_text("How long are the recordings?", store=store) == (
        "2 recordings match. | The length of Alpha is unknown: its transcript has no times. It has 2 words."
        " | The length of Beta is unknown: its transcript has no times. It has 1 word."
    )
    only = tidal([("Alpha", None, {}, [(None, "One two.")], False)])
    assert "no times. It has 2 words." in fact_text("How long is the recording?", store=only)
    assert fact_text("Who speaks?", store=only).startswith("The speakers of Alpha are unknown")


def test_labels_that_name_nobody_are_not_one_person() -> None:
    """Anonymous labels such as "Speaker 1" are not counted as one person across recordings."""
    turns = [("Speaker 1", "One."), ("SPEAKER_02", "Two.")]
    store = tidal(
        [("Alpha", None, {}, turns, False), ("Beta", None, {}, [*turns, ("Ann Bell", "Three.")], False)]
    )
    assert fact_text("How many speakers are there?", store=store) == (
        "1 person speaks in 2 recordings. 2 recordings also have speakers without a name. "
        "| Ann Bell (1 recording)"
    )


def test_who_has_no_name_may_be_the_person_asked_for() -> None:
    """Where somebody has an anonymous label, onrecord does not say that the person does not speak there."""
    turns = [("Speaker 1", "One."), ("Speaker 2", "Two.")]
    store = tidal(
        [("Alpha", None, {}, [("Ann Bell", "Three."), *turns], False), ("Beta", None, {}, turns, False)]
    )
    assert fact_text("Which recordings is Ann Bell in?", store=store) == (
        "Ann Bell speaks in 1 of the 2 recordings. 1 recording also has speakers without a name. "
        "| Alpha, without a date, 3 words"
    )
    assert fact_text("Is Ann Bell in Beta?", store=store) == "Speaker 1 and Speaker 2 speak in Beta."


def test_labels_that_are_roles_are_not_one_person_everywhere() -> None:
    """Role labels are speakers within one recording, and unknown people across recordings."""
    turns = [("Project Manager", "One."), ("Professor D", "Two.")]
    store = tidal([("Alpha", None, {}, turns, False), ("Beta", None, {}, turns, False)])
    assert fact_text("Who are the speakers?", store=store).startswith(
        "The speakers of 2 recordings are unknown."
    )
    assert fact_text("Who speaks?", store=store, recordings=("r0",)) == (
        "Project Manager and Professor D speak in Alpha."
    )


def test_who_is_not_named_says_most_in_one_recording_alone() -> None:
    """An anonymous label can have the largest share of speech only within one recording."""
    turns = [("Speaker 1", "One two three four."), ("Ann", "Five.")]
    store = tidal([("Alpha", None, {}, turns, False), ("Beta", None, {}, turns, False)])
    assert fact_text("Who speaks most?", store=store, recordings=("r0",)).endswith(
        "Speaker 1, 4 words (80 %) | Ann, 1 word (20 %)"
    )
    assert fact_text("Who speaks most?", store=store) == (
        "Shares of the words in the 2 recordings: The speakers of 8 words are unknown. | Ann, 2 words (20 %)"
    )


def test_an_attribute_is_one_however_it_is_written() -> None:
    """The case of attribute names and of their values does not matter."""
    banks = [("Bank", "TD Bank"), ("bank", "td bank"), ("bank", "Alder Bank")]
    store = tidal([(f"Call {n}", None, {k: v}, [("Ann", "One.")], False) for n, (k, v) in enumerate(banks)])
    assert fact_text("Which banks are there?", store=store) == (
        'The recordings name 2 different "bank". | TD Bank (2 recordings) | Alder Bank (1 recording)'
    )


def test_who_speaks_within_a_part_is_not_reported_of_the_whole() -> None:
    """If the scope has speakers, no fact is given about the speakers of whole recordings."""
    assert not asked("Who speaks?", speakers=("Kofi Mensah",)).facts
    assert not asked("Who speaks most in episode 1?", speakers=("Kofi Mensah",)).facts


@settings(deadline=None, max_examples=60)
@given(st.text(st.sampled_from("\ue200\ue201\ue202 bdk?"), max_size=60))
def test_signs_in_a_question_are_no_names(text: str) -> None:
    """Private-use characters in a question are not read as names, and cause no error."""
    asked(text)
    assert not asked(f"How long does \ue201 speak? {text}").facts


def test_how_much_each_says_is_not_counted_over_very_much() -> None:
    """Shares of speech are not counted if the recordings have more passages than a count may read."""
    many = [("Ann", f"Word {n}.") for n in range(300)]
    store = tidal([("Alpha", None, {}, many, False), ("Beta", None, {}, many, False)])
    assert (
        fact_text("Who speaks most?", store=store) == "1 person speaks in 2 recordings. | Ann (2 recordings)"
    )
    assert fact_text("Who speaks most?", store=store, recordings=("r0",)).startswith("Shares of the words in")


def test_an_empty_archive_knows_nothing() -> None:
    """An empty archive gives no facts."""
    assert not asked("How many episodes are there?", store=MemoryStore()).facts


@pytest.mark.parametrize(
    "text",
    """
    How many episodes mention tariffs?
    How many calls about refunds are there?
    How many meetings are there per year?
    How many people live in Brévane?
    How many banks failed?
    How many episodes are there, and what are they about?
    What is the latest episode about?
    What is the latest on tariffs?
    How long does bread last?
    How long did Kelly wait?
    When was copper first mined?
    When was the election?
    When was it built?
    When is the conference?
    Who speaks about tariffs in Slow Signals 3?
    Who speaks French?
    What is the copper question?
    Who speaks about the housing ladder?
    Who is the mayor?
    Who is it?
    Who talks most about copper?
    Which recordings are longer than an hour?
    How many calls are shorter than half an hour?
    Quels enregistrements durent plus d'une heure ?
    Who speaks in the Q&A of Alder Bank?
    Which speakers talk about rates?
    What did the guest of the latest episode say about rates?
    Which episodes talk about Kelly?
    Which episodes does Kelly talk about tariffs in?
    What are the topics?
    What is the title of the song?
    Is Kelly in Paris?
    List the key points of the latest episode
    Are there episodes on bread?
    Combien d'épisodes parlent du sel ?
    Combien de temps dure le voyage ?
    Qui parle du sel ?
    Qui parle de Moreau ?
    Quand a été construit le port ?
    Quel est le dernier mot ?
    """.strip().splitlines(),
)
def test_a_question_for_what_is_said_is_none_for_the_catalogue(text: str) -> None:
    """Questions about the words of recordings get no facts, though they resemble catalog questions."""
    planned = asked(text.strip(), store=WORLD)
    assert not planned.facts and not planned.settled


@pytest.mark.parametrize(
    "text",
    [
        "How many calls in 2024?",
        "Who are the speakers?",
        "Who is the host of the latest episode?",
        "Who speaks most?",
    ],
)
def test_a_fact_takes_work_in_line_with_the_number_of_recordings(text: str) -> None:
    """The number of Python calls for a fact grows at most linearly with the number of recordings."""

    def work(store: MemoryStore) -> int:
        asked(text, store=store)  # fill the caches that are built once for each archive
        return python_calls(lambda: asked(text, store=store))

    assert asked(text, store=MANY).settled
    assert work(MANY) < 4 * work(SOME)  # 3 times as many recordings; quadratic work would be 9 times as much


# ---------------------------------------------------------------- unusual titles and conversations

TITLES = st.text(max_size=60)
DATES = st.none() | st.dates(date(2001, 1, 1), date(2030, 1, 1)).map(date.isoformat)
SPOKEN = st.lists(
    st.tuples(st.none() | st.text(max_size=20), st.text(st.characters(categories=["L"]), min_size=1)),
    min_size=1,
)
ARCHIVES = st.lists(st.tuples(TITLES, DATES, st.just({}), SPOKEN, st.booleans()), min_size=1, max_size=14)


def test_a_title_cannot_be_taken_for_a_mark_or_flood() -> None:
    """Titles are shown on one line, shortened, without control characters or citation marks."""
    store = tidal([("Alpha [1]\nBeta\x1b[31m " + "x" * 500, None, {}, [("Ann", "One.")], False)])
    line = asked("What recordings do you have?", store=store).facts[0].items[0]
    assert line.startswith("Alpha (1) Beta") and "\x1b" not in line and len(line) < 200


def test_who_asked_for_a_fact_spoke_of_nothing_that_the_next_question_could_lean_on():
    """A follow-up takes no search words from a previous question that facts answered."""
    assert asked("What was decided?", "How many recordings are there?").text == "What was decided?"
    assert asked("And why?", "Which recordings are there?").text == "And why?"
    after = asked("What is it about?", "How long is Tidal 2?")
    assert [filter_.field for filter_ in after.filters] == ["recording"] and "long" not in after.text
    assert "kelp" in asked("And why?", "What did they say about kelp?").text


def test_large_numbers_are_grouped_as_the_language_does() -> None:
    """Thousands are grouped with a comma in English and with a space in French."""
    turns = [("Ann Bell", "tide " * 1500), ("Kofi Mensah", "buoy " * 500)]
    store = tidal([("Tidal 1: Slack water", "2024-02-01", {}, turns, True)])
    assert "1,500 words (75 %)" in fact_text("Who speaks most?", store=store)
    assert "1 500 mots (75 %)" in fact_text("Qui parle le plus ?", store=store)


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        ("What does May say about gates?", ["Elizabeth May"]),
        ("What did they say about gates in May?", []),
        ("What was said about gates on 3 May 2024?", []),
    ],
)
def test_a_month_is_nobody_of_its_name(text: str, speakers: list[str]) -> None:
    """The word "May" is a speaker or a month, depending on the words around it."""
    rows = [*ROWS, ("Gates", "2024-05-03", {}, [("Elizabeth May", "Gates hold.")], True)]
    filters = asked(text, store=tidal(rows)).filters
    assert [each.value for each in filters if each.field == "speaker"] == speakers


@pytest.mark.parametrize(("recording", "speakers"), [("r0", ["Kofi Mensah"]), ("r1", [])])
def test_a_role_is_of_the_recording_before(recording: str, speakers: list[str]) -> None:
    """In a follow-up, "the guest" is the guest of the recording that the previous answer cites."""
    turn = Exchange("What is said about tides?", "A lot.", (recording,))
    question = Question("What did the guest say about tables?", history=(turn,))
    planned = plan(question, STORE, TODAY, strategies=STRATEGY_NAMES)
    assert [each.value for each in planned.filters] == [recording, *speakers]


def test_a_series_is_known_without_its_article() -> None:
    """A title with an article, "The Tide Hour", is also found without it."""
    numbered = [(f"The Tide Hour {number}", None, {}, [("Ann Bell", "Word.")], True) for number in (7, 8)]
    (fact,) = asked("how long is tide hour 7?", store=tidal([*ROWS, *numbered])).facts
    assert fact.text.startswith("The Tide Hour 7 lasts 0:10")


def test_a_recording_is_known_by_the_words_of_its_titles_and_of_its_file() -> None:
    """Words of the title or of the file name identify a recording."""
    store = tidal()
    passages = [Passage("fishery-hearing-1a2b3c", 0, "Word.", "Bo Diaz", 0.0, 4.0)]
    hearing = Recording(
        "fishery-hearing-1a2b3c", "fishery-hearing.vtt", "c", "test", Details("Harbour, 7 May")
    )
    store.add(hearing.counted(passages), passages)
    assert fact_text("who speaks in the fishery hearing?", store=store) == "Bo Diaz speaks in Harbour, 7 May."


def test_a_title_in_small_letters_says_who_is_counted() -> None:
    """A title in lower case limits a count of words to its recording."""
    assert fact_text("Who spoke the most in the spring tide?").startswith(f"Shares of the words in {TWO}:")


def test_the_language_of_recordings_is_known() -> None:
    """A fact gives the language of one or all recordings."""
    assert fact_text("What language is Tidal 2 in?") == f'"language" of {TWO} is English.'
    assert fact_text("What is the language of a recording?").endswith("English (3 recordings)")


FRENCH = "Les marées du port"


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Is there a talk in French?", f'1 of the 4 recordings matches "French". | {FRENCH}'),
        ("Which one is in French?", f'1 of the 4 recordings matches "French". | {FRENCH}'),
        ("Do you have anything in French?", f'1 of the 4 recordings matches "French". | {FRENCH}'),
        ("How many talks are French?", f'1 of the 4 recordings matches "French". | {FRENCH}'),
        ("Is any recording in Spanish?", 'None of the 4 recordings matches "Spanish".'),
        ("Is Tidal 2 in English?", f'1 of the 4 recordings matches "Tidal 2" + "English". | {TWO}'),
        ("Who speaks in French?", f"Léa Vidal speaks in {FRENCH}."),
        ("What language is the talk Marées du port in?", f'"language" of {FRENCH} is French.'),
        ("Y a-t-il un exposé en anglais ?", "3 des 4 enregistrements répondent à « anglais »."),
        (
            "Quel enregistrement est en français ?",
            f"1 des 4 enregistrements répond à « français ». | {FRENCH}",
        ),
        ("Quels enregistrements sont anglais ?", "3 des 4 enregistrements répondent à « anglais »."),
        (
            "Est-ce que Tidal 2 est en anglais ?",
            "1 des 4 enregistrements répond à « Tidal 2 » + « anglais ».",
        ),
        ("Existe-t-il des épisodes en allemand ?", "Aucun des 4 enregistrements ne répond à « allemand »."),
    ],
)
def test_the_recordings_of_a_language_are_known(question: str, fact: str) -> None:
    """A language is an attribute: its recordings are listed, whichever form names it."""
    store = tidal()
    passages = [Passage("fr", 0, "La lune tire et le port déborde.", "Léa Vidal", 0.0, 10.0)]
    french = Recording("fr", "fr", "fr", "test", Details(FRENCH, "2024-03-01", "fr"))
    store.add(french.counted(passages), passages)
    assert fact_text(question, store=store).startswith(fact)


@pytest.mark.parametrize(
    ("before", "question", "recording"),
    [
        ("Summarize episode 1 of Tidal", "and 2?", "r1"),
        ("How long is episode 2?", "what about 1?", "r0"),
        ("Summarize episode 1 of Tidal", "and why did 2 harbours flood?", None),
        ("What is the tide?", "and 2?", None),
    ],
)
def test_a_bare_number_goes_on_with_the_one_before(before: str, question: str, recording: str | None) -> None:
    """A number alone is an episode number if the previous question names an episode."""
    exact = [each.value for each in asked(question, before).filters if each.exact]
    assert exact == ([recording] if recording else [])


def test_a_bare_number_that_no_recording_has_is_named() -> None:
    """If no recording has the number, a note says so."""
    assert 'There is no "episode 7' in " ".join(asked("and 7?", "Summarize episode 1 of Tidal").notes)


def test_the_title_of_an_entry_is_asked_about_and_filters_nothing() -> None:
    """The title of a written entry sets no filter, because it is usually the subject of the question.

    The title of a talk filters, and so does the title of an entry if most recordings are talks.
    """
    entries = [
        (f"River {name}", None, {}, [(None, "It is long.")], False)
        for name in ("Ash", "Bell", "Cole", "Dow", "Elm")
    ]
    talk = [("Tidal 1: Slack water", None, {}, [("Ann Bell", "Word."), ("Kofi Mensah", "Word.")] * 2, False)]
    long = [("River Ash", None, {}, [(None, "It is long.")] * 9, False)]
    for rows, filters in (
        (entries, 0),
        (entries + talk, 0),
        (entries[1:] + long, 0),
        (entries[:1] + talk * 3, 1),
    ):
        assert len(plan(Question("Which towns does River Ash pass?"), tidal(rows), TODAY).filters) == filters
    on_talk = plan(Question("What is said of herring in Slack water?"), tidal(entries + talk), TODAY)
    assert [each.field for each in on_talk.filters] == ["recording"]


def test_a_code_of_two_words_names_its_recording() -> None:
    """ "hall_24" is one code, as "hall24" is."""
    rows = [
        (f"Tea meeting {code}", None, {}, [("Ann Bell", "Word.")], True) for code in ("hall_24", "hall_7")
    ]
    (fact,) = asked("Who speaks in hall_24?", store=tidal(rows)).facts
    assert fact.text == "Ann Bell speaks in Tea meeting hall_24."


@pytest.mark.parametrize(
    ("turns", "known"),
    [
        (("What did Ann say about the flood?", "When was that?"), False),
        (("What was said about tide tables?", "Which one was Kofi's?"), False),
        (("What was said about tide tables?", "Who speaks?"), True),
        (("What was said about the flood?", "When was the episode?"), True),
        (("What was said about the flood in episode 2?", "When was it?"), True),
        (("What is said in episode 2?", "When was that?"), True),
    ],
)
def test_a_fact_of_recordings_is_no_answer_about_a_subject(turns: tuple[str, ...], known: bool) -> None:
    """A follow-up that names no recording asks about the subject before it, not about a recording."""
    *before, text = turns
    assert bool(asked(text, *before).facts) == known
