"""What a user asks of an archive, and the checks before anything is searched."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

from onrecord.answer import conversation
from onrecord.archive.looking import resolve_scope
from onrecord.errors import InputError, did_you_mean, nearest
from onrecord.ingest.details import attribute_name
from onrecord.stores import Store
from onrecord.stores.base import Reader
from onrecord.strategies import Strategy
from onrecord.types import (
    FILTER_FIELDS,
    INTENTS,
    Exchange,
    Form,
    Question,
    QuestionHints,
    Scope,
    collapsed,
    one_line,
)

SPELLING = "spelling"
"""What `Ask.without` may name beside the fields of filters: misspelt words are then searched as they are."""
_EXCLUDABLE = (*FILTER_FIELDS, SPELLING)
_DATE_FIELDS = {"date": ("since", "until")}
_MOST_TURNS = 100
"""Turns of a conversation that are read, the last ones."""
_MOST_QUERIES = 5
"""Sub-questions at most: they share the words of one answer."""
_MOST_NAMES, _LONGEST_NAME = 20, 200
_MOST_LISTED = 20


class AskOptions(TypedDict, total=False):
    """The fields of an `Ask` that `Archive.ask` and its like take as keywords; None leaves the default."""

    scope: Scope | None
    history: Sequence[Exchange]
    without: Collection[str]
    hints: QuestionHints | None
    form: Form | None
    faq: bool | None


@dataclass(frozen=True, slots=True)
class Ask(Question):
    """A question with everything that the user says about answering it.

    Args:
        text: the question, in words.
        scope: the passages to search. Filters of other fields are still read from the question.
        history: what was asked before in the same conversation, oldest first.
        hints: what the question means, in place of what would be read from its words.
        strategy: a name or a `Strategy`; None: that of the settings. A `Strategy` gets the question as it
            is, unless there are `hints`.
        without: fields of filters that are not to be read from the question: "speaker", "date", the name of
            an attribute; "spelling" searches every word as it is spelt.
        form: how the answer is to look, ahead of the settings.
        faq: whether to ask the FAQ first, and the archive only if the FAQ has no answer; None: as the
            setting `faq.first` says.
    """

    strategy: Strategy | str | None = None
    without: tuple[str, ...] = ()
    form: Form | None = None
    faq: bool | None = None

    @classmethod
    def of(
        cls, question: str | Ask, strategy: Strategy | str | None = None, **options: Unpack[AskOptions]
    ) -> Ask:
        """An Ask for a question, or the given Ask with the fields that are not None put in."""
        fields: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
        if strategy is not None:
            fields["strategy"] = strategy
        for name in fields.keys() & {"history", "without"}:
            fields[name] = (fields[name],) if isinstance(fields[name], str) else tuple(fields[name])
        return replace(question if isinstance(question, Ask) else cls(question), **fields)


def checked_question(ask: Ask, store: Store, longest: int) -> Question:
    """The question with single spaces, recordings by their ids, and hints by their names.

    Raises InputError for a question without words, one of more than `longest` characters, dates that leave
    no day, or hints that cannot be; NotFoundError for a recording that is not there.
    """
    text = collapsed(ask.text)
    if not re.search(r"\w", text):
        raise InputError("the question has no words: ask something like 'Why did margins fall?'")
    if len(text) > longest:
        raise InputError(
            f"the question has {len(text)} characters; at most {longest} are read "
            "(setting limits.question_characters)"
        )
    turns = [
        Exchange(collapsed(turn.question)[:longest], collapsed(turn.answer)[:longest])
        for turn in ask.history[-_MOST_TURNS:]
    ]
    scope, hints = resolve_scope(store, ask.scope), _checked_hints(ask.hints, longest)
    return Question(text, scope, conversation.asking(turns), hints)


# ---------------------------------------------------------------- filters that are not read


def excluded_fields(reader: Reader, names: Collection[str]) -> tuple[str, ...]:
    """The fields that `Ask.without` names, sorted, whatever the case; "date" means "since" and "until".

    Raises InputError for a name that is none of `FILTER_FIELDS`, "spelling" and the attributes in the
    archive.
    """
    attributed = [attribute_name(name) for name in names]
    wanted = {field for name in attributed for field in _DATE_FIELDS.get(name, (name,))}
    if wanted.issubset(_EXCLUDABLE):
        return tuple(sorted(wanted))
    attributes = sorted({name for r in reader.recordings() for name in r.details.attributes})
    fields = {attribute_name(name): name for name in (*attributes, *_EXCLUDABLE)}
    for name in sorted(wanted.difference(fields)):
        hint = did_you_mean(nearest(name, (*fields, *_DATE_FIELDS)), " ")
        listed = ", ".join((*_EXCLUDABLE, *attributes[:_MOST_LISTED]))
        raise InputError(f"no filter is of {name[:100]!r}, so none can be left out:{hint} there are {listed}")
    return tuple(sorted(fields[name] for name in wanted))


# ---------------------------------------------------------------- hints


def _checked_hints(hints: QuestionHints, longest: int) -> QuestionHints:
    """Hints with intents and languages by their names ("Multi-entity", "fr-CA", "French"), each text once."""
    if not hints:
        return hints
    return QuestionHints(
        None if hints.intent is None else _intent(hints.intent),
        None if hints.language is None else _language(hints.language),
        _texts(hints.entities, "name that the question is about", _MOST_NAMES, _LONGEST_NAME),
        _texts(hints.queries, "sub-question", _MOST_QUERIES, longest),
    )


def _intent(text: str) -> str:
    name = re.sub(r"[\s-]+", "_", text.strip().lower())
    if name not in INTENTS:
        hint = did_you_mean(nearest(name, INTENTS), " ")
        raise InputError(f"there is no intent {text[:100]!r}:{hint} there are {', '.join(INTENTS)}")
    return name


def _language(text: str) -> str:
    from onrecord.ingest.formats.languages import CODES, language_code

    code = language_code(text)
    if code is None or code not in CODES.values():
        near = [CODES[name] for name in nearest(text.strip(), CODES)]
        hint = did_you_mean(near, " ")
        raise InputError(f"no language is known as {text[:100]!r}:{hint} give its code, such as en, fr or de")
    return code


def _texts(values: Collection[str], what: str, most: int, longest: int) -> tuple[str, ...]:
    texts = [one_line(text).strip() for text in ([values] if isinstance(values, str) else values)]
    if not all(re.search(r"\w", text) for text in texts):
        raise InputError(f"a {what} has no words: write it out, or leave it out")
    if any(len(text) > longest for text in texts):
        raise InputError(f"a {what} has {max(map(len, texts))} characters: at most {longest} are read")
    texts = list(dict.fromkeys(texts))
    if len(texts) > most:
        raise InputError(f"there are {len(texts)} times a {what}: at most {most} are taken")
    return tuple(texts)
