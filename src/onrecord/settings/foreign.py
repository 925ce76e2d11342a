"""Settings by the names that other retrieval systems give them, read as ours.

Only names are exchanged: a value goes through the same checks as if it had been written under our own name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

Given = dict[str, Any]

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
"""Ours by theirs. `mmr_lambda` weighs relevance, so that our `diversity` is what it leaves of 1."""
_PROVIDERS = ("generation.provider", "llm.provider")
_LIBRARY = "sentence-transformers:"


def translated(said: Mapping[str, Any]) -> tuple[Given, list[str]]:
    """What a file says by our names, and a line for each name that was exchanged.

    What we have no name for stays as it is, to be refused with the nearest that there is. A name of ours in
    the same file goes first.
    """
    given, notes = _copied(said), []
    for theirs, ours in _NAMES.items():
        if (value := _taken(given, theirs)) is not None:
            value = 1 - value if theirs.endswith("mmr_lambda") and isinstance(value, int | float) else value
            _put(given, ours, value)
            notes.append(f"{theirs} is read as {ours}")
    for name in _PROVIDERS:
        if (provider := _taken(given, name)) is not None:
            _change(given, "llm.model", partial(_of_provider, str(provider)))
            notes.append(f"{name} is read as the first part of llm.model")
    for name in ("embedding.model", "rerank.model"):
        if _change(given, name, _of_library):
            notes.append(f"{name} is taken for a model of sentence-transformers")
    return {name: value for name, value in given.items() if value != {} or said.get(name) == {}}, notes


def known_names() -> Iterator[tuple[str, str]]:
    """Their names with ours."""
    yield from _NAMES.items()
    yield from ((name, "llm.model") for name in _PROVIDERS)


def _copied(said: Mapping[str, Any]) -> Given:
    return {name: dict(value) if isinstance(value, Mapping) else value for name, value in said.items()}


def _taken(given: Given, name: str) -> Any:
    """The value of a dotted name, which is taken out; None where there is none."""
    group, _, own = name.partition(".")
    held = given.get(group)
    return held.pop(own, None) if isinstance(held, dict) else None


def _put(given: Given, name: str, value: Any) -> None:
    group, _, own = name.partition(".")
    held = given.setdefault(group, {})
    if isinstance(held, dict):
        held.setdefault(own, value)


def _change(given: Given, name: str, change: Callable[[str], str]) -> bool:
    """Change the name of a model; whether there is one and it is another now."""
    group, _, own = name.partition(".")
    held = given.get(group)
    if not isinstance(held, dict) or not isinstance(held.get(own), str):
        return False
    before, held[own] = held[own], change(held[own])
    return bool(held[own] != before)


def _of_provider(provider: str, model: str) -> str:
    return model if model.startswith(f"{provider}:") else f"{provider}:{model}"


def _of_library(model: str) -> str:
    """The name of a model on a hub, ``BAAI/bge-m3``, with the library that opens it; others as they are."""
    on_a_hub = model.count("/") == 1 and ":" not in model and not model.startswith((".", "/", "~"))
    return _LIBRARY + model if on_a_hub else model
