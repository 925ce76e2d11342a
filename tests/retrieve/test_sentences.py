from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve.sentences import sentences
from onrecord.types import Passage


def texts(text: str, language: str | None = None, **fields: object) -> list[str]:
    passage = Passage("r", 0, text, **fields)  # type: ignore[arg-type]
    return [s.text for s in sentences(passage, language)]


def test_an_english_abbreviation_ends_no_sentence() -> None:
    assert texts("Dr. Reyes met J. P. Ward at 3 p.m. on Monday. Sales were up 3.5 percent. Why?") == [
        "Dr. Reyes met J. P. Ward at 3 p.m. on Monday.",
        "Sales were up 3.5 percent.",
        "Why?",
    ]


def test_a_french_abbreviation_ends_no_sentence() -> None:
    assert texts("M. Perrin et Mme. Roche sont là. Voir art. 3, J.-P. Caron le dit. Merci.", "fr-CA") == [
        "M. Perrin et Mme. Roche sont là.",
        "Voir art. 3, J.-P. Caron le dit.",
        "Merci.",
    ]


def test_no_sentence_crosses_from_one_speaker_to_another() -> None:
    passage = Passage("r", 0, "so I said no and she goes yes", voices=((0, "Ann"), (13, "Bo")))
    assert [(s.speaker, s.text) for s in sentences(passage)] == [
        ("Ann", "so I said no"),
        ("Bo", "and she goes yes"),
    ]


def test_speech_without_punctuation_is_cut_at_its_pauses() -> None:
    words = [f"word{i:02}" for i in range(75)]
    seconds = [i * 0.4 + (2.0 if i >= 17 else 0.0) + (1.0 if i >= 44 else 0.0) for i in range(75)]
    marks = tuple((i * 7, s) for i, s in enumerate(seconds))
    sentence_texts = texts(" ".join(words), marks=marks, start=0.0, end=36.0)
    assert [f.split()[0] for f in sentence_texts] == ["word00", "word17", "word44"]


def test_speech_without_punctuation_or_pauses_is_cut_by_length() -> None:
    sentence_texts = texts(" ".join(["word"] * 100))
    assert max(len(f.split()) for f in sentence_texts) <= 40
    assert sum(len(f.split()) for f in sentence_texts) == 100


def test_a_long_sentence_that_is_one_stays_whole() -> None:
    text = " ".join(["well"] * 38) + " done."
    assert texts(text) == [text]


def test_chinese_sentences_need_no_space_between_them() -> None:
    assert texts("今天下雨。我们回家。", "zh") == ["今天下雨。", "我们回家。"]


PROSE = st.text(st.sampled_from("aB. ?!\n,«»\"'é-1Mr"), max_size=300)


@given(PROSE, st.sampled_from(["en", "fr", "xx", None]), st.lists(st.integers(1, 300), max_size=3))
def test_nothing_but_white_space_is_left_out(text: str, language: str | None, turns: list[int]) -> None:
    offsets = [0, *sorted({o for o in turns if o < len(text)})]
    passage = Passage("r", 0, text, voices=tuple((o, str(o)) for o in offsets))
    pieces = sentences(passage, language)
    inside = {i for s in pieces for i in range(s.begin, s.end)}
    assert all(text[i].isspace() for i in range(len(text)) if i not in inside)
    assert sum(len(s.text) for s in pieces) == len(inside)
    assert all(passage.speaker_at(s.begin) == passage.speaker_at(s.end - 1) for s in pieces)
    assert all(s.text == s.text.strip() != "" for s in pieces)
