"""Parameters of OpenAI's requests, sorted into used, ignored and refused ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from onrecord.errors import did_you_mean, nearest
from onrecord.serve.http.errors import Refused
from onrecord.types import one_line

SAMPLING = frozenset(
    "temperature top_p top_k top_a min_p typical_p tfs_z seed frequency_penalty presence_penalty logit_bias "
    "repetition_penalty repeat_penalty repeat_last_n mirostat mirostat_mode mirostat_eta mirostat_tau "
    "max_tokens max_completion_tokens min_tokens num_ctx options".split()
)
"""Parameters for how a model chooses its words. Quotes do not depend on them."""
THINKING = frozenset(
    "reasoning reasoning_effort include_reasoning thinking enable_thinking think verbosity "
    "chat_template_kwargs".split()
)
"""Parameters for a model's reasoning, which is not shown."""
NOTED = frozenset(
    "user metadata store service_tier safety_identifier parallel_tool_calls prompt_cache_key "
    "prompt_cache_retention cache_prompt keep_alive ttl provider route transforms usage".split()
)
"""Parameters for the bookkeeping of providers and gateways."""
CLIENTS = frozenset(
    "id chat_id session_id messageId conversationId parentMessageId title task features variables "
    "background_tasks model_item trigger".split()
)
"""Parameters that front ends (Open WebUI, LibreChat, the AI SDK) add themselves."""
HARMLESS = SAMPLING | THINKING | NOTED | CLIENTS
"""All parameters that are ignored."""

_AS_IF_LEFT_OUT: Mapping[str, tuple[Any, ...]] = {
    "n": (1,),
    "logprobs": (False,),
    "top_logprobs": (0,),
    "tool_choice": ("none", "auto"),
    "function_call": ("none", "auto"),
    "response_format": ({"type": "text"},),
    "modalities": (["text"],),
    "stop": ([], ""),
    "format": ("",),
    "echo": (False,),
    **dict.fromkeys(("tools", "functions", "tool_ids", "filter_ids", "files"), ([],)),
    **dict.fromkeys(
        "audio prediction web_search_options prompt input best_of suffix guided_json guided_regex "
        "guided_choice guided_grammar grammar json_schema".split(),
        (),
    ),
}
"""Unsupported parameters, with the values that have the same effect as leaving them out."""


class Unsupported(Refused):
    """A parameter is unknown, or requests a kind of reply that does not exist here."""

    def __init__(self, parameter: str, message: str) -> None:
        self.parameter = parameter
        super().__init__(400, "unsupported_parameter", message)


def refuse_unsupported(request: Mapping[str, Any], own: Collection[str]) -> None:
    """Check that a request has only supported or harmless parameters.

    Args:
        request: the request's JSON object.
        own: the supported parameters.

    Raises Unsupported for the first parameter that is neither supported nor harmless. A null value counts as
    left out.
    """
    for name, wanted in request.items():
        if name in own or name in HARMLESS or wanted is None or wanted in _AS_IF_LEFT_OUT.get(name, ()):
            continue
        if name in _AS_IF_LEFT_OUT:
            message = (
                f"the parameter {name!r} is not supported: answers are quotes, or prose that was checked"
            )
            raise Unsupported(name, message)
        hint = did_you_mean(nearest(name, (*own, *HARMLESS)), "; ") or ": leave it out"
        raise Unsupported(name[:100], one_line(f"there is no parameter {name[:100]!r}{hint}"))
