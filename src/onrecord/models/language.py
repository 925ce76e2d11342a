"""Language models by pydantic-ai: ``openai:``, ``anthropic:``, ``ollama:NAME``, or a NAME at an address.

A server at an address must speak the OpenAI chat protocol. The package is imported at the first call, which
takes two seconds.
"""

from __future__ import annotations

import asyncio
import sys
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
from onrecord.models.loading import within
from onrecord.models.reasoning import without_reasoning
from onrecord.models.vectors import import_extra

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

T = TypeVar("T")
_GRACE = 0.5  # seconds that a client gets to end a call by itself, before it is left alone
_CHARACTERS = 20  # a token has at most so many: a server that sends more does not keep to what was asked


class PydanticModel:
    """A model that decides and writes (`LanguageModel`).

    It retries no call and follows no redirect. One clock counts the time from the call to the last byte, the
    import of the package included, whatever the SDK does in between.
    """

    def __init__(self, name: str, base_url: str | None = None, *, main: bool = True) -> None:
        self.name = name
        self._endpoint = endpoint_of(name, base_url, main=main)

    def __repr__(self) -> str:
        return f"PydanticModel({self.name!r})"

    @property
    def who(self) -> str:
        """The model in a message: its name and, unless it is the provider's own, its host."""
        host = urlsplit(self._endpoint.base_url).hostname if self._endpoint.base_url else None
        return f"the model {self.name!r}" + (f" at {host}" if host else "")

    def warm(self) -> None:
        """Import the package, so that the first question does not wait. Sends nothing. Raises ModelError."""
        _ = self._model

    def decide(self, instructions: str, material: str, shape: type[T], limits: CallLimits) -> Decision[T]:
        """See `LanguageModel.decide`. Makes one request; an invalid reply is an error, not another try."""
        (model, deadline), settings = self._ready(limits.seconds), self._settings(limits)
        future = submit(self._decide(model, instructions, material, shape, settings))
        try:
            outcome = future.result(timeout=max(0.0, deadline - monotonic()) + _GRACE)
        except (TimeoutError, CancelledError):
            outcome = timeout_error(self.who, limits.seconds)
        finally:
            future.cancel()
        if isinstance(outcome, GenerationError):
            raise outcome
        return outcome

    async def _decide(
        self, model: Model, instructions: str, material: str, shape: type[T], settings: ModelSettings
    ) -> Decision[T] | GenerationError:
        from pydantic_ai import Agent, NativeOutput

        # OpenAI and Anthropic follow tools best; other servers are likelier to know response formats.
        official = self._endpoint.provider in ("openai", "anthropic")
        kind: Any = (
            shape if official else NativeOutput(shape, template="Reply in JSON of this schema: {schema}")
        )
        try:
            agent: Agent[object, T] = Agent(model, output_type=kind, instructions=instructions, retries=0)
            result = await agent.run(material, model_settings=settings)
        except Exception as error:
            return translate_error(error, self.who, settings.get("request_timeout", 0.0))
        usage = result.usage
        return Decision(result.output, usage.input_tokens, usage.output_tokens)

    def write(self, instructions: str, material: str, limits: CallLimits) -> Iterator[str | Completion]:
        """See `LanguageModel.write`. The call begins when the first piece is requested."""
        events: SimpleQueue[str | Completion | GenerationError] = SimpleQueue()
        (model, deadline), settings = self._ready(limits.seconds), self._settings(limits)
        future = submit(self._write(model, instructions, material, settings, events))
        future.add_done_callback(lambda _: events.put(cut_error(self.who)))  # another thread may cancel it
        item: str | Completion | GenerationError = ""
        try:
            while not isinstance(item, Completion):
                item = events.get(timeout=max(0.0, deadline + _GRACE - monotonic()))
                if isinstance(item, GenerationError):
                    raise item
                yield item
        except Empty:
            raise timeout_error(self.who, limits.seconds) from None
        finally:
            future.cancel()

    async def _write(
        self,
        model: Model,
        instructions: str,
        material: str,
        settings: ModelSettings,
        events: SimpleQueue[Any],
    ) -> None:
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.messages import ModelRequest, UserPromptPart

        request = ModelRequest(parts=[UserPromptPart(material)], instructions=instructions)
        longest, text = settings.get("max_tokens", 0) * _CHARACTERS, ""
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
            events.put(translate_error(error, self.who, settings.get("request_timeout", 0.0)))

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
            settings["thinking"] = False  # or as little as the model can: the first words are waited for
        else:
            settings["temperature"] = 0.0
        if limits.temperature is not None:
            settings["temperature"] = limits.temperature
        return settings

    def _ready(self, seconds: float) -> tuple[Model, float]:
        """The client, and the deadline of a call.

        The first import counts as part of the call's time. Raises ModelError, also if it takes too long.
        """
        if "onrecord.models.clients" in sys.modules:
            return self._model, monotonic() + seconds
        deadline = monotonic() + seconds
        try:
            return within(seconds, lambda: self._model), deadline
        except TimeoutError:
            raise timeout_error(self.who, seconds) from None

    @cached_property
    def _model(self) -> Model:
        import_extra("pydantic_ai", "llm")
        from onrecord.models.clients import connect

        return connect(self._endpoint, self.who)


class CompletionAdapter:
    """A language model as an `LLM`: it writes one text, without its reasoning."""

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
    """The text in an event of a stream; empty for events that are not part of the reply."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return event.part.content
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return event.delta.content_delta
    return ""
