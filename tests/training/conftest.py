"""Small data, labels and networks for the tests of `training/`.

`training/` is not a package. Its scripts import each other by name, so these tests put it on the import path.
"""

import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "training"))

TALK = (
    ("ann", "We sold the bakery in May. The ovens were too old. Nobody wanted to repair them."),
    ("bob", "I still bake at home. My bread takes forty minutes. It needs a very hot oven."),
    ("", "Then the ship came in. It carried flour and sugar."),
)


def write_lines(file: Path, lines):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def offsets(text):
    """Return the begin and end of each sentence, for a text with full stops only at sentence ends."""
    borders, begin = [], 0
    while begin < len(text):
        end = text.index(".", begin) + 1
        borders += [begin, end]
        begin = end + 1
    return borders


def units_of(recording):
    return [
        {"id": f"{recording}:{at:04d}", "recording_id": recording, "speaker": speaker or None, "text": text}
        for at, (speaker, text) in enumerate(TALK)
    ]


def shared_window(key, recording):
    """Return a window in the format of the shared `questions`."""
    sentences = [
        {"unit": unit["id"], "speaker": unit["speaker"], "text": unit["text"][begin:end]}
        for unit in units_of(recording)
        for begin, end in zip(*[iter(offsets(unit["text"]))] * 2, strict=True)
    ]
    return {"id": key, "set": "talks", "recording_id": recording, "sentences": sentences}


def own_window(key, recording):
    """Return a window in the format of `labels/windows.jsonl`."""
    units = [[unit["id"], offsets(unit["text"])] for unit in units_of(recording)]
    return {"id": key, "set": "talks", "recording": recording, "units": units}


def asked(window, text, sentences, core, **more):
    """Return a line of a questions file; a question without sentences is a near miss."""
    kind = "fact" if sentences else "near-miss"
    line = {"window": window, "text": text, "language": "en", "kind": kind}
    return line | {"sentences": sentences, "core": core} | more


@pytest.fixture
def small_data(tmp_path) -> Path:
    """A data folder with four recordings of the same text; `questions` has a window of three of them."""
    folder = tmp_path / "data"
    names = ("harbour", "market", "held", "choice")
    write_lines(folder / "talks" / "corpus.jsonl", [unit for name in names for unit in units_of(name)])
    windows = [("talks-0-00", "market"), ("talks-4-00", "held"), ("talks-3-00", "choice")]
    write_lines(folder / "questions" / "windows.jsonl", [shared_window(*window) for window in windows])
    questions = [asked(key, "How long does bread bake?", [4, 5], 4) for key, _ in windows]
    questions += [asked(key, "Why did the ship sink?", [], None) for key, _ in windows]
    write_lines(folder / "questions" / "questions.jsonl", questions)
    _write_pairs(folder, names)
    _write_squad(folder)
    return folder


def _write_pairs(folder, names):
    pairs = [
        {
            "set": name,
            "recording_id": recording,
            "question": f"And {at % many}?",
            "passage": f"We sailed. {at} days.",
        }
        for name, recording, many in (*(("talks", name, 8) for name in names), ("qmsum", "council", 4))
        for at in range(8)
    ]
    write_lines(folder / "spoken_pairs" / "pairs.jsonl", pairs)


def _write_squad(folder):
    texts = ("The tower is old. It was built in 1250. It stands.", "Many people live there. They like it.")
    units = [{"id": f"T:{at}", "recording_id": "T", "text": text} for at, text in enumerate(texts)]
    write_lines(folder / "spoken_squad" / "corpus.jsonl", units)
    query = {"id": "q", "recording_id": "T", "text": "When was it built?", "answer": "1250"}
    write_lines(folder / "spoken_squad" / "queries.jsonl", [query])
    (folder / "spoken_squad" / "qrels.tsv").write_text("q\tT:0\t1\n")


@pytest.fixture
def small_labels(tmp_path) -> Path:
    """Labels of two windows; one window is of a recording for choosing settings."""
    folder = tmp_path / "labels"
    windows = [own_window("talks-harbour-0000", "harbour"), own_window("talks-choice-4-0000", "choice")]
    write_lines(folder / "windows.jsonl", windows)
    questions = [
        asked(window["id"], *question)
        for window in windows
        for question in (("Why was the bakery sold?", [0, 1], 1), ("Who bought the bakery?", [], None))
    ]
    questions = [q | {"second": 0 if q["sentences"] else None} for q in questions]
    write_lines(folder / "questions.jsonl", questions)
    claims = [
        {
            "window": w["id"],
            "text": "The oven was new.",
            "supported": False,
            "edit": "negation",
            "sentences": [1],
        }
        for w in windows
    ]
    write_lines(folder / "claims.jsonl", claims)
    acts = [{"window": window["id"], "complaint": [1, 2], "promise": []} for window in windows]
    write_lines(folder / "acts.jsonl", acts)
    return folder


@pytest.fixture
def small_network(monkeypatch):
    """The module `network`, set to a network of one narrow layer with random base weights. Needs torch."""
    torch = pytest.importorskip("torch", reason="training needs torch: pip install -e '.[train]'")
    import network

    torch.manual_seed(3)
    for name, value in {"WIDTH": 24, "LAYERS": 1, "HEADS": 2, "VOCABULARY": 160}.items():
        monkeypatch.setattr(network, name, value)
    shapes = {"query": (24, 24), "key": (24, 24), "value": (24, 24)}
    stem = "encoder.layer.0"
    linear = {f"{stem}.attention.self.{part}": shape for part, shape in shapes.items()} | {
        f"{stem}.attention.output.dense": (24, 24),
        f"{stem}.intermediate.dense": (96, 24),
        f"{stem}.output.dense": (24, 96),
    }
    norms = ["embeddings.LayerNorm", f"{stem}.attention.output.LayerNorm", f"{stem}.output.LayerNorm"]
    tables = {"word": 160, "position": 512, "token_type": 2}
    base = {f"{name}.weight": torch.randn(shape) * 0.2 for name, shape in linear.items()}
    base |= {f"{name}.bias": torch.zeros(shape[0]) for name, shape in linear.items()}
    base |= {f"{name}.weight": torch.ones(24) for name in norms} | {
        f"{name}.bias": torch.zeros(24) for name in norms
    }
    base |= {f"embeddings.{name}_embeddings.weight": torch.randn(rows, 24) for name, rows in tables.items()}
    names = [name for name in network.BASE_NAMES if name in base]
    monkeypatch.setattr(network, "BASE_NAMES", names)
    monkeypatch.setattr(network, "base_tensors", lambda folder: base)
    return network


class LetterEncoder:
    """A replacement of `network.Encoder` without the real tokenizer.

    A word's token depends on its first letter alone.
    """

    def row(self, question, sentences, *, claim=False):
        asked = [101, *([1] if claim else []), *self._ids(question), 102]
        sentence_ids = [self._ids(sentence) for sentence in sentences]
        owner = [-1] * len(asked) + [n for n, ids in enumerate(sentence_ids) for _ in ids] + [-1]
        tokens = [*asked, *(token for ids in sentence_ids for token in ids), 102]
        return tokens, [0] * len(asked) + [1] * (len(tokens) - len(asked)), owner

    @staticmethod
    def _ids(text):
        return [ord(word[0]) % 50 + 105 for word in text.split()]


@pytest.fixture
def letters():
    return LetterEncoder()
