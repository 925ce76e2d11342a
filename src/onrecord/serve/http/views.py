"""Plans, evidence and answers as JSON values. Fields may be added; none changes or goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from onrecord.answer import render
from onrecord.ingest.links import deep_link
from onrecord.retrieve.profile import Profile
from onrecord.serve.budgets import budgets
from onrecord.types import Answer, Call, Citation, Moment, Passage, Recording, Section, Step

View = dict[str, Any]


def step_view(step: Step) -> View:
    """`name` is the stage's, `stage` with all of its settings; `ms` are milliseconds."""
    return {
        "name": step.stage.partition("(")[0],
        "stage": step.stage,
        "ms": round(step.seconds * 1000, 2),
        "taken": step.taken,
        "given": step.given,
        "note": step.note,
    }


def profile_view(profile: Profile, media: str | None) -> View:
    recording = profile.recording
    return {
        "id": recording.id,
        "title": recording.title,
        "date": recording.details.date,
        "seconds": recording.seconds,
        "unit": "seconds" if profile.timed else "passages",
        "link": deep_link(recording.details.link, None, None),
        "media": media,
        "score": round(profile.score, 4),
        "speakers": [{"name": name, "share": round(share, 3)} for name, share in profile.speakers],
        "curve": [[round(a, 1), round(b, 1), round(score, 3)] for a, b, score in profile.curve],
        "moments": [
            {"start": round(a, 2), "end": round(b, 2), "score": round(score, 4)}
            for a, b, score in profile.moments
        ],
    }


def evidence_view(found: list[Profile], media_of: Callable[[Recording], str | None]) -> View:
    return {"recordings": [profile_view(profile, media_of(profile.recording)) for profile in found]}


def source_view(citation: Citation, media: str | None) -> View:
    """A citation on its own; `start` and `end` are seconds."""
    recording = citation.recording
    return {
        "number": citation.number,
        "recording": recording.id,
        "title": recording.title,
        "date": recording.details.date,
        "speaker": citation.speaker,
        "start": citation.start,
        "end": citation.end,
        "quote": citation.quote,
        "confidence": round(citation.confidence, 4),
        "link": citation.link,
        "media": media,
    }


def answer_view(answer: Answer) -> View:
    """What is known of an answer besides its text and sources; times are seconds, budgets milliseconds."""
    return {
        "verdict": answer.verdict,
        "heading": answer.heading,
        "confidence": round(answer.confidence, 4),
        "notes": list(answer.notes),
        "unsupported": list(answer.unsupported),
        **cost_view(answer),
    }


def cost_view(answer: Answer) -> View:
    """How long an answer took, and what it cost."""
    return {
        "seconds": {name: round(seconds, 5) for name, seconds in answer.seconds.items()},
        "budgets": [budget.to_json() for budget in budgets(answer)],
        "calls": [call_view(call) for call in answer.calls],
    }


def call_view(call: Call) -> View:
    return {
        "seat": call.seat,
        "model": call.model,
        "seconds": round(call.seconds, 4),
        "prompt_tokens": call.prompt_tokens,
        "completion_tokens": call.completion_tokens,
        "money": call.money,
        "failure": call.failure,
    }


def full_answer_view(answer: Answer) -> View:
    """An answer with all there is to say about it."""
    plan = answer.evidence.plan
    return {
        **render.to_json(answer),
        "plan": render.plan_json(plan) if plan else None,
        "trail": [step_view(step) for step in answer.evidence.trail],
        **cost_view(answer),
    }


# ---------------------------------------------------------------- recordings


def recording_view(recording: Recording, media: str | None) -> View:
    details = recording.details
    return {
        "id": recording.id,
        "title": recording.title,
        "date": details.date,
        "language": details.language,
        "people": list(details.people),
        "speakers": list(recording.speakers),
        "link": deep_link(details.link, None, None),
        "media": media,
        "attributes": dict(details.attributes),
        "seconds": recording.seconds,
        "words": recording.words,
        "passages": recording.passages,
        "format": recording.format,
    }


def section_view(section: Section) -> View:
    return {
        "title": section.title,
        "start": section.start,
        "end": section.end,
        "first": section.first,
        "last": section.last,
        "kind": section.kind,
        "under": section.under,
        "summary": section.summary,
    }


def passage_view(passage: Passage) -> View:
    """`voices` are [character of the text, who speaks from there on], `marks` [character, second]."""
    return {
        "position": passage.position,
        "speaker": passage.speaker,
        "voices": [list(voice) for voice in passage.voices],
        "marks": [[at, round(second, 2)] for at, second in passage.marks],
        "start": passage.start,
        "end": passage.end,
        "section": passage.section,
        "text": passage.text,
    }


def moment_view(moment: Moment, recording: Recording, media: str | None) -> View:
    """`best` is the index, in `passages`, of the one that fits best."""
    details = recording.details
    return {
        "recording": recording.id,
        "title": recording.title,
        "date": details.date,
        "start": moment.start,
        "end": moment.end,
        "link": deep_link(details.link, None, moment.start),
        "media": media,
        "score": round(moment.score, 4),
        "scores": {name: round(score, 4) for name, score in moment.scores.items()},
        "best": moment.peak,
        "passages": [passage_view(passage) for passage in moment.passages],
    }
