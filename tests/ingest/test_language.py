"""Tests of language detection from the words of a recording."""

from onrecord.ingest.language import language_of


def test_the_language_of_the_words():
    assert language_of(["Good morning, everyone, and welcome to the call about our third quarter."]) == "en"
    assert language_of(["Bonjour à tous, nous allons parler de la situation économique du pays."]) == "fr"


def test_too_few_words_tell_nothing():
    assert language_of([]) is None
    assert language_of(["Okay."]) is None
    assert language_of(["Hello & welcome.", "Hi.", "Yes."]) is None
    assert language_of(["Hi, all.", "Hello"]) is None
