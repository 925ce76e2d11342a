"""Settings by the names of other retrieval systems, translated to ours.

Only names are translated: a value goes through the same checks as if it had been written under our own name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

Values = dict[str, Any]

_NAMES = {
    "retrieval.top_k": "retrieval.candidates",
    "retrieval.initial_k": "retrieval.candidates",
    "retrieval.first_stage_k": "retrieval.candidates",
    "retrieval.final_k": "retrieval.keep",
    "retrieval.max_results": "retrieval.keep",
    "retrieval.dense_weight": "retrieval.dense",
    "retrieval.sparse_weight": "retrieval.lexical",
    "retrieval.similarity_threshold": "retrieval.floor",
    "retrieval.min_similarity": "retrieval.floor",
    "retrieval.min_results": "retrieval.least",
    "retrieval.fallback_count": "retrieval.least",
    "retrieval.fallback_k": "retrieval.least",
    "retrieval.mmr_diversity": "retrieval.diversity",
    "retrieval.mmr_lambda": "retrieval.diversity",
    "retrieval.reranker_model": "rerank.model",
    "reranker.model": "rerank.model",
    "reranker.device": "rerank.device",
    "reranker.timeout_ms": "rerank.milliseconds",
    "reranking.model": "rerank.model",
    "reranking.latency_budget_ms": "rerank.milliseconds",
    "embedding.model_name": "embedding.model",
    "context.max_tokens": "answer.tokens",
    "generation.model": "llm.model",
    "generation.temperature": "llm.temperature",
    "generation.max_tokens": "llm.tokens",
    "generation.system_prompt": "llm.instructions",
    "generation.max_context_tokens": "answer.tokens",
    "llm.max_tokens": "llm.tokens",
    "llm.system_prompt": "llm.instructions",
    "faq.high_threshold": "faq.high",
    "faq.low_threshold": "faq.low",
    "faq.top_k": "faq.candidates",
    "faq.cache_ttl": "faq.cache_seconds",
    "faq.llm_timeout": "faq.rerank_seconds",
    "faq.min_reason_length": "faq.reason_characters",
}
"""Our names by theirs. `mmr_lambda` weighs relevance, so our `diversity` is 1 minus it."""
_PROVIDERS = ("generation.provider", "llm.provider")
_LIBRARY = "sentence-transformers:"


def translate(written: Mapping[str, Any]) -> tuple[Values, list[str]]:
    """The values of a file by our names, and "THEIRS as OURS" for each name that was translated.

    An unknown name stays as it is, to be refused with the most similar one. Our own name in the same file
    wins.
    """
    values, notes = _copy(written), []
    for theirs, ours in _NAMES.items():
        if (value := _pop(values, theirs)) is not None:
            if theirs.endswith("mmr_lambda") and isinstance(value, int | float):
                value = round(1 - value, 6)
            _put(values, ours, value)
            notes.append(f"{theirs} as {ours}")
    for name in _PROVIDERS:
        if (provider := _pop(values, name)) is not None:
            _change(values, "llm.model", partial(_with_provider, str(provider)))
            notes.append(f"{name} as the first part of llm.model")
    for name in ("embedding.model", "rerank.model"):
        if _change(values, name, _with_library):
            notes.append(f"{name} as a model of sentence-transformers")
    return {name: value for name, value in values.items() if value != {} or written.get(name) == {}}, notes


def known_names() -> Iterator[tuple[str, str]]:
    """Pairs of their name and ours."""
    yield from _NAMES.items()
    yield from ((name, "llm.model") for name in _PROVIDERS)


def _copy(written: Mapping[str, Any]) -> Values:
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in written.items()}


def _pop(values: Values, name: str) -> Any:
    """Remove the value of a dotted name and return it; None where there is none."""
    group, _, own = name.partition(".")
    fields = values.get(group)
    return fields.pop(own, None) if isinstance(fields, dict) else None


def _put(values: Values, name: str, value: Any) -> None:
    group, _, own = name.partition(".")
    fields = values.setdefault(group, {})
    if isinstance(fields, dict):
        fields.setdefault(own, value)


def _change(values: Values, name: str, change: Callable[[str], str]) -> bool:
    """Change the name of a model. Returns whether there is one that has changed."""
    group, _, own = name.partition(".")
    fields = values.get(group)
    if not isinstance(fields, dict) or not isinstance(fields.get(own), str):
        return False
    before, fields[own] = fields[own], change(fields[own])
    return bool(fields[own] != before)


def _with_provider(provider: str, model: str) -> str:
    return model if model.startswith(f"{provider}:") else f"{provider}:{model}"


def _with_library(model: str) -> str:
    """The name of a model on a hub, ``BAAI/bge-m3``, with the library that opens it; others as they are."""
    on_a_hub = model.count("/") == 1 and ":" not in model and not model.startswith((".", "/", "~"))
    return _LIBRARY + model if on_a_hub else model
