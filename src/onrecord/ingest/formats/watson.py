"""Reader of IBM Watson Speech to Text: `results` with `alternatives`, and `speaker_labels`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from onrecord.ingest.formats.fields import Field, Speech, first_object, json_format
from onrecord.ingest.formats.words import Token, turn_tokens

_HESITATION = "%HESITATION"


def is_own(value: dict[str, Any]) -> bool:
    job = first_object(value.get("results"))
    results = (job if "results" in job else value).get("results")
    best = first_object(first_object(results).get("alternatives"))
    return "timestamps" in best or ("transcript" in best and "final" in first_object(results))


def read(root: Field) -> Speech:
    answers = list(root["results"]) if "results" in first_object(root["results"].value) else [root]
    return Speech([[token for answer in answers for token in _tokens(answer)]])


FORMAT = json_format("watson", is_own, read, "results alternatives timestamps")


def _tokens(answer: Field) -> Iterator[Token]:
    speakers = {label.span("from", "to"): label["speaker"].label for label in answer["speaker_labels"]}
    for result in answer["results"]:
        best = next(iter(result["alternatives"]), None)
        if best is None or result["final"].value is False:
            continue
        words = []
        for stamp in best["timestamps"]:
            fields = list(stamp)
            if len(fields) != 3:
                raise stamp.error("[word, start, end]")
            span = fields[1].seconds(), fields[2].seconds()
            words.append(Token(fields[0].words.replace(_HESITATION, "..."), *span, speakers.get(span)))
        text = best["transcript"].text.replace(_HESITATION, "...")
        yield from turn_tokens(text, words, Token("", opens=True))
