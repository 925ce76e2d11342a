"""What the catalogue and the graph answer: which query a question of a kind is, and what it is asked of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from onrecord.errors import InputError
from onrecord.graph.paths import SPEAKS
from onrecord.graph.queries import Graph
from onrecord.graph.results import Edge, Path, Quote, Topic
from onrecord.stores.scope import names_speaker
from onrecord.stores.words import STOP
from onrecord.types import Fact, Filter, GraphSource, Recording, Scope, one_line
from onrecord.understand.catalog import same_roles
from onrecord.understand.catalog_queries import (
    Count,
    Length,
    Mentions,
    Outermost,
    Query,
    Selection,
    Title,
    Values,
    When,
)
from onrecord.understand.conditions import Condition
from onrecord.understand.examples import KEY, SUBJECT
from onrecord.understand.intents import GRAPH, OF_ONE, OF_PEOPLE, OF_WORDS, asking_words, frame_words
from onrecord.understand.lexicon import Messages, Token, lexicon, words
from onrecord.understand.mentions import Linked
from onrecord.understand.people_queries import Appearances, Companions, Identity, RoleHolders, Speakers, Talk
from onrecord.understand.reading import Background, Reading, without_excepted

_PLACES = ("recording", "since", "until", "section", "language")
"""Fields of filters that say where to look; others name what is asked about."""
_SERIES = ("show", "podcast", "series")


def facts_of(
    kind: str,
    reading: Reading,
    conditions: Sequence[Condition],
    filters: Sequence[Filter],
    scope: Scope,
    background: Background,
    say: Messages,
) -> tuple[Fact, ...]:
    """What the catalogue or the graph knows of a question of a kind; empty where it is to be searched."""
    if kind in GRAPH:  # which knows nothing of places
        placed = bool(scope) or any(each.field in _PLACES for each in filters)
        return () if placed else graph_facts(kind, reading, background, say)
    if reading.shape.count(SUBJECT) > (kind in OF_WORDS):
        return ()
    parts_only = scope.speakers or scope.sections or any(each.field == "section" for each in conditions)
    base = tuple(background.reader.recordings(scope)) if scope else background.catalog.recordings
    if not base or (kind in OF_PEOPLE and parts_only):  # whole recordings tell who speaks, not their parts
        return ()
    outermost = kind in ("latest", "oldest")  # "the latest episode" is what is asked for, and no condition
    placing = [
        c
        for c in conditions
        if c.field != "speaker" and not (outermost and c.field == "recording" and c.exact)
    ]
    chosen = base
    for condition in placing:
        there = condition.recordings(background.catalog)
        chosen = tuple(r for r in chosen if r.id in there)
    if kind == "roles":
        chosen = _with_those_named(reading, chosen, background)
    if not placing and kind in OF_ONE and len(chosen) > 1:
        chosen = _called(reading, chosen)
    if not chosen and not placing:
        return ()
    selection = Selection(
        background.catalog, background.reader, say, base, chosen,
        said=tuple(dict.fromkeys(each.said for each in placing)),
        dated=any(each.field == "date" for each in placing),
        scope=_within(scope, placing),
    )  # fmt: skip
    none_fit = not chosen and kind not in OF_WORDS
    queries = [Count()] if none_fit else _queries(kind, reading, conditions, background)
    return tuple(fact for query in queries if (fact := query.run(selection)))


def _with_those_named(
    reading: Reading, recordings: tuple[Recording, ...], background: Background
) -> tuple[Recording, ...]:
    """The recordings in which those speak who are named: "the guest of Ann Bell"."""
    for name in _own_names(reading):
        there = background.catalog.speaking(name)
        recordings = tuple(r for r in recordings if r.id in there) or recordings
    return recordings


def _called(reading: Reading, recordings: tuple[Recording, ...]) -> tuple[Recording, ...]:
    """Of several recordings those that are called as the question calls the one it means ("the meeting").

    None where it does not say which ("it")."""
    lex = lexicon()
    nouns = [t for t in reading.linked.tokens if t.word in lex.sets["recordings"]]
    if not nouns:
        return () if _has(reading, "it", "this", "that") else recordings
    if not nouns[0].singular:
        return recordings
    noun = nouns[0].word
    texts = [(r, " ".join((r.title, *r.details.attributes.values()))) for r in recordings]
    return tuple(r for r, text in texts if noun in words(text)) or recordings


def _within(scope: Scope, conditions: Sequence[Condition]) -> Scope:
    """The scope in which words are counted."""
    ids = [frozenset(w.values) for w in conditions if w.field == "recording"]
    return replace(scope, recordings=tuple(frozenset.intersection(*ids))) if ids else scope


def _queries(
    kind: str, reading: Reading, conditions: Sequence[Condition], background: Background
) -> Iterator[Query]:
    """The queries of a kind: one, or one for each person that is named."""
    if kind in OF_WORDS:
        yield from _mentions(kind, reading, _speakers(reading, conditions))
    elif kind in _BY_KIND:
        names = _names(reading, conditions)
        queries = list(_BY_KIND[kind](reading, background, names))
        asks_anew = kind == "roles" and _own_names(reading)  # "And Kelly?" after "Who hosts it?"
        if not queries and reading.asked and not asks_anew:
            queries = list(_BY_KIND[kind](reading.asked, background, names))
        yield from queries
    else:
        yield Outermost(kind)


def _own_names(reading: Reading) -> list[str]:
    """Those whom the question itself names."""
    return [m.values[0] for m in reading.linked.mentions if m.field == "speaker" and len(m.values) == 1]


def _speakers(reading: Reading, conditions: Sequence[Condition]) -> tuple[str, ...]:
    """Those whose words the question itself asks for, also by a role."""
    voices = {mention.said for mention in reading.voices}
    asked = (each for each in conditions if each.field == "speaker" and each.said in voices)
    return tuple(name for condition in asked for name in condition.values)


def _names(reading: Reading, conditions: Sequence[Condition]) -> list[str]:
    """Those who are named, or were before."""
    return _own_names(reading) or [
        name for each in conditions if each.field == "speaker" for name in each.values
    ]


def _has(reading: Reading, *some: str) -> bool:
    return any(token.word in some for token in reading.linked.tokens)


def _counted(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    """How many recordings, of somebody, or how many series."""
    nouns = (t.word for t in reading.linked.tokens[1:] if t.word in lexicon().sets["recordings"])
    noun = next(nouns, "")
    keyed = background.catalog.attributes.keys.get(noun) if noun in _SERIES else None
    if names:
        yield from map(Appearances, names)
    else:
        yield Values(keyed, noun) if keyed else Count(noun)


def _talk(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    least = _has(reading, "least", "moin", "moins")
    if names or least or _has(reading, "most", "plus"):
        yield Talk(names[0] if names else "", least)


def _length(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    nouns = [t for t in reading.linked.tokens if t.word in lexicon().sets["recordings"]]
    yield Length(single=any(noun.singular for noun in nouns))


def noun_of(token: Token) -> str:
    """A noun as it is shown: in the singular, with its accents."""
    return token.word if token.text.isascii() else token.text.lower()


def _role(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    """Of the role that a question names, or of what its verb says ("hosts")."""
    asked = [t.word for t in reading.linked.tokens]
    roles = {*background.catalog.credits, *(role for same in lexicon().same_roles for role in same)}
    for size in range(min(4, len(asked)), 0, -1):
        for at in range(len(asked) - size + 1):
            role = tuple(asked[at : at + size])
            if role in roles:
                yield RoleHolders(role, " ".join(map(noun_of, reading.linked.tokens[at : at + size])))
                return
    for noun in (noun for verb, noun in lexicon().role_verbs.items() if verb in asked):
        yield RoleHolders((noun,), noun)


def _values(reading: Reading, background: Background, names: Sequence[str]) -> Iterator[Query]:
    for at, sign in sorted(reading.signs.items()):
        if sign == KEY:
            token = reading.linked.tokens[at]
            yield Values(background.catalog.attributes.keys[token.word], noun_of(token))
            return
    if _has(reading, "language", "langue"):  # a detail that is no attribute
        noun = next(t for t in reading.linked.tokens if t.word in ("language", "langue"))
        yield Values((), noun_of(noun))


def _mentions(kind: str, reading: Reading, speakers: tuple[str, ...]) -> Iterator[Query]:
    """Of the words of the subject, as these people say them if there are any."""
    asking, tokens = asking_words(), reading.linked.tokens
    subject = [
        t.text
        for at, t in enumerate(tokens)
        if at not in reading.linked.at and not {t.word} & (asking | STOP | lexicon().sets["recordings"])
    ]
    if not subject:  # "how often is Kelly mentioned": somebody is the subject
        others = (m for m in reading.linked.mentions if m not in reading.voices)
        subject = [m.said for m in others if m.field not in ("date", "recording")][:1]
    if 0 < len(subject) < 5:
        which = {"first_said": "first", "last_said": "last", "mentioned_in": "recordings"}.get(kind, "")
        by_whom = _has(reading, "whom") or "par qui" in reading.linked.text.casefold()
        yield Mentions(" ".join(subject), which, by_whom, speakers)


_BY_KIND: Mapping[str, Callable[[Reading, Background, Sequence[str]], Iterator[Query]]] = {
    "count": _counted,
    "list": _counted,
    "appearances": lambda reading, background, names: map(Appearances, names),
    "identity": lambda reading, background, names: map(Identity, names[:1]),
    "companions": lambda reading, background, names: map(Companions, names),
    "talkative": _talk,
    "speakers": lambda reading, background, names: iter(
        [Speakers(_has(reading, "many", "combien", "number", "nombre"))]
    ),
    "roles": _role,
    "length": _length,
    "when": lambda reading, background, names: iter([When()]),
    "title": lambda reading, background, names: iter([Title()]),
    "values": _values,
}


# ---------------------------------------------------------------- what the graph answers

_PATHS, _TOPICS, _PEOPLE, _HEARD = 2, 4, 8, 40


def graph_facts(kind: str, reading: Reading, background: Background, say: Messages) -> tuple[Fact, ...]:
    """What the graph knows of a question of a kind, each step with its place; empty where it does not name
    what the archive speaks of, so that it is searched."""
    names = named(kind, without_excepted(reading).linked)
    graph = Graph(background.reader.graph, background.reader)
    try:
        if kind == "mentioned_by":
            return tuple(_mentioners(graph, names[0], reading, background, say)) if len(names) == 1 else ()
        least, most, ask = _GRAPH_QUERIES[kind]
        asked = least <= len(names) <= most and not reading.excepted
        return tuple(ask(graph, names, say)) if asked else ()
    except InputError:  # nobody speaks of it, or both are the same
        return ()


def named(kind: str, linked: Linked) -> list[str]:
    """What a question of a kind names: its words, run by run, that no example of the kind has."""
    frame, articles = frame_words(kind), lexicon().sets["articles"]
    runs: list[list[int]] = []
    for at, token in enumerate(linked.tokens):
        inside = at in linked.at or token.word not in frame | articles
        listed = "," in linked.text[linked.tokens[at - 1].end : token.begin] if at else False
        if inside and (not runs or runs[-1][-1] != at - 1 or listed):
            runs.append([at])
        elif inside:
            runs[-1].append(at)
    return [linked.text[linked.tokens[run[0]].begin : linked.tokens[run[-1]].end] for run in runs]


def _connected(graph: Graph, names: Sequence[str], say: Messages) -> Iterator[Fact]:
    connection = graph.between(names[0], names[1], most=_PATHS)
    yield from _steps(
        connection.paths, say.say("connected", one=connection.one.name, other=connection.other.name), say
    )


def _caused(graph: Graph, names: Sequence[str], say: Messages) -> Iterator[Fact]:
    """Of "how did x lead to y" the chain from one to the other, of "what caused y" all that lead to it."""
    causes = graph.causes(names[-1], names[0] if len(names) > 1 else None, most=_PATHS)
    yield from _steps(causes.paths, say.say("caused", name=causes.entity.name), say)


def _steps(paths: Sequence[Path], heading: str, say: Messages) -> Iterator[Fact]:
    for path in paths:
        if all(step.quotes for step in path.steps):
            yield Fact(heading)
            yield from (_edge_fact(step, say) for step in path.steps)
            heading = say.say("way_on")


def _defined(graph: Graph, names: Sequence[str], say: Messages) -> Iterator[Fact]:
    """What something is stated to be."""
    read = graph.linker.read(names[0])
    for edge in graph.relations(read.key, "is a"):
        if edge.subject == read.entity.name and edge.quotes:
            yield _edge_fact(edge, say)


def _sentence(step: Edge, say: Messages) -> str:
    key = step.relation.replace(" ", "_")
    known = key if key in _SENTENCES else "states"
    return say.say(known, one=step.subject, other=step.object, relation=step.relation)


def _shared(graph: Graph, names: Sequence[str], say: Messages) -> Iterator[Fact]:
    """What all of them speak of, with a quote each; nothing where nobody speaks, as in an encyclopaedia."""
    common = graph.common(*names, most=_TOPICS)
    people = say.listed([entity.name for entity in common.entities])
    topics = [topic for topic in common.shared if all(map(_is_spoken, topic.quotes))]
    if topics:
        listed = say.listed([topic.entity.name for topic in topics])
        key = "shared" if len(common.entities) == 2 else "shared_by_all"
        yield Fact(say.say(key, names=people, topics=listed))
        yield from _speaking(topics, say)


def _contrasted(graph: Graph, names: Sequence[str], say: Messages) -> Iterator[Fact]:
    """What two speak of both, and what each of them alone: whether they agree is for the reader to see."""
    common = graph.common(*names, most=_TOPICS)
    alone = [[topic for topic in topics if any(map(_is_spoken, topic.quotes))] for topics in common.only]
    if not any(alone):
        return
    yield from _shared(graph, names, say)
    for entity, topics in zip(common.entities, alone, strict=True):
        if not topics:
            continue
        listed = say.listed([topic.entity.name for topic in topics])
        yield Fact(say.say("only", name=entity.name, topics=listed))
        yield from _speaking(topics, say)


def _speaking(topics: Sequence[Topic], say: Messages) -> Iterator[Fact]:
    """Who speaks of each topic, in which words."""
    for topic in topics:
        for quotes in filter(_is_spoken, topic.quotes):
            text = say.say("speaks_of", one=quotes[0].speaker or "", other=topic.entity.name)
            source = GraphSource("mention", quotes[0].speaker or "", SPEAKS, topic.entity.name, text)
            yield _fact(source, quotes[0], say)


def _is_spoken(quotes: Sequence[Quote]) -> bool:
    return bool(quotes and quotes[0].speaker)


def _mentioners(
    graph: Graph, name: str, reading: Reading, background: Background, say: Messages
) -> Iterator[Fact]:
    """Who speaks of something, each in a quote: but for those who are excepted, and of a role that the
    question names those who hold it, where that is known."""
    excepted = [person for mention in reading.excepted for person in mention.values]
    noun, holders = _role_asked(reading, background)
    profile = graph.about(name, _HEARD if excepted or holders else _PEOPLE)
    if not profile.voices:
        return
    others = [v for v in profile.voices if not any(names_speaker(each, v.speaker) for each in excepted)]
    held = [v for v in others if any(names_speaker(each, v.speaker) for each in holders)]
    shown = (held or others)[:_PEOPLE]
    said, but = say.quoted(profile.entity.name), say.listed(excepted) if excepted else ""
    heading = say.say("others_mention" if excepted else "mentioners", len(shown), said=said, names=but)
    yield Fact(
        f"{heading} {say.say('role_unknown', said=say.quoted(noun))}" if noun and not held else heading
    )
    for voice in shown:
        text = say.say("said_by", name=voice.speaker, passages=say.say("passages", voice.passages))
        source = GraphSource("mention", voice.speaker, SPEAKS, profile.entity.name, text)
        yield _fact(source, voice.quote, say) if voice.quote else Fact(text)


def _role_asked(reading: Reading, background: Background) -> tuple[str, frozenset[str]]:
    """The role whose holders a question of who mentions something asks for, and they; empty for none."""
    frame = frame_words("mentioned_by")
    roles = {role for same in lexicon().same_roles for role in same}
    for token in reading.linked.tokens:
        if token.word in frame and (token.word,) in roles:
            held = [background.catalog.credits.get(role, {}) for role in same_roles((token.word,))]
            return noun_of(token), frozenset(n for there in held for names in there.values() for n in names)
    return "", frozenset()


def _edge_fact(edge: Edge, say: Messages) -> Fact:
    """A line for an edge, with the place of its first quote."""
    kind = "inferred" if edge.inferred else "mention" if edge.relation == SPEAKS else "relation"
    source = GraphSource(kind, edge.subject, edge.relation, edge.object, _sentence(edge, say))
    return _fact(source, edge.quotes[0], say)


def _fact(source: GraphSource, quote: Quote, say: Messages) -> Fact:
    """A line with the words that show it, and their place."""
    words = say.quote(one_line(quote.text))
    shown = say.introduced(one_line(quote.speaker), words) if quote.speaker else words
    place, until = (quote.recording, quote.position, quote.begin), quote.begin + len(quote.text)
    return Fact(source.description, (shown,), (quote.recording,), place, until=until, graph=source)


_SENTENCES = ("speaks_of", "named_together_with", "named_near", "causes", "is_a")
"""Relations that `messages.yaml` has a sentence for."""
_GRAPH_QUERIES: Mapping[str, tuple[int, int, Callable[[Graph, Sequence[str], Messages], Iterator[Fact]]]] = {
    "connection": (2, 2, _connected),
    "common_ground": (2, 6, _shared),
    "contrast": (2, 2, _contrasted),
    "causes": (1, 2, _caused),
    "defined": (1, 1, _defined),
}
"""How many names a question of each kind has, at least and at most, and what answers it."""
