"""Texts too long for one call: checked notes on every part, then the answer; cuts are reported."""

from collections.abc import Iterator
from typing import Any

from talks import add, talks, tools

from onrecord.answer.context import contexts
from onrecord.answer.extract import Extractive
from onrecord.answer.manner import Manner
from onrecord.answer.write import write
from onrecord.errors import GenerationError
from onrecord.models.base import CallLimits, Completion, Decision
from onrecord.models.double import ScriptedModel
from onrecord.models.roles import Allowance, ModelRoles
from onrecord.retrieve import Tools
from onrecord.retrieve.moments.budget import tokens_of
from onrecord.types import Answer, Evidence, Moment, Question, Step

TALK = [
    ("Ann Bell", f"In chapter {n} the margin of division {n} fell by {n + 10} percent, we said.")
    for n in range(40)
]
QUESTION = Question("What happened to the margins?")
TOKENS = 450


class Reader(ScriptedModel):
    """A model that notes the first and last source of each part, and repeats the notes as the answer."""

    def __init__(self, fails_at: int = 0) -> None:
        super().__init__()
        self.fails_at, self.parts = fails_at, 0

    def write(self, instructions: str, material: str, limits: CallLimits) -> Iterator[str | Completion]:
        self.asked.append((instructions, material))
        if "<notes>" in material:
            lines = material.split("<notes>\n")[1].split("\n</notes>")[0]
            text = "\n".join(lines.splitlines())
        else:
            self.parts += 1
            if self.parts == self.fails_at:
                raise GenerationError("the model is out")
            data_lines = [line for line in material.splitlines() if line.startswith("| ")]
            number = material.split("[Source ")[1].split("]")[0]
            text = f"{data_lines[0].split(': ')[1]} [Source {number}] Pigs flew. [Source {number}]"
        yield text
        yield Completion(text, 100, 10)


def evidence(work: Tools) -> Evidence:
    passages = work.store.transcript("long")
    moments = tuple(Moment(tuple(passages[at : at + 4]), 0.5, {"dense": 0.6}) for at in range(0, 40, 4))
    return Evidence(QUESTION, moments)


def events(
    model: ScriptedModel,
    part_calls: int = 24,
    tokens: int = TOKENS,
    check: ScriptedModel | None = None,
    spare_calls: int = 0,
) -> list[Any]:
    store = talks()
    add(store, "long", TALK)
    models = {"answer": model} | ({"check": check} if check else {})
    roles = ModelRoles(models, Allowance(calls=len(models) + spare_calls, part_calls=part_calls))
    work = Tools(store, tools(store).embedder, roles=roles)
    stand_in = Extractive().answer(evidence(work), work)
    return list(write(stand_in, work, "en", Manner(tokens=tokens, in_full=True)))


def test_every_passage_is_in_one_part_and_each_part_fits() -> None:
    store = talks()
    add(store, "long", TALK)
    work = tools(store)
    chunks = contexts(evidence(work), work, TOKENS)
    assert len(chunks) > 2
    assert all(tokens_of(str(part)) <= TOKENS + 10 for part in chunks)
    shown = [p.position for part in chunks for s in part.sources for p in s.moment.passages]
    assert shown == list(range(40))
    assert [s.number for part in chunks for s in part.sources] == list(
        range(1, 1 + sum(len(p.sources) for p in chunks))
    )


def test_parts_are_read_in_order_with_progress_and_their_claims_checked() -> None:
    model = Reader()
    pieces = events(model)
    steps = [piece for piece in pieces if isinstance(piece, Step)]
    assert [step.stage for step in steps] == [f"part {n} of {len(steps)}" for n in range(1, len(steps) + 1)]
    assert model.parts == len(steps) > 2 and len(model.asked) == len(steps) + 1
    answer = pieces[-1]
    assert isinstance(answer, Answer)
    assert answer.text.count("percent") == len(steps) == len(answer.citations)
    chapters = [int(c.quote.split("chapter ")[1].split()[0]) for c in answer.citations]
    assert chapters == sorted(chapters)
    assert "Pigs" not in answer.text and answer.unsupported.count("Pigs flew.") == len(steps)
    assert [call.role for call in answer.calls] == ["part"] * len(steps) + ["answer"]


class Silent(Reader):
    """A model that reports no answer in the first part, in the words of its source, and notes the others."""

    def write(self, instructions: str, material: str, limits: CallLimits) -> Iterator[str | Completion]:
        if "<notes>" not in material and "chapter 0 " in material:
            self.asked.append((instructions, material))
            yield "[NO ANSWER] In chapter 0 the margin of division 0 fell by 10 percent [Source 1]."
            yield Completion("", 1, 1)
        else:
            yield from super().write(instructions, material, limits)


def test_that_a_part_has_no_answer_is_no_note() -> None:
    model = Silent()
    events(model)
    assert "no answer" not in model.asked[-1][1].lower() and "chapter 0 " not in model.asked[-1][1]
    assert "chapter 12 " in model.asked[-1][1]


def test_what_fits_is_asked_in_one_call() -> None:
    model = ScriptedModel("In chapter 1 the margin of division 1 fell by 11 percent [Source 1].")
    pieces = events(model, tokens=20_000)
    assert not [piece for piece in pieces if isinstance(piece, Step)] and len(model.asked) == 1


def test_parts_beyond_the_calls_stand_with_their_own_words() -> None:
    model = Reader()
    answer = events(model, part_calls=2)[-1]
    assert model.parts == 2
    assert any("read 2 of" in note for note in answer.notes)
    assert answer.citations[-1].quote.startswith("In chapter 3")
    assert len(answer.citations) > 4


def test_a_part_that_fails_is_reported() -> None:
    pieces = events(Reader(fails_at=2))
    steps = [piece for piece in pieces if isinstance(piece, Step)]
    assert [bool(step.note) for step in steps[:3]] == [False, True, False]
    assert any("a short extract stands for each" in note for note in pieces[-1].notes)


def test_a_model_that_is_not_there_is_asked_once() -> None:
    model = ScriptedModel(GenerationError("the model is out"))
    answer = events(model)[-1]
    assert len(model.asked) == 1
    assert "“" in answer.text and any("the model is out" in note for note in answer.notes)


def test_more_notes_than_can_be_read_are_the_answer() -> None:
    class Chatty(Reader):
        def write(self, instructions: str, material: str, limits: CallLimits) -> Iterator[str | Completion]:
            self.asked.append((instructions, material))
            assert "<notes>" not in material
            numbers = [part.split("]")[0] for part in material.split("[Source ")[1:]]
            lines = [line.split(": ")[1] for line in material.splitlines() if line.startswith("| ")]
            yield " ".join(f"{text} [Source {numbers[at // 4]}]" for at, text in enumerate(lines))
            yield Completion("", 100, 10)

    answer = events(Chatty())[-1]
    assert answer.text.count("percent") == 40 and not answer.unsupported


def test_notes_that_are_the_answer_are_checked_by_the_model_where_they_are_in_doubt() -> None:
    class Vague(Reader):
        def write(self, instructions: str, material: str, limits: CallLimits) -> Iterator[str | Completion]:
            self.asked.append((instructions, material))
            numbers = [part.split("]")[0] for part in material.split("[Source ")[1:]]
            sentence = "The margin of one division fell, management told everybody"
            yield " ".join(f"{sentence} [Source {number}]." for number in numbers * 12)
            yield Completion("", 100, 10)

    model = Vague()
    answer = events(model, check=model)[-1]
    assert "<statements>" in model.asked[-1][1] and answer.calls[-1].role == "check"
    assert any("no decision was scripted" in note for note in answer.notes)


def test_notes_in_doubt_are_checked_by_the_model_before_they_are_dropped() -> None:
    class Believer(ScriptedModel):
        """A model that accepts every statement."""

        def decide(self, instructions: str, material: str, shape: Any, limits: CallLimits) -> Any:
            self.asked.append((instructions, material))
            numbers = range(1, material.split("<statements>")[1].count("(Source") + 1)
            return Decision(shape(verdicts=[{"number": n, "supported": True} for n in numbers]), 1, 1)

    model, check = Reader(), Believer()
    answer = events(model, check=check, spare_calls=1)[-1]
    assert "Pigs flew." in check.asked[0][1] and "Pigs flew." in model.asked[-1][1]
    assert [call.role for call in answer.calls if call.role != "part"] == ["check", "answer", "check"]
    assert "Pigs flew." in answer.text
