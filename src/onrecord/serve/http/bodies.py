"""The bodies of requests: their models, their validation, and their conversion for the archive."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError, from_json
from starlette.requests import Request

from onrecord.archive import Ask
from onrecord.archive.lookup import narrowed_to_call
from onrecord.errors import FormatError, InputError, did_you_mean, nearest
from onrecord.serve.http.errors import Refused
from onrecord.stores.scope import A_DATE, DATE
from onrecord.types import INTENTS, Exchange, Form, QuestionHints, Scope, one_line

MOST_EXCHANGES, MOST_QUESTION, MOST_ANSWER, MOST_CITED = 10, 2000, 4000, 50
"""The limits on the part of a conversation that is read.

They are the number of exchanges and, for each exchange, the characters of its question and of its answer, and
the recordings that it cites.
"""

Body = TypeVar("Body", bound=BaseModel)
T = TypeVar("T")
Text = Annotated[str, Field(max_length=500)]
WEB, RATING = r"^https?://", r"^([0-9a-f]{32})?$"
"""Patterns of a web address, and of the id of a rating or an empty text."""
Date = Annotated[str, Field(pattern=f"^{DATE}$")]
Served = Annotated[str | None, Field(max_length=200, description="the first one served, unless named")]
"""The workspace of a request, in its body."""


def unknown_name(what: str, names: Iterable[str], known: Collection[str], inner: Collection[str] = ()) -> str:
    """Return the message for the first of the `names` that is not `known`; empty if all are known.

    `what` is the kind of name: a field or a parameter. `inner` are paths of fields within the known ones,
    such as "scope.speakers", that the sender may have intended.
    """
    unknown = next((name for name in names if name not in known), None)
    if unknown is None:
        return ""
    paths = {path.rpartition(".")[2]: path for path in inner}
    inside = [paths[name] for name in nearest(unknown, paths)]
    near = inside if unknown in paths else nearest(unknown, known) or inside
    hint = did_you_mean(near, " ")
    alternatives = f"{'there is' if len(known) == 1 else 'there are'} {', '.join(known) or 'none here'}"
    return one_line(f"there is no {what} {unknown[:100]!r}:{hint} {alternatives}")


def described(model: type[BaseModel]) -> dict[str, Any]:
    """Return OpenAPI's description of a body that a route reads by itself."""
    return {
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": model.model_json_schema()}},
        }
    }


async def known_parameters(request: Request) -> None:
    """Refuse a query parameter that the route does not have, because a misspelled one must not be ignored.

    Raises InputError.
    """
    parameters = request.scope["route"].dependant.query_params
    known = [parameter.alias for parameter in parameters]
    if message := unknown_name("parameter", request.query_params, known):
        raise InputError(message)


class Strict(BaseModel):
    """A body that is refused if it has an unknown field, because a misspelled one must not be ignored."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _known(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        fields = {field.alias or name: field for name, field in cls.model_fields.items()}
        known = sorted(fields, key=lambda name: not fields[name].is_required())
        inner: list[str] = []  # the fields of nested bodies, such as "scope.speakers"
        for name, field in cls.model_fields.items():
            if isinstance(field.annotation, type) and issubclass(field.annotation, Strict):
                inner += (f"{name}.{part}" for part in field.annotation.model_fields)
        if message := unknown_name("field", value, known, inner):
            raise PydanticCustomError("unknown_field", "{message}", {"message": message})
        return value


class ScopeBody(Strict):
    """The passages to search. Every field narrows them; an empty scope includes all passages."""

    recordings: list[Text] = Field(default=[], max_length=1000, description="ids or titles")
    speakers: list[Text] = Field(default=[], max_length=100, description="names, or whole words of names")
    since: Date | None = Field(default=None, description="first day, month or year", examples=["2024-03"])
    until: Date | None = Field(
        default=None, description="last day, month or year, inclusive", examples=["2024"]
    )
    languages: list[Text] = Field(default=[], max_length=100, description="ISO 639-1 codes")
    sections: list[Text] = Field(default=[], max_length=100, description="titles of sections")
    attributes: dict[Text, Text] = Field(default={}, description="of recordings: show, bank, quarter, ...")

    def scope(self) -> Scope:
        return Scope(
            recordings=tuple(self.recordings),
            speakers=tuple(self.speakers),
            since=self.since,
            until=self.until,
            languages=tuple(self.languages),
            sections=tuple(self.sections),
            attributes=self.attributes,
        )


class HintsBody(Strict):
    """The meaning of the question, instead of what onrecord reads from its words."""

    intent: Text | None = Field(default=None, description=f"kind of question: {', '.join(INTENTS)}")
    language: Text | None = Field(default=None, description="of the question, as ISO 639-1 code")
    entities: list[Text] = Field(default=[], max_length=100, description="who or what it is about")
    queries: list[str] = Field(
        default=[], max_length=100, description="parts to search for one by one, or the sides of a comparison"
    )


def _digits_as_text(value: Any) -> Any:
    """Turn a whole number into a text, for a year or a quarter."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str | None):
        raise PydanticCustomError("text_or_number", "must be a text or a whole number")
    return value


TextOrNumber = Annotated[Text, BeforeValidator(_digits_as_text, json_schema_input_type=int | Text)]


class CallBody(BaseModel):
    """The earnings calls to search, as fields of a request."""

    company: Text | None = Field(default=None, description="or bank; whole words of its name are enough")
    year: TextOrNumber | None = Field(default=None, description="fiscal year")
    quarter: TextOrNumber | None = Field(default=None, description="Q3, or 3", examples=["Q3"])


class FormBody(Strict):
    """The form of the answer, which overrides the settings."""

    style: Literal["numbers", "sources"] | None = Field(default=None, description="[1], or [Source 1]")
    context: int | None = Field(default=None, ge=0, le=200, description="words around each quote")
    quotes: int | None = Field(default=None, ge=1, le=20, description="quotes at most")
    words: int | None = Field(default=None, ge=20, le=2000, description="words of all quotes at most")
    temperature: float | None = Field(default=None, ge=0, le=2, description="of a written answer")
    length: int | None = Field(default=None, ge=10, le=5000, description="words of a written one, about")

    def form(self) -> Form:
        return Form(**self.model_dump())


class HowBody(CallBody):
    """How to search."""

    strategy: Text | None = Field(default=None, description="its name; GET /v1/models lists them")
    scope: ScopeBody = ScopeBody()
    without: list[Text] = Field(
        default=[],
        max_length=50,
        description="filters to ignore in the question: speaker, date, ...; spelling: search words as spelt",
    )
    hints: HintsBody = HintsBody()
    form: FormBody = FormBody()
    faq: bool | None = Field(
        default=None, description="ask the FAQ first; none: as the setting faq.first says"
    )
    explain: bool = Field(
        default=False, description="also trace which edges of the graph raised which passages"
    )
    workspace: Served = None

    def asks(self, question: str, history: tuple[Exchange, ...] = ()) -> Ask:
        """Return the question with all options of the request; its scope includes the named call.

        Raises InputError.
        """
        hints = self.hints
        return Ask(
            question,
            narrowed_to_call(self.scope.scope(), self.company, self.year, self.quarter),
            history,
            QuestionHints(hints.intent, hints.language, tuple(hints.entities), tuple(hints.queries)),
            self.strategy,
            tuple(self.without),
            self.form.form(),
            self.faq,
            self.explain,
        )


class ExchangeBody(Strict):
    """An earlier question and its answer."""

    question: str
    answer: str = ""
    recordings: list[str] = Field(
        default=[], max_length=200, description="ids of those that the answer cites"
    )


class _InTurn(HowBody, Strict):
    """A question within a conversation."""

    history: list[ExchangeBody] = Field(default=[], max_length=200, description="oldest first")

    def exchanges(self) -> tuple[Exchange, ...]:
        return capped([Exchange(e.question, e.answer, tuple(e.recordings)) for e in self.history])


class AskBody(_InTurn):
    """A question."""

    question: str = Field(min_length=1, examples=["Why did margins fall?"])


class SearchBody(_InTurn):
    """Words to search for."""

    words: str = Field(min_length=1, examples=["battery suppliers"])
    limit: int = Field(default=10, ge=1, le=100, description="moments at most")


class ChatBody(HowBody):
    """A conversation as the Vercel AI SDK sends it.

    Its other fields are ignored. Only the roles and texts of `messages` are read.
    """

    messages: list[Any] = Field(default=[], description="[{role, parts: [{type: 'text', text}]}]")
    protocol: Literal["ui", "text"] = Field(default="ui", description="UI message stream, or plain text")


def capped(history: list[Exchange]) -> tuple[Exchange, ...]:
    """Return the last exchanges of a conversation, cut to the limits above."""
    return tuple(
        Exchange(e.question[:MOST_QUESTION], e.answer[:MOST_ANSWER], e.recordings[:MOST_CITED])
        for e in history[-MOST_EXCHANGES:]
    )


async def body_of(request: Request) -> Any:
    """Return the JSON object in the request. Raises InputError."""
    try:
        value = from_json(await request.body())  # unlike `json`, it refuses half a surrogate pair
    except ValueError:
        raise InputError("the request is not JSON: send an object") from None
    if not isinstance(value, dict):
        raise InputError("the request is not a JSON object: send {...}")
    return value


def validated(model: type[Body], value: Any) -> Body:
    """Return a request's JSON value as a body.

    Raises Refused with the first error of the value, in one line.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise misshapen(error.errors(include_url=False, include_input=False)[0]) from None


def read_values(read: Callable[[str, bytes], list[T]], values: Sequence[Mapping[str, object]]) -> list[T]:
    """Return values as `read` returns them from a file, after the same checks. Raises Refused."""
    try:
        return read("request.json", json.dumps(values).encode())
    except FormatError as error:
        raise Refused(422, error.code, one_line(str(error))) from None


_MUST = {
    "missing": "is missing",
    "model_type": "must be a JSON object",
    "model_attributes_type": "must be a JSON object",
    "dict_type": "must be a JSON object",
    "list_type": "must be a list",
    "string_type": "must be a text",
    "string_too_short": "is empty",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
}
"""Messages for pydantic's errors, by error type."""
_SHOULD = re.compile(r"^\w+ should (?=be |have )")
_PATTERNS = {WEB: "must begin with http:// or https://", RATING: "must be the id of a rating"}


def misshapen(error: Mapping[str, Any], outer: int = 0) -> Refused:
    """Return an error of pydantic as a refusal with a message of one line.

    The first `outer` parts of the error's location are left out, because the sender does not know them.
    """
    place = ".".join(str(part) for part in error["loc"][outer:])
    must = _MUST.get(error["type"]) or _SHOULD.sub("must ", error["msg"].replace(" after validation", ""))
    if error["type"] == "string_pattern_mismatch":
        pattern = error["ctx"]["pattern"]
        must = f"must be {A_DATE}" if DATE in pattern else _PATTERNS.get(pattern, "must have another form")
    problem = f" {must}" if must.startswith(("must", "is ")) else f": {must}"
    return Refused(400, "input_error", f"{place or 'the request'}{problem}")
