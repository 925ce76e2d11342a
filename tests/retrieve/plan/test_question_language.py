"""The language of a question, told without a model."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.retrieve.plan.language import question_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What did Kelly say about tariffs?", "en"),
        ("Who is in the die business?", "en"),
        ("freight costs", "en"),
        ("Qu'a dit Kelly sur les tarifs ?", "fr"),
        ("Pourquoi ?", "fr"),
        ("la digue de Moreau", "fr"),
        ("Was hat Kelly über Zölle gesagt?", "de"),
        ("¿Qué dijo Kelly sobre los aranceles?", "es"),
        ("Cosa ha detto Kelly dei dazi?", "it"),
        ("O que disse Kelly sobre as tarifas?", "pt"),
        ("Wat heeft Kelly over tarieven gezegd?", "nl"),
        ("Was wurde vergangene Woche zur Steuer gesagt?", "de"),
        ("¿Qué se dijo hace dos semanas sobre la sal?", "es"),
        ("O que foi dito antes de março sobre a pesca?", "pt"),
        ("Que pense la ville de la dette ?", "fr"),
        ("can you translate this into spanish for me, please", "en"),
        ("Что сказал Келли?", "ru"),
        ("2024年3月14日说了什么", "zh"),
        ("ケリーは何と言いましたか", "ja"),
    ],
)
def test_a_language_is_told(text: str, language: str) -> None:
    assert question_language(text) == language


@given(st.text(max_size=200))
def test_any_text_has_one(text: str) -> None:
    assert len(question_language(text)) == 2
