"""The rendering of an answer in a terminal, as Markdown and as JSON. (Plain text is ``str(answer)``.)

Transcripts, titles and names are not trusted. Nothing in them can control a terminal, become HTML or open a
link of its own.
"""

from __future__ import annotations

import re
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO

from onrecord.answer.marks import marks_in, replace_marks
from onrecord.retrieve.moments.budget import tokens_of
from onrecord.types import Answer, Citation, Evidence, Fact, Plan, Step, mark, printable, to_millisecond

if TYPE_CHECKING:
    from rich.style import Style

_PLAIN_ADDRESS = re.compile(r"[!#-;=?-\[\]_a-z~]+")


# ---------------------------------------------------------------- terminal


def terminal(answer: Answer, file: TextIO | None = None, width: int | None = None) -> None:
    """Print an answer to `file` (standard output by default).

    On a terminal the text is colored, wrapped and linked. Elsewhere it is ``str(answer)``, one line a
    paragraph.
    """
    file = file or sys.stdout
    if not file.isatty():
        file.write(f"{answer}\n")
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=file, width=width, highlight=False, markup=False, emoji=False)
    if answer.heading:
        colour = "yellow" if answer.refuses else "green"
        console.print(Text(printable(answer.heading) + "\n", style=f"bold {colour}"))
    styles = {citation.number: _style(citation) for citation in answer.citations}
    if answer.text:
        text = Text(printable(answer.text) + "\n")
        for match in marks_in(text.plain):
            if int(match[1]) in styles:
                text.stylize(styles[int(match[1])], *match.span())
        console.print(text)
    for citation in answer.citations:
        number = mark(citation.number, answer.style), _style(citation)
        console.print(Text.assemble(number, " ", citation.source))
        if citation.link:
            console.print(f"    {printable(citation.link)}", style="dim", soft_wrap=True)
    if answer.remarks:
        console.print(printable(answer.remarks), style="italic")


def _style(citation: Citation) -> Style:
    from rich.style import Style

    return Style(color="cyan", link=citation.link if _is_safe(citation.link) else None)


def _is_safe(link: str | None) -> bool:
    """Return whether an address is safe, unescaped, in an escape sequence or a Markdown link."""
    if not link or not _PLAIN_ADDRESS.fullmatch(link):
        return False
    return link.startswith(("https://", "http://", "file:///")) or ":" not in link


# ---------------------------------------------------------------- Markdown

_MARKUP = re.compile(r"([\\`*_{}\[\]#|~$!])")
_ESCAPED_BOLD = re.compile(r"\\\*\\\*(?=\S)([^\n*]+?)(?<=[^\s\\])\\\*\\\*")
_ESCAPED_HEADING = re.compile(r"^\\#\\# (?=\S)", re.MULTILINE)
_LINE_END = re.compile(r"(?<=[^\n])\n(?=[^\n])")  # within a paragraph
_BEGINS_LIST = re.compile(r"^([^\S\n]*+\d++)([.)])|^([^\S\n]*+)([-+=])", re.MULTILINE)
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"})


def markdown(answer: Answer) -> str:
    """Return the answer as CommonMark: heading in bold, text with linked marks, sources as a list."""
    links = {c.number: _address(c.link) for c in answer.citations}

    def linked(match: re.Match[str]) -> str:
        link = links.get(int(match[1]))
        return f"[{match[0]}]({link})" if link else match[0]

    heading = answer.heading.strip()
    notes = [note.strip() for note in answer.notes]
    paragraphs = [f"**{escape(heading)}**"] if heading else []
    text = "\n".join(escape(line.strip()) for line in answer.text.split("\n"))
    text = replace_marks(text, linked, escaped=True)
    if answer.markdown:
        text = _ESCAPED_HEADING.sub("## ", _ESCAPED_BOLD.sub(r"**\1**", text))
    paragraphs += [_LINE_END.sub("\\\\\n", text)] if text else []
    items = []
    for citation in answer.citations:
        link, source = _address(citation.link), escape(citation.source)
        number = escape(mark(citation.number, answer.style))
        items.append(f"- {number} " + (f"[{source}]({link})" if link else source))
    paragraphs += ["\n".join(items)] if items else []
    paragraphs += [f"*{escape(note)}*" for note in notes if note]
    paragraphs += ["\n".join(f"- {escape(text)}" for text in answer.suggestions)] * bool(answer.suggestions)
    return "\n\n".join(paragraphs) + "\n"


def escape(text: str) -> str:
    """Escape text so that Markdown shows it literally.

    The text then forms no emphasis, no HTML, no list and no link, not even a bare one.
    """
    text = _MARKUP.sub(r"\\\1", printable(text).translate(_ENTITIES))
    text = _BEGINS_LIST.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"{m[3]}\\{m[4]}", text)
    return text.replace("://", "&#58;//").replace("www.", "www&#46;").replace("WWW.", "WWW&#46;")


def _address(link: str | None) -> str | None:
    return link.replace("(", "%28").replace(")", "%29") if link and _is_safe(link) else None


# ---------------------------------------------------------------- JSON


def to_json(answer: Answer) -> dict[str, Any]:
    """Return the answer as plain values. The schema is stable: fields may be added, but none changes or goes.

    ::

        question, heading, text    str
        verdict                    "answered", "low_relevance", "low_diversity" or "nothing_found"
        confidence                 0..1
        measured                   whether the confidence is of the measured kind: see Answer
        citations                  [{number, recording: {id, title, date}, speaker, role, start, end,
                                     link, quote, passages: positions in the recording, confidence,
                                     section: "primary > secondary"; on request also
                                     before, after: words around the quote}]
        notes, unsupported         [str]
        suggestions                [str]: questions to ask instead, where nothing answers
        retrieved, cited           how many moments were retrieved, and how many quotes are cited
        sections                   [str]: "primary > secondary", of all evidence
        section_tokens             {section: tokens of the evidence in it}
        tokens                     of all evidence, counted as four bytes each
        trace                      [{stage, taken, given, seconds, note; if asked to explain, and the graph
                                     raised passages, also raised: see `raised_json`}]
        plan                       how the question was read, see `plan_json`; null without a plan
        grade                      {quality, coverage, relevance, gaps, cause, retry}, see `grade_json`; null
                                   without a judgment
        calls                      [{role, model, seconds, prompt_tokens, completion_tokens, money, failure}]
        seconds                    of the parts of the work, by name
        strategy, trial            the strategy, and whether it was drawn at random
        faq                        {stage, score, entry, question, answered, options}, if the FAQ was asked

    `start` and `end` are seconds, to the millisecond. Unknown values are null.
    """
    return {
        "question": answer.question,
        "heading": answer.heading,
        "text": answer.text,
        "verdict": answer.verdict,
        "confidence": round(answer.confidence, 4),
        "measured": answer.measured,
        "citations": [_citation(c) for c in answer.citations],
        "notes": list(answer.notes),
        "unsupported": list(answer.unsupported),
        "suggestions": list(answer.suggestions),
        "retrieved": len(answer.evidence.moments),
        "cited": len(answer.citations),
        "sections": list(answer.sections),
        "section_tokens": section_tokens(answer),
        "tokens": sum(tokens_of(p.text) for m in answer.evidence.moments for p in m.passages),
        "trace": [
            {
                "stage": s.stage,
                "taken": s.taken,
                "given": s.given,
                "seconds": _rounded(s.seconds),
                "note": s.note,
                **raised_json(s),
            }
            for s in answer.evidence.trace
        ],
        "plan": plan_json(answer.evidence.plan) if answer.evidence.plan else None,
        "grade": grade_json(answer.evidence),
        "calls": [{**asdict(call), "seconds": _rounded(call.seconds)} for call in answer.calls],
        "seconds": {part: _rounded(seconds) for part, seconds in answer.seconds.items()},
        "strategy": answer.strategy,
        "trial": answer.trial,
        **({"faq": asdict(answer.faq)} if answer.faq else {}),
    }


def raised_json(step: Step) -> dict[str, Any]:
    """Return the passages that the graph raised in a step as JSON values, without a key if there are none.

    ::

        raised  [{recording, title, position, place, without: its place without the graph, or null,
                  edges: [{source: {type, entity, relation, object, description}, quote,
                           gained: score, or null; via: [recording, position] or null}]}]
    """
    return {"raised": [asdict(each) for each in step.raised]} if step.raised else {}


def section_tokens(answer: Answer) -> dict[str, int]:
    """Return the number of tokens of the evidence in each section of the answer."""
    paths = {path.rpartition(" > ")[2]: path for path in answer.sections}
    counted: dict[str, int] = {}
    for moment in answer.evidence.moments:
        for passage in moment.passages:
            if passage.section in paths:
                path = paths[passage.section]
                counted[path] = counted.get(path, 0) + tokens_of(passage.text)
    return counted


def _rounded(seconds: float) -> float:
    """Round seconds to the hundredth of a millisecond, because many stages take less than a millisecond."""
    return round(seconds, 5)


def plan_json(plan: Plan) -> dict[str, Any]:
    """Return a plan as plain values under the names of `Plan`, without its scope.

    A relation is a list of three texts. `parts` are the plans of several questions in one text.
    """
    return {
        "text": plan.text,
        "intent": plan.intent,
        "act": plan.act,
        "language": plan.language,
        "entities": list(plan.entities),
        "filters": [
            {"field": f.field, "value": f.value, "said": f.said, "exact": f.exact} for f in plan.filters
        ],
        "strategy": plan.strategy,
        "queries": list(plan.queries),
        "relations": [list(relation) for relation in plan.relations],
        "complexity": plan.complexity,
        "notes": list(plan.notes),
        "facts": [fact_json(fact) for fact in plan.facts],
        "parts": [plan_json(part) for part in plan.parts],
    }


def fact_json(fact: Fact) -> dict[str, Any]:
    """Return a fact of the catalog as plain values under the names of `Fact`.

    `recordings` are ids. `place` is where a speaker states the fact, {recording, position}; null without a
    single place.
    """
    place = {"recording": fact.place[0], "position": fact.place[1]} if fact.place else None
    return {
        "text": fact.text,
        "items": list(fact.items),
        "recordings": list(fact.recordings),
        "place": place,
    }


def grade_json(evidence: Evidence) -> dict[str, Any] | None:
    """Return the judgment of the evidence as plain values under the names of `Judgement`; None without one.

    `relevance` has a value for each moment, in the order of the moments.
    """
    grade = evidence.grade
    if grade is None:
        return None
    return {
        "quality": round(grade.quality, 4),
        "coverage": {entity: round(share, 4) for entity, share in grade.coverage.items()},
        "relevance": [round(m.scores["relevance"], 4) for m in evidence.moments if "relevance" in m.scores],
        "gaps": list(grade.gaps),
        "cause": grade.cause,
        "retry": grade.retry,
    }


def _citation(citation: Citation) -> dict[str, Any]:
    recording = citation.recording
    return {
        "number": citation.number,
        "recording": {"id": recording.id, "title": recording.title, "date": recording.details.date},
        "speaker": citation.speaker,
        "role": citation.role,
        "start": to_millisecond(citation.start),
        "end": to_millisecond(citation.end),
        "link": citation.link,
        "quote": citation.quote,
        "passages": [p.position for p in citation.passages],
        "confidence": round(citation.confidence, 4),
        "section": citation.section,
        **({"before": citation.before, "after": citation.after} if citation.before or citation.after else {}),
        **({"graph": asdict(citation.graph)} if citation.graph else {}),
    }
