"""JSON values of plans, evidence and answers, and of the public details of recordings.

Fields may be added; none is changed or removed.
"""

from __future__ import annotations

from dataclasses import asdict

from onrecord.answer import render
from onrecord.answer.conversation import FollowUp
from onrecord.ingest.links import deep_link
from onrecord.retrieve.profile import Profile
from onrecord.serve.budgets import budgets
from onrecord.serve.views import View, moment_view, recording_view
from onrecord.types import Answer, Citation, Moment, Recording, Step, to_millisecond


def step_view(step: Step) -> View:
    """Return a step as JSON.

    `name` is the stage's name, `stage` its name with all settings; `ms` are milliseconds.
    """
    return {
        "name": step.name,
        "stage": step.stage,
        "ms": round(step.seconds * 1000, 2),
        "taken": step.taken,
        "given": step.given,
        "note": step.note,
        **render.raised_json(step),
    }


def profile_view(profile: Profile, media: str | None) -> View:
    """Return a recording's share in the evidence. Positions on the curve and of moments are in `unit`."""
    recording = profile.recording
    return {
        "id": recording.id,
        "title": recording.title,
        "date": recording.details.date,
        "seconds": to_millisecond(recording.seconds),
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


def source_view(citation: Citation, media: str | None) -> View:
    """Return a citation by itself; `start` and `end` are seconds."""
    recording = citation.recording
    return {
        "number": citation.number,
        "recording": recording.id,
        "title": recording.title,
        "date": recording.details.date,
        "speaker": citation.speaker,
        "role": citation.role,
        "start": to_millisecond(citation.start),
        "end": to_millisecond(citation.end),
        "quote": citation.quote,
        "confidence": round(citation.confidence, 4),
        "link": citation.link,
        "media": media,
        **({"section": citation.section} if citation.section else {}),
        **({"before": citation.before, "after": citation.after} if citation.before or citation.after else {}),
        **({"graph": asdict(citation.graph)} if citation.graph else {}),
    }


def answer_view(answer: Answer) -> View:
    """Return an answer without its text and sources. Times are in seconds, budgets in milliseconds."""
    return {
        "verdict": answer.verdict,
        "heading": answer.heading,
        "confidence": round(answer.confidence, 4),
        "measured": answer.measured,
        "notes": list(answer.notes),
        "unsupported": list(answer.unsupported),
        "strategy": answer.strategy,
        "trial": answer.trial,
        "suggestions": list(answer.suggestions),
        **({"faq": asdict(answer.faq)} if answer.faq else {}),
        **cost_view(answer),
    }


def follow_up_view(follow_up: FollowUp) -> View:
    """Return a follow-up question: `text` for people, and `question` with the `scope` to ask it in."""
    scope = follow_up.scope
    return {"text": follow_up.text, "question": follow_up.question, "scope": scope.conditions}


def cost_view(answer: Answer) -> View:
    """Return an answer's times and calls. The `failure` of a call is empty if its reply was used."""
    return {
        "seconds": {name: round(seconds, 5) for name, seconds in answer.seconds.items()},
        "budgets": [budget.to_json() for budget in budgets(answer)],
        "calls": [{**asdict(call), "seconds": round(call.seconds, 4)} for call in answer.calls],
    }


def full_answer_view(answer: Answer) -> View:
    """Return an answer with its text, sources, trace and costs."""
    return {
        **render.to_json(answer),
        "trace": [step_view(step) for step in answer.evidence.trace],
        **cost_view(answer),
    }


# ---------------------------------------------------------------- public views


def public_recording(recording: Recording, media: str | None) -> View:
    """Return a recording without file paths on this machine; `media` is the address that plays it."""
    return recording_view(recording, deep_link(recording.details.link, None, None), media)


def public_moment(moment: Moment, recording: Recording, media: str | None) -> View:
    """Return a moment without file paths on this machine."""
    link = deep_link(recording.details.link, None, moment.start)
    return moment_view(moment, recording, link, media)
