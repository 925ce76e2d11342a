"""Language models by pydantic-ai: ``openai:``, ``anthropic:``, ``ollama:NAME``, or a NAME at an address.

A server at an address must speak the OpenAI chat protocol. The package is imported at the first call, which
takes two seconds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import replace
from functools import cached_property
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from onrecord.errors import GenerationError
from onrecord.models.background import submit
from onrecord.models.base import CallLimits, Completion, Decision, LanguageModel, Message
from onrecord.models.endpoints import endpoint_of
from onrecord.models.faults import cut_error, length_error, refusal_error, timeout_error, translate_error
from onrecord.models.loading import call_within
from onrecord.models.reasoning import without_reasoning
from onrecord.models.vectors import import_extra

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

T = TypeVar("T")
_GRACE = 0.5  # seconds that a client gets to end a call by itself, before the caller stops waiting
_CHARACTERS = 20  # most characters of a token: a server that sends more ignores the limit of tokens


class PydanticModel:
    """A model that decides and writes (`LanguageModel`).

    It retries no call and follows no redirect. One clock counts the time from the call to the last byte. That
    includes the import of the package and anything that the SDK does in between.
    """

    def __init__(self, name: str, base_url: str | None = None, *, main: bool = True) -> None:
        self.name = name
        self._endpoint = endpoint_of(name, base_url, main=main)

    def __repr__(self) -> str:
        return f"PydanticModel({self.name!r})"

    @property
    def who(self) -> str:
        """The model's name in messages, with its host unless that is the provider's own."""
        host = urlsplit(self._endpoint.base_url).hostname if self._endpoint.base_url else None
        return f"the model {self.name!r}" + (f" at {host}" if host else "")

    def warm(self) -> None:
        """Import the package, so that the first question does not wait. Send nothing. Raises ModelError."""
        _ = self._model

    def decide(self, instructions: str, material: str, shape: type[T], limits: CallLimits) -> Decision[T]:
        """See `LanguageModel.decide`. Make one request, without a retry for an invalid reply."""
        model, deadline = self._ready(limits)
        future = submit(self._decide(model, instructions, material, shape, limits))
        try:
            outcome = future.result(timeout=max(0.0, deadline - monotonic()) + _GRACE)
        except (TimeoutError, CancelledError):
            outcome = timeout_error(self.who, limits)
        finally:
            future.cancel()
        if isinstance(outcome, GenerationError):
            raise outcome
        return outcome

    async def _decide(
        self, model: Model, instructions: str, material: str, shape: type[T], limits: CallLimits
    ) -> Decision[T] | GenerationError:
        from pydantic_ai import Agent, NativeOutput

        # OpenAI and Anthropic follow tools best; other servers are more likely to support response formats
        official = self._endpoint.provider in ("openai", "anthropic")
        kind: Any = (
            shape if official else NativeOutput(shape, template="Reply in JSON of this schema: {schema}")
        )
        try:
            agent: Agent[object, T] = Agent(model, output_type=kind, instructions=instructions, retries=0)
            result = await agent.run(material, model_settings=self._settings(limits))
        except Exception as error:
            return translate_error(error, self.who, limits)
        usage = result.usage
        return Decision(result.output, usage.input_tokens, usage.output_tokens)

    def write(self, instructions: str, material: str, limits: CallLimits) -> Iterator[str | Completion]:
        """See `LanguageModel.write`. The call begins when the caller requests the first piece."""
        events: SimpleQueue[str | Completion | GenerationError] = SimpleQueue()
        model, deadline = self._ready(limits)
        future = submit(self._write(model, instructions, material, limits, events))
        # another thread may cancel the call
        future.add_done_callback(lambda _: events.put(cut_error(self.who)))
        item: str | Completion | GenerationError = ""
        try:
            while not isinstance(item, Completion):
                item = events.get(timeout=max(0.0, deadline + _GRACE - monotonic()))
                if isinstance(item, GenerationError):
                    raise item
                yield item
        except Empty:
            raise timeout_error(self.who, limits) from None
        finally:
            future.cancel()

    async def _write(
        self,
        model: Model,
        instructions: str,
        material: str,
        limits: CallLimits,
        events: SimpleQueue[Any],
    ) -> None:
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.messages import ModelRequest, UserPromptPart

        request = ModelRequest(parts=[UserPromptPart(material)], instructions=instructions)
        longest, text, settings = limits.tokens * _CHARACTERS, "", self._settings(limits)
        try:
            async with model_request_stream(model, [request], model_settings=settings) as stream:
                async for event in stream:
                    piece = _text_of(event)
                    text += piece
                    if len(text) > longest:
                        raise length_error(self.who)
                    if piece:
                        events.put(piece)
            events.put(self._completion(text, stream.get()))
        except asyncio.CancelledError:
            events.put(GenerationError(f"the call of {self.who} was cancelled"))
            raise
        except Exception as error:
            events.put(translate_error(error, self.who, limits))

    def _completion(self, text: str, response: Any) -> Completion | GenerationError:
        if response.finish_reason == "content_filter":
            return refusal_error(self.who)
        if response.finish_reason is None:
            return cut_error(self.who)
        usage, whole = response.usage, response.finish_reason != "length"
        return Completion(text, usage.input_tokens, usage.output_tokens, whole)

    def _settings(self, limits: CallLimits) -> ModelSettings:
        settings: ModelSettings = {
            "max_tokens": limits.tokens,
            "request_timeout": limits.seconds,
            "max_retries": 0,
        }
        if self._endpoint.provider in ("openai", "anthropic"):
            settings["thinking"] = False  # or as little as the model can: users wait for the first words
        else:
            settings["temperature"] = 0.0
        if limits.temperature is not None:
            settings["temperature"] = limits.temperature
        return settings

    def _ready(self, limits: CallLimits) -> tuple[Model, float]:
        """Return the client, and the deadline of a call.

        The first import counts as part of the call's time, also if another call has begun it. Raises
        ModelError, also if the import takes too long.
        """
        deadline = monotonic() + limits.seconds
        if "_model" in vars(self):
            return self._model, deadline
        try:
            return call_within(limits.seconds, lambda: self._model), deadline
        except TimeoutError:
            raise timeout_error(self.who, limits) from None

    @cached_property
    def _model(self) -> Model:
        import_extra("pydantic_ai", "llm")
        from onrecord.models.clients import connect

        return connect(self._endpoint, self.who)


class CompletionAdapter:
    """An `LLM` on top of a language model: it writes one text, without its reasoning."""

    def __init__(self, model: LanguageModel) -> None:
        self.name, self._model = model.name, model

    def complete(self, messages: Sequence[Message], limits: CallLimits) -> Completion:
        """See `LLM.complete`."""
        system = "\n\n".join(m.text for m in messages if m.role == "system")
        material = "\n\n".join(m.text for m in messages if m.role != "system")
        *_, completion = self._model.write(system, material, limits)
        assert isinstance(completion, Completion)  # noqa: S101 - `write` promises it
        return replace(completion, text=without_reasoning(completion.text))


def _text_of(event: Any) -> str:
    """Return the text in an event of a stream; empty for events that are not part of the reply."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""
