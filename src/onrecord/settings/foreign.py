"""Settings by the names of other retrieval systems, translated to ours.

Only names are translated: a value goes through the same checks as if it had been written under our own name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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


def translate(written: Mapping[str, Any]) -> tuple[Values, list[str]]:
    """The values of a file by our names, and "THEIRS as OURS" for each name that was translated.

    An unknown name stays as it is, to be refused with the most similar one. Our own name in the same file
    wins.
    """
    fields = {
        (group, own): value
        for group, values in written.items()
        if isinstance(values, Mapping)
        for own, value in values.items()
    }
    notes = []
    for theirs, ours in _NAMES.items():
        if (value := fields.pop(_place(theirs), None)) is not None:
            if theirs.endswith("mmr_lambda") and isinstance(value, int | float):
                value = round(1 - value, 6)
            fields.setdefault(_place(ours), value)
            notes.append(f"{theirs} as {ours}")
    for name in _PROVIDERS:
        if (provider := fields.pop(_place(name), None)) is not None:
            if isinstance(model := fields.get(_place("llm.model")), str):
                fields[_place("llm.model")] = f"{provider}:{model.removeprefix(f'{provider}:')}"
            notes.append(f"{name} as the first part of llm.model")
    for name in ("embedding.model", "rerank.model"):
        if _is_on_hub(model := fields.get(_place(name))):
            fields[_place(name)] = f"sentence-transformers:{model}"
            notes.append(f"{name} as a model of sentence-transformers")
    return _nested(written, fields), notes


def known_names() -> Iterator[tuple[str, str]]:
    """Pairs of their name and ours."""
    yield from _NAMES.items()
    yield from ((name, "llm.model") for name in _PROVIDERS)


def _place(name: str) -> tuple[str, str]:
    """The group of a setting and its own name there."""
    group, _, own = name.partition(".")
    return group, own


def _nested(written: Mapping[str, Any], fields: Mapping[tuple[str, str], Any]) -> Values:
    """The fields by group, with what was written outside of groups; a group without fields is left out."""
    values: Values = {name: value for name, value in written.items() if not isinstance(value, Mapping)}
    values |= {name: {} for name, value in written.items() if value == {}}
    for (group, own), value in fields.items():
        if isinstance(settings := values.setdefault(group, {}), dict):
            settings[own] = value
    return values


def _is_on_hub(model: object) -> bool:
    """Whether this names a model on a hub, ``BAAI/bge-m3``, without the library that opens it."""
    if not isinstance(model, str) or ":" in model or model.startswith((".", "/", "~")):
        return False
    return model.count("/") == 1
