"""Loading the training data: sentences from offsets, the split by recording, and sources of questions."""

import json

import pytest

from data import (
    CHOOSING,
    HELD_OUT,
    Sentence,
    Window,
    labelled_windows,
    load_material,
    recordings_marked,
    shared_windows,
    split_sentences,
    spoken_pairs,
    spoken_squad,
)


def test_offsets_give_the_sentences_of_the_shared_data(small_data, small_labels):
    ours = labelled_windows(small_data, small_labels)["talks-harbour-0000"]
    assert ours.sentences == shared_windows(small_data)["talks-0-00"].sentences
    assert ours.recording == ("talks", "harbour")
    assert ours.sentences[4] == Sentence("bob", "My bread takes forty minutes.")


@pytest.mark.parametrize(
    "change", [lambda unit: unit | {"id": "other:0"}, lambda unit: unit | {"text": "We."}]
)
def test_labels_of_other_data_are_refused(small_data, small_labels, change):
    file = small_data / "talks" / "corpus.jsonl"
    units = [change(json.loads(line)) for line in file.read_text().splitlines()]
    file.write_text("".join(json.dumps(unit) + "\n" for unit in units))
    with pytest.raises(ValueError, match="harbour"):
        labelled_windows(small_data, small_labels)


def test_the_speaker_is_named_where_it_changes():
    lines = (("ann", "Yes."), ("ann", "No."), ("", "Hm."), ("ann", "So."), ("bob", "Ah."))
    window = Window("w", ("talks", "r"), tuple(Sentence(*one) for one in lines))
    assert window.render(range(5)) == ["ann: Yes.", "No.", "Hm.", "ann: So.", "bob: Ah."]
    assert window.render([1, 4]) == ["ann: No.", "bob: Ah."]


def test_a_split_is_by_recording(small_data, small_labels):
    material = load_material(small_data, labels=small_labels)
    assert set(material.windows) == {"talks-0-00", "talks-harbour-0000"}
    assert {question.window for question in material.questions} == set(material.windows)
    assert [claim.window for claim in material.claims] == ["talks-harbour-0000"]
    assert [acts.sentences["complaint"] for acts in material.acts] == [{1, 2}]
    assert len(material.pairs) == 2 and len(material.discussions) == 1


def test_a_mark_counts_in_windows_of_the_shared_questions_alone(small_data, small_labels):
    """A mark such as "-4-" in the id of a window of our own labels does not exclude the window."""
    material = load_material(small_data, (HELD_OUT,), labels=small_labels)
    assert "talks-choice-4-0000" in material.windows and "talks-4-00" not in material.windows


def test_marks_name_recordings(small_data):
    """Marks in the ids of shared windows select their recordings."""
    windows = shared_windows(small_data).values()
    assert recordings_marked(windows, CHOOSING, HELD_OUT) == {("talks", "choice"), ("talks", "held")}


def test_cores_are_the_writers_then_the_second_readers(small_data, small_labels):
    questions = load_material(small_data, labels=small_labels).questions
    assert {q.text: q.cores for q in questions} == {
        "How long does bread bake?": (4,),
        "Why did the ship sink?": (),
        "Why was the bakery sold?": (1, 0),
        "Who bought the bakery?": (),
    }


def test_pairs_are_grouped_by_recording_without_those_apart(small_data):
    pairs = spoken_pairs(small_data, {("talks", "held")}, longest=1)
    assert [len(of_recording) for of_recording in pairs["talks"]] == [8, 8, 8]
    assert pairs["talks"][0][2].passages == (("We sailed.",),)


def test_passages_of_one_question_about_a_meeting_stay_together(small_data):
    (meeting,) = spoken_pairs(small_data)["qmsum"]
    assert [len(pair.passages) for pair in meeting] == [2, 2, 2, 2]
    assert meeting[1].passages[1] == ("We sailed.", "5 days.")


def test_an_answer_is_looked_for_in_the_sentences_of_its_paragraph(small_data):
    """A Spoken-SQuAD question gets the sentence with its answer, and the other paragraphs as negatives."""
    (spoken,) = spoken_squad(small_data)
    assert spoken.relevant == {1} and spoken.passage[1] == "It was built in 1250."
    assert spoken.others == (("Many people live there.", "They like it."),)


def test_sentences_end_at_marks():
    assert split_sentences("Is it? Yes! 3.5 of it.  So") == ["Is it?", "Yes!", "3.5 of it.", "So"]
    assert split_sentences("") == []
